"""Makes the sites that are measured: equal arguments give equal bytes, on every machine.

A `Site` (how many pages, of which shape and size) goes in; a folder with `public/` and `waypost.toml` comes out, and is
kept for the next run. Nothing here measures anything.

usage: benches/sites.py FOLDER PAGES [hugo|book|minified|mixed [real|small [LEFT_OUT]]]
       benches/sites.py FOLDER history PAGES COMMITS
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

# How large the 43,014 pages of four documentations (Rust, OpenJDK 17, Python 3.11, git) are: percentile and bytes,
# redirect stubs apart, which are smaller than all else.
REAL_SIZES = [(0, 1_500), (15, 4_200), (40, 5_600), (70, 9_400), (88, 33_000), (94, 75_000), (98.8, 180_000),
              (99.9, 1_150_000), (100, 2_000_000)]
# For sites of which a million pages must fit on a disk and into memory.
SMALL_SIZES = [(0, 900), (100, 3_500)]
# Shares of all pages, between those of blogs and those of documentation with many moved pages.
STUBS = 0.10
NOINDEXED = 0.02
PAGES_IN_SECTION = 1_000

WORDS = ("the site build page of sitemap crawler reads a link and finds what was written there long ago by someone who "
         "knew <a href=\"/about/\">why</a> <code>lastmod</code> must <em>never</em> be the time of the build").split()


@dataclasses.dataclass(frozen=True)
class Site:
    """What a site is to be like."""

    pages: int
    shape: str = "mixed"
    sizes: str = "real"
    left_out: int = 0
    """Pages beyond `pages` that ask not to be indexed."""

    @property
    def name(self) -> str:
        """The name of its folder."""
        beyond = f"-{self.left_out}-left-out" if self.left_out else ""
        return f"{self.shape}-{self.sizes}-{self.pages}{beyond}"


def make(site: Site, within: Path) -> Path:
    """Makes the site unless it is there already, and gives its root."""
    root = within / site.name
    if not is_made(site, within):
        shutil.rmtree(root, ignore_errors=True)
        write_pages(site, root / "public")
        (root / "waypost.toml").write_text(settings())
        (root / "complete").write_text(version())
    return root


def is_made(site: Site, within: Path) -> bool:
    """Whether an earlier run made the whole site, by what this file says now."""
    return is_complete(within / site.name)


def is_complete(root: Path) -> bool:
    """Whether a folder holds the whole of a site."""
    mark = root / "complete"
    return mark.exists() and mark.read_text() == version()


def version() -> str:
    """A checksum of this file: where it changed, its sites are made again."""
    return f"{zlib.crc32(Path(__file__).read_bytes()):08x}"


def settings(*lines: str) -> str:
    """The settings of a site without a repository: its dates are those that its pages state."""
    own = [f"base_url = {json.dumps(BASE_URL)}", 'output_dir = "public"', 'lastmod.from = ["page"]']
    return "\n".join([*own, *lines, ""])


def write_pages(site: Site, public: Path) -> None:
    """Writes every page. Files are opened by their numbers alone: it is what takes the time with a million pages."""
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
    """Makes one page after the other."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.random = random.Random(f"{site.name}")
        self.text = body_text()
        self.sizes = REAL_SIZES if site.sizes == "real" else SMALL_SIZES

    def page(self, number: int) -> tuple[str, bytes]:
        """The path of a page below the output folder, and its bytes."""
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
        head = HEADS[shape](number, url, robots)
        return path, head + self.body(shape, self.size() - len(head)) + b"</body></html>\n"

    def body(self, shape: str, length: int) -> bytes:
        """A piece of the text; mdBook's pages begin with a table of all chapters."""
        navigation = NAVIGATION if shape == "book" and self.site.sizes == "real" else b""
        length = max(length - len(navigation), 200)
        start = self.random.randrange(len(self.text) - length)
        return navigation + self.text[start:start + length]

    def size(self) -> int:
        """How long the page is to be: a random point on the line through the percentiles."""
        at = self.random.random() * 100
        for (low, small), (high, large) in zip(self.sizes, self.sizes[1:]):
            if at <= high:
                return int(small + (large - small) * (at - low) / (high - low))
        raise AssertionError("the last percentile is 100")


def address(number: int, shape: str) -> tuple[str, str]:
    """The file of a page, and its URL; `section-0007/page-07123/` or `section-0007/page-07123.html`."""
    if number == 0:
        return "index.html", BASE_URL
    name = f"section-{number // PAGES_IN_SECTION:04}/page-{number:05}"
    return (f"{name}.html", f"{BASE_URL}{name}.html") if shape == "book" else (f"{name}/index.html", f"{BASE_URL}{name}/")


def is_translated(number: int) -> bool:
    """Whether a page is one of a pair, English and German."""
    return number % 10 in (2, 3)


def redirect_stub(url: str) -> bytes:
    """What Hugo writes for an alias: a page that sends its visitors to the one beside it."""
    target = f"{url.rstrip('/')}-moved/"
    return (f'<!DOCTYPE html>\n<html lang="en">\n  <head>\n    <title>{target}</title>\n'
            f'    <link rel="canonical" href="{target}">\n    <meta name="robots" content="noindex">\n'
            f'    <meta charset="utf-8">\n    <meta http-equiv="refresh" content="0; url={target}">\n'
            f'  </head>\n</html>\n').encode()


def hugo_head(number: int, url: str, robots: str) -> bytes:
    """A head of some 3 kB as Hugo's themes write them; every fifth page has a translation."""
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
    """A head as mdBook writes it: no canonical link."""
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
    """A head as `hugo --minify` writes it: quotes only where they must be, and no line ends."""
    robots = robots.replace('"robots"', "robots").replace('"noindex"', "noindex")
    return (f"<!doctype html><html lang=en><head><meta charset=utf-8><meta name=viewport content='width=device-width'>"
            f"<title>Page {number}</title>{robots}<link rel=canonical href={url}><link rel=stylesheet href=/css/main.css>"
            f"<link rel=alternate type=application/rss+xml href=/index.xml></head><body>").encode()


def body_text() -> bytes:
    """A text of 4 MB, of the tags that bodies are made of."""
    choose = random.Random("body")
    paragraphs = []
    for number in range(8_000):
        sentence = " ".join(choose.choices(WORDS, k=60))
        paragraphs.append(PARAGRAPHS[number % len(PARAGRAPHS)].format(number=number, sentence=sentence))
    return "\n".join(paragraphs).encode()


HEADS = {"hugo": hugo_head, "book": book_head, "minified": minified_head}
STYLE = "".join(f".c{n}{{margin:{n}px;color:#{n:03}}}" for n in range(40))
SCRIPT = "".join(f"var v{n}=document.getElementById('x{n}');" for n in range(8))
NAVIGATION = ("<nav><ol class=\"chapter\">" + "".join(
    f'<li class="chapter-item"><a href="page-{n:05}.html"><strong>{n}.</strong> Chapter {n}</a></li>' for n in range(60)
) + "</ol></nav>\n<main>\n").encode()
PARAGRAPHS = [
    "<p>{sentence}</p>", '<h2 id="part-{number}">Part {number}</h2>\n<p>{sentence}</p>',
    "<pre><code class=\"language-rust\">let x = {number};\n// {sentence}</code></pre>",
    "<ul>\n<li>{number}</li>\n<li>{sentence}</li>\n</ul>", "<p><mark>{number}</mark> {sentence}</p>",
    '<p><img src="/img/{number}.png" alt="" loading="lazy"> {sentence}</p>',
    "<table><tr><td>{number}</td><td>{sentence}</td></tr></table>",
]


def make_with_history(pages: int, commits: int, within: Path) -> Path:
    """Makes a site of Zola's whose sources lie in a repository of so many commits, unless it is there already."""
    root = within / history_name(pages, commits)
    if not is_complete(root):
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir(parents=True)
        git(root, "init", "-q", "-b", "main")
        git(root, "fast-import", "--quiet", stream=history(pages, commits))
        git(root, "repack", "-q", "-a", "-d", "-f")  # as a clone would be packed
        git(root, "reset", "-q", "--hard", "main")
        (root / "config.toml").write_text(f'base_url = "{BASE_URL.rstrip("/")}"\n')
        write_rendered(pages, root / "public")
        (root / "complete").write_text(version())
    return root


def history_name(pages: int, commits: int) -> str:
    """The name of the folder of a site with a repository."""
    return f"history-{pages}-{commits}"


def git(root: Path, *arguments: str, stream: bytes | None = None) -> None:
    """Runs git without the user's settings."""
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", "-C", root, *arguments], input=stream, env=environment, check=True)


def source(page: int) -> str:
    """The path of a page's source without its ending."""
    return f"s{page % 37:02}/d{page % 11:02}/page-{page:05}"


def history(pages: int, commits: int) -> bytes:
    """A stream for `git fast-import`: pages come one by one and are changed evenly; every tenth commit is a merge."""
    choose = random.Random("history")
    first, known, stream, merged = pages // 10, 0, [], {}
    for number in range(1, commits + 1):
        is_side, is_merge = number % 10 == 9, number % 10 == 0
        parents = [number - 2, number - 1] if is_merge else [number - 1] if number > 1 else []
        stream.append(commit("side" if is_side else "main", number, parents))
        due = known if is_side else min(pages, first + (pages - first) * number // (commits * 9 // 10))
        changed = {*range(known, due), *(choose.randrange(due) for _ in range(choose.randint(1, 3)))}
        known = due
        changes = {page: change(page, number) for page in sorted(changed)}
        stream += {**changes, **merged}.values() if is_merge else changes.values()
        merged = changes
    return "".join(stream).encode()


def commit(branch: str, number: int, parents: list[int]) -> str:
    """The head of a commit."""
    lines = [f"commit refs/heads/{branch}", f"mark :{number}",
             f"committer C <c@example.com> {1_400_000_000 + number * 4_000} +0200", "data 6", "change"]
    lines += [f"{word} :{parent}" for word, parent in zip(("from", "merge"), parents)]
    return "\n".join(lines) + "\n"


def change(page: int, revision: int) -> str:
    """A file's new text."""
    text = f"+++\ntitle = \"Page {page}\"\n+++\n\nRevision {revision} of this page.\n"
    return f"M 100644 inline content/{source(page)}.md\ndata {len(text)}\n{text}\n"


def write_rendered(pages: int, public: Path) -> None:
    """Writes what Zola would make of the sources."""
    text = body_text()
    for page in range(pages):
        folder = public / source(page)
        folder.mkdir(parents=True)
        head = hugo_head(page * 10, f"{BASE_URL}{source(page)}/", "")
        (folder / "index.html").write_bytes(head + text[page * 100:page * 100 + 5_000] + b"</body></html>\n")


def main() -> None:
    """Makes the site that the arguments name."""
    folder, first, *rest = sys.argv[1:]
    if first == "history":
        make_with_history(*map(int, rest), Path(folder))
    else:
        make(Site(int(first), *rest[:2], *map(int, rest[2:])), Path(folder))


if __name__ == "__main__":
    main()
