#!/usr/bin/env -S python3 -B
"""Compares the dates of waypost with those of Hugo and git.

usage: hugo_dates.py WAYPOST HUGO SITE

With `enableGitInfo`, Hugo dates a page by the author date of the last commit in `git log` that
names its source. In a history without merges, waypost must give the same dates with
`lastmod.date = "author"`, for every page with a source. With merges, Hugo's single log omits the
changes made in a merge commit itself. There waypost must agree with `git log -1` for each file, and
differences from Hugo are printed.

Prints each failed check, then 'N passed, M failed'.
"""
import html
import json
import os
import pathlib
import re
import subprocess
import sys

from judge import Tally, git_log, run

LAYOUT = '<!DOCTYPE html>\n<title>t</title>\n<time>{{ .Lastmod.Format "2006-01-02T15:04:05-07:00" }}</time>\n'
ZONES = ("+0000", "+0100", "-0530", "+1245")


class History:
    """Commits at intervals of a day, in changing time zones, authored five hours earlier."""

    def __init__(self, site):
        self.site, self.day = site, 0
        self.git("init", "--quiet", "--initial-branch=main")
        # Without this setting Hugo cannot match quoted file names in the log, as its manual says.
        self.git("config", "core.quotepath", "false")

    def git(self, *arguments):
        who = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        for role, hours in ("AUTHOR", 0), ("COMMITTER", 5):
            when = 1704103200 + self.day * 86400 + hours * 3600
            who |= {f"GIT_{role}_NAME": "test", f"GIT_{role}_EMAIL": "test@example.com",
                    f"GIT_{role}_DATE": f"{when} {ZONES[self.day % 4]}"}
        subprocess.run(["git", *arguments], cwd=self.site, env=os.environ | who, check=True, capture_output=True)

    def commit(self, *files):
        self.day += 1
        self.git("add", "--", *files)
        self.git("commit", "--quiet", "--message", f"day {self.day}")

    def change(self, file, text="\n"):
        with open(self.site / file, "a", encoding="utf-8") as out:
            out.write(text)
        self.commit(file)

    def merge_with_changes(self, files):
        """Merges a branch that changes the first file, and changes the second in the merge."""
        self.git("switch", "--quiet", "--create", "side", "HEAD~3")
        self.change(files[0])
        self.git("switch", "--quiet", "main")
        self.day += 1
        self.git("merge", "--quiet", "--no-ff", "--no-commit", "side")
        with open(self.site / files[1], "a", encoding="utf-8") as out:
            out.write("\nmerged\n")
        self.commit(files[1])


def explained(waypost, site):
    # Hugo dates a page by its own file alone.
    settings = ["WAYPOST_LASTMOD_DATE=author", "WAYPOST_LASTMOD_LISTS=own"]
    lines = run(["env", *settings, waypost, "explain", ".", "--json"], site)
    if lines.returncode != 0:
        sys.exit(lines.stderr)
    pages = map(json.loads, lines.stdout.splitlines())
    return [page for page in pages if page["listed"] and page["source"] and page["dated_by"] in (None, page["source"])]


def date_by_hugo(hugo, site, pages):
    built = run(["env", "HUGO_ENABLEGITINFO=true", hugo, "--quiet", "--cleanDestinationDir"], site)
    if built.returncode != 0:
        sys.exit(built.stdout + built.stderr)
    texts = {page["file"]: (site / "public" / page["file"]).read_text("utf-8") for page in pages}
    return {file: html.unescape(re.search("<time>(.*)</time>", text)[1]) for file, text in texts.items()}


def normal(date):
    return re.sub("Z$", "+00:00", date or "none")


def main():
    waypost, hugo, site = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    (site / "layouts" / "all.html").write_text(LAYOUT, encoding="utf-8")
    history = History(site)
    files = sorted(path.relative_to(site) for path in site.rglob("*") if path.is_file() and ".git" not in path.parts)
    for file in [file for file in files if file.parts[0] != "public"]:
        history.commit(str(file))
    pages = [str(file) for file in files if file.suffix == ".md"]
    for file in pages[::3]:
        history.change(file)

    tally = Tally()
    date_by_hugo(hugo, site, [])
    ours = explained(waypost, site)
    theirs = date_by_hugo(hugo, site, ours)
    for page in ours:
        tally.equal(normal(page["lastmod"]), theirs[page["file"]], f"linear: {page['file']}")

    sources = [page["source"] for page in ours]
    history.merge_with_changes([sources[1], sources[-1]])
    ours = explained(waypost, site)
    theirs = date_by_hugo(hugo, site, ours)
    for page in ours:
        by_git = git_log(site, "%aI", [f":(literal){page['source']}"])
        tally.equal(normal(page["lastmod"]), normal(by_git), f"merged: {page['file']}")
        if normal(by_git) != theirs[page["file"]]:
            print(f"{page['source']}: Hugo's date is {theirs[page['file']]}, git's is {by_git}")
    tally.end()


if __name__ == "__main__":
    main()
