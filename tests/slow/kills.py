"""Tests of killed runs, and of concurrent runs in one output directory.

Python's XML reader reads the result, from sitemap.xml through the index. The site has two settings
files: most pages are in both sets, some in one, and the sets divide the pages into files
differently, so that a change from one set to the other takes every kind of step.
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
SETS_MET = ("the old set", "a mixed set", "the new set")
# System calls that change a directory, by strace's names; `?` marks calls that some architectures
# do not have.
STEPS = ("?mkdir,mkdirat", "write", "?rename,?renameat,renameat2", "?link,linkat", "?unlink,unlinkat")


class Site:
    """A directory of pages, with both sets as undisturbed runs write them."""

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

    def start(self, settings, descriptors=None, under=(), variables=None, stderr=None):
        limit = descriptors and (lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors)))
        command = [*under, self.waypost, "build", str(self.root), "--config", str(self.root.parent / settings), "--quiet"]
        environment = os.environ | (variables or {})
        return subprocess.Popen(command, cwd=self.root.parent, preexec_fn=limit, env=environment, stderr=stderr)

    def set_files(self):
        """Returns all files in the output directory: the set, robots.txt and leftovers."""
        return {path.name: path.is_file() and path.read_bytes()
                for path in self.root.iterdir() if path.name[0] != "d"}

    def forget_robots(self):
        (self.root / "robots.txt").write_text(ROBOTS)


def is_staging(site, process):
    """Whether the process has a staging directory. The end of its name is random."""
    return any(name.startswith(f".waypost-staging-{process.pid}-") for name in os.listdir(site.root))


def wait_while(process, waits):
    while waits() and process.poll() is None:
        pass


def kill_anywhere(_, process, length, dice):
    time.sleep(dice.uniform(0, length))
    process.kill()


def kill_while_staging(site, process, length, dice):
    wait_while(process, lambda: not is_staging(site, process))
    time.sleep(dice.uniform(0, length / 3))
    process.kill()


def kill_while_replacing(site, process, _, dice):
    wait_while(process, lambda: not is_staging(site, process))
    before = os.stat(site.root).st_mtime_ns
    wait_while(process, lambda: os.stat(site.root).st_mtime_ns == before)
    for _ in range(dice.randrange(20_000)):  # A sleep would outlast all renames.
        pass
    process.kill()


def survive_kills(tally, waypost, folder, kills, pages):
    """Kills one run after another; returns how many kills met each state of the set."""
    site = Site(waypost, folder, pages)
    dice = random.Random(kills)
    started = time.monotonic()
    site.start("one.toml").wait(NEVER)
    length = time.monotonic() - started
    met = dict.fromkeys(SETS_MET, 0)
    old, new = "one.toml", "two.toml"
    deadline = time.monotonic() + NEVER * (1 + kills // 10)
    for number in range(kills):
        status = None
        while status != -signal.SIGKILL:
            assert time.monotonic() < deadline, f"kill {number}: every run ended before it was killed"
            site.forget_robots()
            process = site.start(new)
            (kill_anywhere, kill_while_staging, kill_while_replacing)[number % 3](site, process, length, dice)
            status = process.wait(NEVER)
            if status != -signal.SIGKILL:  # The run ended first.
                tally.equal(status, 0, f"kill {number}: a run that ended first")
                old, new = new, old
        met[judge_killed(tally, site, old, new, f"kill {number}")] += 1
        judge_next_run(tally, site, new, f"kill {number}")
        old, new = new, old
    # One kill in ten meets the new set, so a few kills may miss it.
    judge_aim(tally, met, kills // 100, "kills")
    shutil.rmtree(site.root)
    return met


def survive_a_kill_at_every_step(tally, waypost, folder, pages):
    """Kills a run before each mkdir, rename, link and removal, and at some of its writes.

    Returns how many kills met each state. strace sends the signal, so that the release binary is
    tested. It counts calls per thread, and several threads write, so not every write is reached.
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
                tally.equal(status, 0, f"{what}: the run without this call")
                tally.check(number > 1, f"{what}: there is at least one")
                break
            met[judge_killed(tally, site, old, new, what)] += 1
            judge_next_run(tally, site, new, what)
    judge_aim(tally, met, 1, "kills at every step")
    shutil.rmtree(site.root)
    return met


def judge_aim(tally, met, least, what):
    """Checks that kills met both sets; otherwise the test proves nothing."""
    tally.check(met["the old set"] > 0 and met["the new set"] >= least, f"{what}: they met {met}")


def judge_next_run(tally, site, new, what):
    """Checks that the run after a kill succeeds, and leaves only the new set."""
    tally.equal(site.start(new).wait(NEVER), 0, f"{what}: the next run")
    tally.check(site.set_files() == site.files[new],
                f"{what}: the next run leaves only the new set")


def judge_killed(tally, site, old, new, what):
    """Checks the set after a kill, and returns its state.

    Files must be complete, URLs in both sets must be listed, and URLs in neither must not.
    """
    try:
        seen = set(read_sitemaps(site.root, BASE))
    except (OSError, SyntaxError) as error:
        tally.check(False, f"{what}: error of the reader: {error}")
        return "a mixed set"
    before, after = site.urls[old], site.urls[new]
    lost, foreign = (before & after) - seen, seen - before - after
    tally.check(not lost, f"{what}: {len(lost)} URLs in both sets are lost")
    tally.check(not foreign, f"{what}: {len(foreign)} URLs are in neither set")
    robots = (site.root / "robots.txt").read_bytes()
    wanted = [ROBOTS.encode(), site.files[new]["robots.txt"]]
    tally.check(robots in wanted, f"{what}: robots.txt is {robots!r}")
    states = {frozenset(before): "the old set", frozenset(after): "the new set"}
    return states.get(frozenset(seen), "a mixed set")


def survive_each_other(tally, waypost, folder, rounds, pages):
    """Tests two and five concurrent runs, with a kill in half of the rounds.

    Returns the number of rounds in which the run was killed before it was done.
    """
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
        tally.check(not any(statuses[1:]) and statuses[0] in (0, -signal.SIGKILL),
                    f"concurrent {number}: {statuses}")
        if statuses[0]:  # The killed run may have been the last, so the next run must clean up.
            killed += 1
            judge_killed(tally, site, names[0], names[1], f"concurrent {number}")
            judge_next_run(tally, site, names[1], f"concurrent {number}")
        else:
            tally.check(site.set_files() in site.files.values(),
                        f"concurrent {number}: the result is neither set")
    tally.check(killed >= rounds // 4,
                f"concurrent: only {killed} of {rounds // 2} runs were killed in time")
    shutil.rmtree(site.root)
    return killed


def need_few_descriptors(tally, waypost, folder, pages):
    """Tests a build with few file descriptors: pages and packs are closed after reading."""
    descriptors = 16
    site = Site(waypost, folder, pages)
    make_packs(site.root, descriptors + 6)
    packs = len(list(site.root.glob(".git/objects/pack/*.pack")))
    tally.check(packs > descriptors, f"few descriptors: only {packs} packs exist")
    tally.equal(site.start("one.toml").wait(NEVER), 0, "a run without a limit of descriptors")
    whole = site.set_files()
    dates = set(read_sitemaps(site.root, BASE).values())
    tally.check(None not in dates and len(dates) > descriptors,
                f"few descriptors: dates are {dates}")
    tally.equal(site.start("two.toml").wait(NEVER), 0, "a run with the other settings")
    tally.equal(site.start("one.toml", descriptors).wait(NEVER), 0,
                f"a run with {descriptors} descriptors")
    tally.check(site.set_files() == whole,
                f"a run with {descriptors} descriptors writes the whole set")
    shutil.rmtree(site.root)


def make_packs(root, count):
    """Makes a repository with `count` packs, each of one commit of pages that change only once."""
    git(root, "init", "--quiet")
    git(root, "add", "d*")
    for number in range(count):
        changed = root / f"d{20 + number}"
        for page in changed.iterdir():
            page.write_text(f"{page.read_text()}<p>{number}</p>")
        git(root, "add", changed.name)
        git(root, "commit", "--quiet", "--message", "a", at=f"2024-01-01T00:{number:02}:00Z")
        git(root, "repack", "-d", "--quiet")
