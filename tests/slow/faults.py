#!/usr/bin/env -S python3 -B
"""Lets system calls fail, or kill the run, one at a time, and checks what a reader of the sitemaps then sees.

usage: [WAYPOST=target/release/waypost] tests/slow/faults.py [--seed N] [--faults N] [--kills N] [SITE...]

Each site is in a repository, and has two sets: for each, strace lists the calls of an undisturbed run that replaces the
old set by the new one, and of a run that writes the first set. The seed draws the places of the faults from these calls, of
each kind of call its share: strace lets a call fail with one of the errors of its kind, once or from then on, or all calls
on one path. Half of the kills are drawn from all calls, the others from those that change files. After each:

- a file under a final name has the bytes that it has in the old or in the new set; the key file and the memory too;
- a reader who starts at sitemap.xml finds each page of both sets, except pages that move between groups;
- exit code 0 means the new set. Code 2 comes with an error and a hint. The old set stays, except for the files that the error names;
- no staged file remains, except after a kill or if it cannot be removed;
- the next run leaves the new set, and nothing else, also beside the memory.

SITE is `plain`, `rich` (text sitemaps, feeds, a key file, and a memory of contents in another directory) or an archive of
tests/generators. The seed is printed, and repeats the run. The last line is 'N passed, M failed'.
"""
import argparse
import errno
import itertools
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import tempfile

from judge import Tally, git, read_sitemaps, run
from txtar import SiteArchive

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
BASE = "https://example.com/"
ROBOTS = b"User-agent: *\nDisallow: /search/\n"
START, DAY = 1_717_286_400, 86_400
KEY = "0123456789abcdef"
FILES = re.compile(rf"sitemap.*|robots\.txt|{KEY}\.txt|memory\.jsonl|\.waypost-.*")
STAGED = re.compile(r"(.*/)?\.waypost-[^/]*")
# The share of the faults that must reach their call: runs differ little from each other.
LEAST_REACHED = 0.95

BROKEN = [errno.EIO]
READ_ERRORS = {
    "openat": [errno.EIO, errno.EMFILE, errno.ESTALE], "openat2": [errno.EIO, errno.EMFILE, errno.ESTALE],
    "read": BROKEN, "pread64": BROKEN, "getdents64": BROKEN, "statx": BROKEN, "newfstatat": BROKEN, "readlink": BROKEN,
    "getcwd": BROKEN, "lseek": BROKEN, "mmap": [errno.ENOMEM, errno.ENODEV], "flock": [errno.ENOLCK, errno.EIO],
}
FULL = [errno.ENOSPC, errno.EIO]
WRITE_ERRORS = {
    "openat": [*FULL, errno.EROFS, errno.EACCES, errno.EDQUOT], "write": FULL, "rename": [*FULL, errno.EACCES, errno.EXDEV],
    "unlink": [errno.EIO, errno.EACCES, errno.EBUSY], "fchmod": [errno.EPERM, errno.EIO], "fsync": [errno.EIO],
    "mkdir": [*FULL, errno.EACCES],
}
OPENED_TO_WRITE = re.compile(r"O_WRONLY|O_RDWR|O_CREAT")
CALL = re.compile(r"(\d+) +(\w+)\((.*)")
# The paths that strace shows: those of descriptors, absolute ones, and those relative to the working directory.
SHOWN_PATH = re.compile(r'<(/[^<>]+)>|"(/[^"]+)"|AT_FDCWD<[^<>]+>, "([^"/][^"]*)"')
# A path to which the working directory does not matter.
ELSEWHERE = re.compile(r'AT_FDCWD<[^<>]+>(?=, "/)')
# A path relative to the working directory, which is not shown: `rename` and `unlink` have no other.
RELATIVE = re.compile(r'"[^"/]')
# An error names the files that were changed before it, up to a number.
CHANGED = re.compile(r"; already replaced or removed: (`[^;]+); the next run completes the set")
MORE = re.compile(r"(\d+) more$")
SETTINGS = """base_url = "{base}"
exclude = {excluded}
levels = {{ base-url-placeholder = "allow", set-shrunk = "allow", dates-lost = "allow" }}
sitemap.max_urls = {most}
sitemap.gzip = "also"
{further}
[[rule]]
match = {grouped}
group = "a"
"""
RICH = f"""sitemap.formats = ["xml", "txt", "{{feed}}"]
lastmod.memory = "cache/memory.jsonl"
submit.key = "{KEY}"
"""


class Call:
    """A call of an undisturbed run: the `number`-th of this name in its thread."""

    def __init__(self, name, number, text):
        self.name, self.number, self.text = name, number, text
        is_write = name not in READ_ERRORS or (name == "openat" and OPENED_TO_WRITE.search(text))
        self.errors = (WRITE_ERRORS if is_write else READ_ERRORS)[name]
        self.is_write = bool(is_write)
        self.changes_memory = self.is_write and bool(re.search(r'/cache[/"]', text))


class Site:
    """A site in a repository, with the settings of two sets."""

    def __init__(self, name, folder):
        self.name, self.root = name, folder / name
        self.output = self.root / {"plain": make_plain, "rich": make_rich}.get(name, unpack)(self.root)
        self.now = START
        commit_changes(self.root)
        self.write_settings()
        self.old = self.old_set()

    def write_settings(self):
        """Most pages are in both sets, some in one. Two of them move between groups."""
        atom, rss = (RICH.format(feed=feed) if self.name == "rich" else "" for feed in ("atom", "rss"))
        settings = dict(base=BASE, excluded=[], most=9, grouped='"no-page"', further=atom)
        (self.root / "all.toml").write_text(SETTINGS.format(**settings))
        done = self.waypost("explain", "all.toml", ["--json"])
        assert done.returncode == 0, f"{self.name}: {done.stderr}"
        pages = [page for page in map(json.loads, done.stdout.splitlines()) if page["listed"]]
        files = [page["file"] for page in pages if re.fullmatch(r"[\w./-]+", page["file"])]
        few, grouped = len(files) // 4, files[1::3]
        old = settings | dict(excluded=files[:few], most=4, grouped=json.dumps(grouped))
        new = settings | dict(excluded=files[len(files) - few:], most=3, grouped=json.dumps(grouped[2:]), further=rss)
        self.moved = {page["url"] for page in pages if page["file"] in grouped[:2]}
        for name, values in (("old.toml", old), ("new.toml", new)):
            (self.root / name).write_text(SETTINGS.format(**values))

    def old_set(self):
        """Returns the old set. Pages that only the memory can date are edited before its last build, others after it."""
        self.restore({"robots.txt": ROBOTS})
        undated = sorted(self.output.glob("d1/*")) if self.name == "rich" else []
        for edited in (undated[::3], undated[1::3]):
            done = self.waypost("build", "old.toml")
            assert done.returncode == 0, f"{self.name}: {done.stderr}"
            self.now += DAY
            for page in edited:
                page.write_text(page.read_text() + "<p>Edited")
        return self.files()

    def waypost(self, command, settings, arguments=(), under=()):
        variables = {"NO_COLOR": "1", "SOURCE_DATE_EPOCH": str(self.now)}
        program = [*under, WAYPOST, command, ".", "--config", settings, "--threads", "1", *arguments]
        return run(program, self.root, variables)

    def files(self):
        """Returns the files that waypost may have written, by their paths from the output directory; a directory or a pipe
        has no bytes."""
        paths = itertools.chain(self.output.iterdir(), self.root.glob("cache/*"))
        found = {os.path.relpath(path, self.output): path for path in paths if FILES.fullmatch(path.name)}
        return {name: path.read_bytes() if path.is_file() else None for name, path in found.items()}

    def restore(self, files):
        now = self.files()
        for name in now.keys() - files.keys():
            path = self.output / name
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        cache = self.root / "cache"
        if cache.is_dir() and not any(cache.iterdir()):
            cache.rmdir()
        for name, data in files.items():
            if now.get(name) != data:
                (self.output / name).resolve().parent.mkdir(exist_ok=True)
                (self.output / name).write_bytes(data)


def make_plain(root):
    """Makes a directory of HTML files, which are their own sources."""
    for number in range(24):
        page = root / f"d{number % 4}" / f"p{number}.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(f"<!DOCTYPE html><title>{number}</title>")
    (root / "index.html").write_text("<!DOCTYPE html><title>Home</title>")
    return "."


def make_rich(root):
    """Makes the same pages as an output directory, some of them unknown to git."""
    make_plain(root / "public")
    (root / ".gitignore").write_text("/public/d1/\n/cache/\n")
    return "public"


def unpack(root):
    """Unpacks a site with the output of its generator; returns the output directory."""
    archive = SiteArchive.read(TOP / "tests/generators" / f"{root.name}.txtar")
    archive.unpack(root)
    return re.search(r"^# (\S+)", archive.comment, re.MULTILINE)[1]


def commit_changes(root):
    """Commits the site, and changes of some of its files, some of them packed."""
    git(root, "init", "--quiet")
    sources = sorted(path for path in root.rglob("*") if path.suffix in (".md", ".html", ".rst"))
    for commit in range(4):
        for source in sources[commit::4] if commit else ():
            source.write_text(source.read_text() + "\n")
        git(root, "add", "--all")
        git(root, "commit", "--quiet", "--message", "a", at=f"2024-0{commit + 1}-02T03:04:05Z")
        if commit == 2:
            git(root, "gc", "--quiet")
    with open(root / ".git/config", "a", encoding="utf-8") as config:  # Programs that must not be started.
        config.write('[core]\n\tfsmonitor = touch owned\n[filter "x"]\n\tclean = touch owned\n\trequired\n')
    (root / ".gitattributes").write_text("* filter=x\n")


class Trial:
    """The replacement of one set by another, or the first set of a site."""

    def __init__(self, tally, site, is_first):
        self.tally, self.site = tally, site
        self.name = f"{site.name}, {'first' if is_first else 'replaced'} set"
        self.start = {"robots.txt": ROBOTS} if is_first else site.old
        site.restore(self.start)
        self.urls = {} if is_first else read_sitemaps(site.output, BASE)
        self.trace = site.root.parent / "trace"
        self.calls, self.paths = self.traced()
        self.end = site.files()
        new_urls = read_sitemaps(site.output, BASE)
        self.kept = self.urls.keys() & new_urls.keys() - site.moved
        assert is_first or len(self.kept) > 3, f"{self.name}: only {self.kept} are in both sets"
        dates = {date for url, date in new_urls.items() if "/d1/" in url}
        assert is_first or site.name != "rich" or len(dates) == 3, f"{self.name}: the memory gives the dates {dates}"

    def strace(self, *arguments):
        """Runs a build below strace."""
        under = ["strace", "-f", "-qq", "-y", "-o", str(self.trace), *arguments]
        return self.site.waypost("build", "new.toml", under=under)

    def traced(self):
        """Returns the calls of an undisturbed run on the site, and the paths that it looks at."""
        done = self.strace("-e", "trace=%file,%desc,%process,%network")
        self.tally.equal(done.returncode, 0, f"{self.name}: {done.stderr}")
        lines = self.trace.read_text().splitlines()
        programs = [line for line in lines if re.search(r" (execve|execveat|socket|connect)\(", line)]
        self.tally.check(len(programs) == 1, f"{self.name}: a run starts programs or connects: {programs[1:]}")
        calls, paths, counts = [], {}, {}
        for thread, name, text in (CALL.match(line).groups() for line in lines if CALL.match(line)):
            counts[thread, name] = counts.get((thread, name), 0) + 1
            is_of_site = str(self.site.root) in ELSEWHERE.sub("", text) or RELATIVE.match(text)
            if is_of_site and (name in READ_ERRORS or name in WRITE_ERRORS):
                calls.append(Call(name, counts[thread, name], text))
                if not calls[-1].is_write and name != "mmap":
                    paths |= dict.fromkeys(filter(None, itertools.chain(*SHOWN_PATH.findall(text))))
        changes = {call.name for call in calls if call.is_write}
        self.tally.check({"openat", "write", "rename"} <= changes, f"{self.name}: the calls that change files are {changes}")
        is_below = lambda path: path.startswith(f"{self.site.root}/") or not path.startswith("/")
        return calls, [path for path in paths if is_below(path) and not STAGED.fullmatch(path)]

    def inject(self, name, what):
        """Returns whether the run was struck, and how it ended."""
        self.site.restore(self.start)
        done = self.strace("-e", f"trace={name}", *what)
        return done.returncode == -signal.SIGKILL or "(INJECTED)" in self.trace.read_text(), done

    def fail(self, call, error, is_lasting):
        """Lets a call fail, and all later ones of its name if that is lasting."""
        when = f"{call.number}{'+' if is_lasting else ''}"
        inject = f"inject={call.name}:error={errno.errorcode[error]}:when={when}"
        is_struck, done = self.inject(call.name, ["--seccomp-bpf", "-e", inject])
        what = f"{self.name}: {call.name} {when} fails with {errno.errorcode[error]}: {call.text[:150]}"
        if is_lasting and call.name == "write":  # Nothing can be printed either.
            self.tally.equal(done.returncode, 2, what)
        else:
            self.judge_end(what, done, may_stay=is_lasting or call.name == "unlink")
        self.judge_set(what)
        self.judge_next_run(what)
        return is_struck

    def fail_path(self, path):
        """Lets every call on a path fail. A path that cannot be read is not one that does not exist."""
        names = ",".join(name for name in READ_ERRORS if name != "mmap")
        absolute = os.path.normpath(self.site.root / path)
        is_struck, done = self.inject(names, ["-P", path, "-P", absolute, "-e", f"inject={names}:error=EIO"])
        what = f"{self.name}: {path} cannot be read"
        self.judge_end(what, done, may_stay=True)
        self.judge_set(what)
        self.judge_next_run(what)
        return is_struck

    def kill(self, call):
        """Kills the run before a call. Signals cannot be injected with `--seccomp-bpf`."""
        is_struck, done = self.inject(call.name, ["-e", f"inject={call.name}:signal=KILL:when={call.number}"])
        what = f"{self.name}: killed before {call.name} {call.number}: {call.text[:150]}"
        self.tally.equal(done.returncode, -signal.SIGKILL, what)
        self.judge_set(what)
        self.judge_next_run(what)
        return is_struck

    def judge_end(self, what, done, may_stay):
        what = f"{what}: {done.returncode}, {done.stderr[-400:]}"
        files = self.site.files()
        staged = [name for name in files if STAGED.fullmatch(name)]
        self.tally.check(may_stay or not staged or "[sitemap-stale]" in done.stderr, f"{what}: {staged} is left")
        files = {name: data for name, data in files.items() if name not in staged}
        if done.returncode == 0:
            stale = self.start.keys() - self.end.keys() if "[sitemap-stale]" in done.stderr else ()
            expected = self.end | {name: self.start[name] for name in stale if name in files}
            self.tally.check(files == expected, f"{what}: it is not the new set")
            return
        self.tally.check(done.returncode == 2 and "error: " in done.stderr and "hint: " in done.stderr, what)
        changed = {os.path.basename(name) for name in different(files, self.start)}
        told = CHANGED.search(done.stderr)
        named = set(re.findall(r"`(?:[^`]*/)?([^`/]+)`", told[1])) if told else set()
        more = MORE.search(told[1]) if told else None
        is_true = named <= changed and len(named) + int(more[1] if more else 0) == len(changed)
        self.tally.check(is_true, f"{what}: changed are {sorted(changed)}")

    def judge_set(self, what):
        """Judges the set as a reader finds it."""
        for name, data in self.site.files().items():
            is_of_set = data is not None and data in (self.start.get(name), self.end.get(name))
            self.tally.check(is_of_set or STAGED.fullmatch(name), f"{what}: {name} is of neither set: {data}")
        try:
            seen = read_sitemaps(self.site.output, BASE).keys()
        except FileNotFoundError as error:
            self.tally.check(not self.urls, f"{what}: a file of the set is missing: {error}")
        except (OSError, SyntaxError) as error:
            self.tally.check(False, f"{what}: a file is not whole: {error}")
        else:
            self.tally.check(self.kept <= seen, f"{what}: a reader misses {sorted(self.kept - seen)}")

    def judge_next_run(self, what):
        done = self.site.waypost("build", "new.toml")
        self.tally.equal(done.returncode, 0, f"{what}: the next run: {done.stderr[-400:]}")
        self.tally.equal(different(self.site.files(), self.end), [], f"{what}: after the next run")


def different(files, others):
    """Returns the names of files that are not the same in both."""
    return sorted(name for name in files.keys() | others.keys() if files.get(name) != others.get(name))


def judge_flushes(tally, site):
    """Checks that a few changed files are flushed before they are moved into place, and then their directory."""
    (site.root / "few.toml").write_text(f'base_url = "{BASE}"\nlevels = {{ base-url-placeholder = "allow" }}\n')
    site.restore({"robots.txt": ROBOTS})
    trace = site.root.parent / "trace"
    done = site.waypost("build", "few.toml", under=["strace", "-f", "-qq", "-o", str(trace), "-e", "trace=fsync,/rename"])
    calls = re.findall(r"\b(fsync|rename)\w*\(", trace.read_text())
    tally.check(done.returncode == 0 and calls == [*["fsync"] * 2, *["rename"] * 2, "fsync"], f"flushes: {calls}, {done.stderr}")


def draw(choice, count, places, kind):
    """Draws `count` of the places, of each kind its share. Each has its number, so that neighbours can fail differently."""
    places = sorted(choice.sample(places, len(places)), key=lambda place: (kind(place[1]), place[0].name))
    first = choice.random()
    return [(at, places[int((at + first) * len(places) / count)]) for at in range(count)]


def kind_of_call(call):
    return call.name, call.is_write


def fail_calls(choice, trials, count):
    """Lets calls and paths fail; returns how many faults reached their call, and the calls that were reached."""
    calls = [(trial, call) for trial in trials for call in trial.calls]
    paths = [(trial, path) for trial in trials for path in trial.paths]
    of_paths = count // 5
    reached, struck = set(), 0
    for at, (trial, call) in draw(choice, count - of_paths, calls, kind_of_call):
        modes = list(itertools.product(call.errors, (False, True)))
        if trial.fail(call, *modes[at % len(modes)]):
            struck += 1
            reached.add(call)
    struck += sum(trial.fail_path(path) for _, (trial, path) in draw(choice, of_paths, paths, lambda path: ()))
    return struck, len(reached), len(calls)


def kill_runs(choice, trials, count):
    """Kills runs before a call, half of them before one that changes a file, some of those before one that changes the
    memory; returns how many kills reached their call."""
    calls = [(trial, call) for trial in trials for call in trial.calls]
    writes = [(trial, call) for trial, call in calls if call.is_write]
    of_memory = [(trial, call) for trial, call in writes if call.changes_memory]
    few = count // 10 if of_memory else 0
    shares = (count // 2, calls), (count - count // 2 - few, writes), (few, of_memory)
    places = [place for share, kinds in shares for place in draw(choice, share, kinds, kind_of_call)]
    return sum(trial.kill(call) for _, (trial, call) in places)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--faults", type=int, default=320)
    parser.add_argument("--kills", type=int, default=80)
    parser.add_argument("sites", nargs="*", default=["plain", "rich", "zola", "mdbook"])
    arguments = parser.parse_args()
    choice = random.Random(arguments.seed)
    print(f"seed {arguments.seed}", flush=True)
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        sites = [Site(name, pathlib.Path(folder)) for name in arguments.sites]
        judge_flushes(tally, sites[0])
        trials = [Trial(tally, site, is_first) for site in sites for is_first in (True, False)]
        struck, reached, calls = fail_calls(choice, trials, arguments.faults)
        killed = kill_runs(choice, trials, arguments.kills)
    wanted = arguments.faults + arguments.kills
    print(f"{struck} of {arguments.faults} faults struck, at {reached} of {calls} calls ({reached / calls:.0%}); "
          f"{killed} of {arguments.kills} kills did")
    tally.check(struck + killed >= LEAST_REACHED * wanted, f"only {struck + killed} of {wanted} faults and kills struck")
    tally.end()


WAYPOST = str(pathlib.Path(os.environ.get("WAYPOST", TOP / "target/release/waypost")).resolve())
if __name__ == "__main__":
    main()
