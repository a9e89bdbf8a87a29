"""Runs that are killed while they write, and runs at once on one output folder.

In comes the program and how often; what a reader sees afterwards is read by Python's own XML reader, which starts at
sitemap.xml and follows the index. The site is one folder of pages with two settings: they share most pages, differ in
others, and divide what they share into other files, so that a run from one to the other takes every kind of step.
"""
import itertools
import os
import random
import resource
import shutil
import signal
import subprocess
import time

from judge import git, read_sitemaps

BASE = "https://example.com/"
ROBOTS = "User-agent: *\nDisallow: /search/\n"
SETTINGS = {
    "one.toml": 'exclude = ["d0?/**"]\n[sitemap]\nmax_urls = 150\ngzip = "also"\n'
                '[[rule]]\nmatch = "d[1-3]?/**"\ngroup = "a"\n[[rule]]\nmatch = "d[45]?/**"\ngroup = "b"\n',
    "two.toml": 'exclude = ["d9?/**"]\n[sitemap]\nmax_urls = 100\ngzip = "also"\n'
                '[[rule]]\nmatch = "d[2-4]?/**"\ngroup = "a"\n[[rule]]\nmatch = "d[56]?/**"\ngroup = "b"\n',
}
NEVER = 120  # seconds
SETS_MET = ("the old set", "a set between", "the new set")
# The calls that change a folder, as strace names them; with a question mark those that not every processor's Linux has.
STEPS = ("?mkdir,mkdirat", "write", "?rename,?renameat,renameat2", "?link,linkat", "?unlink,unlinkat")


class Site:
    """A folder of pages, and the two sets that belong to it, each as a run in peace writes it."""

    def __init__(self, waypost, folder, pages):
        self.waypost, self.root = waypost, folder / "site"
        for number in range(pages):
            page = self.root / f"d{number % 100:02}" / f"p{number}.html"
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(f"<!DOCTYPE html><title>{number}</title>")
        for name, settings in SETTINGS.items():
            (folder / name).write_text(f'base_url = "{BASE}"\n{settings}')
        (self.root / "robots.txt").write_text(ROBOTS)
        self.files, self.urls = {}, {}
        for name in SETTINGS:
            self.start(name).wait(NEVER)
            self.files[name] = self.set_files()
            self.urls[name] = set(read_sitemaps(self.root, BASE))

    def start(self, settings, descriptors=None, under=()):
        limit = descriptors and (lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors)))
        command = [*under, self.waypost, "build", str(self.root), "--config", str(self.root.parent / settings), "--quiet"]
        return subprocess.Popen(command, cwd=self.root.parent, preexec_fn=limit)

    def set_files(self):
        """Every file of the output folder itself, with its bytes: the set, robots.txt, and whatever was left behind."""
        return {path.name: path.is_file() and path.read_bytes() for path in self.root.iterdir() if path.name[0] != "d"}

    def forget_robots(self):
        (self.root / "robots.txt").write_text(ROBOTS)


def staging(site, process):
    return site.root / f".waypost-staging-{process.pid}"


def wait_while(process, waits):
    while waits() and process.poll() is None:
        pass


def kill_anywhere(_, process, length, dice):
    time.sleep(dice.uniform(0, length))
    process.kill()


def kill_while_staging(site, process, length, dice):
    wait_while(process, lambda: not os.path.lexists(staging(site, process)))
    time.sleep(dice.uniform(0, length / 3))
    process.kill()


def kill_while_replacing(site, process, _, dice):
    wait_while(process, lambda: not os.path.lexists(staging(site, process)))
    before = os.stat(site.root).st_mtime_ns
    wait_while(process, lambda: os.stat(site.root).st_mtime_ns == before)
    for _ in range(dice.randrange(20_000)):  # A sleep would be longer than all renames take.
        pass
    process.kill()


def survive_kills(tally, waypost, folder, kills, pages):
    """Kills run after run; gives how many kills met each state of the set."""
    site = Site(waypost, folder, pages)
    dice = random.Random(kills)
    started = time.monotonic()
    site.start("one.toml").wait(NEVER)
    length = time.monotonic() - started
    met = dict.fromkeys(SETS_MET, 0)
    old, new = "one.toml", "two.toml"
    for number in range(kills):
        status = None
        while status != -signal.SIGKILL:
            site.forget_robots()
            process = site.start(new)
            (kill_anywhere, kill_while_staging, kill_while_replacing)[number % 3](site, process, length, dice)
            status = process.wait(NEVER)
            if status != -signal.SIGKILL:  # It came to its end first.
                tally.equal(status, 0, f"kill {number}: a run that was not killed")
                old, new = new, old
        met[judge_killed(tally, site, old, new, f"kill {number}")] += 1
        judge_next_run(tally, site, new, f"kill {number}")
        old, new = new, old
    # One kill in ten meets the new set, so a few kills may all miss it.
    judge_aim(tally, met, kills // 100, "kills")
    shutil.rmtree(site.root)
    return met


def survive_a_kill_at_every_step(tally, waypost, folder, pages):
    """Kills a run before each rename, link and removal, and among its writes; gives how many kills met each state.

    strace sends the signal, so that the program is the one that people run. It counts the calls of each thread by itself,
    and several threads write.
    """
    site = Site(waypost, folder, pages)
    met = dict.fromkeys(SETS_MET, 0)
    old, new = "one.toml", "two.toml"
    for calls in STEPS:
        for number in itertools.count(1):
            site.start(old).wait(NEVER)
            site.forget_robots()
            kill = f"inject={calls}:signal=KILL:when={number}"
            status = site.start(new, under=("strace", "-f", "-qq", "-o", os.devnull, "-e", kill)).wait(NEVER)
            what = f"kill before {calls} {number}"
            if status != -signal.SIGKILL:
                tally.equal(status, 0, f"{what}: there was none, and the run")
                tally.check(number > 1, f"{what}: there must be one")
                break
            met[judge_killed(tally, site, old, new, what)] += 1
            judge_next_run(tally, site, new, what)
    judge_aim(tally, met, 1, "kills at every step")
    shutil.rmtree(site.root)
    return met


def judge_aim(tally, met, least, what):
    """The kills struck on both sides of the change, or they show nothing."""
    tally.check(met["the old set"] > 0 and met["the new set"] >= least, f"{what}: they met {met}")


def judge_next_run(tally, site, new, what):
    """The run after a kill ends well, and leaves the new set and nothing else."""
    tally.equal(site.start(new).wait(NEVER), 0, f"{what}: the next run")
    tally.check(site.set_files() == site.files[new], f"{what}: the next run leaves just the new set")


def judge_killed(tally, site, old, new, what):
    """What a reader sees after a kill: whole files, all that both sets have, nothing that neither has."""
    try:
        seen = set(read_sitemaps(site.root, BASE))
    except (OSError, SyntaxError) as error:
        tally.check(False, f"{what}: the reader meets {error}")
        return "a set between"
    before, after = site.urls[old], site.urls[new]
    tally.check(seen >= before & after, f"{what}: {len((before & after) - seen)} URLs of both sets are lost")
    tally.check(seen <= before | after, f"{what}: {len(seen - before - after)} URLs are of neither set")
    robots = (site.root / "robots.txt").read_bytes()
    wanted = [ROBOTS.encode(), site.files[new]["robots.txt"]]
    tally.check(robots in wanted, f"{what}: robots.txt is {robots!r}")
    return {frozenset(before): "the old set", frozenset(after): "the new set"}.get(frozenset(seen), "a set between")


def survive_each_other(tally, waypost, folder, rounds, pages):
    """Two and five runs at once, in every other round one of them killed; gives in how many it really was."""
    site = Site(waypost, folder, pages)
    dice = random.Random(rounds)
    site.forget_robots()
    started = time.monotonic()
    site.start("one.toml").wait(NEVER)
    length = time.monotonic() - started
    killed = 0
    for number in range(rounds):
        site.forget_robots()
        names = [list(SETTINGS)[at % 2] for at in range((2, 5)[number % 2])]
        processes = [site.start(name) for name in names]
        if number % 4 > 1:
            time.sleep(dice.uniform(0, length))
            processes[0].kill()
        statuses = [process.wait(NEVER) for process in processes]
        tally.check(not any(statuses[1:]) and statuses[0] in (0, -signal.SIGKILL), f"at once {number}: {statuses}")
        if statuses[0]:  # It may have come last, so that the next run has to clear up after it.
            killed += 1
            judge_killed(tally, site, names[0], names[1], f"at once {number}")
            judge_next_run(tally, site, names[1], f"at once {number}")
        else:
            tally.check(site.set_files() in site.files.values(), f"at once {number}: the result is neither set")
    tally.check(killed >= rounds // 4, f"at once: only {killed} runs of {rounds // 2} were killed before their end")
    shutil.rmtree(site.root)
    return killed


def need_few_descriptors(tally, waypost, folder, pages):
    """A whole build with hardly any descriptors: none is kept for a page or a pack that has been read."""
    descriptors = 24
    site = Site(waypost, folder, pages)
    make_packs(site.root, descriptors + 6)
    packs = len(list(site.root.glob(".git/objects/pack/*.pack")))
    tally.check(packs > descriptors, f"few descriptors: there are only {packs} packs")
    tally.equal(site.start("one.toml").wait(NEVER), 0, "a run with all descriptors")
    whole = site.set_files()
    dates = set(read_sitemaps(site.root, BASE).values())
    tally.check(None not in dates and len(dates) > descriptors, f"few descriptors: the dates are {dates}")
    tally.equal(site.start("two.toml").wait(NEVER), 0, "a run of the other settings")
    tally.equal(site.start("one.toml", descriptors).wait(NEVER), 0, f"a run with {descriptors} descriptors")
    tally.check(site.set_files() == whole, f"a run with {descriptors} descriptors writes the whole set")
    shutil.rmtree(site.root)


def make_packs(root, count):
    """A repository with so many packs: each has a commit of its own, of pages that no later one changes."""
    git(root, "init", "--quiet")
    git(root, "add", "d*")
    for number in range(count):
        changed = root / f"d{20 + number}"
        for page in changed.iterdir():
            page.write_text(f"{page.read_text()}<p>{number}</p>")
        git(root, "add", changed.name)
        git(root, "commit", "--quiet", "--message", "a", at=f"2024-01-01T00:{number:02}:00Z")
        git(root, "repack", "-d", "--quiet")
