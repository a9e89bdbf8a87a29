#!/usr/bin/env -S python3 -B
"""Lets programs that read sitemaps for a living read ours, over HTTP, and compares what they see with what is written.

usage: [WAYPOST=target/release/waypost] tests/slow/clients.py

The sample site is moved to a loopback address and written three ways: as one file, split under an index, and compressed;
then in two halves that `waypost index` puts under one index, or merges. ultimate-sitemap-parser and advertools (PyPI, in
an environment of their own below .cache) must find in each just the URLs and dates that Python's own XML reader finds,
and every URL must answer. The last line is 'N passed, M failed'.
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
PACKAGES = ["ultimate-sitemap-parser==1.8.1", "advertools==0.18.0"]
NAMESPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
WAYS = {
    "one file": "",
    "split": "[extra.waypost.sitemap]\nmax_urls = 10\n",
    "split and compressed": '[extra.waypost.sitemap]\nmax_urls = 10\ngzip = "only"\n',
}


# What runs in the environment that has the packages: each reader prints [[url, date or null], ...].


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


def environment_with_packages():
    """The Python of the environment below .cache, made where it is not there yet."""
    folder = TOP / ".cache" / "tools" / "sitemap-readers"
    python = folder / "bin" / "python"
    if not (folder / "complete").exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
        (folder / "complete").touch()
    return python


# What runs outside of it.


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def serve(folder):
    """Serves a folder on a free port of the loopback; -> the server and its address."""
    handler = functools.partial(Quiet, directory=folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_port}/"


def move_site(site, address):
    """Rewrites a copy of the sample site as if it had been built for another address."""
    for path in site.rglob("*"):
        if path.suffix in (".html", ".toml"):
            old = path.read_bytes()
            path.write_bytes(old.replace(b"https://example.org/", address.encode()).replace(
                b'"https://example.org"', f'"{address}"'.encode()))


def written(output, address):
    """(URL, moment) of all that the files say, from the Sitemap lines of robots.txt on."""
    found, todo = [], []
    for line in (output / "robots.txt").read_text().splitlines():
        if line.startswith("Sitemap: "):
            todo.append(line.removeprefix("Sitemap: "))
    while todo:
        path = output / urllib.parse.unquote(todo.pop().removeprefix(address))
        data = path.read_bytes()
        root = ElementTree.fromstring(gzip.decompress(data) if path.suffix == ".gz" else data)
        entries = [(entry.findtext(NAMESPACE + "loc"), entry.findtext(NAMESPACE + "lastmod")) for entry in root]
        if root.tag == NAMESPACE + "sitemapindex":
            todo += [url for url, _ in entries]
        else:
            found += [(url, moment(date)) for url, date in entries]
    return sorted(found, key=str)


def moment(date):
    """The same moment however it is spelt."""
    if date is None:
        return None
    parsed = datetime.datetime.fromisoformat(date.replace("Z", "+00:00"))
    if parsed.tzinfo is None:
        parsed = parsed.replace(tzinfo=datetime.timezone.utc)
    return parsed.astimezone(datetime.timezone.utc).isoformat()


def commit(site):
    """Puts the site into a repository, so that its pages have dates."""
    identity = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    for who in ("AUTHOR", "COMMITTER"):
        identity |= {f"GIT_{who}_NAME": "test", f"GIT_{who}_EMAIL": "test@example.com",
                     f"GIT_{who}_DATE": "2024-02-29T23:30:00-05:00"}
    for command in (["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "--message", "All of it"]):
        subprocess.run(["git", *command], cwd=site, env=os.environ | identity, check=True)


class Site:
    """A copy of the sample site, served on the loopback as if it had been built for that address."""

    def __init__(self, folder, settings):
        self.folder = folder
        shutil.copytree(TOP / "sample-site", folder)
        self.server, self.address = serve(folder / "public")
        move_site(folder, self.address)
        with open(folder / "config.toml", "a", encoding="utf-8") as config:
            config.write("\n" + settings)
        commit(folder)

    def sitemaps(self):
        return sorted(path.name for path in (self.folder / "public").glob("sitemap*"))

    def let_read(self, tally, python, way):
        """Compares what the readers see with what is written."""
        wanted = written(self.folder / "public", self.address)
        tally.check(any(date for _, date in wanted), f"{way}: no page has a date")
        for url, _ in wanted:
            with urllib.request.urlopen(url) as answer:
                tally.equal(answer.status, 200, f"{way}: {url}")
        for name in READERS:
            read = run([python, "-B", __file__, "--read", name, self.address], self.folder)
            seen = json.loads(read.stdout) if read.returncode == 0 else []
            seen = sorted(((url, moment(date)) for url, date in seen), key=str)
            tally.check(seen == wanted, f"{way}: {name} reads {len(seen)} of {len(wanted)}; "
                        f"only read: {sorted(set(seen) - set(wanted), key=str)[:3]}, "
                        f"only written: {sorted(set(wanted) - set(seen), key=str)[:3]} {read.stderr[-500:]}")
        return wanted


def read_one_way(tally, waypost, python, way, settings, work):
    site = Site(work / way.replace(" ", "-"), settings)
    built = run([waypost, "build", ".", "--quiet"], site.folder)
    tally.equal(built.returncode, 0, f"{way}: exit code of build ({built.stderr[-500:]})")
    tally.check((len(site.sitemaps()) > 1) == bool(settings), f"{way}: the files are {site.sitemaps()}")
    site.let_read(tally, python, way)
    site.server.shutdown()


def read_halves(tally, waypost, python, way, settings, arguments, work):
    """Builds each half of the pages by itself, and lets `waypost index` put the halves together."""
    site = Site(work / way, settings)
    output = site.folder / "public"
    pages = sorted(output.rglob("*.html"))
    for half in (0, 1):
        part = work / f"{way}-{half}"
        shutil.copytree(site.folder, part)
        for number, page in enumerate(pages):
            if number % 2 != half:
                (part / page.relative_to(site.folder)).unlink()
        built = run([waypost, "build", ".", "--quiet"], part)
        tally.equal(built.returncode, 0, f"{way}: exit code of a half's build ({built.stderr[-500:]})")
        shutil.copytree(part / "public", output / f"half-{half}", ignore=lambda folder, names: [
            name for name in names if not name.startswith("sitemap")])
    for path in [*output.glob("sitemap*"), output / "robots.txt"]:
        path.unlink()
    gathered = run([waypost, "index", *arguments, "public/half-0/sitemap.xml", "public/half-1/sitemap.xml"], site.folder)
    tally.equal(gathered.returncode, 0, f"{way}: exit code of index ({gathered.stderr[-500:]})")
    tally.check(len(site.let_read(tally, python, way)) > 30, f"{way}: both halves are there")
    site.server.shutdown()


def main():
    if sys.argv[1:2] == ["--read"]:
        _, _, name, home = sys.argv
        print(json.dumps(READERS[name](home)))
        return
    waypost = os.path.realpath(os.environ.get("WAYPOST", TOP / "target/release/waypost"))
    python = environment_with_packages()
    tally = Tally()
    with tempfile.TemporaryDirectory() as work:
        for way, settings in WAYS.items():
            read_one_way(tally, waypost, python, way, settings, pathlib.Path(work))
        read_halves(tally, waypost, python, "index", "", [], pathlib.Path(work))
        read_halves(tally, waypost, python, "merge", WAYS["split"], ["--merge"], pathlib.Path(work))
    tally.end()


if __name__ == "__main__":
    main()
