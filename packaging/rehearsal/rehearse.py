#!/usr/bin/env python3
"""Rehearses a release: from `.ci/rehearse-release`, which describes it.

usage: rehearse.py [PROGRAM]
"""
import shutil
import sys
from pathlib import Path

import integrations
import publishing
import roots
import ways
from stage import TOP, WORK, check, counts, record, rows, table


def rehearse(program):
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    publishing.install_tools()
    roots.prepare()
    publishing.tag_release()
    built = publishing.build(program)
    publishing.make_packages(built)
    with publishing.registries() as urls:
        publishing.publish(urls, attempt=1)
        publishing.publish(urls, attempt=2)
        publishing.prerelease()
        ways.run_all(urls, was_built=program is None)
        integrations.run_all(urls)
    untried()
    install_page_names_the_ways()


def install_page_names_the_ways():
    """Each way of the table in the documentation is in the table of this run. Until there is a release, the test of the page has it."""
    rows_of_page = (TOP / "tests/it/docs/packages.rs").read_text(encoding="utf-8").split("| way | command |\n")[1].split("\n\n")[0]
    ways_of_rows = (row.split(" | ")[0].removeprefix("| ").split(", ") for row in rows_of_page.splitlines()[1:])
    named = {way for ways in ways_of_rows for way in ways}
    recorded = {row[0] for row in rows}
    check("the documentation names no way that is not rehearsed or marked as untried", named and named <= recorded, named - recorded)


def untried():
    """What this machine cannot run, and what checks it instead."""
    for way, command, instead in (
        ("cargo binstall", "cargo binstall waypost", "a test compares its URL with the archives"),
        ("container image", "docker run IMAGE waypost", "hadolint"),
        ("macOS, Windows, arm64", "the packages of other platforms", "made from the program of this machine"),
    ):
        record(way, command, "", None, f"*untried*: {instead}")


def main():
    given = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else None
    rehearse(given)
    print(f"\n{table()}\n")
    print(f"{counts[True]} passed, {counts[False]} failed")
    sys.exit(0 if counts[False] == 0 and counts[True] > 0 else 1)


if __name__ == "__main__":
    main()
