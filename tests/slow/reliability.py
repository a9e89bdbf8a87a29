#!/usr/bin/env -S python3 -B
"""Interrupts and obstructs waypost, and checks the results independently.

RELIABILITY.md gives the purpose of each test.

usage: [WAYPOST=target/release/waypost] tests/slow/reliability.py [--long]

--long uses the numbers in RELIABILITY.md; the default numbers are small enough for every change. A
test that cannot run on this machine (without permission to mount, for example) prints SKIPPED. The
last line is 'N passed, M failed'.
"""
import argparse
import itertools
import os
import pathlib
import shutil
import tempfile

import endurance
import failing_calls
import failing_paths
import faults
import kills
import random_sites
import together
from judge import Tally

TOP = pathlib.Path(__file__).resolve().parent.parent.parent


def say(trial, met):
    """Prints how often a test met each state."""
    print(f"{trial}:", ", ".join(f"{state}: {count}" for state, count in met.items()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--long", action="store_true", help="use the numbers in RELIABILITY.md")
    is_long = parser.parse_args().long
    waypost = str(pathlib.Path(os.environ.get("WAYPOST", TOP / "target/release/waypost")).resolve())
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        met = kills.survive_kills(tally, waypost, folder, *((500, 5_000) if is_long else (30, 3_000)))
        say("kills", met)
        if shutil.which("strace"):
            say("kills at every step",
                kills.survive_a_kill_at_every_step(tally, waypost, folder, 300))
        else:
            faults.skipped("kills at every step: `strace` is not installed")
        killed = kills.survive_each_other(tally, waypost, folder, *((100, 5_000) if is_long else (8, 3_000)))
        print(f"concurrent runs: {killed} were killed before they were done")
        say("ten runs at once", together.run_together(tally, waypost, folder, *((200, 1_000) if is_long else (8, 600))))
        kills.need_few_descriptors(tally, waypost, folder, 1_000)
        changes, met = endurance.endure(tally, waypost, folder, 1_000 if is_long else 40)
        print(f"endurance: {changes} changes of the site during the runs")
        say("endurance", met)
        directory = folder / "sites"
        directory.mkdir()
        sites = random_sites.judge_sites(tally, waypost, directory, itertools.count(), 3_600 if is_long else 60)
        say("random sites", sites)
        struck = failing_calls.fail_calls(tally, waypost, folder, 2_000 if is_long else 60)
        print(f"failing calls: {struck} runs met a failure")
        struck = failing_paths.fail_paths(tally, waypost, folder, 1_000 if is_long else 10)
        print(f"failing paths: {struck} runs met a failure")
        faults.full_disk(tally, waypost, folder)
        faults.missing_rights(tally, waypost, folder)
        faults.long_paths(tally, waypost, folder)
        faults.wrong_clocks(tally, waypost, folder)
        faults.held_lock(tally, waypost, folder, waits_to_the_end=is_long)
        faults.huge_page(tally, waypost, folder)
        faults.no_other_program(tally, waypost, folder)
        faults.flushed_files(tally, waypost, folder)
        if is_long:
            faults.million_names(tally, waypost, folder)
    tally.end()


if __name__ == "__main__":
    main()
