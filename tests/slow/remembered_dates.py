#!/usr/bin/env python3
"""Builds random histories from shallow clones that share one file of dates.

usage: [WAYPOST=target/release/waypost] tests/slow/remembered_dates.py [HISTORIES] [SEED]

Each history has 3 to 6 builds, each in a fresh clone of random depth, with the file that the build before left. In between
there are commits, merges, rebases, force-pushes, cherry-picks, reverts and renames. Every date must be the one that
`git log` gives in the complete repository, or missing; with renames or ignored commits, which git cannot follow, the one
of a complete clone without the file.
"""
import datetime
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parents[2]
WAYPOST = str(pathlib.Path(os.environ.get("WAYPOST", TOP / "target/release/waypost")).resolve())
ENVIRONMENT = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1", "TZ": "UTC", "LC_ALL": "C"}
DEPTHS = [1, 1, 2, 3, 5, 8, 13, 50, None]
MODES = ["committer"] * 4 + ["author", "landed", "landed", "renames", "ignored"]


def run(*arguments, cwd=None, text=None):
    done = subprocess.run(arguments, cwd=cwd, env=ENVIRONMENT, input=text, capture_output=True)
    if done.returncode != 0:
        raise RuntimeError(f"{arguments}: {done.stderr.decode(errors='replace')}")
    return done.stdout.decode() + (done.stderr.decode() if arguments[0] == WAYPOST else "")


class History:
    """Commits as a stream for `git fast-import`; a commit is (mark, files)."""

    def __init__(self, chance):
        self.chance, self.stream, self.marks, self.time = chance, [], 0, 1_600_000_000
        self.files, self.parents, self.tips = {}, {}, []
        files = {f"src/d{at % 3}/p{at}.md": self.text() for at in range(9)}
        self.tip = self.commit([], files)

    def text(self):
        # Few contents, so that files come back to one that they had.
        return f"text {self.chance.randrange(6)}\n"

    def commit(self, parents, files, message="change"):
        chance = self.chance
        self.marks += 1
        mark = self.marks
        self.time += chance.choice([0, 60, 60, 3600, 90_000, -7200])
        written = self.time - chance.choice([0, 0, 5000])
        zones = [chance.choice(["+0000", "+0100", "-0330"]) for _ in range(2)]
        lines = [f"commit refs/heads/all{mark}", f"mark :{mark}", f"author A <a@example.com> {written} {zones[0]}",
                 f"committer C <c@example.com> {self.time} {zones[1]}", f"data {len(message)}", message]
        lines += [f"from :{parents[0]}"] if parents else []
        lines += [f"merge :{parent}" for parent in parents[1:]]
        lines.append("deleteall")
        for name, text in sorted(files.items()):
            lines += [f"M 100644 inline {name}", f"data {len(text)}", text]
        self.stream += lines
        self.files[mark], self.parents[mark] = dict(files), list(parents)
        return mark

    def edit(self, files):
        """Returns files after a change: an edit, a revert to an earlier text, a new, a removed or a renamed file."""
        chance, files = self.chance, dict(files)
        for _ in range(chance.choice([0, 1, 1, 2, 4])):
            name = chance.choice(sorted(files))
            kind = chance.random()
            if kind < 0.7:
                files[name] = self.text()
            elif kind < 0.8:
                files[f"src/d{chance.randrange(3)}/p{chance.randrange(14)}.md"] = self.text()
            elif kind < 0.9 and len(files) > 4:
                text = files.pop(name)
                if chance.random() < 0.7:
                    files[f"src/d{chance.randrange(3)}/p{chance.randrange(14)}.md"] = text
        return files

    def extend(self, tip, count):
        for _ in range(count):
            message = self.chance.choice(["change", "change", "change", "style: x"])
            tip = self.commit([tip], self.edit(self.files[tip]), message)
        return tip

    def ancestor(self, tip, steps):
        for _ in range(steps):
            tip = (self.parents[tip] or [tip])[0]
        return tip

    def merge(self, parents):
        """Merges like git where only one side changed, and takes a random side elsewhere; sometimes an evil merge."""
        files = dict(self.files[parents[0]])
        for other in parents[1:]:
            for name in set(files) | set(self.files[other]):
                if self.chance.random() < 0.5:
                    text = self.files[other].get(name)
                    files.pop(name, None) if text is None else files.__setitem__(name, text)
        files = files or dict(self.files[parents[0]])
        return self.commit(parents, self.edit(files) if self.chance.random() < 0.2 else files, "merge")

    def rebase(self, base, tip, onto):
        """Applies the changes of the first-parent line since `base` again."""
        line = []
        while tip != base and self.parents[tip]:
            line.append(tip)
            tip = self.parents[tip][0]
        for mark in reversed(line):
            before, after, files = self.files[self.parents[mark][0]], self.files[mark], dict(self.files[onto])
            for name in set(before) | set(after):
                if before.get(name) != after.get(name):
                    files.pop(name, None)
                    if name in after:
                        files[name] = after[name]
            onto = self.commit([onto], files or dict(self.files[mark]))
        return onto

    def advance(self):
        chance, tip = self.chance, self.tip
        for _ in range(chance.choice([1, 1, 2, 4])):
            kind = chance.random()
            if kind < 0.4:
                tip = self.extend(tip, chance.choice([1, 1, 2, 5]))
            elif kind < 0.75:
                side = self.extend(self.ancestor(tip, chance.randrange(8)), chance.randrange(1, 5))
                tip = self.extend(tip, chance.randrange(2))
                parents = [tip, side]
                if chance.random() < 0.1:
                    parents.append(self.extend(self.ancestor(tip, 2), 1))
                if chance.random() < 0.3:
                    chance.shuffle(parents)
                tip = self.merge(list(dict.fromkeys(parents)))
            elif kind < 0.85:
                base = self.ancestor(tip, chance.randrange(1, 6))
                tip = self.rebase(base, tip, self.extend(base, 1))
            elif kind < 0.93:
                tip = self.extend(self.ancestor(tip, chance.randrange(1, 6)), 1)
            else:
                pick = chance.randrange(1, self.marks + 1)
                if self.parents[pick]:
                    tip = self.rebase(self.parents[pick][0], pick, tip)
        self.tip = tip

    def build(self):
        self.tips.append(self.tip)
        self.stream += [f"reset refs/heads/build{len(self.tips)}", f"from :{self.tip}", ""]


class Site:
    def __init__(self, work, history, mode):
        self.work, self.mode, self.history = work, mode, history
        self.origin = work / "origin.git"
        run("git", "init", "-q", "--bare", str(self.origin))
        run("git", "-C", str(self.origin), "fast-import", "--quiet", "--force", text=("\n".join(history.stream) + "\n").encode())
        self.settings = {"author": 'date = "author"', "landed": 'date = "landed"', "renames": "follow_renames = true",
                         "ignored": 'ignore_messages = ["style: *"]'}.get(mode, "")

    def dates(self, number, depth, memory):
        """Builds in a clone and returns the date of each source, and the report of the build."""
        clone = self.work / f"clone{number}-{depth}-{bool(memory)}"
        cut = [] if depth is None else [f"--depth={depth}"]
        run("git", "clone", "-q", *cut, "--single-branch", "--branch", f"build{number}", f"file://{self.origin}", str(clone))
        names = sorted(self.history.files[self.history.tips[number - 1]])
        (clone / "out").mkdir()
        pages = {}
        for at, name in enumerate(names):
            page = f"page{at}.html"
            (clone / "out" / page).write_text("<!doctype html><title>A</title><p>A page.\n")
            pages[page] = name
        (clone / "map.csv").write_text("page,source\n" + "".join(f"{page},{name}\n" for page, name in pages.items()))
        (clone / "waypost.toml").write_text(f'base_url = "https://example.com/"\nsource_map = ["map.csv"]\n[lastmod]\nfrom = ["git"]\n{self.settings}\n')
        arguments = [WAYPOST, "build", str(clone), "-o", str(clone / "out")] + (["--dates", str(memory)] if memory else [])
        printed = run(*arguments)
        text = (clone / "out/sitemap.xml").read_text()
        found = dict(re.findall(r"<loc>https://example.com/(\S+?)</loc>\s*(?:<lastmod>(\S+)</lastmod>)?", text))
        shutil.rmtree(clone)
        dates = {pages[page]: found.get(page) or found.get(page.removesuffix(".html")) for page in pages}
        return {name: date and datetime.datetime.fromisoformat(date) for name, date in dates.items()}, printed

    def truth(self, number):
        if self.mode in ("renames", "ignored"):
            return self.dates(number, None, None)[0]
        form, more = {"author": ("%aI", []), "landed": ("%cI", ["--first-parent"])}.get(self.mode, ("%cI", []))
        log = ["git", "-C", str(self.origin), "log", "-1", f"--format={form}", *more, f"build{number}", "--"]
        names = self.history.files[self.history.tips[number - 1]]
        return {name: datetime.datetime.fromisoformat(run(*log, name).strip()) for name in names}


def main():
    histories = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    counts = {"builds": 0, "dates": 0, "missing": 0, "remembered": 0, "without the file": 0}
    failed = 0
    for number in range(histories):
        chance = random.Random(f"{seed}-{number}")
        history = History(chance)
        history.tip = history.extend(history.tip, chance.choice([3, 20]))
        for _ in range(chance.randrange(3, 7)):
            history.advance()
            history.build()
        mode = chance.choice(MODES)
        with tempfile.TemporaryDirectory() as work:
            site, memory = Site(pathlib.Path(work), history, mode), pathlib.Path(work) / "dates.txt"
            for build in range(1, len(history.tips) + 1):
                # The first build of most histories is in a complete clone, as one that starts to use the file would be.
                depth = None if build == 1 and chance.random() < 0.7 else chance.choice(DEPTHS)
                got, printed = site.dates(build, depth, memory)
                truth = site.truth(build)
                wrong = {name: (str(got[name]), str(truth[name])) for name in got if got[name] and got[name] != truth[name]}
                if wrong:
                    failed += 1
                    print(f"FAILED history {number}, build {build}, depth {depth}, {mode}: {wrong}")
                counts["builds"] += 1
                counts["dates"] += sum(1 for date in got.values() if date)
                counts["missing"] += sum(1 for date in got.values() if not date)
                found = re.search(r"memory\s+(\d+) dates?", printed)
                counts["remembered"] += int(found[1])
                if depth is not None and chance.random() < 0.2:
                    alone, _ = site.dates(build, depth, None)
                    lost = [name for name in alone if alone[name] and not got[name]]
                    counts["without the file"] += 1
                    if lost:
                        failed += 1
                        print(f"FAILED history {number}, build {build}, depth {depth}, {mode}: the file hides {lost}")
    print(", ".join(f"{count} {name}" for name, count in counts.items()))
    if counts["remembered"] == 0:
        failed += 1
        print("FAILED no date was remembered")
    print(f"{counts['builds'] - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


main()
