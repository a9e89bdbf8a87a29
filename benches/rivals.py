#!/usr/bin/env -S python3 -B
"""Runs the sitemap tools that people use with each generator, and waypost, on the same small sites.

usage: benches/rivals.py [--waypost PROGRAM] [--write | --only NAME ...]

Each site is an archive of benches/rivals: its comment has the true URLs with the sources that date them. A site gets the
same history: pages of the first commit, a branch with its merge, two later changes, and one of a Python module. It is
built twice, in a full clone and in one of depth 1. Prints tables; --write puts them into docs/src/comparison.md, and three
tools into README.md. Installs the tools in .cache; one that cannot be installed is a row that says so.
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
from collections.abc import Callable, Iterable
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
README = TOP / "README.md"
BASE_URL = "https://example.org/"
BEGIN, END = "<!-- rivals: benches/rivals.py -->\n", "<!-- end -->\n"
FALSE = ["| tool | entries | missing | dates | shallow |", "| --- | --- | --- | --- | --- |"]
RIGHT = ["| tool | dates | shallow | links |", "| --- | --- | --- | --- |"]
ARROW = "\u00a0→\u00a0"  # no break on a phone
SHORT = ["| sitemap of | false entries | false dates | false dates, shallow clone |", "| --- | --- | --- | --- |"]
IN_README = ("Hugo", "Zola", "Astro")


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
ASTRO = "get_node; NPM_BEFORE=2026-11-01 get_packages astro-7.3.5 astro@7.3.5 @astrojs/sitemap@3.7.4"
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
    Rival("Zola 0.22.0", "zola", shell("get_new_zola"), 'get_new_zola; "$zola" build', "public"),
    Rival("VitePress 1.6.4", "vitepress", shell(VITEPRESS),
          f'{VITEPRESS}; "$node" "$tools/vitepress-1.6.4/node_modules/vitepress/bin/vitepress.js" build', ".vitepress/dist",
          home="vitepress-1.6.4"),
    Rival("@astrojs/sitemap 3.7.4, Astro 7.3.5", "astro", shell(ASTRO),
          f'{ASTRO}; ASTRO_TELEMETRY_DISABLED=1 "$node" "$tools/astro-7.3.5/node_modules/astro/bin/astro.mjs" build', "dist",
          ("sitemap-index.xml",), home="astro-7.3.5"),
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
    """The sitemaps of a tool: its true, false and missing entries, the right, absent and false dates of true entries, and
    language links."""

    true: int = 0
    false: int = 0
    missing: int = 0
    right: int = 0
    undated: int = 0
    wrong: int = 0
    links: int = 0
    is_sitemap: bool = True


@dataclasses.dataclass(frozen=True)
class Result:
    """The sitemaps of a tool and of waypost on the same output, in a full clone and in a shallow one."""

    name: str
    full: tuple[Judged, Judged]
    shallow: tuple[Judged, Judged]

    def false_row(self) -> str:
        """Returns what is not true, or not there."""
        if not self.full[0].is_sitemap:
            return f"| {self.name} | not a sitemap | | | |"
        return cells(self.name, change("false", self.full), change("missing", self.full), change("wrong", self.full),
                     change("wrong", self.shallow))

    def right_row(self) -> str:
        """Returns what is right."""
        return cells(self.name, *(f"{one[0].right}{ARROW}{one[1].right}" for one in (self.full, self.shallow)),
                     f"{self.full[0].links}{ARROW}{self.full[1].links}")

    def short_row(self, name: str) -> str:
        """Returns what is not true, for readers who see only this table."""
        full, shallow = self.full[0], self.shallow[0]
        return cells(name, share(full.false, full.true + full.false), dates(full), dates(shallow))


def short_row_of_waypost(results: Iterable[Result]) -> str:
    """Returns what is not true in all its sitemaps."""
    figures = [sum(figure) for figure in zip(*((one.full[1].false, one.full[1].wrong, one.shallow[1].wrong) for one in results))]
    return cells("waypost after each", *(str(figure) if figure else "none" for figure in figures))


def cells(*texts: str) -> str:
    """Returns a row."""
    return f"| {' | '.join(texts)} |"


def change(field: str, pair: tuple[Judged, Judged]) -> str:
    """Returns the figure of a tool and that of waypost; those that are not zero are bold."""
    figures = [getattr(one, field) for one in pair]
    return ARROW.join(f"**{figure}**" if figure else "0" for figure in figures)


def share(part: int, whole: int) -> str:
    """Returns how many of the whole, in words."""
    return f"{part} of {whole}" if part else "none"


def dates(one: Judged) -> str:
    """Returns how many dates are false, or that there are none."""
    count = one.right + one.wrong
    return share(one.wrong, count) if count else "no dates"


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
    waypost = str(options.waypost.resolve())
    results = [result(rival, waypost) for rival in chosen]
    known = [one for one in results if isinstance(one, Result)]
    failed = [one for one in results if isinstance(one, str)]
    tables = "\n".join([*FALSE, *(one.false_row() for one in known), *failed, "", *RIGHT, *(one.right_row() for one in known)])
    generators = {one.name.rpartition(", ")[2]: one for one in known}
    three = {name: one for name, one in generators.items() if name.startswith(IN_README)}
    short = "\n".join([*SHORT, *(one.short_row(name) for name, one in three.items()), short_row_of_waypost(three.values())])
    print(tables, short, sep="\n\n")
    if options.write:
        for page, text in ((PAGE, tables), (README, short)):
            before, _, rest = page.read_text().partition(BEGIN)
            page.write_text(f"{before}{BEGIN}{text}\n{END}{rest.partition(END)[2]}")


def result(rival: Rival, waypost: str) -> Result | str:
    """Runs a rival and waypost; returns the row of one that cannot be run."""
    if not rival.install(TOOLS):
        return f"| {rival.name} | cannot be installed | | | |"
    work = TOOLS / (rival.home or "rivals") / f"site-{os.getpid()}"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    # generate-sitemap writes into it. It must be a file of its own: git replaces the file, even if it is a device.
    os.environ["GIT_CONFIG_GLOBAL"] = str(work / "gitconfig")
    try:
        truth = make_repository(work / "origin", rival.site)
        shallow = judged(rival, waypost, truth, work, "--depth=1")
        return Result(rival.name, judged(rival, waypost, truth, work), shallow)
    except (measure.Failed, OSError, RuntimeError) as error:
        print(f"{rival.name}: {error}", file=sys.stderr)
        return f"| {rival.name} | failed | | | |"
    finally:
        shutil.rmtree(work, ignore_errors=True)


def make_repository(site: Path, name: str) -> dict[str, int]:
    """Commits a site with its history, and returns the true URLs with the times of their last changes."""
    archive = txtar.SiteArchive.read(SITES / f"{name}.txtar")
    archive.unpack(site)
    judge.git(site, "init", "--quiet", "--initial-branch=main")
    commit(site, "2024-01-10T10:00:00Z", "")
    judge.git(site, "switch", "--quiet", "--create", "branch")
    commit(site, "2024-03-05T10:00:00Z", "merged")
    judge.git(site, "switch", "--quiet", "main")
    commit(site, "2024-04-02T10:00:00Z", "guide")
    judge.git(site, "merge", "--quiet", "--no-ff", "-m", "merge", "branch", at="2024-05-01T10:00:00Z")
    commit(site, "2024-06-15T10:00:00Z", "tools")
    commit(site, "2024-07-20T10:00:00Z", "last")
    rows = re.findall(r"^# /(\S*)\t(.+)$", archive.comment, re.MULTILINE)
    return {plain(BASE_URL + url): int(judge.git_log(site, "%ct", sources.split())) for url, sources in rows}


def commit(site: Path, time: str, stem: str) -> None:
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
        return Judged(is_sitemap=False)
    listed = [url for url in truth if url in entries]
    dated = [url for url in listed if entries[url]]
    right = sum(is_right(entries[url], truth[url]) for url in dated)
    links = sum(path.read_text().count("hreflang=") for path in output.rglob("sitemap*.xml"))
    return Judged(len(listed), len(entries) - len(listed), len(truth) - len(listed), right, len(listed) - len(dated),
                  len(dated) - right, links)


def plain(url: str) -> str:
    """Returns the URL of a directory for that of its index, and of the site for its host."""
    return BASE_URL if url == BASE_URL[:-1] else re.sub(r"/index\.html$", "/", url)


def is_right(lastmod: str, time: int) -> bool:
    """Whether a date, or a date and a time, is that of the commit."""
    changed = datetime.datetime.fromtimestamp(time, datetime.UTC)
    # A date of front matter has no time, which some tools write as midnight.
    day = lastmod.removesuffix("T00:00:00+00:00")
    with contextlib.suppress(ValueError):
        return day == changed.date().isoformat() or datetime.datetime.fromisoformat(lastmod) == changed
    return False


if __name__ == "__main__":
    main()
