#!/usr/bin/env -S python3 -B
"""Builds random sites again and again with a memory of contents, and compares each date with a model of its rules.

usage: [WAYPOST=target/release/waypost] tests/slow/memory_builds.py [--first SEED] [--histories N]

Each history is 14 builds: of a full clone, a shallow one, a copy without `.git`, an older commit, another branch, a preview; with a clean
tree or with files that a step of the job wrote; with a clock that is right, behind, or was never set. Between them, sources are edited,
reverted, renamed, removed and committed again; a CMS changes, adds and renames pages; some pages have their source in a repository of their
own; footers change; the memory is cut off, removed, or of other rules or another site. `Model` says what each page's date must be, and
`git log` what Git knows. After each build:

- each page has the date of the model;
- a second build of the same site leaves every byte of the memory as it is, and so do previews and refused builds;
- a memory that is cut off anywhere ends the build with exit code 2.

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
BASE, OTHER_BASE = "https://example.com/", "https://other.example.com/"
START, DAY, YEAR_2000 = 1_700_000_000, 86_400, 946_684_800
PREVIEW = {"NETLIFY": "true", "CONTEXT": "deploy-preview"}
FEATURE = {"CF_PAGES": "1", "CF_PAGES_BRANCH": "feature"}
KINDS = ["full", "full", "depth", "depth", "depth", "no .git", "no .git", "older", "branch", "preview", "feature branch"]
# A page of a build: its source and main text, Git's date, and the date of the checked-out commit with this source.
Page = collections.namedtuple("Page", "source text by_git head")
# What is remembered: the source, or the main text of a page without one, and the date.
Remembered = collections.namedtuple("Remembered", "source text date")


class Model:
    """The rules of the memory."""

    def __init__(self):
        self.pages = None           # by file; `None` if there is no memory
        self.base = None
        self.has_other_rules = False

    def dates(self, pages, site_head, clock, base):
        """The date of each page, which the model then remembers."""
        dates = {file: self.date(file, page, pages, site_head, clock, base) for file, page in pages.items()}
        self.pages = {file: Remembered(page.source, None if page.source else page.text, dates[file]) for file, page in pages.items()}
        self.base, self.has_other_rules = base, False
        return dates

    def date(self, file, page, pages, site_head, clock, base):
        if page.by_git is not None or self.pages is None:
            return page.by_git
        known = self.pages.get(file)
        # A page that had no source then is compared by its text.
        if known and (self.has_other_rules or (known.source == page.source if known.source else known.text == page.text)):
            return known.date
        if self.knows_too_little(pages, base):
            return None
        if known and known.source and not page.source:
            return None
        if known and not page.source and self.is_restless(pages):
            return None
        date = page.head
        if date is None:
            date = clock if clock >= YEAR_2000 and clock >= (site_head or 0) else None
        newest = max((known.date for known in self.pages.values() if known.date is not None), default=0)
        return date if date is not None and date >= newest else None

    def knows_too_little(self, pages, base):
        def is_known(file, page):
            known = self.pages.get(file)
            return known and (base == self.base or known[:2] == (page.source, None if page.source else page.text))
        return is_most(sum(not is_known(*item) for item in pages.items()), len(pages))

    def is_restless(self, pages):
        both = [(self.pages[file].text, page.text) for file, page in pages.items()
                if file in self.pages and not page.source and not self.pages[file].source]
        return not self.has_other_rules and is_most(sum(then != now for then, now in both), len(both))


def is_most(part, whole):
    return part >= 10 and part * 2 > whole


class Repository:
    """Sources below `content`, changed and committed at known times."""

    def __init__(self, root, choice, sources):
        self.root, self.choice, self.now, self.renamed = root, choice, START, 0
        root.mkdir()
        git(root, "init", "--quiet", "--initial-branch=main")
        (root / "content").mkdir()
        for name in sources:
            self.file(name).write_text(source(f"first {name}"))

    def file(self, name):
        return self.root / f"content/{name}.md"

    def any(self):
        return self.choice.choice(sorted((self.root / "content").glob("*.md")))

    def commit(self):
        git(self.root, "add", "--all")
        git(self.root, "commit", "--quiet", "--allow-empty", "--message", "change", at=f"{self.now} +0000")

    def commits(self):
        return git(self.root, "rev-list", "HEAD").split()

    def edit(self):
        for _ in range(self.choice.choice([1, 1, 2, 12])):
            self.any().write_text(source(f"edited at {self.now} {self.choice.random()}"))
        self.commit()

    def revert(self):
        """Takes all sources back to what they were some commits ago."""
        git(self.root, "checkout", "--quiet", self.choice.choice(self.commits()), "--", "content")
        self.commit()

    def rename(self):
        self.renamed += 1
        self.any().rename(self.file(f"renamed{self.renamed}"))
        self.commit()

    def remove(self):
        if len(list((self.root / "content").glob("*.md"))) > 4:
            self.any().unlink()
        self.commit()

    def rebase(self):
        """Makes the newest commits again, as after a force-push."""
        commits = self.commits()
        count = min(self.choice.choice([1, 2, 3]), len(commits) - 1)
        git(self.root, "reset", "--quiet", "--hard", commits[count])
        for commit in reversed(commits[:count]):
            git(self.root, "rm", "--quiet", "-r", "content")
            git(self.root, "checkout", "--quiet", commit, "--", "content")
            self.commit()


def source(text):
    return f'+++\ntitle = "{text}"\n+++\n{text}\n'


class History:
    """A site of two repositories and a CMS."""

    def __init__(self, folder, choice):
        self.choice = choice
        self.main = Repository(folder / "main", choice, [f"p{number}" for number in range(8)])
        (self.main.root / "config.toml").write_text(f'base_url = "{BASE}"\n')
        (self.main.root / ".gitignore").write_text("/public/\n/content/sub/\n")
        self.main.commit()
        git(self.main.root, "branch", "other")
        self.sub = Repository(folder / "sub", choice, ["s0", "s1"])
        self.sub.commit()
        self.cms = {f"cms{number}": f"text {number}" for number in range(12)}
        self.footer = self.added = 0

    def edit_cms(self):
        for page in self.choice.sample(sorted(self.cms), self.choice.choice([1, 2, 3])):
            self.cms[page] = f"changed {self.choice.random()}"

    def restless(self):
        for page in self.cms:
            self.cms[page] = f"random {self.choice.random()}"

    def rename_cms(self):
        """New names for a few of the pages of the CMS, or for all."""
        for page in self.choice.sample(sorted(self.cms), self.choice.choice([1, 3, len(self.cms)])):
            self.added += 1
            self.cms[f"new{self.added}"] = self.cms.pop(page)

    def move(self):
        """Gives a page of the CMS a source, or the reverse."""
        file = self.main.any()
        if self.choice.random() < 0.5 and file.stem not in self.cms:
            self.cms[file.stem] = f"moved {file.stem}"
            file.unlink()
        else:
            page = self.choice.choice(sorted(self.cms))
            self.main.file(page).write_text(source(self.cms.pop(page)))
        self.main.commit()

    def new_footer(self):
        self.footer += 1


class Builds:
    """The builds of a history with one memory."""

    def __init__(self, tally, waypost, history, folder, seed, events):
        self.tally, self.waypost, self.history, self.folder, self.events = tally, waypost, history, folder, events
        self.choice, self.seed, self.number = history.choice, seed, 0
        self.memory, self.model, self.clock = folder / "memory.jsonl", Model(), START

    def checkout(self, kind):
        """Returns the site, and the repositories in it."""
        site, options = self.folder / f"site{self.number}", []
        if kind in ("depth", "branch"):
            options = ["--depth", str(self.choice.randint(1, 6))]
        if kind == "branch":
            options += ["--branch", "other"]
        git(self.folder, "clone", "--quiet", *options, f"file://{self.history.main.root}", site)
        if kind == "older":
            git(site, "checkout", "--quiet", self.choice.choice(self.history.main.commits()[:6]))
        sub = site / "content/sub"
        git(site, "clone", "--quiet", *self.choice.choice([[], ["--depth", "1"]]), f"file://{self.history.sub.root}", sub)
        repositories = {site, sub}
        if kind == "no .git":
            for repository in self.choice.choice([[site], [site, sub]]):
                shutil.rmtree(repository / ".git")
                repositories.remove(repository)
        return site, repositories

    def pages(self, site, repositories, written):
        """The pages of a checkout by file, and the date of its commit. A step of the job has written some sources."""
        heads = {repository: int(git(repository, "log", "-1", "--format=%ct")) for repository in repositories}
        site_head = heads.get(site)
        pages = {f"{name}/index.html": Page(None, text, None, None) for name, text in self.history.cms.items()}
        for name in (site / "content").rglob("*.md"):
            repository = site / "content/sub" if (site / "content/sub") in name.parents else site
            file = f"{name.relative_to(site / 'content').with_suffix('')}/index.html"
            by_git = head = None
            # Without a repository of its own, the outer one ignores it.
            if repository in heads and name not in written:
                by_git = date_by_git(repository, name)
                head = max(heads[repository], site_head or 0)
            pages[file] = Page(name.read_text(), name.read_text().splitlines()[-1], by_git, head)
        return pages, site_head

    def render(self, site, pages):
        """Writes the pages that a generator would make."""
        for file, page in pages.items():
            path = site / "public" / file
            path.parent.mkdir(parents=True)
            footer = f"<footer>{self.history.footer}</footer>"
            path.write_text(f"<!DOCTYPE html><title>{file}</title><main>{page.text}</main>{footer}")

    def write_sources(self, site):
        """What a step of the job does after the checkout."""
        written = []
        for _ in range(self.choice.choice([0, 0, 0, 1, 2])):
            name = self.choice.choice([*sorted((site / "content").rglob("*.md")), site / "content/made.md"])
            name.write_text(source(f"made {self.choice.random()}"))
            written.append(name)
        self.events["dirty tree" if written else "clean tree"] += 1
        return written

    def run(self, site, clock, base, variables):
        variables = {"SOURCE_DATE_EPOCH": str(clock), **variables}
        # It finds the base URL itself, unless the memory is of another site.
        options = [] if base == BASE else ["--base-url", base]
        return run([self.waypost, "--memory", self.memory, "--json", *options], site, variables)

    def build(self, kind):
        self.number += 1
        site, repositories = self.checkout(kind)
        pages, site_head = self.pages(site, repositories, self.write_sources(site))
        self.render(site, pages)
        now = self.history.main.now + 3600
        clock = self.choice.choice([now] * 7 + [self.clock, now - 5 * DAY, 315_532_800])
        self.events["clock right" if clock == now else "clock behind"] += 1
        is_foreign = not self.model.has_other_rules and self.choice.random() < 0.06
        base = OTHER_BASE if is_foreign else BASE
        before = self.memory.read_bytes() if self.memory.exists() else None
        done = self.run(site, clock, base, {"preview": PREVIEW, "feature branch": FEATURE}.get(kind, {}))
        what = f"seed {self.seed}, build {self.number} ({kind})"
        self.tally.equal(done.returncode, 0, f"{what}: exit code: {done.stdout[-800:]}{done.stderr}")
        if kind in ("preview", "feature branch"):
            after = self.memory.read_bytes() if self.memory.exists() else None
            self.tally.check(before == after, f"{what}: it changed the memory")
        elif done.returncode == 0:
            self.clock = clock
            expected = self.model.dates(pages, site_head, clock, base)
            listed = read_sitemaps(site / "public", base)
            self.tally.equal(len(listed), len(pages), f"{what}: pages")
            for file, wanted in expected.items():
                date = listed.get(f"{base}{file.removesuffix('index.html')}")
                date = date and int(datetime.datetime.fromisoformat(date).timestamp())
                self.tally.equal(date, wanted, f"{what}: {file}")
            self.build_again(what, site, clock, base, pages, site_head)
        shutil.rmtree(site)

    def build_again(self, what, site, clock, base, pages, site_head):
        """The same site once more, later: a page that the memory had to learn first still has no date."""
        before = self.memory.read_bytes()
        self.tally.equal(self.run(site, clock + 60, base, {}).returncode, 0, f"{what}, again: exit code")
        self.tally.check(self.memory.read_bytes() == before, f"{what}: a second build changed the memory")

    def other_rules(self):
        """Makes the memory one of other rules, as an older version had it."""
        if self.memory.exists():
            self.model.has_other_rules = True
            head, rest = self.memory.read_text().split("\n", 1)
            self.memory.write_text(json.dumps(json.loads(head) | {"rules": 0}) + "\n" + rest)

    def lose(self):
        self.memory.unlink(missing_ok=True)
        self.model = Model()

    def cut(self):
        """Cuts the memory off, which ends a build, and restores it."""
        if not self.memory.exists():
            return
        whole = self.memory.read_bytes()
        cut = whole[:self.choice.choice([self.choice.randrange(len(whole)), whole.rindex(b"\n", 0, -1) + 1])]
        self.memory.write_bytes(cut)
        site = self.folder / "cut"
        git(self.folder, "clone", "--quiet", f"file://{self.history.main.root}", site)
        self.render(site, {"a/index.html": Page(None, "a", None, None)})
        done = self.run(site, self.clock, BASE, {})
        what = f"seed {self.seed}, a memory of {len(cut)} of {len(whole)} bytes"
        self.tally.equal(done.returncode, 2, what)
        self.tally.check(self.memory.read_bytes() == cut and not (site / "public/sitemap.xml").exists(), f"{what}: files changed")
        shutil.rmtree(site)
        self.memory.write_bytes(whole)


def date_by_git(repository, file):
    """The date that `git log` knows; `None` where a shallow clone is cut off, and for a file in no commit."""
    printed = git(repository, "log", "-1", "--format=%H %ct", "--", str(file)).split()
    boundary = repository / ".git/shallow"
    # Git lists a commit without parents too.
    is_cut = bool(printed) and boundary.exists() and printed[0] in boundary.read_text().split() and \
        "\nparent " in git(repository, "cat-file", "-p", printed[0])
    return int(printed[1]) if printed and not is_cut else None


def judge_history(tally, waypost, seed, events):
    choice = random.Random(seed)
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        folder = pathlib.Path(folder)
        history = History(folder, choice)
        builds = Builds(tally, waypost, history, folder, seed, events)
        main, sub = history.main, history.sub
        changes = {"edit": main.edit, "edit in the other repository": sub.edit, "revert": main.revert, "rename": main.rename,
                   "remove": main.remove, "rebase": main.rebase, "CMS edit": history.edit_cms, "restless": history.restless,
                   "CMS rename": history.rename_cms, "move": history.move, "footer": history.new_footer,
                   "other rules": builds.other_rules, "lost memory": builds.lose, "cut memory": builds.cut}
        for _ in range(14):
            main.now += DAY
            sub.now = main.now
            event = choice.choice([*changes, *["edit", "CMS edit"] * 3])
            changes[event]()
            kind = choice.choice(KINDS)
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
