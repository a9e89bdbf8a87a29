"""Runs waypost repeatedly while another thread changes the site and its repository.

Pages are added, removed and truncated; git commits, packs and prunes. Findings are allowed, but
each run must end, write a readable sitemap set, and date a page only by a commit of that page. When
the changes stop, the next set must equal that of a fresh clone, with the dates of `git log`.
"""
import datetime
import os
import random
import shutil
import subprocess
import threading
import time

from judge import git, git_log, read_sitemaps, run

BASE = "https://example.com/"
PAGES = 30  # in each of 20 directories
TITLES = "<!DOCTYPE html><title>{}</title><p>text</p>"
# Reading a long page takes milliseconds. Its last line is noindex, so a long page is listed only if
# it was truncated while it was read. A page that is empty when it is opened is not a page.
LONG_PAGES = 4
LONG = TITLES.format("long") + ("<p>" + "more text " * 9 + "\n") * 50_000 + '<meta name="robots" content="noindex">'
# The generator removes and restores nearly all pages and dates between runs.
ACCEPTED = ["--accept", "set-shrunk", "--accept", "dates-lost"]
NO_PAGE = """\
error: no page found in `{}`
 |
 = hint: build the site first, or pass the output directory: `waypost DIR`
"""


class Build(threading.Thread):
    """Thread that keeps changing pages as generators do.

    Files are truncated and then written; directories are created and removed.
    """

    def __init__(self, root):
        super().__init__(daemon=True)
        self.root, self.stopped, self.dice, self.changes = root, threading.Event(), random.Random(1), 0
        self.commits, self.error = 0, None

    def page(self):
        return self.root / f"d{self.dice.randrange(20)}" / f"p{self.dice.randrange(PAGES)}.html"

    def run(self):
        try:
            while not self.stopped.is_set():
                self.change()
                self.changes += 1
                time.sleep(0.002)
        except Exception as error:  # Otherwise the test would pass on an unchanging site.
            self.error = error

    def change(self):
        page, kind = self.page(), self.dice.randrange(100)
        if kind < 40:
            page.parent.mkdir(exist_ok=True)
            with open(page, "w", encoding="utf-8") as file:
                file.write(TITLES.format(self.changes)[: self.dice.randrange(60)])
                file.flush()
                file.write(TITLES.format(self.changes))
        elif kind < 70:
            page.unlink(missing_ok=True)
        elif kind < 72:
            shutil.rmtree(page.parent, ignore_errors=True)
        elif kind < 75:
            self.commit()
        elif kind < 76:
            git(self.root, "repack", "-a", "-d", "--quiet")
            git(self.root, "prune")
        elif kind < 78:
            self.start_from_nothing()
        elif kind < 95:
            self.cut_off()

    def commit(self):
        """Commits everything, an hour after the previous commit, so that all dates differ."""
        self.commits += 1
        git(self.root, "add", "--all")
        git(self.root, "commit", "--quiet", "--allow-empty", "--message", "change",
            at=f"{1_577_836_800 + 3_600 * self.commits} +0000")

    def start_from_nothing(self):
        """Removes all pages briefly, like generators that first empty the output directory."""
        away = self.root / ".away"
        away.mkdir()
        entries = [path.name for path in self.root.iterdir() if path.name.startswith(("d", "long"))]
        for name in entries:
            os.rename(self.root / name, away / name)
        time.sleep(0.02)
        for name in entries:
            os.rename(away / name, self.root / name)
        away.rmdir()

    def cut_off(self):
        """Truncates a long page to nothing, and rewrites it a moment later."""
        page = self.root / f"long{self.dice.randrange(LONG_PAGES)}.html"
        os.truncate(page, 0)
        time.sleep(0.005)
        page.write_text(LONG)


def endure(tally, waypost, folder, runs):
    """Runs waypost `runs` times; returns the number of changes and of runs that met each state."""
    root = folder / "site"
    for number in range(20 * PAGES):
        page = root / f"d{number % 20}" / f"p{number // 20}.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(TITLES.format("first"))
    for number in range(LONG_PAGES):
        (root / f"long{number}.html").write_text(LONG)
    (root / "waypost.toml").write_text(f'base_url = "{BASE}"\n[sitemap]\nmax_urls = 40\n')
    (root / ".gitignore").write_text("sitemap*\nrobots.txt\n.waypost-staging*\n")
    git(root, "init", "--quiet")
    build = Build(root)
    build.commit()
    build.start()
    dates_by_url, met = {}, {"dates": 0, "truncated long pages": 0, "no page": 0}
    try:
        for number in range(runs):
            one_run(tally, waypost, root, number, dates_by_url, met)
    finally:
        build.stopped.set()
        build.join()
    tally.equal(build.error, None, "endurance: error of the thread that changes the site")
    tally.check(met["dates"] > runs / 4,
                f"endurance: of {runs} runs only {met['dates']} wrote dates")
    # One run in four meets a truncated page, and one in ten no page, so a few runs may miss both.
    often_enough = met["truncated long pages"] >= runs // 40 and met["no page"] >= runs // 200
    tally.check(often_enough, f"endurance: {runs} runs met only {met}")
    judge_dates(tally, root, dates_by_url)
    build.commit()
    judge_last_set(tally, waypost, folder, root)
    shutil.rmtree(root)
    return build.changes, met


def one_run(tally, waypost, root, number, dates_by_url, met):
    before = set_of(root)
    done = subprocess.run([waypost, "build", str(root), "--quiet", *ACCEPTED], capture_output=True, text=True, timeout=120)
    # A directory, or all of them, may disappear between being found and being listed.
    gone = done.returncode == 1 and "[directory-unreadable]" in done.stderr and "No such file" in done.stderr
    none_seen = "error: no page found, and `" in done.stderr and "cannot be listed: No such file" in done.stderr
    empty = done.returncode == 2 and (done.stderr == NO_PAGE.format(root) or none_seen)
    # A page may disappear between being found and being read. It is a finding at level deny.
    page_gone = done.returncode == 1 and "error[unreadable]: " in done.stderr and "No such file" in done.stderr
    # All pages may disappear so. No set is written then.
    none_read = (done.returncode == 1 and "error[nothing-listed]: every page is excluded (" in done.stderr
                 and "unreadable)" in done.stderr and set_of(root) == before)
    tally.check(done.returncode == 0 or gone or page_gone or empty or none_read,
                f"endurance {number}: {done.returncode}, {done.stderr[-400:]}")
    if empty:
        met["no page"] += 1
        tally.check(set_of(root) == before,
                    f"endurance {number}: the set is unchanged if no page is found")
        return
    try:
        listed = read_sitemaps(root, BASE)
    except (OSError, SyntaxError) as error:
        return tally.check(False, f"endurance {number}: error of the reader: {error}")
    met["dates"] += any(listed.values())
    met["truncated long pages"] += any(url.startswith(f"{BASE}long") for url in listed)
    for url, date in listed.items():
        dates_by_url.setdefault(url, set()).add(date)


def set_of(root):
    return {path.name: path.read_bytes() for path in root.glob("sitemap*")}


def instant(date):
    return date and datetime.datetime.fromisoformat(date.replace("Z", "+00:00"))


def judge_dates(tally, root, dates_by_url):
    """Checks that every written date of a page is the date of a commit that changed the page."""
    commits, date = {}, None
    for line in git(root, "log", "--all", "--format=%x00%cI", "--name-only").splitlines():
        if line.startswith("\0"):
            date = instant(line[1:])
        elif line:
            commits.setdefault(BASE + line, set()).add(date)
    for url, dates in dates_by_url.items():
        strangers = set(map(instant, dates)) - commits.get(url, set()) - {None}
        tally.check(not strangers, f"endurance: {url} has dates of no commit: {strangers}")


def judge_last_set(tally, waypost, folder, root):
    """Checks that the last set equals the first set of a fresh clone, with the dates of git."""
    fresh = folder / "fresh"
    git(folder, "clone", "--quiet", str(root), str(fresh))
    for site in (root, fresh):
        done = run([waypost, "build", str(site), "--quiet"], folder)
        tally.equal(done.returncode, 0, f"endurance: the last run ({done.stderr[-400:]})")
    files = [{str(path.relative_to(site)): path.read_bytes() for path in site.rglob("*")
              if path.is_file() and ".git" not in path.parts} for site in (root, fresh)]
    tally.equal(sorted(files[0]), sorted(files[1]), "endurance: the files at the end")
    tally.check(files[0] == files[1], "endurance: the bytes at the end")
    listed = read_sitemaps(root, BASE)
    pages = {BASE + name for name in files[0] if name.startswith("d")}
    tally.equal(set(listed), pages, "endurance: the pages at the end")
    for url, date in listed.items():
        wanted = git_log(root, "%cI", [url.removeprefix(BASE)])
        tally.equal(instant(date), instant(wanted), f"endurance: the date of {url} at the end")
    shutil.rmtree(fresh)
