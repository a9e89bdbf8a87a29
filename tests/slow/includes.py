#!/usr/bin/env -S python3 -B
"""Changes the files of a site one by one, and compares the pages that the generator writes
differently with the pages that waypost dates by the change.

usage: includes.py WAYPOST ARCHIVE SITE OUTPUT COMMAND...

ARCHIVE is a site of tests/slow/sites/includes, SITE an empty directory, OUTPUT the generator's
output directory in it, and COMMAND builds the site. Prints each failed check, then
'N passed, M failed'.
"""
import json
import os
import pathlib
import subprocess
import sys

from judge import Tally, pages_on_disk, run
from txtar import SiteArchive

CHANGED_AT = "2024-06-01T00:00:00Z"
# Files that say how to build the site.
SETTINGS = {"book.toml", "mkdocs.yml", "conf.py", "hugo.toml", "SUMMARY.md"}


class IncludeSite:
    """A site in a repository, which its generator builds again and again."""

    def __init__(self, root, output, command):
        self.root, self.output, self.command = root, root / output, command
        self.environment = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000"}

    def git(self, *arguments, date="2024-01-01T00:00:00Z"):
        dates = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
        names = ["-c", "user.name=test", "-c", "user.email=test@example.com"]
        subprocess.run(["git", *names, *arguments], cwd=self.root, check=True, capture_output=True,
                       env={**os.environ, **dates})

    def build(self):
        """Returns the text of every page that the generator writes."""
        built = subprocess.run(self.command, cwd=self.root, env=self.environment, capture_output=True, text=True)
        if built.returncode != 0:
            sys.exit(built.stdout + built.stderr)
        pages = pages_on_disk(self.output)
        return {page.relative_to(self.output).as_posix(): page.read_bytes() for page in pages}

    def dates(self, waypost):
        """Returns the date of every listed page."""
        settings = ["--base-url", "https://example.com/", "-o", self.output]
        # The home page shows none of the other pages.
        own = {"WAYPOST_LASTMOD_LISTS": "own"}
        explained = run([waypost, "explain", *settings, "--json"], self.root, own)
        if explained.returncode != 0:
            sys.exit(explained.stderr)
        pages = map(json.loads, explained.stdout.splitlines())
        return {page["file"]: page["lastmod"] for page in pages if page["listed"]}


def judge_change(tally, waypost, site, name, before):
    """Changes one file, and compares what the generator and waypost make of it."""
    path = site.root / name
    old = path.read_text("utf-8")
    path.write_text(old.replace("value", "changed"), "utf-8")
    after = site.build()
    site.git("commit", "-q", "-a", "-m", "change", date=CHANGED_AT)
    dates = site.dates(waypost)
    rendered = {page for page in dates if before.get(page) != after.get(page)}
    dated = {page for page, date in dates.items() if date == CHANGED_AT}
    tally.equal(sorted(dated), sorted(rendered), f"pages dated by a change of {name}")
    site.git("reset", "-q", "--hard", "HEAD~1")
    return bool(rendered)


def main():
    waypost, archive, root, output, *command = sys.argv[1:]
    site = IncludeSite(pathlib.Path(root), output, command)
    for name, data in SiteArchive.read(pathlib.Path(archive)).files.items():
        (site.root / name).parent.mkdir(parents=True, exist_ok=True)
        (site.root / name).write_bytes(data)
    site.git("init", "-q")
    (site.root / ".git/info/exclude").write_text(f"/{output}\n", "utf-8")
    site.git("add", "--all")
    site.git("commit", "-q", "-m", "start")
    before = site.build()
    tally = Tally()
    names = [path.relative_to(site.root).as_posix() for path in sorted(site.root.rglob("*"))
             if path.is_file() and not {".git", output.split("/")[0], "layouts"} & set(path.parts)]
    content = [name for name in names if pathlib.Path(name).name not in SETTINGS]
    changing = [name for name in content if "value" in (site.root / name).read_text("utf-8")
                and judge_change(tally, waypost, site, name, before)]
    tally.check(len(changing) > 3, f"files whose change the generator shows: {changing}")
    tally.end()


if __name__ == "__main__":
    main()
