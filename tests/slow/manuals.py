#!/usr/bin/env -S python3 -B
"""Runs waypost on the manuals of corpora.sh and holds what it says of 33,000 pages against Python's own HTML parser.

usage: [WAYPOST=target/release/waypost] tests/slow/manuals.py

A listed page must not ask for noindex, send its visitors on, or name another page as canonical; a page that is left out
for one of these must really say so. The last line is 'N passed, M failed'; each check covers a whole manual.
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
        # javadoc's redirects: a script that replaces the location, and a refresh for readers without scripts.
        self.scripted = b"location.replace(" in data and bool(re.search(rb"<noscript>\s*<meta http-equiv=.refresh.", data, re.I))
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
    differing = set(listed) ^ {page["url"] for page in pages if page["listed"]}
    tally.check(not differing, f"{name}: {len(differing)} URLs, only written or only explained: {sorted(differing)[:3]}")
    for file in json.loads(built.stdout)["files"]:
        if file["path"].endswith(".xml"):
            linted = run(["xmllint", "--nonet", "--noout", "--schema", str(SCHEMA), file["path"]], root)
            tally.check(linted.returncode == 0, f"{name}: {file['path']} against the schema ({linted.stderr[-500:]})")
    faults = {fault: [] for fault in FAULTS}
    for page in pages:
        says = Says(root / page["file"])
        for fault, applies in FAULTS.items():
            if applies(page, says):
                faults[fault].append(page["file"])
    for fault, files in faults.items():
        tally.check(not files, f"{name}: {len(files)} pages {fault}, among them {files[:3]}")


FAULTS = {
    "are listed, but ask for noindex": lambda page, says: page["listed"] and says.noindex,
    "are listed, but send their visitors on": lambda page, says: page["listed"] and says.refresh,
    "are listed, but name another": lambda page, says: page["listed"] and says.names_another(page["url"]),
    "are left out for noindex, but do not ask for it":
        lambda page, says: page["reason"] == "noindex" and not says.noindex,
    "are left out as redirects, but send nobody on":
        lambda page, says: page["reason"] == "redirect" and not (says.refresh or says.scripted),
    "are left out for a canonical link that names themselves":
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
