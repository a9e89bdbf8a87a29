#!/usr/bin/env -S python3 -B
"""Checks that inputs of any length take linear time: four times as many entries of a list take at most
seven times the processor time, where quadratic time would take sixteen times. For rules there are as many
times the pages.

Prints the ratio of each list, and exits with 1 if one is larger.

usage: benches/growth.py [PROGRAM]
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "target/release/waypost")
ANY_RUN = 0.05
"""Processor seconds that do not depend on the input."""
LIMIT = 7
URLSET = '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
PAGES = (
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/</loc>'
)
PAGES_END = "</url></urlset>"
CHILD = "<sitemap><loc>https://example.com/s{}.xml</loc></sitemap>"
PAGE = "<!DOCTYPE html><title>a</title>"
BODY = f"{PAGE}<body><a rel=alternate href=x>"
VERCEL = '{{"source":"/a{}/:x*","destination":"/b"}},\n'
NETLIFY = '[[redirects]]\nfrom="/a{}/*"\nto="/b"\nforce=true\n'
SUBMODULE = '[submodule "a{0}"]\n\tpath = a{0}\n\turl = x\n'

# The number of entries, the file, its beginning, an entry with its number as `{}`, its end, and the number of
# further pages.
LISTS = [
    (32_000, "hugo.toml", "", "key{} = 1\n", ""),
    (16_000, "hugo.toml", "", "[table{}]\na = 1\n", ""),
    (32_000, "hugo.yaml", "", "key{}: 1\n", ""),
    (32_000, "hugo.json", "{", '"key{}":1,\n', '"last":1}'),
    (32_000, "public/_headers", "", "/literal/*\n  X-Robots-Tag: noarchive\n", ""),
    (32_000, "public/_headers", "", "/{}/*\n  X-Robots-Tag: noarchive\n", ""),
    (32_000, "public/_headers", "/literal/*\n", "  X-Robots-Tag: noarchive\n", ""),
    (32_000, "public/_redirects", "", "/a/:x/{0}/* /b{0} 301!\n", ""),
    (16_000, "netlify.toml", "", NETLIFY, ""),
    (4_000, "vercel.json", '{"redirects":[', VERCEL, '{"source":"/a","destination":"/b"}]}'),
    (32_000, "firebase.json", '{"hosting":[', '{{"target":"t{}","cleanUrls":true}},\n', "{}]}"),
    (16_000, "waypost.toml", "", '[[rule]]\nmatch = "x{}/**"\npriority = 0.5\n', ""),
    (8_000, "waypost.toml", "", '[[rule]]\nmatch = "**"\npriority = 0.5\n', ""),
    (32_000, "waypost.toml", "exclude = [", '"x{}/**",\n', "]"),
    (40_000, "public/robots.txt", "User-agent: *\n", "Disallow: /a{}*b\n", ""),
    (16_000, "public/robots.txt", "User-agent: *\n", "Disallow: /*/p{}/*.html$\n", "", 2_000),
    (16_000, "waypost.toml", "exclude = [", '"*/p{}*/*.html",\n', "]", 2_000),
    (16_000, "waypost.toml", "exclude = [", '"**/p{}/*",\n', "]", 2_000),
    (40_000, "public/robots.txt", "", "User-agent: a{}\nDisallow: /\n\n", ""),
    (16_000, "public/robots.txt", "", "Sitemap: https://example.com/s{}.xml\n", ""),
    (20_000, "public/sitemap.xml", URLSET, CHILD, "</sitemapindex>"),
    (80_000, "public/sitemap.xml", f"{PAGES}<link ", 'a{}="1" ', f"/>{PAGES_END}"),
    (80_000, "check.xml", f"{PAGES}<link ", 'a{}="1" ', f"/>{PAGES_END}"),
    (80_000, "check.xml", "<urlset ", 'a{}="1" ', "/>"),
    (80_000, "check.xml", '<rss version="2.0" ', 'a{}="1" ', "/>"),
    (32_000, "pages.csv", "page,source\n", "p{0}/index.html,source{0}.md\n", "index.html,source.md\n"),
    (20_000, "public/index.html", PAGE, "<link rel=alternate hreflang=en href=/p{}.html>", ""),
    (20_000, "public/index.html", PAGE, "<link rel=alternate hreflang=de href=/>", ""),
    (20_000, "public/index.html", PAGE, "<link rel=canonical href=/p{}.html>", ""),
    (20_000, "public/index.html", PAGE, "<meta name=robots content=a{}>", ""),
    (400_000, "public/index.html", BODY, "<", "<link rel=canonical href=/>"),
    (400_000, "public/index.html", BODY, "<p>", "<link rel=canonical href=/>"),
    (32_000, ".git/config", "", "[a{}]\n\tb = c\n", ""),
    (32_000, ".git/config", "", '[remote "a{}"]\n\turl = x\n', ""),
    (80_000, ".git/packed-refs", "", "{0:040x} refs/tags/t{0:08}\n", ""),
    (800, ".git/objects/info/alternates", "", "/no/dir{}\n", ""),
    (20_000, ".gitmodules", "", SUBMODULE, ""),
    (40_000, ".git/shallow", "", "{:040x}\n", ""),
    (16_000, "revisions", "", "{:040x}\n", ""),
]


def processor_time(entries: int, pages: int, file: str, before: str, entry: str, after: str) -> float:
    """The processor seconds of a build of few pages beside a file with this many entries, or of its check."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        git = ["git", "-C", folder, "-c", "user.name=a", "-c", "user.email=a@example.com"]
        (root / "public").mkdir()
        (root / "public/index.html").write_text(PAGE)
        for number in range(pages):
            (root / f"public/s/p{number}").mkdir(parents=True)
            (root / f"public/s/p{number}/a.html").write_text(PAGE)
        (root / "source.md").write_text("text")
        subprocess.run([*git, "init", "--quiet"], check=True)
        subprocess.run([*git, "add", "."], check=True)
        subprocess.run([*git, "commit", "--quiet", "-m", "a"], check=True)
        if file == "revisions":
            (root / "waypost.toml").write_text('lastmod.ignore.revs_file = "revisions"\n')
        if file == "pages.csv":
            (root / "waypost.toml").write_text('source_map = ["pages.csv"]\n')
        # Git's own settings stay.
        kept = (root / file).read_text() if file == ".git/config" else ""
        (root / file).write_text(kept + before + "".join(map(entry.format, range(entries))) + after)
        command = [PROGRAM, "--quiet", "--threads=1", "--base-url=https://example.com/", "-o", "public"]
        if file == "check.xml":
            command = [PROGRAM, "check", "--quiet", "--strict", file]
        child = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(child.pid, 0)
        # The check of a file finds that it is no sitemap.
        if os.waitstatus_to_exitcode(status) != (file == "check.xml"):
            sys.exit(f"{file}, {entry!r}: the run ended with {status}")
        return used.ru_utime + used.ru_stime


def main() -> int:
    too_slow = 0
    for entries, *parts, pages in ((*parts, 0) if len(parts) == 5 else parts for parts in LISTS):
        few, many = (processor_time(entries // part, pages // part, *parts) for part in (4, 1))
        ratio = many / (few + ANY_RUN / LIMIT)
        too_slow += ratio > LIMIT
        print(f"{ratio:5.1f}  {few:.2f} s, {many:.2f} s  {parts[0]}: {parts[2]!r}")
    print(f"{len(LISTS) - too_slow} passed, {too_slow} failed")
    return int(too_slow > 0)


if __name__ == "__main__":
    sys.exit(main())
