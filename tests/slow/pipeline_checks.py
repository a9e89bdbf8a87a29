"""Shared by the tests of pipelines: checks, the environment of runs, and git."""
import json
import os
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
WORK, WAYPOST, NETLIFY_BUILD = (Path(argument) for argument in sys.argv[1:4])
counts = {True: 0, False: 0}


def check(name, holds, shown=""):
    counts[bool(holds)] += 1
    print(f"{'ok' if holds else 'FAILED'} {name}")
    if not holds:
        print(shown)


def environment(**more):
    """Returns the environment of every run, without variables and git settings of the user."""
    path = os.pathsep.join([str(WORK / "bin"), "/usr/local/bin", "/usr/bin", "/bin"])
    fixed = {"PATH": path, "HOME": str(WORK), "LC_ALL": "C.UTF-8",
             "GIT_CONFIG_GLOBAL": "/dev/null", "NO_COLOR": "1"}
    return fixed | more


def read_yaml(file):
    """Returns the document in a YAML file, by Netlify's parser: Python's library has none."""
    run = subprocess.run([WORK / "bin/node", NETLIFY_BUILD.parent / "yaml", "--json", "--strict"], check=True,
                         input=file.read_text(), capture_output=True, text=True)
    return json.loads(run.stdout)[0]


def git(folder, *arguments, **more):
    who = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER")
           for key, value in (("NAME", "test"), ("EMAIL", "test@example.com"))}
    subprocess.run(["git", "-C", folder, *arguments], check=True, capture_output=True, env=environment(**who | more))
