"""Makes the sites for benchmarks. Equal arguments give equal bytes on every machine.

A site is a directory with `public/` and `waypost.toml`, and is kept for later runs.

usage: benches/sites.py DIR PAGES [hugo|book|minified|javadoc|mixed [real|small|tiny [EXCLUDED]]]
       benches/sites.py DIR history PAGES COMMITS
       benches/sites.py DIR default PAGES hugo|javadoc real|tiny none|ignored|tracked|zola
"""

import dataclasses
import json
import os
import random
import shutil
import subprocess
import sys
import zlib
from pathlib import Path

BASE_URL = "https://example.com/"

# Percentiles of the page sizes, in bytes, of four sets of documentation (Rust, OpenJDK 17,
# Python 3.11, Git): 43,014 pages without redirect stubs, which are smaller than all others.
REAL_SIZES = [(0, 1_500), (15, 4_200), (40, 5_600), (70, 9_400), (88, 33_000), (94, 75_000), (98.8, 180_000),
              (99.9, 1_150_000), (100, 2_000_000)]
# Small sizes, so that a million pages fit on a disk and in memory.
SMALL_SIZES = [(0, 900), (100, 3_500)]
# A head and a paragraph.
TINY_SIZES = [(0, 300), (100, 600)]
SIZES = {"real": REAL_SIZES, "small": SMALL_SIZES, "tiny": TINY_SIZES}
# Shares of all pages: between a blog and documentation with many moved pages.
STUBS = 0.10
NOINDEXED = 0.02
PAGES_IN_SECTION = 1_000
# A history spans nine years from 2014, however many commits it has: waypost rejects dates in the future.
FIRST_COMMIT = 1_400_000_000
HISTORY_SECONDS = 300_000_000

WORDS = ("the site build page of sitemap crawler reads a link and finds what was written there long ago by someone who "
         "knew <a href=\"/about/\">why</a> <code>lastmod</code> must <em>never</em> be the time of the build").split()


@dataclasses.dataclass(frozen=True)
class Site:
    """Description of a site."""

    pages: int
    shape: str = "mixed"
    sizes: str = "real"
    left_out: int = 0
    """Number of noindexed pages in addition to `pages`."""

    @property
    def name(self) -> str:
        """The name of its directory."""
        beyond = f"-{self.left_out}-left-out" if self.left_out else ""
        return f"{self.shape}-{self.sizes}-{self.pages}{beyond}"


def make(site: Site, within: Path) -> Path:
    """Makes the site unless it exists, and returns its root."""
    root = within / site.name
    if not is_made(site, within):
        shutil.rmtree(root, ignore_errors=True)
        write_pages(site, root / "public")
        (root / "waypost.toml").write_text(settings())
        (root / "complete").write_text(version())
    return root


def is_made(site: Site, within: Path) -> bool:
    """Whether a site is complete and was made by this version of the file."""
    return is_complete(within / site.name)


def is_complete(root: Path) -> bool:
    """Whether a directory contains a complete site of this version."""
    mark = root / "complete"
    return mark.exists() and mark.read_text() == version()


def version() -> str:
    """Returns a checksum of this file; after a change, all sites are made again."""
    return f"{zlib.crc32(Path(__file__).read_bytes()):08x}"


def settings(*lines: str) -> str:
    """Returns the settings of a site without a repository, whose dates come from its pages."""
    own = [f"base_url = {json.dumps(BASE_URL)}", 'output_dir = "public"', 'lastmod.from = ["page"]']
    return "\n".join([*own, *lines, ""])


def write_pages(site: Site, public: Path) -> None:
    """Writes every page, with plain `os` calls, because opening files dominates the time."""
    maker = PageMaker(site)
    folders: set[str] = set()
    for number in range(site.pages + site.left_out):
        path, html = maker.page(number)
        full = f"{public}/{path}"
        folder = full.rpartition("/")[0]
        if folder not in folders:
            os.makedirs(folder, exist_ok=True)
            folders.add(folder)
        file = os.open(full, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        while html:
            html = html[os.write(file, html):]
        os.close(file)


class PageMaker:
    """Generates the pages of a site in order."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.random = random.Random(f"{site.name}")
        self.text = body_text()
        self.sizes = SIZES[site.sizes]

    def page(self, number: int) -> tuple[str, bytes]:
        """Returns the path of a page in the output directory, and its bytes."""
        shape = self.site.shape
        if shape == "mixed":
            shape = ("hugo", "hugo", "book", "minified")[number // PAGES_IN_SECTION % 4]
        path, url = address(number, shape)
        chance = self.random.random()
        if number >= self.site.pages:
            chance = STUBS
        elif number == 0 or is_translated(number):
            chance = 1.0
        if chance < STUBS:
            return path, redirect_stub(url)
        robots = '<meta name="robots" content="noindex, follow">' if chance < STUBS + NOINDEXED else ""
        head = (tiny_head if self.site.sizes == "tiny" else HEADS[shape])(number, url, robots)
        return path, head + self.body(shape, self.size() - len(head)) + b"</body></html>\n"

    def body(self, shape: str, length: int) -> bytes:
        """Returns a slice of the text; mdBook pages begin with a table of all chapters."""
        navigation = NAVIGATION if shape == "book" and self.site.sizes == "real" else b""
        length = max(length - len(navigation), 200)
        if shape == "javadoc":
            return (JAVADOC_ROWS * (length // len(JAVADOC_ROWS) + 1))[:length]
        start = self.random.randrange(len(self.text) - length)
        return navigation + self.text[start:start + length]

    def size(self) -> int:
        """Returns a random page size, interpolated between the percentiles."""
        at = self.random.random() * 100
        for (low, small), (high, large) in zip(self.sizes, self.sizes[1:]):
            if at <= high:
                return int(small + (large - small) * (at - low) / (high - low))
        raise AssertionError("the last percentile must be 100")


def address(number: int, shape: str) -> tuple[str, str]:
    """Returns a page's file and URL: `section-0007/page-07123/`, with `.html` for mdBook."""
    if number == 0:
        return "index.html", BASE_URL
    name = f"section-{number // PAGES_IN_SECTION:04}/page-{number:05}"
    return (f"{name}.html", f"{BASE_URL}{name}.html") if shape in ("book", "javadoc") else (f"{name}/index.html", f"{BASE_URL}{name}/")


def is_translated(number: int) -> bool:
    """Whether a page is one of an English and German pair."""
    return number % 10 in (2, 3)


def redirect_stub(url: str) -> bytes:
    """Returns the redirect page that Hugo writes for an alias."""
    target = f"{url.rstrip('/')}-moved/"
    return (f'<!DOCTYPE html>\n<html lang="en">\n  <head>\n    <title>{target}</title>\n'
            f'    <link rel="canonical" href="{target}">\n    <meta name="robots" content="noindex">\n'
            f'    <meta charset="utf-8">\n    <meta http-equiv="refresh" content="0; url={target}">\n'
            f'  </head>\n</html>\n').encode()


def hugo_head(number: int, url: str, robots: str) -> bytes:
    """Returns a head of about 3 kB, like those of Hugo's themes; every fifth page is translated."""
    english, german = (address(number // 2 * 2 + other, "hugo")[1] for other in (0, 1))
    alternates = (f'<link rel="alternate" hreflang="en" href="{english}">\n'
                  f'<link rel="alternate" hreflang="de" href="{german}">\n' if is_translated(number) else "")
    return (f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>Page {number} | Example</title>\n'
            f'<meta name="description" content="What page {number} is about, in a sentence as long as most are.">\n'
            f'{robots}<link rel="canonical" href="{url}">\n{alternates}'
            f'<meta property="og:title" content="Page {number}"><meta property="og:type" content="article">\n'
            f'<meta property="og:url" content="{url}"><meta name="twitter:card" content="summary">\n'
            f'<meta property="article:modified_time" content="2024-{number % 12 + 1:02}-{number % 28 + 1:02}T08:00:00+00:00">\n'
            f'<link rel="stylesheet" href="/css/main.css"><link rel="icon" href="/favicon.ico">\n'
            f'<style>{STYLE}</style>\n<script>{SCRIPT}</script>\n</head>\n<body>\n').encode()


def book_head(number: int, _url: str, robots: str) -> bytes:
    """Returns a head as mdBook writes it, without a canonical link."""
    return (f'<!DOCTYPE HTML>\n<html lang="en" class="light sidebar-visible" dir="ltr">\n    <head>\n'
            f'        <!-- Book generated using mdBook -->\n        <meta charset="UTF-8">\n'
            f'        <title>Chapter {number} - Example</title>\n        {robots}\n'
            f'        <meta name="description" content="">\n'
            f'        <meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f'        <meta name="theme-color" content="#ffffff">\n'
            f'        <link rel="icon" href="favicon.svg">\n        <link rel="stylesheet" href="css/general.css">\n'
            f'        <link rel="stylesheet" href="css/chrome.css">\n        <script>{SCRIPT}</script>\n'
            f'    </head>\n    <body>\n').encode()


def minified_head(number: int, url: str, robots: str) -> bytes:
    """Returns a head as `hugo --minify` writes it: only required quotes, and no line breaks."""
    robots = robots.replace('"robots"', "robots").replace('"noindex"', "noindex")
    return (f"<!doctype html><html lang=en><head><meta charset=utf-8><meta name=viewport content='width=device-width'>"
            f"<title>Page {number}</title>{robots}<link rel=canonical href={url}><link rel=stylesheet href=/css/main.css>"
            f"<link rel=alternate type=application/rss+xml href=/index.xml></head><body>").encode()


def javadoc_head(number: int, url: str, robots: str) -> bytes:
    """Returns a head as javadoc 17 writes it, up to the navigation."""
    return (f'<!DOCTYPE HTML>\n<html lang="en">\n<head>\n<!-- Generated by javadoc (17) -->\n'
            f'<title>Class{number}</title>\n{robots}<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f'<meta http-equiv="Content-Type" content="text/html; charset=utf-8">\n'
            f'<meta name="dc.created" content="2024-01-01">\n'
            f'<meta name="description" content="declaration: package: org.example, class: Class{number}">\n'
            f'<meta name="generator" content="javadoc/ClassWriterImpl">\n'
            f'<link rel="stylesheet" type="text/css" href="../stylesheet.css" title="Style">\n'
            f'<link rel="stylesheet" type="text/css" href="../script-dir/jquery-ui.min.css" title="Style">\n'
            f'<script type="text/javascript" src="../script.js"></script>\n</head>\n'
            f'<body class="class-declaration-page">\n<script type="text/javascript">var pathtoroot = "../";\n'
            f"loadScripts(document, 'script');</script>\n"
            f'<noscript>\n<div>JavaScript is disabled on your browser.</div>\n</noscript>\n').encode()


def tiny_head(number: int, url: str, robots: str) -> bytes:
    """Returns a head with a canonical link and little else."""
    return (f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Page {number}</title>\n'
            f'{robots}<link rel="canonical" href="{url}">\n</head>\n<body>\n').encode()


def body_text() -> bytes:
    """Returns 4 MB of text with the usual tags of page bodies."""
    choose = random.Random("body")
    paragraphs = []
    for number in range(8_000):
        sentence = " ".join(choose.choices(WORDS, k=60))
        paragraphs.append(PARAGRAPHS[number % len(PARAGRAPHS)].format(number=number, sentence=sentence))
    return "\n".join(paragraphs).encode()


HEADS = {"hugo": hugo_head, "book": book_head, "minified": minified_head, "javadoc": javadoc_head}
STYLE = "".join(f".c{n}{{margin:{n}px;color:#{n:03}}}" for n in range(40))
SCRIPT = "".join(f"var v{n}=document.getElementById('x{n}');" for n in range(8))
NAVIGATION = ("<nav><ol class=\"chapter\">" + "".join(
    f'<li class="chapter-item"><a href="page-{n:05}.html"><strong>{n}.</strong> Chapter {n}</a></li>' for n in range(60)
) + "</ol></nav>\n<main>\n").encode()
# Rows of a summary: a tag for every 25 bytes, as in pages of the OpenJDK.
JAVADOC_ROWS = "".join(
    f'<li><a href="#method{n}(int)" class="member-name-link">method{n}</a></li>\n'
    f'<div class="col-first even-row-color"><code>static int</code></div>\n'
    f'<div class="col-second even-row-color"><code><a href="Class{n}.html" title="class in org.example">Class{n}</a></code></div>\n'
    f'<div class="col-last even-row-color">\n<div class="block">Returns the value of field {n}, or zero.</div>\n</div>\n'
    for n in range(100)).encode()
PARAGRAPHS = [
    "<p>{sentence}</p>", '<h2 id="part-{number}">Part {number}</h2>\n<p>{sentence}</p>',
    "<pre><code class=\"language-rust\">let x = {number};\n// {sentence}</code></pre>",
    "<ul>\n<li>{number}</li>\n<li>{sentence}</li>\n</ul>", "<p><mark>{number}</mark> {sentence}</p>",
    '<p><img src="/img/{number}.png" alt="" loading="lazy"> {sentence}</p>',
    "<table><tr><td>{number}</td><td>{sentence}</td></tr></table>",
]


def default_name(pages: int, shape: str, sizes: str, repository: str) -> str:
    """Returns the directory name of a site with default settings."""
    return f"default-{shape}-{sizes}-{pages}-{repository}"


def make_default(pages: int, shape: str, sizes: str, repository: str, within: Path) -> Path:
    """Makes a site with the settings that a new user has, unless it exists.

    `repository` is `none`, `ignored` or `tracked` for the output of a site without sources, or `zola`
    for a site with a source of each page.
    """
    site = Site(pages, shape, sizes)
    root = within / default_name(pages, shape, sizes, repository)
    if is_complete(root):
        return root
    shutil.rmtree(root, ignore_errors=True)
    write_pages(site, root / "public")
    if repository == "zola":
        write_zola_settings(root)
        write_sources(site, root / "content")
    else:
        (root / "waypost.toml").write_text(f'base_url = "{BASE_URL}"\noutput_dir = "public"\n')
    if repository != "none":
        if repository != "tracked":
            (root / ".gitignore").write_text("/public/\n")
        git(root, "init", "-q", "-b", "main")
        git(root, "add", ".")
        git(root, "-c", "user.name=C", "-c", "user.email=c@example.com", "commit", "-q", "-m", "Add the site")
        git(root, "repack", "-q", "-a", "-d")
    (root / "complete").write_text(version())
    return root


def write_zola_settings(root: Path) -> None:
    """Writes the generator's settings, and those of waypost: it takes the base URL for a placeholder."""
    (root / "config.toml").write_text(f'base_url = "{BASE_URL.rstrip("/")}"\n')
    (root / "waypost.toml").write_text(f'base_url = "{BASE_URL}"\n')


def write_sources(site: Site, content: Path) -> None:
    """Writes a Zola source for each page that `write_pages` writes."""
    for number in range(1, site.pages):
        file = content / address(number, site.shape)[0].replace("/index.html", ".md")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f'+++\ntitle = "Page {number}"\n+++\n\nA page.\n')


def make_with_history(pages: int, commits: int, within: Path) -> Path:
    """Makes a Zola site in a repository with this many commits, unless it exists."""
    root = within / history_name(pages, commits)
    if not is_complete(root):
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir(parents=True)
        git(root, "init", "-q", "-b", "main")
        git(root, "fast-import", "--quiet", stream=history(pages, commits))
        git(root, "repack", "-q", "-a", "-d", "-f")  # packed like a clone
        git(root, "reset", "-q", "--hard", "main")
        write_zola_settings(root)
        write_rendered(pages, root / "public")
        (root / "complete").write_text(version())
    return root


def history_name(pages: int, commits: int) -> str:
    """Returns the directory name of a site with a repository."""
    return f"history-{pages}-{commits}"


def git(root: Path, *arguments: str, stream: bytes | None = None) -> None:
    """Runs git without the user's configuration."""
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", "-C", root, *arguments], input=stream, env=environment, check=True)


def source(page: int) -> str:
    """Returns the path of a page's source, without its extension."""
    return f"s{page % 37:02}/d{page % 11:02}/page-{page:05}"


def history(pages: int, commits: int) -> bytes:
    """Returns a stream for `git fast-import`.

    Pages are added one by one and change evenly; every tenth commit is a merge.
    """
    choose = random.Random("history")
    first, known, stream, merged = pages // 10, 0, [], {}
    for number in range(1, commits + 1):
        is_side, is_merge = number % 10 == 9, number % 10 == 0
        parents = [number - 2, number - 1] if is_merge else [number - 1] if number > 1 else []
        seconds = FIRST_COMMIT + HISTORY_SECONDS * number // commits
        stream.append(commit("side" if is_side else "main", number, parents, seconds))
        due = known if is_side else min(pages, first + (pages - first) * number // (commits * 9 // 10))
        changed = {*range(known, due), *(choose.randrange(due) for _ in range(choose.randint(1, 3)))}
        known = due
        changes = {page: change(page, number) for page in sorted(changed)}
        stream += {**changes, **merged}.values() if is_merge else changes.values()
        merged = changes
    return "".join(stream).encode()


def commit(branch: str, number: int, parents: list[int], seconds: int) -> str:
    """Returns the header of a commit in the stream."""
    lines = [f"commit refs/heads/{branch}", f"mark :{number}",
             f"committer C <c@example.com> {seconds} +0200", "data 6", "change"]
    lines += [f"{word} :{parent}" for word, parent in zip(("from", "merge"), parents)]
    return "\n".join(lines) + "\n"


def change(page: int, revision: int) -> str:
    """Returns the new content of a page's source in the stream."""
    text = f"+++\ntitle = \"Page {page}\"\n+++\n\nRevision {revision} of this page.\n"
    return f"M 100644 inline content/{source(page)}.md\ndata {len(text)}\n{text}\n"


def write_rendered(pages: int, public: Path) -> None:
    """Writes the pages that Zola would make from the sources."""
    text = body_text()
    for page in range(pages):
        folder = public / source(page)
        folder.mkdir(parents=True)
        head = hugo_head(page * 10, f"{BASE_URL}{source(page)}/", "")
        (folder / "index.html").write_bytes(head + text[page * 100:page * 100 + 5_000] + b"</body></html>\n")


def main() -> None:
    """Makes the site that the arguments describe."""
    folder, first, *rest = sys.argv[1:]
    if first == "history":
        make_with_history(*map(int, rest), Path(folder))
    elif first == "default":
        pages, shape, sizes, repository = rest
        make_default(int(pages), shape, sizes, repository, Path(folder))
    else:
        make(Site(int(first), *rest[:2], *map(int, rest[2:])), Path(folder))


if __name__ == "__main__":
    main()
