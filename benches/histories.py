#!/usr/bin/env -S python3 -B
"""Dates every file of real repositories as waypost does, against `git log --name-only` and `git last-modified`.

usage: benches/histories.py GIT REPOSITORY...

GIT is a git of version 2.52 or newer, which has `last-modified`; a repository is a whole clone with its files checked
out. The contestants take turns, and each figure is the median CPU time of 7 rounds. Prints a table for BENCHMARKS.md,
with the number of files for which waypost and `git last-modified` name the same commit.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import measure

TOP = Path(__file__).resolve().parent.parent
DATES = TOP / "target" / "release" / "examples" / "dates"
ROUNDS = 7


def output_of(*command: str) -> list[str]:
    """The lines that a command prints."""
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    return done.stdout.decode(errors="surrogateescape").splitlines()


def commits_by_waypost(repository: str) -> dict[str, str]:
    """The commit that dates each file."""
    rows = (line.split(" ", 2) for line in output_of(str(DATES), repository))
    return {str(Path(file).relative_to(repository)): commit for commit, _, file in rows}


def commits_by_git(git: str, repository: str) -> dict[str, str]:
    """The same by `git last-modified`, which marks a commit at the boundary."""
    rows = (line.lstrip("^").split("\t", 1) for line in output_of(*last_modified(git, repository)))
    return {file: commit for commit, file in rows}


def last_modified(git: str, repository: str) -> tuple[str, ...]:
    """The command that names the last commit of each file, with names as they are."""
    return git, "-C", repository, "-c", "core.quotePath=false", "last-modified", "-r", "HEAD"


def main() -> None:
    """Measures each repository, and prints its row."""
    git, *repositories = sys.argv[1:] or sys.exit(__doc__)
    build = ["cargo", "build", "--release", "--locked", "--quiet", "-p", "git-last-modified", "--example", "dates"]
    subprocess.run(build, cwd=TOP, check=True)
    print("| repository | files, commits | waypost | `git log --name-only` | `git last-modified` | same commit |")
    print("| --- | --- | --- | --- | --- | --- |")
    for repository in map(str, map(Path.resolve, map(Path, repositories))):
        contestants = {
            "waypost": measure.Contestant((str(DATES), repository)),
            "log": measure.Contestant((git, "-C", repository, "log", "--name-only", "--format=%H")),
            "last-modified": measure.Contestant(last_modified(git, repository)),
        }
        with tempfile.NamedTemporaryFile() as log:
            taken = measure.compare(contestants, ROUNDS, Path(log.name), sys.exit)
        own, wanted = commits_by_waypost(repository), commits_by_git(git, repository)
        same = sum(own[file] == commit for file, commit in wanted.items() if file in own)
        commits = output_of(git, "-C", repository, "rev-list", "--count", "HEAD")[0]
        times = " | ".join(f"{taken[name].cpu * 1000:.0f} ms" for name in contestants)
        name = Path(repository).name
        print(f"| {name} | {len(own):,}, {int(commits):,} | {times} | {same:,} of {len(own):,} |", flush=True)


if __name__ == "__main__":
    main()
