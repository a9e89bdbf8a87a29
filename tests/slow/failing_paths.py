"""Lets every call on one file or directory fail, as on a disk with a bad block, for each path that a run looks at.

The sites are those of tests/generators, and some with files that a run only looks for: settings in a wrong place, files
of hosts, a package, a repository with a remote. A path that cannot be read is not a path that does not exist, so a run
ends in one of two ways: with exit code 2, a hint and the old files; or, if the path does not matter, with the files,
messages and exit code of an undisturbed run.
"""
import errno
import os
import random
import re
import shutil
import subprocess

from failing_calls import HERE, preloaded
from judge import git
from txtar import SiteArchive

GENERATORS = HERE.parent / "generators"
# The only output that differs between two equal runs.
TIME = re.compile(r"^ *took .*\n", re.MULTILINE)
PAGE = "<!DOCTYPE html><title>A page</title><p>Text."
REMOTE = '[remote "origin"]\n\turl = https://github.com/example/example.git\n'
# Sites by name, as the files besides the two pages in the output directory, and that directory.
SITES = {
    "plain": (".", {}),
    "package": ("dist", {"package.json": '{"scripts": {"build": "x"}, "waypost": {}}', "index.html": "%PUBLIC_URL%"}),
    "misplaced": ("public", {"Waypost.toml": "", "public/waypost.toml": ""}),
    "below": ("web/public", {"waypost.toml": "", "web/hugo.toml": 'baseURL = "https://example.com/"\n', "web/content/a.md": "A"}),
    "netlify": ("public", {"netlify.toml": '[[redirects]]\nfrom = "/a"\nto = "/b"\n', "public/_headers": "/*\n  X-Robots-Tag: noindex\n"}),
    "vercel": ("public", {"vercel.json": '{"cleanUrls": true}'}),
    "firebase": ("public", {"firebase.json": '{"hosting": {"public": "public", "trailingSlash": false}}'}),
    "domain": ("docs", {"docs/CNAME": "www.example.com\n", ".github/workflows/a.yml": "uses: actions/deploy-pages\n"}),
    "parts": (".", {"a/public/index.html": PAGE, "b/public/index.html": PAGE, "c/public/index.html": PAGE}),
}


class Site:
    """A site in a repository, and its runs."""

    def __init__(self, root, output, files):
        self.root, self.output = root, root / output
        for name, content in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        git(root, "init", "--quiet")
        with open(root / ".git" / "config", "a") as config:
            config.write(REMOTE)
        git(root, "add", "--all")
        git(root, "commit", "--quiet", "--message", "a", at="2024-01-02T03:04:05Z")

    def run(self, waypost, arguments, variables=None):
        environment = {"PATH": os.environ["PATH"], "NO_COLOR": "1", "SOURCE_DATE_EPOCH": "1717286400",
                       "WAYPOST_LEVELS_BASE_URL_PLACEHOLDER": "allow"} | (variables or {})
        done = subprocess.run([waypost, *arguments, "--threads", "1"], cwd=self.root, capture_output=True, text=True, timeout=120, env=environment)
        return done.returncode, TIME.sub("", done.stdout), TIME.sub("", done.stderr)

    def files(self):
        paths = (path for path in self.root.rglob("*") if ".git" not in path.parts and path.is_file())
        return {path: path.read_bytes() for path in paths}

    def restore(self, files):
        for path in self.files().keys() - files.keys():
            path.unlink()
        for path, data in files.items():
            if not path.exists() or path.read_bytes() != data:
                path.write_bytes(data)


def made_sites(folder):
    """Makes the sites; yields each with its name and the arguments of its runs."""
    for name, (output, files) in SITES.items():
        pages = {} if name == "parts" else {f"{output}/{page}": PAGE for page in ("index.html", "a/index.html", "b.html")}
        site = Site(folder / name, output, pages | files)
        given = ["web"] if name == "below" else []
        yield name, site, [*given, "--base-url", "https://example.com/"] if name != "domain" else given
    for archive in sorted(GENERATORS.glob("*.txtar")):
        output = next((line[2:].split()[0] for line in SiteArchive.read(archive).comment.splitlines() if line.startswith("# ")), ".")
        site = Site(folder / archive.stem, output, SiteArchive.read(archive).files)
        yield archive.stem, site, []


def fail_paths(tally, waypost, folder, runs):
    """Tests up to `runs` paths of each site; returns how many runs met a failure."""
    library = preloaded(folder)
    if not library:
        print("SKIPPED failing paths: needs Linux and a C compiler")
        return 0
    top, seen_file, counts_file = folder / "paths", folder / "seen", folder / "counts"
    preload = {"LD_PRELOAD": library, "FAIL_BELOW": str(top), "FAIL_COUNTS": str(counts_file)}
    struck = 0
    for name, site, arguments in made_sites(top):
        before = site.files()
        seen_file.unlink(missing_ok=True)
        wanted = site.run(waypost, arguments, preload | {"FAIL_SEEN": str(seen_file)})
        built = site.files()
        seen = {line.partition(" ")[2] for line in seen_file.read_text().splitlines() if line.split(" ", 1)[0] in ("open", "read", "stat", "list")}
        tally.check(len(seen) > 10, f"failing paths: {name}: only {seen} are seen")
        chosen = random.Random(name).sample(sorted(seen), min(runs, len(seen)))
        for path in chosen:
            site.restore(before)
            counts_file.unlink(missing_ok=True)
            code, out, err = site.run(waypost, arguments, preload | {"FAIL_PATH": path, "FAIL_ERROR": str(errno.EIO)})
            struck += "struck 0" not in counts_file.read_text()
            what = f"failing paths: {name}: {path.removeprefix(str(site.root))}: {code}, {err[-400:]}"
            if (code, out, err) != wanted or code == 2:
                tally.check(code == 2 and "hint: " in err, f"{what}: neither an error nor the undisturbed result, {wanted}")
                tally.check(site.files() == before, f"{what}: the old files are unchanged")
            else:
                tally.check(site.files() == built, f"{what}: the files of an undisturbed run")
    shutil.rmtree(top)
    return struck
