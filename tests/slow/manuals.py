#!/usr/bin/env -S python3 -B
"""Checks the decisions of waypost on 33,000 pages of manuals with Python's HTML parser.

usage: [WAYPOST=target/release/waypost] tests/slow/manuals.py

A listed page must not be noindexed, redirect, or have a canonical link to another page. A page
excluded for one of these reasons must really have it. corpora.sh provides the manuals. The last
line is 'N passed, M failed'; each check covers a whole manual.
"""
import html.parser
import json
import os
import pathlib
import re
import subprocess
import sys
import urllib.parse

from judge import Tally, pages_on_disk, read_sitemaps, run, SCHEMA

HERE = pathlib.Path(__file__).resolve().parent
META = re.compile(rb"<meta[\s/]|<link[\s/]", re.IGNORECASE)


class Says(html.parser.HTMLParser):
    """Parses the facts of a page: noindex, an immediate refresh, its canonical links."""

    def __init__(self, path):
        super().__init__()
        self.noindex = self.refresh = False
        self.canonicals = []
        self.base = ""
        self.silent = 0
        data = path.read_bytes()
        # javadoc redirects by a script, with a refresh in `noscript`.
        self.scripted = b"location.replace(" in data and bool(
            re.search(rb"<noscript>\s*<meta http-equiv=.refresh.", data, re.I))
        last = max((found.end() for found in META.finditer(data)), default=0)
        self.feed(data[:data.find(b">", last) + 1].decode("utf-8", "replace"))

    def handle_starttag(self, tag, attributes):
        values = {}
        for name, value in attributes:
            values.setdefault(name, value or "")
        if tag in ("noscript", "template"):
            self.silent += 1
        elif not self.silent and tag == "meta":
            self.handle_meta(values)
        elif not self.silent and tag == "link" and "canonical" in values.get("rel", "").lower().split():
            self.canonicals.append(values.get("href", ""))
        elif tag == "base" and not self.base:
            self.base = values.get("href", "")

    def handle_endtag(self, tag):
        if tag in ("noscript", "template"):
            self.silent -= 1

    def handle_meta(self, values):
        content = values.get("content", "").lower()
        if values.get("name", "").lower() in ("robots", "googlebot"):
            self.noindex |= bool({"noindex", "none"} & set(re.split(r"[\s,;]+", content)))
        if values.get("http-equiv", "").lower() == "refresh":
            self.refresh |= bool(re.match(r"\s*0?(\.\d*)?\s*[;,\s]\s*(url\s*=)?\s*\S", content))

    def names_another(self, url):
        """Whether a canonical link differs from `url`, apart from the extension and final slash."""
        def plain(address):
            path = urllib.parse.unquote(urllib.parse.urlsplit(address)._replace(fragment="").geturl())
            return re.sub(r"/?(index)?(\.x?html?)?$", "", path)

        targets = [urllib.parse.urljoin(urllib.parse.urljoin(url, self.base), link) for link in self.canonicals]
        return any(target.startswith("http") and plain(target) != plain(url) for target in targets)


def judge_manual(tally, waypost, name, root):
    base = f"https://example.org/{name}/"
    built = run([waypost, "build", root, "--base-url", base, "--json"], root)
    tally.check(built.returncode == 0,
                f"{name}: exit code {built.returncode} of build ({built.stderr[-500:]})")
    explained = run([waypost, "explain", root, "--base-url", base, "--json"], root)
    pages = [json.loads(line) for line in explained.stdout.splitlines()]
    tally.equal(len(pages), len(pages_on_disk(root)), f"{name}: pages found")
    listed = read_sitemaps(root, base)
    differing = set(listed) ^ {page["url"] for page in pages if page["listed"]}
    tally.check(not differing,
                f"{name}: {len(differing)} URLs only in the sitemap or only in explain: "
                f"{sorted(differing)[:3]}")
    for file in json.loads(built.stdout)["files"]:
        if file["path"].endswith(".xml"):
            linted = run(["xmllint", "--nonet", "--noout", "--schema", str(SCHEMA), file["path"]], root)
            tally.check(linted.returncode == 0,
                        f"{name}: {file['path']} against the schema ({linted.stderr[-500:]})")
    faults = {fault: [] for fault in FAULTS}
    for page in pages:
        says = Says(root / page["file"])
        for fault, applies in FAULTS.items():
            if applies(page, says):
                faults[fault].append(page["file"])
    for fault, files in faults.items():
        tally.check(not files, f"{name}: {len(files)} pages {fault}, such as {files[:3]}")


FAULTS = {
    "are listed, but have noindex": lambda page, says: page["listed"] and says.noindex,
    "are listed, but redirect": lambda page, says: page["listed"] and says.refresh,
    "are listed, but have another canonical URL": lambda page, says: page["listed"] and says.names_another(page["url"]),
    "are excluded for noindex, but do not have it":
        lambda page, says: page["reason"] == "noindex" and not says.noindex,
    "are excluded as redirects, but do not redirect":
        lambda page, says: page["reason"] == "redirect" and not (says.refresh or says.scripted),
    "are excluded for a canonical link to themselves":
        lambda page, says: page["reason"] == "canonical-elsewhere" and not says.names_another(page["url"]),
}


def main():
    waypost = os.path.realpath(os.environ.get("WAYPOST", HERE.parent.parent / "target/release/waypost"))
    corpora = subprocess.run([HERE / "corpora.sh"], check=True, capture_output=True, text=True).stdout
    tally = Tally()
    for line in corpora.splitlines():
        name, root, _ = line.split("\t")
        judge_manual(tally, waypost, name, pathlib.Path(root))
    tally.end()


if __name__ == "__main__":
    main()
