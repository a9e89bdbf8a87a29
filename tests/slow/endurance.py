"""Run after run while the site is being built: pages come, go and are cut off, and git commits, packs and prunes.

In comes the program and how often. A run may find what it likes, but it must end, write a set that a reader can read,
and date a page only by a commit of that page. When the building stops, the next set has to be that of a fresh clone.
"""
import random
import shutil
import subprocess
import threading
import time

from judge import read_sitemaps, run

BASE = "https://example.com/"
PAGES = 30  # in each of 20 folders
TITLES = "<!DOCTYPE html><title>{}</title><p>text</p>"


class Build(threading.Thread):
    """Changes pages without end, the way generators do: a file is emptied, then written; folders come and go."""

    def __init__(self, root):
        super().__init__(daemon=True)
        self.root, self.stopped, self.dice, self.changes = root, threading.Event(), random.Random(1), 0
        self.error = None

    def page(self):
        return self.root / f"d{self.dice.randrange(20)}" / f"p{self.dice.randrange(PAGES)}.html"

    def run(self):
        try:
            while not self.stopped.is_set():
                self.change()
                self.changes += 1
                time.sleep(0.002)
        except Exception as error:  # Without it the trial would pass on a site that stands still.
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
            git(self.root, "add", "--all")
            git(self.root, "commit", "--quiet", "--allow-empty", "--message", "change")
        elif kind < 76:
            git(self.root, "repack", "-a", "-d", "--quiet")
            git(self.root, "prune")


def git(root, *arguments):
    command = ["git", "-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "gc.auto=0", *arguments]
    done = run(command, root)
    if done.returncode:
        raise SystemExit(f"{command}: {done.stderr}")
    return done.stdout


def endure(tally, waypost, folder, runs):
    """Runs so often; gives how many changes were made meanwhile."""
    root = folder / "site"
    for number in range(20 * PAGES):
        page = root / f"d{number % 20}" / f"p{number // 20}.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(TITLES.format("first"))
    (root / "waypost.toml").write_text(f'base_url = "{BASE}"\n[sitemap]\nmax_urls = 40\n')
    (root / ".gitignore").write_text("sitemap*\nrobots.txt\n.waypost-staging*\n")
    git(root, "init", "--quiet")
    build = Build(root)
    build.start()
    dates_by_url = {}
    try:
        for number in range(runs):
            one_run(tally, waypost, root, number, dates_by_url)
    finally:
        build.stopped.set()
        build.join()
    tally.equal(build.error, None, "endurance: the build")
    judge_dates(tally, root, dates_by_url)
    judge_last_set(tally, waypost, folder, root)
    shutil.rmtree(root)
    return build.changes


def one_run(tally, waypost, root, number, dates_by_url):
    done = subprocess.run([waypost, "build", str(root), "--quiet"], capture_output=True, text=True, timeout=120)
    # A build may for a moment have removed every page, or a folder between its being found and being listed.
    gone = done.returncode == 1 and "[unreadable-folder]" in done.stderr and "No such file" in done.stderr
    ended = done.returncode == 0 or gone or "no page" in done.stderr
    tally.check(ended, f"endurance {number}: {done.stderr[-400:]}")
    try:
        for url, date in read_sitemaps(root, BASE).items():
            dates_by_url.setdefault(url, set()).add(date)
    except (OSError, SyntaxError) as error:
        tally.check(False, f"endurance {number}: the reader meets {error}")


def judge_dates(tally, root, dates_by_url):
    """Every date that ever stood in a set is that of a commit that changed that very page."""
    commits, date = {}, None
    for line in git(root, "log", "--all", "--format=%x00%cI", "--name-only").splitlines():
        if line.startswith("\0"):
            date = line[1:].replace("+00:00", "Z")
        elif line:
            commits.setdefault(BASE + line, set()).add(date)
    for url, dates in dates_by_url.items():
        strangers = dates - commits.get(url, set()) - {None}
        tally.check(not strangers, f"endurance: {url} had the dates {strangers}, of no commit of it")


def judge_last_set(tally, waypost, folder, root):
    """Nothing has crept in: the folder equals one in which waypost runs for the first time."""
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--allow-empty", "--message", "last")
    fresh = folder / "fresh"
    git(folder, "clone", "--quiet", str(root), str(fresh))
    for site in (root, fresh):
        done = run([waypost, "build", str(site), "--quiet"], folder)
        tally.equal(done.returncode, 0, f"endurance: the last run ({done.stderr[-400:]})")
    files = [{str(path.relative_to(site)): path.read_bytes() for path in site.rglob("*")
              if path.is_file() and ".git" not in path.parts} for site in (root, fresh)]
    tally.equal(sorted(files[0]), sorted(files[1]), "endurance: the files at the end")
    tally.check(files[0] == files[1], "endurance: the bytes at the end")
    shutil.rmtree(fresh)
