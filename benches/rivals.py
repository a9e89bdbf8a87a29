#!/usr/bin/env -S python3 -B
"""Runs the sitemap tools that people use with each generator, and waypost, on the same small sites.

usage: benches/rivals.py [--waypost PROGRAM] [--write | --only NAME ...]

Each site is an archive of benches/rivals: its comment has the true URLs with the sources that date them. A site gets the
same history: pages of the first commit, a branch with its merge, two later changes, and one of a Python module. It is
built twice, in a full clone and in one of depth 1. Prints a table; --write puts it into docs/src/comparison.md. Installs
the tools in .cache; one that cannot be installed is a row that says so.
"""

import argparse
import contextlib
import dataclasses
import datetime
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path

import measure
import peers

TOP = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TOP / "tests" / "slow"))
import judge  # noqa: E402
import txtar  # noqa: E402

SITES = TOP / "benches" / "rivals"
TOOLS = TOP / ".cache" / "tools"
PAGE = TOP / "docs" / "src" / "comparison.md"
BASE_URL = "https://example.org/"
BEGIN, END = "<!-- rivals: benches/rivals.py -->\n", "<!-- end -->\n"
ROUNDS = 5
HEAD = ["| tool | entries | dates | dates, depth 1 | language links | CPU, elapsed |", "| --- | --- | --- | --- | --- | --- |"]


@dataclasses.dataclass(frozen=True)
class Rival:
    """A tool that writes sitemaps, and how it is used."""

    name: str
    """With its version and that of the generator."""
    site: str
    """Its archive in benches/rivals."""
    install: Callable[[Path], object]
    """Installs the tool below a directory unless it is there; returns nothing if that failed."""
    build: str
    """Builds the site, in bash, after tests/slow/tools.sh."""
    output: str = "."
    sitemaps: tuple[str, ...] = ("sitemap.xml",)
    step: tuple[str, ...] = ()
    """The command that writes the sitemap of a built site, if that is a step of its own."""
    home: str = ""
    """The directory in .cache/tools that must be above the site, because its packages are there."""


def shell(text: str) -> Callable[[Path], bool]:
    """Returns the installation by the functions of tests/slow/tools.sh."""
    return lambda _tools: subprocess.run(["bash", "-c", with_tools(text)], stdout=sys.stderr, check=False).returncode == 0


def with_tools(text: str) -> str:
    """Returns a script that can use the functions of tests/slow/tools.sh."""
    return f"set -e\nsource {TOP}/tests/slow/tools.sh\n{text}"


def all_of(*installs: Callable[[Path], object]) -> Callable[[Path], bool]:
    """Returns the installation of several tools."""
    return lambda tools: all(install(tools) for install in installs)


def crate(name: str, version: str) -> Callable[[Path], bool]:
    """Returns the installation of a Rust program from its crate."""
    root = f'"$tools/{name}-{version}"'
    return shell(f"[ -d {root}/bin ] || cargo install --quiet --locked {name} --version {version} --root {root}")


SPHINX = "sphinx-sitemap 2.9.0 sphinx-build sphinx==8.2.3 sphinx-sitemap==2.9.0 sphinx-last-updated-by-git==0.3.8"
ASTRO = "get_node; get_packages astro-7 astro@7.1.6 @astrojs/starlight@0.41.5 sharp@0.35.3"
DOCUSAURUS = "get_node; get_packages docusaurus-3 @docusaurus/{core,preset-classic}@3.10.2 react@18.3.1 react-dom@18.3.1"
VITEPRESS = "get_node; get_packages vitepress-1.6.4 vitepress@1.6.4"
GENERATE_SITEMAP = "generate-sitemap-9ca2250"
CLONE = (f'cd "$tools"\n[ -d {GENERATE_SITEMAP} ] || '
         f"git clone --quiet https://github.com/cicirello/generate-sitemap {GENERATE_SITEMAP}\n"
         f"git -C {GENERATE_SITEMAP} checkout --quiet 9ca225011bfd1cc2acb26a172d805c6f8b41f5ea")
# As Netlify's build calls it: the inputs that the site needs, beside the plugin's own defaults.
NETLIFY_INPUTS = f'{{"baseUrl": "{BASE_URL[:-1]}", "prettyURLs": false, "trailingSlash": false}}'

ALL = [
    Rival("Hugo 0.168.0", "hugo", shell("get_hugo"), 'get_hugo; "$hugo" --quiet', "public"),
    Rival("Zola 0.17.2", "zola", shell("get_zola"), 'get_zola; "$zola" build', "public"),
    Rival("VitePress 1.6.4", "vitepress", shell(VITEPRESS),
          f'{VITEPRESS}; "$node" "$tools/vitepress-1.6.4/node_modules/vitepress/bin/vitepress.js" build', ".vitepress/dist",
          home="vitepress-1.6.4"),
    Rival("@astrojs/sitemap 3.7.3, Astro 7.1.6", "astro", shell(ASTRO),
          f'{ASTRO}; ASTRO_TELEMETRY_DISABLED=1 "$node" "$tools/astro-7/node_modules/astro/bin/astro.mjs" build', "dist",
          ("sitemap-index.xml",), home="astro-7"),
    Rival("@docusaurus/plugin-sitemap 3.10.2", "docusaurus", shell(DOCUSAURUS),
          f'{DOCUSAURUS}; CI=1 "$node" "$tools/docusaurus-3/node_modules/@docusaurus/core/bin/docusaurus.mjs" build',
          "build", ("sitemap.xml", "fr/sitemap.xml"), home="docusaurus-3"),
    Rival("sphinx-sitemap 2.9.0, sphinx-last-updated-by-git 0.3.8", "sphinx", shell(f"get_python_program {SPHINX}"),
          f'get_python_program {SPHINX}; "$program" -q docs docs/_build/html', "docs/_build/html"),
    Rival("jekyll-sitemap 1.4.0, Jekyll 4.3.1", "jekyll",
          shell('get_jekyll; "$jekyll" --version | grep -q 4.3.1; dpkg-query --show ruby-jekyll-sitemap | grep -q 1.4.0'),
          'get_jekyll; "$jekyll" build --quiet', "_site"),
    Rival("mdbook-sitemap-generator 0.2.0, mdBook 0.5.4", "mdbook",
          all_of(shell("get_mdbook"), crate("mdbook-sitemap-generator", "0.2.0")), 'get_mdbook; "$mdbook" build', "book",
          step=("{tools}/mdbook-sitemap-generator-0.2.0/bin/mdbook-sitemap-generator", "-d", "example.org",
                "-o", "book/sitemap.xml")),
    # As a second renderer, it moves the pages to book/html, and its own file must be copied there.
    Rival("mdbook-sitemap 0.1.1, mdBook 0.5.4", "mdbook", all_of(shell("get_mdbook"), crate("mdbook-sitemap", "0.1.1")),
          'get_mdbook; PATH=$tools/mdbook-sitemap-0.1.1/bin:$PATH\n'
          f"printf '[output.sitemap]\\nbase-url = \"{BASE_URL}\"\\n' >>book.toml\n"
          '"$mdbook" build && mv book/sitemap/sitemap.xml book/html/', "book/html"),
    Rival("cicirello/generate-sitemap 9ca2250", "plain", shell(CLONE), ":",
          step=(sys.executable, f"{{tools}}/{GENERATE_SITEMAP}/generatesitemap.py", ".", BASE_URL, "true", "true", "xml", "",
                "false", "false", "")),
    Rival("static-sitemap-cli 2.2.8", "plain", peers.npm("static-sitemap-cli@2.2.8"), ":",
          step=("node", "{tools}/static-sitemap-cli-2.2.8/node_modules/.bin/sscli", "-b", BASE_URL[:-1], "-r", ".", "-f", "xml",
                "--no-clean")),
    Rival("@netlify/plugin-sitemap 0.8.1", "plain", peers.npm("@netlify/plugin-sitemap@0.8.1"), ":",
          step=("node", str(TOP / "benches/peers/netlify_driver.cjs"),
                "{tools}/netlify-plugin-sitemap-0.8.1/node_modules/@netlify/plugin-sitemap", ".", NETLIFY_INPUTS)),
]


@dataclasses.dataclass(frozen=True)
class Judged:
    """The sitemaps of a tool."""

    entries: str = "not a sitemap"
    """Those that are true, false and missing."""
    dates: str = "none"
    """Those of true entries that are right, absent and false."""
    links: str = "none"


def main() -> None:
    """Runs the rivals, and prints or writes the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--waypost", default=TOP / "target" / "release" / "waypost", type=Path)
    extent = parser.add_mutually_exclusive_group()
    extent.add_argument("--only", nargs="*", default=[])
    extent.add_argument("--write", action="store_true")
    options = parser.parse_args()
    # Neither the user's settings nor a pipeline's variables, as in the other tests.
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR", "CARGO_HOME", "RUSTUP_HOME") if name in os.environ}
    os.environ.clear()
    os.environ.update(kept, GIT_CONFIG_NOSYSTEM="1", LC_ALL="C.UTF-8", TZ="UTC",
                      WAYPOST_LEVELS_BASE_URL_PLACEHOLDER="allow")
    chosen = [rival for rival in ALL if not options.only or any(word in rival.name for word in options.only)]
    table = "\n".join([*HEAD, *(row(rival, str(options.waypost.resolve())) for rival in chosen)])
    print(table)
    if options.write:
        before, _, rest = PAGE.read_text().partition(BEGIN)
        PAGE.write_text(f"{before}{BEGIN}{table}\n{END}{rest.partition(END)[2]}")


def row(rival: Rival, waypost: str) -> str:
    """Runs a rival and waypost, and returns their row of the table."""
    if not rival.install(TOOLS):
        return f"| {rival.name} | cannot be installed | | | | |"
    work = TOOLS / (rival.home or "rivals") / f"site-{os.getpid()}"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    # generate-sitemap writes into it. It must be a file of its own: git replaces the file, even if it is a device.
    os.environ["GIT_CONFIG_GLOBAL"] = str(work / "gitconfig")
    try:
        truth = make_repository(work / "origin", rival.site)
        shallow = judged(rival, waypost, truth, work, "--depth=1")
        full = judged(rival, waypost, truth, work)
        costs = timed(rival, waypost, work) if rival.step else ("", "")
    except (measure.Failed, OSError, RuntimeError) as error:
        print(f"{rival.name}: {error}", file=sys.stderr)
        return f"| {rival.name} | failed | | | | |"
    finally:
        shutil.rmtree(work, ignore_errors=True)
    pairs = [[one.entries for one in full], [one.dates for one in full], [one.dates for one in shallow],
             [one.links for one in full], costs]
    return " | ".join([f"| {rival.name}", *(" → ".join(filter(None, pair)) for pair in pairs)]) + " |"


def make_repository(site: Path, name: str) -> dict[str, int]:
    """Commits a site with its history, and returns the true URLs with the times of their last changes."""
    archive = txtar.SiteArchive.read(SITES / f"{name}.txtar")
    archive.unpack(site)
    judge.git(site, "init", "--quiet", "--initial-branch=main")
    change(site, "2024-01-10T10:00:00Z", "")
    judge.git(site, "switch", "--quiet", "--create", "branch")
    change(site, "2024-03-05T10:00:00Z", "merged")
    judge.git(site, "switch", "--quiet", "main")
    change(site, "2024-04-02T10:00:00Z", "guide")
    judge.git(site, "merge", "--quiet", "--no-ff", "-m", "merge", "branch", at="2024-05-01T10:00:00Z")
    change(site, "2024-06-15T10:00:00Z", "tools")
    change(site, "2024-07-20T10:00:00Z", "last")
    rows = re.findall(r"^# /(\S*)\t(.+)$", archive.comment, re.MULTILINE)
    return {plain(BASE_URL + url): int(judge.git_log(site, "%ct", sources.split())) for url, sources in rows}


def change(site: Path, time: str, stem: str) -> None:
    """Adds a line to the files whose names begin with a stem, and commits."""
    for path in [path for path in site.rglob(f"{stem}.*") if stem and path.is_file()]:
        # A Markdown page, a web page or a Python module.
        path.write_text(path.read_text() + ("# More.\n" if path.suffix == ".py" else "\nMore text.\n"))
    judge.git(site, "add", "--all")
    judge.git(site, "commit", "--quiet", "--allow-empty", "--message", f"change {stem}", at=time)


def judged(rival: Rival, waypost: str, truth: dict[str, int], work: Path, *depth: str) -> tuple[Judged, Judged]:
    """Builds a clone, and judges the sitemaps of the rival and of waypost."""
    site = work / "site"
    shutil.rmtree(site, ignore_errors=True)
    judge.git(work, "clone", "--quiet", *depth, (work / "origin").as_uri(), "site")
    in_site(work, "bash", "-c", with_tools(f"cd {site}\n{rival.build}"))
    if rival.step:
        in_site(work, *step(rival))
    theirs = sitemaps(site / rival.output, rival.sitemaps, truth)
    if rival.output == ".":
        # Among the sources of a site, it could be a file that a person keeps.
        (site / "sitemap.xml").unlink()
    in_site(work, waypost)
    # Also those of the rival that waypost leaves there.
    left = tuple(name for name in rival.sitemaps if (site / rival.output / name).exists())
    return theirs, sitemaps(site / rival.output, left or ("sitemap.xml",), truth)


def step(rival: Rival) -> tuple[str, ...]:
    """Returns the command of a rival's own step."""
    return tuple(word.replace("{tools}", str(TOOLS)) for word in rival.step)


def in_site(work: Path, *command: str) -> measure.Taken:
    """Runs a command in the site's directory."""
    return measure.run(measure.Contestant(("env", "-C", str(work / "site"), *command)), work / "log")


def sitemaps(output: Path, names: tuple[str, ...], truth: dict[str, int]) -> Judged:
    """Judges the sitemaps of a site."""
    entries: dict[str, str | None] = {}
    try:
        for name in names:
            entries |= {plain(url): date for url, date in judge.read_sitemaps(output, BASE_URL, name).items()}
    except (ElementTree.ParseError, AttributeError):
        # Another root element is read as an index, and then has children without a URL.
        return Judged()
    listed = [url for url in truth if url in entries]
    dated = [url for url in listed if entries[url]]
    right = sum(is_right(entries[url], truth[url]) for url in dated)
    links = sum(path.read_text().count("hreflang=") for path in output.rglob("sitemap*.xml"))
    return Judged(f"{len(listed)}, {len(entries) - len(listed)}, {len(truth) - len(listed)}",
                  f"{right}, {len(listed) - len(dated)}, {len(dated) - right}", str(links))


def plain(url: str) -> str:
    """Returns the URL of a directory for that of its index, and of the site for its host."""
    return BASE_URL if url == BASE_URL[:-1] else re.sub(r"/index\.html$", "/", url)


def is_right(lastmod: str, time: int) -> bool:
    """Whether a date, or a date and a time, is that of the commit."""
    commit = datetime.datetime.fromtimestamp(time, datetime.UTC)
    # A date of front matter has no time, which some tools write as midnight.
    day = lastmod.removesuffix("T00:00:00+00:00")
    with contextlib.suppress(ValueError):
        return day == commit.date().isoformat() or datetime.datetime.fromisoformat(lastmod) == commit
    return False


def timed(rival: Rival, waypost: str, work: Path) -> tuple[str, str]:
    """Returns the medians of CPU and elapsed time of both on the last built site."""
    site = ("env", "-C", str(work / "site"))
    contestants = {"rival": measure.Contestant((*site, *step(rival))), "waypost": measure.Contestant((*site, waypost))}
    taken = measure.compare(contestants, ROUNDS, work / "log", print)
    return tuple(f"{1000 * taken[name].cpu:.0f} ms, {1000 * taken[name].wall:.0f} ms" if name in taken else "failed"
                 for name in contestants)


if __name__ == "__main__":
    main()
