"""Lets calls of the file system fail, one at a time or from one on, while a set is replaced.

failing_calls.c, preloaded, counts the calls of a run and lets one of them fail. A failure of the machine is
not a fact about the site, so each run must end in one of two ways: with exit code 0 and the set of an
undisturbed run, or with exit code 2, a hint, and a set that a reader can follow. If a read fails, that is the
old set byte for byte. The next run, undisturbed, must leave the new set and no other file.
"""
import errno
import os
import pathlib
import random
import shutil
import subprocess

from judge import git, read_sitemaps

HERE = pathlib.Path(__file__).resolve().parent
BASE = "https://example.com/"
READS = ("open", "read", "stat", "list")
ERRORS = {"open": (errno.EIO, errno.EMFILE, errno.ESTALE), "read": (errno.EIO,), "stat": (errno.EIO,),
          "list": (errno.EIO, errno.EMFILE), "write": (errno.ENOSPC, errno.EIO), "move": (errno.EIO, errno.EACCES)}
SETTINGS = """base_url = "https://example.com/"
output_dir = "public"
exclude = ["{excluded}/**"]
levels = {{ base-url-placeholder = "allow", set-shrunk = "allow" }}
[sitemap]
max_urls = {most}
gzip = "also"
"""


class Site:
    """A site in a repository with loose and packed objects, and the settings of two different sets."""

    def __init__(self, folder):
        self.root = folder / "failing"
        self.output = self.root / "public"
        for commit in range(4):
            for number in range(12):
                page = self.output / f"d{number % 3}" / f"p{number}.html"
                page.parent.mkdir(parents=True, exist_ok=True)
                if commit == 0 or (number + commit) % 3 == 0:
                    page.write_text(f"<!DOCTYPE html><title>{commit}</title>")
            if commit == 0:
                (self.root / "old.toml").write_text(SETTINGS.format(excluded="d0", most=5))
                (self.root / "new.toml").write_text(SETTINGS.format(excluded="d2", most=3))
                git(self.root, "init", "--quiet")
            git(self.root, "add", "--all")
            git(self.root, "commit", "--quiet", "--message", "a", at=f"2024-0{commit + 1}-02T03:04:05Z")
            if commit == 2:
                git(self.root, "gc", "--quiet")

    def build(self, waypost, settings, variables=None):
        environment = {"PATH": os.environ["PATH"], "NO_COLOR": "1"} | (variables or {})
        command = [waypost, "build", str(self.root), "--config", str(self.root / settings), "--threads", "1"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)
        return done.returncode, done.stderr

    def files(self):
        """Returns the files of the set, and anything else that a run may have left."""
        return {path.name: path.read_bytes() for path in self.output.iterdir() if path.is_file()} | {
            path.name: None for path in self.output.iterdir() if path.name.startswith(".waypost")}

    def restore(self, files):
        for path in self.output.iterdir():
            if path.is_file():
                path.unlink()
            elif path.name.startswith(".waypost"):
                shutil.rmtree(path)
        for name, data in files.items():
            (self.output / name).write_bytes(data)


def preloaded(folder):
    """Compiles failing_calls.c; returns the path of the library, or None on another system."""
    library = folder / "failing_calls.so"
    compiler = shutil.which("cc")
    if not compiler or os.uname().sysname != "Linux":
        return None
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", str(library), str(HERE / "failing_calls.c"), "-ldl"],
                   check=True)
    return str(library)


def fail_calls(tally, waypost, folder, runs):
    """Tests some failures; returns how many struck."""
    library = preloaded(folder)
    if not library:
        print("SKIPPED failing calls: needs Linux and a C compiler")
        return 0
    site = Site(folder)
    counts_file = folder / "counts"
    preload = {"LD_PRELOAD": library, "FAIL_BELOW": str(site.root), "FAIL_COUNTS": str(counts_file)}

    def attempt(variables):
        counts_file.unlink(missing_ok=True)
        code, printed = site.build(waypost, "new.toml", preload | variables)
        lines = counts_file.read_text().splitlines() if counts_file.exists() else []
        return code, printed, {name: int(count) for name, count in map(str.split, lines)}

    tally.equal(site.build(waypost, "old.toml")[0], 0, "failing calls: the first run")
    old, old_urls = site.files(), read_sitemaps(site.output, BASE)
    code, printed, counts = attempt({})
    tally.equal(code, 0, f"failing calls: the undisturbed run: {printed}")
    new, new_urls = site.files(), read_sitemaps(site.output, BASE)
    tally.check(all(counts.get(group, 0) > 4 for group in READS), f"failing calls: not all calls are seen: {counts}")
    faults = [(group, number, error, lasting) for group, errors in ERRORS.items() for error in errors
              for number in range(1, counts.get(group, 0) + 1) for lasting in ("", "1")]
    struck = 0
    for group, number, error, lasting in random.Random(5).sample(faults, min(runs, len(faults))):
        site.restore(old)
        code, printed, counts = attempt({"FAIL_GROUP": group, "FAIL_NUMBER": str(number), "FAIL_ON": lasting,
                                         "FAIL_ERROR": str(error)})
        struck += counts.get("struck", 0) > 0
        what = f"failing calls: {group} {number} {errno.errorcode[error]} {lasting and 'and all later'}: {code}, {printed[-600:]}"
        judge_failed(tally, site, what, (code, printed), (old, old_urls), (new, new_urls), group in READS)
        tally.equal(site.build(waypost, "new.toml")[0], 0, f"{what}: the next run")
        tally.check(site.files() == new, f"{what}: the set after the next run")
    shutil.rmtree(site.root)
    return struck


def judge_failed(tally, site, what, outcome, old, new, is_read):
    (code, printed), (old_files, old_urls), (new_files, new_urls) = outcome, old, new
    if code == 0:
        tally.check({name: data for name, data in site.files().items() if data is not None} == new_files,
                    f"{what}: the new set")
        return
    tally.equal(code, 2, f"{what}: exit code")
    tally.check("hint: " in printed, f"{what}: no hint")
    if is_read and "cannot be replaced" not in printed and "cannot be written" not in printed:
        # If all later calls fail too, staged files cannot be removed.
        kept = {name: data for name, data in site.files().items() if data is not None}
        tally.check(kept == old_files, f"{what}: the old set is unchanged")
        return
    listed = read_sitemaps(site.output, BASE)
    tally.check(set(old_urls) & set(new_urls) <= set(listed) <= set(old_urls) | set(new_urls),
                f"{what}: a reader loses pages")
    dates_are_true = all(date in (None, old_urls.get(url), new_urls.get(url)) for url, date in listed.items())
    tally.check(dates_are_true, f"{what}: a false date")
