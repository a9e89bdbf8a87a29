#!/usr/bin/env -S python3 -B
"""Checks that real sitemap readers find, over HTTP, exactly what waypost has written.

usage: [WAYPOST=target/release/waypost] tests/slow/clients.py

The sample site is served from a loopback address, with three kinds of sitemap: one file, several
files with an index, and compressed files.
ultimate-sitemap-parser and advertools (from PyPI, in a virtual environment in .cache) must find the
same URLs and dates as Python's XML reader, and every URL must be served. On a small site with
feeds and images, these readers and feedparser must find the values in the pages. The
last line is 'N passed, M failed'.
"""
import datetime
import functools
import gzip
import http.server
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import urllib.parse
import urllib.request
import xml.etree.ElementTree as ElementTree

from judge import Tally, run

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
PACKAGES = ["ultimate-sitemap-parser==1.8.1", "advertools==0.18.0", "feedparser==6.0.14"]
NAMESPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
WAYS = {
    "one file": "",
    "split": "[extra.waypost.sitemap]\nmax_urls = 10\n",
    "split and compressed": '[extra.waypost.sitemap]\nmax_urls = 10\ngzip = "only"\n',
}


# The readers run in the virtual environment, and return [[url, date or None], ...].


def read_with_ultimate_sitemap_parser(home):
    from usp.tree import sitemap_tree_for_homepage

    tree = sitemap_tree_for_homepage(home, use_known_paths=False)
    return [[page.url, page.last_modified and page.last_modified.isoformat()] for page in tree.all_pages()]


def read_with_advertools(home):
    import advertools
    import pandas

    table = advertools.sitemap_to_df(home + "robots.txt", recursive=True)
    problems = table["errors"].dropna().tolist() if "errors" in table else []
    if problems:
        raise SystemExit(f"advertools reports {problems}")
    dates = table["lastmod"] if "lastmod" in table else [None] * len(table)
    return [[url, None if pandas.isna(date) else str(date)] for url, date in zip(table["loc"], dates)]


READERS = {"ultimate-sitemap-parser": read_with_ultimate_sitemap_parser, "advertools": read_with_advertools}

# The readers of extensions return values in the form of `extension_values`.


def feeds_by_feedparser(home):
    import feedparser

    feeds = {}
    for name in ("sitemap.rss", "sitemap.atom"):
        feed = feedparser.parse(home + name)
        if feed.bozo:
            raise SystemExit(f"{name}: {feed.bozo_exception}")
        date = "published_parsed" if feed.version == "rss20" else "updated_parsed"
        entries = [[entry.title, entry.link, list(entry[date][:6]) if date in entry else None] for entry in feed.entries]
        feeds[name] = [feed.version, feed.feed.title, entries]
    return feeds


def images_by_ultimate_sitemap_parser(home):
    from usp.tree import sitemap_tree_for_homepage

    pages = sitemap_tree_for_homepage(home, use_known_paths=False).all_pages()
    return sorted([page.url, [image.loc for image in page.images]] for page in pages if page.images)


EXTENSION_READERS = {reader.__name__: reader for reader in (feeds_by_feedparser, images_by_ultimate_sitemap_parser)}


def environment_with_packages():
    """Creates the virtual environment in .cache if necessary, and returns its Python."""
    folder = TOP / ".cache" / "tools" / "sitemap-readers"
    python = folder / "bin" / "python"
    complete = folder / "complete"
    wanted = "\n".join(PACKAGES)
    if not complete.exists() or complete.read_text() != wanted:
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
        complete.write_text(wanted)
    return python


# The rest runs outside of the virtual environment.


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def serve(folder):
    """Serves a directory on a free loopback port, and returns the server and its base URL."""
    handler = functools.partial(Quiet, directory=folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_port}/"


def move_site(site, address):
    """Rewrites a copy of the sample site for another base URL."""
    for path in site.rglob("*"):
        if path.suffix in (".html", ".toml"):
            old = path.read_bytes()
            path.write_bytes(old.replace(b"https://example.org/", address.encode()).replace(
                b'"https://example.org"', f'"{address}"'.encode()))


def written(output, address):
    """Returns the (URL, time) pairs in all sitemaps that robots.txt names."""
    found, todo = [], []
    for line in (output / "robots.txt").read_text().splitlines():
        if line.startswith("Sitemap: "):
            todo.append(line.removeprefix("Sitemap: "))
    while todo:
        path = output / urllib.parse.unquote(todo.pop().removeprefix(address))
        data = path.read_bytes()
        root = ElementTree.fromstring(gzip.decompress(data) if path.suffix == ".gz" else data)
        entries = [(entry.findtext(NAMESPACE + "loc"), entry.findtext(NAMESPACE + "lastmod"))
                   for entry in root]
        if root.tag == NAMESPACE + "sitemapindex":
            todo += [url for url, _ in entries]
        else:
            found += [(url, moment(date)) for url, date in entries]
    return sorted(found, key=str)


def moment(date):
    """Normalizes a date, so that equal times compare equal."""
    if date is None:
        return None
    parsed = datetime.datetime.fromisoformat(date.replace("Z", "+00:00"))
    if parsed.tzinfo is None:
        parsed = parsed.replace(tzinfo=datetime.timezone.utc)
    return parsed.astimezone(datetime.timezone.utc).isoformat()


def commit(site):
    """Commits the site to a new repository, so that its pages have dates."""
    identity = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    for who in ("AUTHOR", "COMMITTER"):
        identity |= {f"GIT_{who}_NAME": "test", f"GIT_{who}_EMAIL": "test@example.com",
                     f"GIT_{who}_DATE": "2024-02-29T23:30:00-05:00"}
    for command in (["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "--message", "All of it"]):
        subprocess.run(["git", *command], cwd=site, env=os.environ | identity, check=True)


class Site:
    """A copy of the sample site, built for a loopback address and served there."""

    def __init__(self, folder, settings):
        self.folder = folder
        shutil.copytree(TOP / "tests/edge-site", folder)
        self.server, self.address = serve(folder / "public")
        move_site(folder, self.address)
        with open(folder / "config.toml", "a", encoding="utf-8") as config:
            config.write("\n" + settings)
        commit(folder)

    def run(self, command):
        """Runs a program in the site.

        The base URL is a setting because waypost does not accept a loopback URL that it detects.
        """
        return run(command, self.folder, {"WAYPOST_BASE_URL": self.address})

    def sitemaps(self):
        return sorted(path.name for path in (self.folder / "public").glob("sitemap*"))

    def let_read(self, tally, python, way):
        """Compares the results of the readers with the written files."""
        wanted = written(self.folder / "public", self.address)
        tally.check(any(date for _, date in wanted), f"{way}: some pages have dates")
        for url, _ in wanted:
            with urllib.request.urlopen(url) as answer:
                tally.equal(answer.status, 200, f"{way}: {url}")
        for name in READERS:
            read = run([python, "-B", __file__, "--read", name, self.address], self.folder)
            seen = json.loads(read.stdout) if read.returncode == 0 else []
            seen = sorted(((url, moment(date)) for url, date in seen), key=str)
            tally.check(seen == wanted,
                        f"{way}: {name} reads {len(seen)} of {len(wanted)} entries; "
                        f"only read: {sorted(set(seen) - set(wanted), key=str)[:3]}, "
                        f"only written: {sorted(set(wanted) - set(seen), key=str)[:3]} "
                        f"{read.stderr[-500:]}")


def read_one_way(tally, waypost, python, way, settings, work):
    site = Site(work / way.replace(" ", "-"), settings)
    built = site.run([waypost, "build", ".", "--quiet"])
    tally.equal(built.returncode, 0, f"{way}: exit code of build ({built.stderr[-500:]})")
    tally.check((len(site.sitemaps()) > 1) == bool(settings), f"{way}: files are {site.sitemaps()}")
    site.let_read(tally, python, way)
    site.server.shutdown()


def page(title, head, body=""):
    return f'<!DOCTYPE html><html><head><meta charset="utf-8"><title>{title}</title>{head}</head><body>{body}</body></html>\n'


def modified(date):
    return f'<meta property="article:modified_time" content="{date}">'


EXTENSION_SETTINGS = """
[lastmod]
from = ["page"]
[sitemap]
formats = ["xml", "rss", "atom"]
feeds = true
"""
FEED = '<rss version="2.0"><channel><title>Own</title><link>{0}</link><description>x</description></channel></rss>'
EXTENSION_PAGES = {
    "index.html": page("Home &amp; more", modified("2024-05-06T07:08:09+02:00")),
    "a.html": page("A | The Example", modified("2026-01-15")),
    "v.html": page("V", ""),
    # Images of a sitemap that is replaced are kept only if they exist.
    "a.png": "image", "b.png": "image",
}
REPLACED = """<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
<url><loc>{0}</loc><image:image><image:loc>{0}a.png?x=1&amp;y=2</image:loc></image:image><image:image><image:loc>{0}b.png</image:loc></image:image></url>
</urlset>
"""


def read_extensions(tally, waypost, python, work):
    """Writes a site with known values, and checks that each reader finds them."""
    site = work / "extensions"
    for name, text in EXTENSION_PAGES.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(text, encoding="utf-8")
    server, address = serve(site)
    try:
        (site / "sitemap.xml").write_text(REPLACED.format(address), encoding="utf-8")
        (site / "feed.xml").write_text(FEED.format(address), encoding="utf-8")
        (site / "waypost.toml").write_text(f'base_url = "{address}"\n{EXTENSION_SETTINGS}', encoding="utf-8")
        (site / "robots.txt").write_text("", encoding="utf-8")
        # 2026-01-15T12:00:00Z
        built = run([waypost, "build", ".", "--quiet"], site, {"SOURCE_DATE_EPOCH": "1768478400"})
        tally.equal(built.returncode, 0, f"extensions: exit code of build ({built.stderr[-500:]})")
        for name, wanted in extension_values(address).items():
            read = run([python, "-B", __file__, "--read", name, address], work)
            tally.equal(json.loads(read.stdout) if read.returncode == 0 else read.stderr[-500:],
                        wanted, name)
    finally:
        server.shutdown()


def extension_values(home):
    """Returns the values that each reader must find."""
    dated = ["A | The Example", home + "a.html", [2026, 1, 15, 0, 0, 0]]
    index = ["Home & more", home, [2024, 5, 6, 5, 8, 9]]
    undated = ["V", home + "v.html", None]
    return {
        "feeds_by_feedparser": {"sitemap.rss": ["rss20", "Home & more", [dated, index, undated]],
                                "sitemap.atom": ["atom10", "Home & more", [dated, index]]},
        "images_by_ultimate_sitemap_parser": [[home, [home + "a.png?x=1&y=2", home + "b.png"]]],
    }


def main():
    if sys.argv[1:2] == ["--read"]:
        _, _, name, home = sys.argv
        print(json.dumps((READERS | EXTENSION_READERS)[name](home)))
        return
    waypost = os.path.realpath(os.environ.get("WAYPOST", TOP / "target/release/waypost"))
    python = environment_with_packages()
    tally = Tally()
    with tempfile.TemporaryDirectory() as work:
        for way, settings in WAYS.items():
            read_one_way(tally, waypost, python, way, settings, pathlib.Path(work))
        read_extensions(tally, waypost, python, pathlib.Path(work))
    tally.end()


if __name__ == "__main__":
    main()
