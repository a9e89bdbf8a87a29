"""Runs ten waypost at once in one directory, with locks and on a file system without them.

The runs have two different sets. Without locks (failing_calls.c lets flock fail), they overtake each other at any
step. At the end, the directory must have exactly one of the sets, or a run must have failed with a hint. Meanwhile, two readers
follow the set from its root, and must never see a file that is not complete.
"""
import errno
import random
import shutil
import subprocess
import threading
import time
import xml.etree.ElementTree as ElementTree

from failing_calls import preloaded
from kills import NEVER, SETTINGS, Site

RUNS = 10
UNLOCKED = (errno.ENOLCK, errno.EOPNOTSUPP)


class Reader(threading.Thread):
    """Thread that reads every XML file of the set again and again."""

    def __init__(self, root):
        super().__init__(daemon=True)
        self.root, self.stopped, self.read, self.torn = root, threading.Event(), 0, []

    def run(self):
        while not self.stopped.is_set():
            for path in self.root.glob("sitemap*.xml"):
                self.look_at(path)
            time.sleep(0.001)

    def look_at(self, path):
        try:
            data = path.read_bytes()
        except FileNotFoundError:  # The set does not have it any more.
            return
        try:
            ElementTree.fromstring(data)
            self.read += 1
        except ElementTree.ParseError as error:
            self.torn.append(f"{path.name} ({len(data)} bytes): {error}")


def run_together(tally, waypost, folder, rounds, pages):
    """Returns how the rounds ended, with locks and without."""
    site = Site(waypost, folder, pages)
    dice = random.Random(rounds)
    ends = {"one set": 0, "failed runs": 0, "failed runs without one set": 0, "files read": 0}
    library = preloaded(folder)
    if not library:
        print("SKIPPED runs without locks: needs Linux and a C compiler")
    for number in range(rounds):
        failure = number % 2 and library and dice.choice(UNLOCKED)
        variables = {"LD_PRELOAD": library, "FAIL_BELOW": str(site.root), "FAIL_GROUP": "lock", "FAIL_NUMBER": "1",
                     "FAIL_ON": "1", "FAIL_ERROR": str(failure)} if failure else {}
        one_round(tally, site, dice, f"together {number}{failure and ' without locks' or ''}", variables, ends)
    tally.check(ends["one set"] > rounds * 3 // 4, f"together: of {rounds} rounds, only {ends['one set']} left one set")
    shutil.rmtree(site.root)
    return ends


def one_round(tally, site, dice, what, variables, ends):
    site.forget_robots()
    names = [dice.choice(list(SETTINGS)) for _ in range(RUNS)]
    readers = [Reader(site.root) for _ in range(2)]
    for reader in readers:
        reader.start()
    runs = []
    for name in names:
        runs.append(site.start(name, variables=variables, stderr=subprocess.PIPE))
        time.sleep(dice.uniform(0, 0.03))
    printed = [run.communicate(timeout=NEVER)[1].decode() for run in runs]
    for reader in readers:
        reader.stopped.set()
        reader.join()
        tally.check(not reader.torn, f"{what}: files that are not complete: {reader.torn[:3]}")
        ends["files read"] += reader.read
    failed = [f"{run.returncode}: {text[-300:]}" for run, text in zip(runs, printed) if run.returncode]
    is_one = site.set_files() in site.files.values()
    tally.check(is_one or failed, f"{what}: no run failed, but the directory has {sorted(site.set_files())}")
    tally.check(variables or not failed, f"{what}: runs failed: {failed}")
    tally.check(all(run.returncode in (0, 2) for run in runs), f"{what}: {failed}")
    tally.check(all("hint: " in text for text in failed), f"{what}: an error without a hint: {failed}")
    ends["one set"] += is_one
    ends["failed runs"] += len(failed)
    ends["failed runs without one set"] += 0 if is_one else len(failed)
    if not is_one:  # The next run alone leaves its set.
        tally.equal(site.start("one.toml").wait(NEVER), 0, f"{what}: the next run")
        tally.check(site.set_files() == site.files["one.toml"], f"{what}: the next run leaves its set")
