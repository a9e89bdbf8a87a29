#!/usr/bin/env -S python3 -B
"""Builds a site again and again with a memory of contents, and compares the dates with git and with the edits.

usage: [WAYPOST=target/release/waypost] tests/slow/memory_builds.py [--first SEED] [--histories N]

Each history is random: edits, reverts, rebased commits, new footers, pages without a source that a CMS changes, previews,
feature branches, and builds of a full clone, a shallow one, a copy without `.git`, or an older commit. After each build of the production site:

- a date that git can give is that of `git log`;
- no date of a page with a source is older than its last edit, or newer than the first of the builds that had its content
  since another one, unless an earlier build gave the page a newer date; a page with
  the content of the last build keeps its date, for example after an edit and its revert;
- a page without a source has no date until its text changes, and then none from before the previous build; if most such
  pages, ten at least, change at once, those have none;
- a preview, or a build of a branch that may be one, leaves the memory as it was.

Prints how often each event took place. The last line is 'N passed, M failed'.
"""
import argparse
import collections
import datetime
import json
import os
import pathlib
import random
import shutil
import tempfile

from judge import Tally, git, read_sitemaps, run

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
BASE = "https://example.com/"
START, DAY = 1_700_000_000, 86_400
SOURCED = [f"p{number}" for number in range(8)]
# Builds that are not of the production site, and those that may not be.
BESIDE = {
    "preview": {"NETLIFY": "true", "CONTEXT": "deploy-preview"},
    "feature branch": {"CF_PAGES": "1", "CF_PAGES_BRANCH": "feature"},
}
OF_CMS = [f"cms{number}" for number in range(12)]


def instant(text):
    """The seconds of a date with time and offset."""
    return int(datetime.datetime.fromisoformat(text).timestamp())


class History:
    """A repository with edits whose times are known."""

    def __init__(self, root, choice):
        self.root, self.choice = root, choice
        self.now = START
        self.footer = 0
        self.cms = {page: f"text {page}" for page in OF_CMS}
        # The time of the edit that made the content of each page, at each commit.
        self.edits = {}
        root.mkdir()
        git(root, "init", "--quiet", "--initial-branch=main")
        (root / "config.toml").write_text(f'base_url = "{BASE}"\n')
        (root / ".gitignore").write_text("/public/\n")
        (root / "content").mkdir()
        for page in SOURCED:
            self.write(page, f"first {page}")
        self.commit(dict.fromkeys(SOURCED, self.now))

    def write(self, page, text):
        (self.root / f"content/{page}.md").write_text(f"+++\ntitle = \"{page}\"\n+++\n{text}\n")

    def head(self):
        return git(self.root, "rev-parse", "HEAD").strip()

    def commit(self, edits):
        git(self.root, "add", "--all")
        git(self.root, "commit", "--quiet", "--allow-empty", "--message", "change", at=f"{self.now} +0000")
        self.edits[self.head()] = edits

    def edit(self):
        before = dict(self.edits[self.head()])
        for page in self.choice.sample(SOURCED, self.choice.choice([1, 1, 2])):
            self.write(page, f"edited at {self.now}")
            before[page] = self.now
        self.commit(before)

    def commits(self):
        return git(self.root, "rev-list", "HEAD").split()

    def revert(self):
        """Takes a page back to what it was some commits ago."""
        page, commit = self.choice.choice(SOURCED), self.choice.choice(self.commits())
        old = git(self.root, "show", f"{commit}:content/{page}.md")
        file = self.root / f"content/{page}.md"
        if file.read_text() != old:
            file.write_text(old)
            self.commit(self.edits[self.head()] | {page: self.now})

    def rebase(self):
        """Makes the newest commits again, as after a force-push."""
        commits = self.commits()
        count = min(self.choice.choice([1, 2, 3]), len(commits) - 1)
        git(self.root, "reset", "--quiet", "--hard", commits[count])
        for commit in reversed(commits[:count]):
            git(self.root, "checkout", "--quiet", commit, "--", "content")
            self.commit(self.edits[commit])

    def edit_cms(self):
        for page in self.choice.sample(OF_CMS, self.choice.choice([1, 2, 3])):
            self.cms[page] = f"changed at {self.now}"

    def restless(self):
        for page in OF_CMS:
            self.cms[page] = f"random {self.choice.random()}"

    def new_footer(self):
        self.footer += 1

    def render(self, site):
        """Writes the pages that a generator would make of a checkout."""
        def write(page, text):
            path = site / f"public/{page}/index.html"
            path.parent.mkdir(parents=True)
            path.write_text(f"<!DOCTYPE html><title>{page}</title><main>{text}</main><footer>{self.footer}</footer>")
        for page in SOURCED:
            write(page, (site / f"content/{page}.md").read_text())
        for page, text in self.cms.items():
            write(page, text)


class Builds:
    """The builds of a history with one memory."""

    def __init__(self, tally, waypost, history, folder, seed):
        self.tally, self.waypost, self.history, self.folder = tally, waypost, history, folder
        self.seed, self.number = seed, 0
        self.memory = folder / "memory.jsonl"
        self.shown = {}            # page → its content in the last build, and the first build that had it since
        self.dates = {}            # page → date of the last build
        self.cms = {}              # page → text in the last build
        self.cms_since = {}        # page → time of the build before its last change
        self.last = None           # time of the last build
        self.is_of_other_rules = False

    def checkout(self, kind):
        site = self.folder / f"site{self.number}"
        url = f"file://{self.history.root}"
        if kind == "depth":
            git(self.folder, "clone", "--quiet", "--depth", str(self.history.choice.randint(1, 8)), url, site)
        else:
            git(self.folder, "clone", "--quiet", url, site)
        if kind == "older":
            git(site, "checkout", "--quiet", self.history.choice.choice(self.history.commits()[:6]))
        commit = git(site, "rev-parse", "HEAD").strip()
        by_git = {page: self.date_by_git(site, page) for page in SOURCED}
        if kind == "no .git":
            shutil.rmtree(site / ".git")
            by_git = dict.fromkeys(SOURCED)
        self.history.render(site)
        return site, commit, by_git

    def date_by_git(self, site, page):
        """The date that `git log` knows; `None` at the boundary of a shallow clone."""
        commit, date = git(site, "log", "-1", "--format=%H %ct", "--", f"content/{page}.md").split()
        boundary = site / ".git/shallow"
        is_cut = boundary.exists() and commit in boundary.read_text().split()
        return None if is_cut else int(date)

    def build(self, kind):
        self.number += 1
        now = self.history.now + 3600
        site, commit, by_git = self.checkout(kind)
        before = self.memory.read_bytes() if self.memory.exists() else None
        variables = {"SOURCE_DATE_EPOCH": str(now)}
        variables |= BESIDE.get(kind, {})
        done = run([self.waypost, "--memory", self.memory, "--json"], site, variables)
        what = f"seed {self.seed}, build {self.number} ({kind})"
        self.tally.equal(done.returncode, 0, f"{what}: exit code: {done.stdout[-800:]}{done.stderr}")
        if kind in BESIDE:
            after = self.memory.read_bytes() if self.memory.exists() else None
            self.tally.check(before == after, f"{what}: it changed the memory")
        elif done.returncode == 0:
            listed = read_sitemaps(site / "public", BASE)
            dates = {page: date and instant(date) for page in SOURCED + OF_CMS for date in [listed[f"{BASE}{page}/"]]}
            self.judge_sourced(what, site, commit, by_git, dates, now)
            self.judge_cms(what, dates, now)
            self.dates, self.last, self.is_of_other_rules = dates, now, False
        shutil.rmtree(site)

    def judge_sourced(self, what, site, commit, by_git, dates, now):
        for page in SOURCED:
            content = (site / f"content/{page}.md").read_text()
            is_new = self.shown.get(page, ("", 0))[0] != content
            if is_new:
                self.shown[page] = content, now
            seen = self.shown[page][1]
            date, edited = dates[page], self.history.edits[commit][page]
            if by_git[page] is not None:
                self.tally.equal(date, by_git[page], f"{what}: {page} by git")
            elif self.is_of_other_rules:
                self.tally.equal(date, self.dates.get(page), f"{what}: {page}: kept with other rules")
            elif date is not None and (is_new or date != self.dates.get(page)):
                newest = max(seen, self.dates.get(page) or 0)
                self.tally.check(edited <= date <= newest, f"{what}: {page}: {edited} <= {date} <= {newest}")

    def judge_cms(self, what, dates, now):
        is_new = {page: bool(self.cms) and self.cms[page] != self.history.cms[page] for page in OF_CMS}
        changed = [page for page in OF_CMS if is_new[page] and not self.is_of_other_rules]
        is_restless = len(changed) >= 10 and len(changed) * 2 > len(OF_CMS)
        for page in OF_CMS:
            date = dates[page]
            if page in changed:
                self.cms_since[page] = self.last
                self.tally.check((date is None) == is_restless, f"{what}: {page} changed: {date}, {len(changed)} changes")
            if self.is_of_other_rules:
                # No hash can be compared, so a change in this very build is not seen.
                self.tally.equal(date, self.dates.get(page), f"{what}: {page}: kept with other rules")
            elif date is not None:
                least = self.cms_since.get(page, now + 1)
                self.tally.check(least <= date <= now, f"{what}: {page}: {least} <= {date} <= {now}")
        self.cms = dict(self.history.cms)

    def other_rules(self):
        """Makes the memory one of other rules, as an older version had it."""
        if self.memory.exists():
            self.is_of_other_rules = True
            head, rest = self.memory.read_text().split("\n", 1)
            self.memory.write_text(json.dumps(json.loads(head) | {"rules": 0}) + "\n" + rest)


def judge_history(tally, waypost, seed, events):
    choice = random.Random(seed)
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        folder = pathlib.Path(folder)
        history = History(folder / "repository", choice)
        builds = Builds(tally, waypost, history, folder, seed)
        changes = {"edit": history.edit, "revert": history.revert, "rebase": history.rebase, "CMS edit": history.edit_cms,
                   "restless": history.restless, "footer": history.new_footer, "other rules": builds.other_rules}
        for _ in range(14):
            history.now += DAY
            event = choice.choice([*changes, "edit", "edit", "CMS edit"])
            changes[event]()
            kind = choice.choice(["full", "depth", "depth", "no .git", "no .git", "older", *BESIDE])
            builds.build(kind)
            events.update([event, f"build: {kind}"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--histories", type=int, default=10)
    options = parser.parse_args()
    waypost = str(pathlib.Path(os.environ.get("WAYPOST", TOP / "target/release/waypost")).resolve())
    tally, events = Tally(), collections.Counter()
    for seed in range(options.first, options.first + options.histories):
        judge_history(tally, waypost, seed, events)
    print(", ".join(f"{event} {count}" for event, count in sorted(events.items())))
    tally.end()


if __name__ == "__main__":
    main()
