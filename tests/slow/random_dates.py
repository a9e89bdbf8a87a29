"""Compares the dates of a random site with `git log`.

Without merges, one run of git gives the dates of all files. With merges, git simplifies the history for each file, so
one run for each source is needed.
"""
import datetime
import os
import subprocess
import tomllib


def instant(date):
    return datetime.datetime.fromisoformat(date.replace("Z", "+00:00"))


class Dates:
    """The dates of the files of a site, by git."""

    def __init__(self, site):
        self.site, self.cache, self.changes = site, {}, None
        self.settings = tomllib.loads(site.settings)
        self.lastmod = self.settings["lastmod"]
        self.date = "%aI" if self.lastmod.get("date") == "author" else "%cI"
        if site.history == "none":
            return
        boundary = site.root / ".git/shallow"
        boundary = boundary.read_text().split() if boundary.exists() else []
        # The first commit of a history may be at the boundary, but nothing is beyond it.
        self.shallow = {commit.encode() for commit in boundary if b"\nparent " in self.git("cat-file", "commit", commit)}
        status = self.git("status", "--porcelain", "-z", "--untracked-files=all", "--no-renames").split(b"\0")
        self.dirty = {entry[3:] for entry in status if entry}
        if site.linear:
            self.changes = self.all_changes()

    def git(self, *arguments):
        return subprocess.run(["git", *arguments], cwd=self.site.root, check=True, capture_output=True).stdout

    def all_changes(self):
        """Returns the commits of each file and what they did to it, the newest first."""
        changes, commit, status = {}, None, None
        for field in self.git("log", "-z", f"--format=%x01%H {self.date}", "--name-status", "--no-renames").split(b"\0"):
            field = field.lstrip(b"\n")
            if field.startswith(b"\1"):
                commit = tuple(field[1:].split())
            elif status is None:
                status = field or None
            else:
                changes.setdefault(field, []).append((*commit, status))
                status = None
        return changes

    def of_file(self, name):
        """Returns the commit and the date of a file, or None if git has none or the clone cannot know it."""
        if name not in self.cache:
            self.cache[name] = self.find(name)
        return self.cache[name]

    def find(self, name):
        if name in self.dirty:
            return None
        if self.changes is not None:
            commits = self.changes.get(name, [])
        else:
            printed = self.git("log", "-1", f"--format=%H {self.date}", "--", b":(literal)" + name)
            commits = [(*line.split(), b"M") for line in printed.splitlines()]
        ignored = {commit.encode() for commit in self.site.ignored}
        for commit, date, status in commits:
            if commit in self.shallow:
                return None
            if commit not in ignored or status == b"A":  # A page whose every commit is ignored has the date of the first.
                return commit.decode(), instant(date.decode())
        return None

    def is_exact(self):
        """Whether git gives the dates that these settings ask for."""
        is_simple = self.site.linear or (not self.site.ignored and self.lastmod.get("date") != "landed")
        return self.site.history != "none" and is_simple

    def judge(self, check, lines):
        dated = [line for line in lines if line["lastmod_from"] == "git" and line["listed"]]
        if self.site.history == "none":
            check(not dated, f"dates without a repository: {dated}")
            return
        if not self.is_exact():
            commits = set(self.git("rev-list", "HEAD").decode().split())
            strangers = [line for line in dated if line["commit"] not in commits]
            check(not strangers, f"dates of no commit: {strangers}")
            return
        for line in dated:
            if "\ufffd" not in (line["source"] or ""):  # JSON cannot name such a file.
                self.judge_date(check, line)
        rules = str(self.settings.get("rule", ""))
        # A page has no date if that of another source of it is not known.
        if "from" not in self.lastmod and "lastmod" not in rules:
            self.judge_undated(check, lines)

    def sources(self, line):
        """Returns the files that may date a page, by their real paths in the repository."""
        return [self.real(line["source"])] if line["source"] else []

    def real(self, source):
        return os.path.relpath(os.path.realpath(os.fsencode(self.site.root / source)), os.path.realpath(os.fsencode(self.site.root)))

    def judge_date(self, check, line):
        wanted = [found for found in map(self.of_file, self.sources(line)) if found]
        got = instant(line["lastmod"]) if "T" in line["lastmod"] else line["lastmod"]
        if isinstance(got, str):
            wanted = [one and (one[0], str(one[1].astimezone(datetime.timezone.utc).date())) for one in wanted]
        matches = any(one and one[1] == got for one in wanted)
        check(matches, f"the date of {line['file']!r}: got {line['lastmod']} of {line['commit']}, git has {wanted}")
        commits = [one[0] for one in wanted if one and one[1] == got]
        check(not matches or line["commit"] in commits, f"the commit of {line['file']!r}: got {line['commit']}, git has {commits}")

    def judge_undated(self, check, lines):
        """Checks that no page lacks the date that git has for its source."""
        missing = [line["file"] for line in lines if line["listed"] and line["source"] and line["lastmod_from"] != "git"
                   and not (self.site.root / line["source"]).is_symlink()
                   and self.of_file(self.real(line["source"]))]
        check(not missing, f"git has dates for {missing}")
