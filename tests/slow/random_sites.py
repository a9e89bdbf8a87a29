#!/usr/bin/env -S python3 -B
"""Compares what the commands say about random sites: with each other, and with the files.

usage: [WAYPOST=target/release/waypost] tests/slow/random_sites.py [--first N] [--sites N] [--seconds N] [--keep DIR]

For each site: `build` and `check` agree; a second `build` changes nothing; the number of threads changes nothing;
settings that replace others leave the same files as in a new directory;
`explain` and the sitemaps name the same pages, files and dates; every URL is that of a file; every file is within the
limits; xmllint accepts the XML. A contradiction is printed with the number of its site; `--first N --sites 1
--keep DIR` makes this site again and keeps it. The last line is 'N passed, M failed'.
"""
import argparse
import collections
import gzip
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time
import tomllib
import urllib.parse
import xml.etree.ElementTree as ElementTree

from judge import SCHEMA, Tally
from random_site import RandomSite

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
NAMESPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
# Findings that `check` may have only if `build` has them.
COMPARED = ("sitemap-", "loc-", "robots-txt-", "feed-", "lastmod-", "hreflang-", "base-url-", "url-form-")
# README: "Found by `waypost check`."
FOUND_BY_CHECK = {"hreflang-ignored", "lastmod-untrue", "feed-broken"}
XML_SAMPLE = 5
TEXT = re.compile(rb"\.txt(\.gz)?$")
KEY_FILE = b"0123456789abcdef.txt"


class Trial:
    """One site, and the runs of waypost on it."""

    def __init__(self, tally, waypost, directory, number):
        self.tally, self.waypost, self.number = tally, waypost, number
        self.site = RandomSite(directory / f"site{number}", number)
        self.site.make()
        self.output = self.site.output
        self.start = self.files()

    def check(self, holds, what):
        self.tally.check(holds, f"site {self.number}: {what}")
        return holds

    def run(self, *arguments, **variables):
        environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "SOURCE_DATE_EPOCH": "1717286400", "NO_COLOR": "1"} | variables
        done = subprocess.run([self.waypost, *arguments], cwd=self.site.root, env=environment, capture_output=True, timeout=120)
        out, err = done.stdout.decode(), done.stderr.decode()
        what = f"{' '.join(arguments)}: {done.returncode}, {err[-400:]}"
        self.check(done.returncode in (0, 1, 2), what)
        self.check("panicked" not in err, what)
        self.check(done.returncode != 2 or "hint: " in err, f"an error without a hint: {what}")
        return done.returncode, out, err

    def files(self):
        """Returns the files of the output that are not pages, with their bytes and times."""
        pages = set(self.site.pages)
        found = (path for path in self.output.rglob("*") if path.is_file() and not path.is_symlink())
        names = ((os.fsencode(path.relative_to(self.output)), path) for path in found)
        return {name: (path.read_bytes(), path.stat().st_mtime_ns) for name, path in names if os.fsdecode(name) not in pages}

    def restore(self):
        """Removes what waypost has written, and restores what it has replaced."""
        for name in self.files():
            (self.output / os.fsdecode(name)).unlink()
        for name, (data, changed) in self.start.items():
            path = self.output / os.fsdecode(name)
            path.write_bytes(data)
            os.utime(path, ns=(changed, changed))

    def set_files(self):
        return {name: data for name, (data, _) in self.files().items() if name != KEY_FILE}

    # The comparisons

    def judge(self):
        before = self.files()
        code, _, err = self.run("build", "--json", "--dry-run")
        self.check(self.files() == before, "a dry run changes files")
        first, out, err = self.run("build", "--json")
        self.check(first == code, f"exit codes of a dry run and of a build: {code} and {first}, {err[-300:]}")
        if first == 2:
            self.check(self.files() == before, f"an error changes files: {err}")
            return f"error: {err.splitlines()[0][:40]}"
        result = json.loads(out)
        if result["refused"] or not result["files"]:
            self.check(self.files() == before, "a refusal changes files")
            return "refused" if result["refused"] else "nothing listed"
        again = self.judge_second_run(first, result)
        self.judge_check(again)
        lines = self.explained()
        self.judge_set(result, lines)
        self.judge_new_settings()
        return "written"

    def judge_second_run(self, first, result):
        before = self.files()
        code, out, err = self.run("build", "--json", "--threads", "3")
        again = json.loads(out)
        self.check(code == first, f"exit codes of two builds: {first} and {code}")
        changed = [name for name in before | self.files() if before.get(name) != self.files().get(name)]
        self.check(not changed, f"a second build changes {changed}")
        self.check(not any(file["changed"] for file in again["files"]), "a second build reports changed files")
        self.check(not again["removed"], f"a second build removes {again['removed']}")
        changes = {kind: again["changes"][kind] for kind in ("added", "removed", "redated")}
        self.check(not any(changes.values()), f"a second build reports changes: {changes}")
        for key in ("pages", "dates", "base_url"):
            self.check(again[key] == result[key], f"a second build has other {key}: {again[key]} after {result[key]}")
        _, text, _ = self.run("build")
        self.check("unchanged" in text or "unchanged" in _, f"a third build does not say that nothing changed: {text}")
        return again

    def judge_check(self, built):
        """Checks that `check` finds nothing about the sitemaps that `build` does not say."""
        code, out, err = self.run("check", "--json")
        if not self.check(code != 2, f"check cannot run: {err}"):
            return
        result = json.loads(out)
        said = {finding["code"] for finding in built["findings"]}
        # `build` does not compare the pages with a file that stays, nor with a robots.txt that it must not change.
        further = any("-index-" in file["path"] for file in built["files"])
        refuses = not tomllib.loads(self.site.settings)["robots_txt"].get("update", True)
        if "sitemap-stale" in said or refuses and further:
            return
        of_user = self.findings_of_user()
        new = [finding for finding in result["findings"] if finding["code"].startswith(COMPARED)
               and finding["code"] not in said | FOUND_BY_CHECK | of_user
               # An empty sitemap of the user.
               and not (finding["code"] == "sitemap-invalid" and str(finding["file"]).endswith("blog/sitemap.xml"))]
        self.check(not new, f"check finds what build does not say: {[(f['code'], f['message']) for f in new]}")
        changes = {kind: result["changes"][kind] for kind in ("added", "removed", "redated")}
        self.check(not any(changes.values()), f"check reports changes after a build: {result['changes']}")
        self.check(result["pages"] == built["pages"], f"check and build count pages: {result['pages']}, {built['pages']}")

    def findings_of_user(self):
        """Returns the findings about lines of robots.txt that waypost did not write, and about lines that it must not."""
        settings = tomllib.loads(self.site.settings)
        names = b"Sitemap:" in self.start.get(b"robots.txt", (b"",))[0]
        refuses = not settings["robots_txt"].get("update", True)
        disallowed = not settings["robots_txt"].get("obey", True)
        return (({"robots-txt-sitemap-unreadable"} if names or refuses else set()) | ({"robots-txt-no-sitemap"} if refuses else set())
                | ({"loc-contradicted"} if disallowed else set()))

    def explained(self):
        _, out, err = self.run("explain", "--json", "--threads", "1")
        _, other, _ = self.run("explain", "--json", "--threads", "4")
        self.check(out == other, "explain depends on the number of threads")
        return [json.loads(line) for line in out.splitlines()]

    def judge_set(self, result, lines):
        """Compares the files with `explain`, with the limits and with the pages on disk."""
        settings = tomllib.loads(self.site.settings)["sitemap"]
        wanted = {line["url"]: line["lastmod"] for line in lines if line["listed"]}
        self.check(len(wanted) == sum(line["listed"] for line in lines), "explain lists a URL twice")
        said = {finding["code"] for finding in result["findings"]}
        found = collections.Counter()
        for file in result["files"]:
            path = self.output / file["path"]
            data = path.read_bytes()
            self.check(len(data) == file["bytes"], f"{file['path']} has {len(data)} bytes, not {file['bytes']}")
            text = gzip.decompress(data) if path.suffix == ".gz" else data
            self.check(len(text) <= 10 << 20 or file["urls"] < 2 or "sitemap-limits" in said,
                       f"{file['path']} has {len(text)} bytes before compression")
            found[file["path"].removesuffix(".gz")] += 1
            if path.with_suffix(path.suffix + ".gz").exists():
                self.check(gzip.decompress(path.with_suffix(path.suffix + ".gz").read_bytes()) == data, f"{file['path']} and its copy differ")
            self.judge_file(file, text, settings, wanted, lines)
        self.judge_urls(wanted)
        names = {line["sitemap"] for line in lines if line["listed"]}
        formats = settings.get("formats", ["xml"])
        if "xml" in formats:
            missing = [name for name in names if not name or not (self.output / name).exists()]
            self.check(not missing, f"explain names sitemaps that do not exist: {missing}")

    def judge_file(self, file, text, settings, wanted, lines):
        name = file["path"].removesuffix(".gz")
        if name == "robots.txt":
            return
        if name.endswith(".txt"):
            self.check(set(text.decode().split("\n")) - {""} <= set(wanted), f"{name} lists other pages")
            return
        try:
            root = ElementTree.fromstring(text)
        except ElementTree.ParseError as error:
            self.check(False, f"{name}: {error}")
            return
        if root.tag == NAMESPACE + "urlset":
            self.check(len(root) <= settings.get("max_urls", 50_000), f"{name} has {len(root)} URLs")
            listed = {url.findtext(NAMESPACE + "loc"): url.findtext(NAMESPACE + "lastmod") for url in root}
            self.check(len(listed) == len(root), f"{name} lists a URL twice")
            self.check(listed.items() <= wanted.items(), f"{name} and explain differ: {set(listed.items()) - set(wanted.items())}")
            own = {line["url"] for line in lines if line["listed"] and (line["sitemap"] or "").removesuffix(".gz") == name}
            self.check(own == set(listed), f"{name} does not list the pages that explain names: {own ^ set(listed)}")
        elif root.tag == NAMESPACE + "sitemapindex":
            self.check(len(root) <= 50_000, f"{name} has {len(root)} sitemaps")

    def judge_urls(self, wanted):
        """Checks that each URL is below the base URL and belongs to a file, in one of the forms that hosts serve."""
        base = urllib.parse.quote(self.site.base, safe="/:%")
        for url in wanted:
            if not self.check(url.startswith(base), f"{url} is not below {base}"):
                continue
            path = self.output / os.fsdecode(urllib.parse.unquote_to_bytes(url.removeprefix(base).partition("?")[0]))
            bare = str(path)
            forms = [path, path / "index.html", *(path / f"index.{kind}" for kind in ("htm", "xhtml", "HTML")),
                     *(pathlib.Path(f"{bare}.{kind}") for kind in ("html", "htm", "xhtml", "HTML"))]
            self.check(any(form.is_file() for form in forms), f"{url} does not belong to a file")

    def judge_new_settings(self):
        """Checks that a site with other settings has the same files after a build over the old ones and without them."""
        old, accepted = self.site.settings, ("--accept=dates-lost", "--accept=set-shrunk", "--accept=sitemap-not-ours")
        self.site.settings = self.site.random_settings()
        self.site.write_settings(self.site.settings)
        code, out, err = self.run("build", "--json", *accepted)
        over = self.set_files()
        left = [] if code == 2 else [finding for finding in json.loads(out)["findings"] if finding["code"] == "sitemap-stale"]
        wrote = code != 2 and not json.loads(out)["refused"] and json.loads(out)["files"]
        if wrote:
            self.judge_check(json.loads(self.run("build", "--json")[1]))
        self.restore()
        again, out, err = self.run("build", "--json", *accepted)
        self.check(code == again or left, f"exit codes over old files and without: {code} and {again}")
        if wrote and not left:
            fresh = self.set_files()
            differ = {name for name in (over | fresh).keys() - {b"robots.txt"} if over.get(name) != fresh.get(name)}
            # The set of an earlier run is evidence for the form of URLs if nothing else is.
            sets_form = re.compile('^(url_style = "(keep|clean|slash)"|host = )', re.MULTILINE)
            if sets_form.search(old) and not sets_form.search(self.site.settings):
                differ = set()
            # Nothing proves who wrote a small text sitemap, or that one was replaced before.
            differ = {name for name in differ if not TEXT.search(name) and name not in self.start}
            names_others = re.search(rb"Sitemap: \S+\.(txt|gz)[\r\n]", over.get(b"robots.txt", b""))
            # Nor who added the line of a feed, a text sitemap or a compressed copy that still exists.
            if not ("update = false" in old + self.site.settings or "\nfeeds = true" in old or names_others):
                self.check(self.lines_of_runs(over) == self.lines_of_runs(fresh), "new settings leave another robots.txt than without old ones")
            self.check(not differ, f"new settings leave other files than without old ones: {differ}")
        self.restore()
        self.site.settings = old
        self.site.write_settings(old)

    def lines_of_runs(self, files):
        """Returns the lines of robots.txt that the site does not have itself: a line of the site that names a file which waypost
        replaces and later removes goes with the file."""
        own = self.start.get(b"robots.txt", (b"",))[0].split()
        return sorted(word for word in files.get(b"robots.txt", b"").split() if word not in own)

    def xml_files(self):
        self.run("build", "--json")
        kept = {name for name, (data, _) in self.start.items() if self.set_files().get(name) == data}
        found = (path for path in self.output.rglob("*.xml") if os.fsencode(path.relative_to(self.output)) not in kept)
        return [path for path in found if b"sitemap/0.9" in path.read_bytes()[:400]]


def lint(tally, number, paths):
    """Validates XML files against the schema, in one run of xmllint."""
    if not paths or not shutil.which("xmllint"):
        return
    done = subprocess.run(["xmllint", "--nonet", "--noout", "--schema", str(SCHEMA), *map(str, paths)], capture_output=True, text=True)
    wrong = [line for line in done.stderr.splitlines() if not line.endswith(" validates")]
    tally.check(done.returncode == 0, f"site {number}: xmllint: {wrong[:3]}")


def judge_sites(tally, waypost, directory, numbers, seconds, keeps=False):
    """Judges sites until the time is over; returns how many ended in each way."""
    ends = collections.Counter()
    deadline = time.monotonic() + seconds
    for number in numbers:
        if time.monotonic() > deadline:
            break
        trial = Trial(tally, waypost, directory, number)
        try:
            end = trial.judge()
        except Exception:
            print(f"FAILED site {number}:")
            raise
        ends[end] += 1
        if end == "written" and number % XML_SAMPLE == 0:
            lint(tally, number, trial.xml_files())
        if not keeps:
            shutil.rmtree(trial.site.root)
    return ends


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=0, help="the number of the first site")
    parser.add_argument("--sites", type=int, default=None, help="the number of sites")
    parser.add_argument("--seconds", type=float, default=60, help="when to stop")
    parser.add_argument("--keep", type=pathlib.Path, help="directory for the sites, which stay there")
    options = parser.parse_args()
    waypost = str(pathlib.Path(os.environ.get("WAYPOST", TOP / "target/release/waypost")).resolve())
    numbers = itertools.count(options.first) if options.sites is None else range(options.first, options.first + options.sites)
    tally = Tally()
    # Most of the time goes to files that are made and removed.
    memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(dir=memory) as temporary:
        directory = (options.keep or pathlib.Path(temporary)).resolve()
        directory.mkdir(parents=True, exist_ok=True)
        ends = judge_sites(tally, waypost, directory, numbers, options.seconds, keeps=bool(options.keep))
    print(f"{sum(ends.values())} sites:", ", ".join(f"{end}: {count}" for end, count in ends.most_common(12)))
    tally.check(ends["written"] > sum(ends.values()) // 2, f"most sites have no sitemap: {ends}")
    tally.end()


if __name__ == "__main__":
    main()
