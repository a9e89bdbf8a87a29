#!/usr/bin/env -S python3 -B
"""Compares the dates of list pages with `git log -1 -- DIR` in a history of the content files alone.

usage: [WAYPOST=target/release/waypost] list_dates.py [REPOSITORY CONTENT]

REPOSITORY is a Hugo site with its content in CONTENT, `.` for its root; without it, a history is made
with branches, renames and merges. The same history is written again with nothing but the content
files, all empty. There git says when the files of a directory were last added, removed or renamed.
A list page must have this date, or that of its own `_index.md` if it is newer.

Prints each failed check, then 'N passed, M failed'.
"""
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

from judge import Tally

ENDINGS = (".md", ".markdown", ".html", ".htm", ".adoc", ".asciidoc", ".ad", ".org", ".pandoc", ".pdc", ".rst", ".mdown", ".mdwn", ".mmark")
WHO = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "test", "GIT_AUTHOR_EMAIL": "test@example.com",
       "GIT_COMMITTER_NAME": "test", "GIT_COMMITTER_EMAIL": "test@example.com"}


def git(directory, *arguments, when=None, **options):
    dates = {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when} if when else {}
    environment = os.environ | WHO | dates
    return subprocess.run(["git", *arguments], cwd=directory, env=environment, check=True, capture_output=True, **options).stdout


def is_content(path, content):
    """Whether a path is a content file below the content directory."""
    if content != ".":
        if not path.startswith(content + "/"):
            return False
        path = path[len(content) + 1:]
    *dirs, name = path.split("/")
    hidden = any(part.startswith(".") or part == "node_modules" for part in dirs)
    stem = name.rpartition(".")[0]
    return not hidden and name.lower().endswith(ENDINGS) and stem != ""


def members_alone(repository, content, target):
    """Writes the history of a repository again, with nothing but empty content files."""
    git(target, "init", "--quiet")
    stream = git(repository, "-c", "core.quotePath=false", "fast-export", "--no-data", "--signed-tags=strip", "--reencode=no", "HEAD")
    out = [b"blob\nmark :900000000\ndata 0\n"]
    at = 0
    while at < len(stream):
        end = stream.index(b"\n", at)
        line, at = stream[at:end], end + 1
        if line.startswith(b"data "):
            # A message, which may look like anything.
            end = at + int(line[5:])
            out.append(line + b"\n" + stream[at:end] + b"\n")
            at = end + (stream[end:end + 1] == b"\n")
            continue
        kind, _, rest = line.partition(b" ")
        if kind in (b"M", b"D"):
            path = rest.split(b" ", 2)[2] if kind == b"M" else rest
            text = path.decode(errors="surrogateescape")
            if text.startswith('"'):
                text = text[1:-1].encode(errors="surrogateescape").decode("unicode_escape").encode("latin-1").decode(errors="surrogateescape")
            if not is_content(text, content):
                continue
            if kind == b"M" and rest.startswith(b"160000"):
                continue
            line = b"M 100644 :900000000 " + path if kind == b"M" else line
        out.append(line + b"\n")
    subprocess.run(["git", "fast-import", "--quiet", "--force"], cwd=target, input=b"".join(out), check=True, capture_output=True)


def last_change(repository, branch, path):
    """Returns the time of the last change of a path, or 0."""
    found = git(repository, "log", "-1", "--format=%ct", branch, "--", path).strip()
    return int(found or 0)


def make_history(directory):
    """A Hugo site whose files change on branches that are merged."""
    dice = random.Random(7)
    git(directory, "init", "--quiet", "--initial-branch=main")
    now = 1_600_000_000
    (directory / "hugo.toml").write_text('baseURL = "https://example.com/"\n')
    dirs = ["content", "content/blog", "content/blog/deep", "content/docs", "content/docs/a/b"]
    names = ["_index.md", "one.md", "two.md", "three.html", "image.png"]

    def commit(message):
        nonlocal now
        now += 1000
        git(directory, "add", "--all")
        git(directory, "commit", "--quiet", "--allow-empty", "--message", message, when=f"{now} +0000")

    def change():
        path = directory / dice.choice(dirs) / dice.choice(names)
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and dice.random() < 0.3:
            path.unlink()
        elif path.exists() and dice.random() < 0.3:
            path.rename(path.with_name(f"moved-{dice.randrange(5)}.md"))
        else:
            path.write_text(str(dice.random()))

    commit("start")
    for number in range(60):
        if dice.random() < 0.3:
            git(directory, "switch", "--quiet", "--create", f"side-{number}", "HEAD~1" if number > 2 else "HEAD")
            change()
            commit(f"side {number}")
            git(directory, "switch", "--quiet", "main")
            now += 1000
            git(directory, "merge", "--quiet", "--strategy-option=ours", "--no-edit", f"side-{number}", when=f"{now} +0000")
        change()
        commit(f"change {number}")


def judge(tally, waypost, repository, content):
    with tempfile.TemporaryDirectory() as temporary:
        site, alone = pathlib.Path(temporary, "site"), pathlib.Path(temporary, "alone")
        shutil.copytree(repository, site, symlinks=True)
        alone.mkdir()
        members_alone(site, content, alone)
        branch = git(alone, "for-each-ref", "--format=%(refname)").decode().split()[0]
        (site / "waypost.toml").write_text('base_url = "https://example.com/"\n')
        # Settings for one language: a directory is that of its path.
        for settings in [*site.glob("hugo.*"), *site.glob("config.*")]:
            settings.unlink()
        shutil.rmtree(site / "config", ignore_errors=True)
        (site / "hugo.toml").write_text(f'baseURL = "https://example.com/"\ncontentDir = "{content}"\npublishDir = ".public"\n')
        names = git(alone, "ls-tree", "-r", "-z", "--name-only", branch).decode(errors="surrogateescape").split("\0")
        dirs = sorted({str(above) for name in names if name for above in pathlib.PurePosixPath(name).parents})
        output = site / ".public"
        inside = [dir for dir in dirs if content == "." or dir == content or dir.startswith(content + "/")]
        for dir in inside:
            below = dir if content == "." else str(pathlib.PurePosixPath(dir).relative_to(content))
            page = output / below / "index.html"
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text("<!DOCTYPE html><title>t</title>")
        run = subprocess.run([waypost, "explain", "--json", "--quiet", "-o", str(output)], cwd=site, capture_output=True, text=True)
        tally.check(run.returncode == 0, f"waypost: {run.stderr[-500:]}")
        pages = {row["file"]: row for row in map(json.loads, run.stdout.splitlines())}
        compared = 0
        for dir in inside:
            below = dir if content == "." else str(pathlib.PurePosixPath(dir).relative_to(content))
            row = pages.get("index.html" if below == "." else f"{below}/index.html")
            if not row or row["lastmod_from"] not in ("members", "git") or row["source"] and not row["source"].endswith("_index.md"):
                continue
            own = last_change(site, "HEAD", row["source"]) if row["source"] else 0
            expected = max(own, last_change(alone, branch, dir))
            found = git(site, "log", "-1", "--format=%ct", row["commit"]).strip()
            tally.check(int(found) == expected, f"{dir}: waypost has {row['lastmod']} ({row['lastmod_from']}), git {expected}")
            compared += 1
        print(f"{repository}: {compared} lists of {len(inside)} directories")


def main():
    top = pathlib.Path(__file__).resolve().parent.parent.parent
    waypost = os.path.abspath(os.environ.get("WAYPOST", top / "target/release/waypost"))
    tally = Tally()
    if len(sys.argv) > 1:
        judge(tally, waypost, pathlib.Path(sys.argv[1]).absolute(), sys.argv[2])
    else:
        with tempfile.TemporaryDirectory() as temporary:
            made = pathlib.Path(temporary)
            make_history(made)
            judge(tally, waypost, made, "content")
    tally.end()


if __name__ == "__main__":
    main()
