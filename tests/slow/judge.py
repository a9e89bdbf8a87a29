#!/usr/bin/env -S python3 -B
"""Runs waypost on built sites, and checks the results with xmllint, git and expected tables.

usage: judge.py WAYPOST NAME=SITE...

expected/NAME.tsv has one line per page of the site, with fields separated by tabs:

- the file in the output directory
- the URL if the page is listed, or the reason for its exclusion
- the source, or `-`
- other sources of its date, as git pathspecs: for a list and its pagination pages, the sources of the pages below it

Prints each failed check, then 'N passed, M failed'.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import urllib.parse
import xml.etree.ElementTree as ElementTree

HERE = pathlib.Path(__file__).resolve().parent
SCHEMA = HERE.parent / "schemas" / "all.xsd"
NAMESPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
PAGE_ENDINGS = (".html", ".htm", ".xhtml")


class Tally:
    """Counts checks, and prints those that fail."""

    def __init__(self):
        self.passed = self.failed = 0

    def check(self, holds, what):
        if holds:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED {what}")

    def equal(self, got, wanted, what):
        self.check(got == wanted, f"{what}: got {got!r}, wanted {wanted!r}")

    def end(self):
        print(f"{self.passed} passed, {self.failed} failed")
        sys.exit(1 if self.failed or not self.passed else 0)


class Expected:
    """A line of expected/NAME.tsv."""

    def __init__(self, line):
        self.file, verdict, *sources = line.rstrip("\n").split("\t")
        self.listed = verdict.startswith("http")
        self.url = verdict if self.listed else None
        self.reason = None if self.listed else verdict
        self.source = sources[0] if sources and sources[0] != "-" else None
        self.dated_by = [source for source in sources if source != "-"]


def read_expected(name):
    with open(HERE / "expected" / f"{name}.tsv", encoding="utf-8") as lines:
        return {page.file: page for page in map(Expected, lines)}


def run(command, cwd, variables=None):
    """Runs a command without the user's settings and without variables of a pipeline."""
    kept = {key: os.environ[key] for key in ("PATH", "HOME", "TMPDIR") if key in os.environ}
    environment = kept | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C.UTF-8"}
    # The sites of the tests are at example.org.
    environment["WAYPOST_LEVELS_BASE_URL_PLACEHOLDER"] = "allow"
    # The expected tables name the sources of the pages that each list shows; the tests of cargo judge the default.
    environment["WAYPOST_LASTMOD_LISTS"] = "newest-below"
    environment |= variables or {}
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, encoding="utf-8", timeout=600)


def git(site, *arguments, at=None):
    """Runs git without automatic packing, with `at` as the date of a commit."""
    command = ["git", "-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "gc.auto=0", *arguments]
    done = run(command, site, {"GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at} if at else None)
    if done.returncode:
        raise RuntimeError(f"{command}: {done.stderr}")
    return done.stdout


def git_log(site, form, sources):
    """Returns the output of `git log -1` for some sources, which is the reference for all dates."""
    return run(["git", "log", "-1", f"--format={form}", "--", *sources], site).stdout.strip()


def pages_on_disk(output):
    return [path for path in output.rglob("*") if path.is_file() and path.suffix.lower() in PAGE_ENDINGS]


def read_sitemaps(output, base, name="sitemap.xml"):
    """Returns {URL: lastmod or None} of the sitemap `name`; follows an index."""
    root = ElementTree.parse(output / name).getroot()
    if root.tag == NAMESPACE + "urlset":
        return {url.findtext(NAMESPACE + "loc"): url.findtext(NAMESPACE + "lastmod") for url in root}
    below = {}
    for child in root:
        address = child.findtext(NAMESPACE + "loc")
        below |= read_sitemaps(output, base, urllib.parse.unquote(address.removeprefix(base)))
    return below


def state_of(output):
    """Returns every file in a directory tree, with its bytes and modification time."""
    return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in output.rglob("*") if path.is_file()}


def judge_site(tally, waypost, name, site):
    expected = read_expected(name)
    judge_own_sitemap(tally, waypost, name, site)
    built = run([waypost, "build", ".", "--json"], site)
    tally.equal(built.returncode, 0, f"{name}: exit code of build ({built.stderr[-500:]})")
    if built.returncode != 0:
        return
    summary = json.loads(built.stdout)
    output = site / summary["output_dir"]
    judge_summary(tally, name, summary, output)
    listed = read_sitemaps(output, summary["base_url"])
    wanted = {page.url for page in expected.values() if page.listed}
    for url in sorted(wanted | set(listed)):
        tally.check(url in listed, f"{name}: {url} is not listed")
        tally.check(url in wanted, f"{name}: {url} must not be listed")
    explained = run([waypost, "explain", ".", "--json"], site)
    tally.equal(explained.returncode, 0,
                f"{name}: exit code of explain ({explained.stderr[-500:]})")
    lines = [json.loads(line) for line in explained.stdout.splitlines()]
    files = [line["file"] for line in lines]
    tally.equal(files, sorted(expected, key=os.fsencode), f"{name}: explained files")
    for line in lines:
        if line["file"] in expected:
            judge_page(tally, f"{name}: {line['file']}", site, line, expected[line["file"]], listed)
    judge_second_run(tally, waypost, name, site, output)
    judge_ours(tally, waypost, name, site)


# Findings of `waypost check` for the sitemap that each generator writes.
FAULTS = {
    "zola": {"loc-contradicted", "loc-spelling", "lastmod-untrue"},
    "hugo": {"loc-contradicted", "lastmod-untrue"},
    "mdbook": {"sitemap-missing"},
}
FAMILIES = ("sitemap-", "loc-", "lastmod-untrue", "robots-txt-")


def checked(waypost, site):
    """Returns the codes of the findings of `waypost check` for a sitemap."""
    result = json.loads(run([waypost, "check", ".", "--json"], site).stdout)
    return {finding["code"] for finding in result["findings"] if finding["code"].startswith(FAMILIES)}


def judge_own_sitemap(tally, waypost, name, site):
    found = checked(waypost, site)
    tally.check(FAULTS[name] <= found,
                f"{name}: check of the generator's sitemap: got {found}, wanted {FAULTS[name]}")


# Findings that stay beside the sitemap of waypost: the robots.txt of this site is below the path of its base URL.
LEFT = {"hugo": {"robots-txt-line-ignored"}}


def judge_ours(tally, waypost, name, site):
    tally.equal(checked(waypost, site), LEFT.get(name, set()), f"{name}: check of the sitemap of waypost")


def judge_summary(tally, name, summary, output):
    tally.equal(summary["generator"], name, f"{name}: generator")
    pages = summary["pages"]
    tally.equal(pages["found"], len(pages_on_disk(output)), f"{name}: pages found")
    tally.equal(pages["found"], pages["listed"] + sum(pages["excluded"].values()),
                f"{name}: listed and excluded pages")
    for file in summary["files"]:
        if file["path"].endswith(".xml"):
            path = output / file["path"]
            linted = run(["xmllint", "--nonet", "--noout", "--schema", str(SCHEMA), str(path)], output)
            tally.equal(linted.returncode, 0,
                        f"{name}: {file['path']} against the schema ({linted.stderr[-500:]})")


def judge_page(tally, what, site, line, page, listed):
    tally.equal(line["listed"], page.listed, f"{what}: listed")
    tally.equal(line["reason"], page.reason, f"{what}: reason")
    if not page.listed:
        return
    tally.equal(line["url"], page.url, f"{what}: URL")
    tally.equal(line["source"], page.source, f"{what}: source")
    tally.equal(listed.get(page.url), line["lastmod"],
                f"{what}: date in the sitemap and in explain")
    date = git_log(site, "%cI", page.dated_by) if page.dated_by else None
    tally.equal(line["lastmod"], date, f"{what}: date")
    if line["lastmod_from"] == "git":
        tally.equal(line["commit"], git_log(site, "%H", page.dated_by), f"{what}: commit")


def judge_second_run(tally, waypost, name, site, output):
    before = state_of(output)
    again = run([waypost, "build", ".", "--json"], site)
    tally.equal(again.returncode, 0, f"{name}: exit code of a second build")
    tally.check(state_of(output) == before, f"{name}: a second build changes no file")
    tally.check(not any(file["changed"] for file in json.loads(again.stdout)["files"]),
                f"{name}: a second build reports no changed file")


def main():
    waypost, *sites = sys.argv[1:]
    tally = Tally()
    for pair in sites:
        name, site = re.fullmatch(r"(\w+)=(.+)", pair).groups()
        judge_site(tally, waypost, name, pathlib.Path(site))
    tally.end()


if __name__ == "__main__":
    main()
