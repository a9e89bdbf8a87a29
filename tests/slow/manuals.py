#!/usr/bin/env -S python3 -B
"""Runs waypost on the manuals of corpora.sh and holds what it says of 33,000 pages against Python's own HTML parser.

usage: [WAYPOST=target/release/waypost] tests/slow/manuals.py

A listed page must not ask for noindex, send its visitors on, or name another page as canonical; a page that is left out
for one of these must really say so. The last line is 'N passed, M failed', a check for each page and some for each
manual.
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
    """What a page says of itself: noindex, an instant refresh, its canonical links."""

    def __init__(self, path):
        super().__init__()
        self.noindex = self.refresh = False
        self.canonicals = []
        self.base = ""
        self.silent = 0
        data = path.read_bytes()
        last = max((found.end() for found in META.finditer(data)), default=0)
        self.feed(data[:data.find(b">", last) + 1].decode("utf-8", "replace"))

    def handle_starttag(self, tag, attributes):
        said = {}
        for name, value in attributes:
            said.setdefault(name, value or "")
        if tag in ("noscript", "template"):
            self.silent += 1
        elif not self.silent and tag == "meta":
            self.handle_meta(said)
        elif not self.silent and tag == "link" and "canonical" in said.get("rel", "").lower().split():
            self.canonicals.append(said.get("href", ""))
        elif tag == "base" and not self.base:
            self.base = said.get("href", "")

    def handle_endtag(self, tag):
        if tag in ("noscript", "template"):
            self.silent -= 1

    def handle_meta(self, said):
        content = said.get("content", "").lower()
        if said.get("name", "").lower() in ("robots", "googlebot"):
            self.noindex |= bool({"noindex", "none"} & set(re.split(r"[\s,;]+", content)))
        if said.get("http-equiv", "").lower() == "refresh":
            self.refresh |= bool(re.match(r"\s*0?(\.\d*)?\s*[;,\s]\s*(url\s*=)?\s*\S", content))

    def names_another(self, url):
        """Whether a canonical link names a page at another address than `url`, its ending and final slash aside."""
        def plain(address):
            path = urllib.parse.unquote(urllib.parse.urlsplit(address)._replace(fragment="").geturl())
            return re.sub(r"/?(index)?(\.x?html?)?$", "", path)

        targets = [urllib.parse.urljoin(urllib.parse.urljoin(url, self.base), link) for link in self.canonicals]
        return any(target.startswith("http") and plain(target) != plain(url) for target in targets)


def judge_manual(tally, waypost, name, root):
    base = f"https://example.org/{name}/"
    built = run([waypost, "build", root, "--base-url", base, "--json"], root)
    tally.check(built.returncode == 0, f"{name}: exit code {built.returncode} of build ({built.stderr[-500:]})")
    explained = run([waypost, "explain", root, "--base-url", base, "--json"], root)
    pages = [json.loads(line) for line in explained.stdout.splitlines()]
    tally.equal(len(pages), len(pages_on_disk(root)), f"{name}: pages found")
    listed = read_sitemaps(root, base)
    tally.equal(set(listed), {page["url"] for page in pages if page["listed"]}, f"{name}: URLs listed")
    for file in json.loads(built.stdout)["files"]:
        if file["path"].endswith(".xml"):
            linted = run(["xmllint", "--nonet", "--noout", "--schema", str(SCHEMA), file["path"]], root)
            tally.check(linted.returncode == 0, f"{name}: {file['path']} against the schema ({linted.stderr[-500:]})")
    for page in pages:
        judge_page(tally, f"{name}: {page['file']}", root, page)


def judge_page(tally, what, root, page):
    says = Says(root / page["file"])
    if page["listed"]:
        tally.check(not says.noindex, f"{what} is listed, but asks for noindex")
        tally.check(not says.refresh, f"{what} is listed, but sends its visitors on")
        tally.check(not says.names_another(page["url"]), f"{what} is listed, but names {says.canonicals}")
    elif page["reason"] == "noindex":
        tally.check(says.noindex, f"{what} is left out for noindex, but does not ask for it")
    elif page["reason"] == "redirect":
        tally.check(says.refresh, f"{what} is left out as a redirect, but sends nobody on")
    elif page["reason"] == "canonical-elsewhere":
        tally.check(says.names_another(page["url"]), f"{what} is left out for {says.canonicals}, which is itself")


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
