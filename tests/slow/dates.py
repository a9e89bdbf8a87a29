#!/usr/bin/env -S python3 -B
"""Builds small sites with the generators that have dates of their own, and compares the date of each page in the
generator's own sitemap or page with that of waypost.

usage: [WAYPOST=target/release/waypost] [UPDATE_EXPECTED=1] tests/slow/dates.py [GENERATOR...]

A site has a page for each kind of front matter, and is built with each of the settings, in four states: all pages
committed, edited since, never committed, and in a shallow clone. A page whose dates differ must be in a row of
DIFFERENCES, and a row that matches no page fails. The dates of Hugo are also tests/it/hugo_dates.tsv, which
tests/it/hugo_dates.rs reads; UPDATE_EXPECTED=1 writes it. The last line is 'N passed, M failed'.
"""
import collections
import datetime
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from judge import Tally, git, run

TOP = pathlib.Path(__file__).resolve().parents[2]
WAYPOST = pathlib.Path(os.environ.get("WAYPOST", TOP / "target/release/waypost")).resolve()
STATES = ["committed", "edited", "untracked", "shallow"]
# The pages are written by one person on the first day and committed by another on the second. A commit of another
# file follows, at which shallow clones end.
AUTHORED, COMMITTED, LATER = "2024-05-04T10:00:00Z", "2024-05-05T10:00:00Z", "2024-09-09T10:00:00Z"

# In front matter, dates of 2021 are those of a change, and earlier ones those of the publication.
# Generator, states, settings, front matter (patterns for all of these four), what waypost has, and why.
DIFFERENCES = [
    (".*", "edited", ".*", ".*", "changed", "the generator has the last commit; the text has changed since"),
    (".*", "shallow", ".*", ".*", "changed", "the generator has the commit at which the clone ends, for all files"),
    (".*", "untracked", ".*", ".*", "stated", "the generator has the time of the build or of the checkout"),
    ("hugo", "committed", ".*fileModTime.*", ".*", "git", "the time of a file is that of the checkout"),
    ("hugo", "committed", ".*", ".*", "git if none", "the order names no date that the page has; its commit is one"),
    ("docusaurus", ".*", "off", ".*last_update.*date.*2021.*", "stated",
     "without `showLastUpdateTime`, the sitemap of Docusaurus does not read `last_update`"),
    ("docusaurus", "committed", "on", ".*(1/2/2021|Jan).*", "git", "a date that only JavaScript reads is reported, and not used"),
    ("vitepress", "committed", "on", ".*: false", "git if none", "`false` hides the date on the page; the commit is still true"),
    ("vitepress", ".*", "on", '.*"2021.*', "stated", "VitePress ignores a date in quotes; its author has stated it"),
    ("vitepress", ".*", "off", ".*", "git or stated", "without `lastUpdated`, VitePress has no dates"),
    ("astro", ".*", ".*", ".*: false", "git if none", "`false` hides the date on the page; the commit is still true"),
    ("astro", "committed", "off", ".*", "git if none", "without `lastUpdated`, Starlight has the dates of front matter alone"),
    ("jekyll", "committed", "plugin", "post.*2021.*", "git", "the plugin lets `last_modified_at` of posts precede Git, and that of pages not"),
    ("mkdocs", "committed", "no follow", ".*", "git", "without `--follow`, the plugin finds no commit, and has the time of the build"),
    ("jekyll", "committed", "alone", ".*", "git", "jekyll-sitemap does not ask Git"),
]


def instant(text):
    """A date as seconds since 1970, in UTC where it has no time."""
    date = datetime.datetime.fromisoformat(text.strip().replace("Z", "+00:00"))
    return int((date if date.tzinfo else date.replace(tzinfo=datetime.timezone.utc)).timestamp())


def in_sitemap(name="sitemap.xml"):
    """Reads the dates of a sitemap, by the last part of the path."""
    def read(output):
        found = {}
        for entry in re.findall("<url>.*?</url>", (output / name).read_text("utf-8"), re.S):
            date = re.search("<lastmod>(.*?)</lastmod>", entry)
            path = re.search("<loc>(.*?)</loc>", entry)[1].removesuffix("/").removesuffix(".html")
            found[path.rpartition("/")[2]] = date and instant(date[1])
        return found
    return read


def in_pages(output):
    """Reads the `<time>` of each page."""
    found = {}
    for page in output.glob("*/index.html"):
        date = re.search('<time datetime="(.*?)"', page.read_text("utf-8"))
        found[page.parent.name] = date and instant(date[1])
    return found


class Generator:
    """A generator with dates of its own."""

    def __init__(self, name, tool, command, output, settings, pages, files=None, author=True, read=in_sitemap(), home=None):
        self.name, self.tool, self.command, self.output = name, tool, command, output
        # The settings file, its text with `SETTING` for each of the values, and their names.
        self.settings_file, self.template, self.settings = settings
        # The path of each page, with the front matter that is compared, and its text.
        self.pages, self.files = pages, files or {}
        self.author, self.read, self.home = author, read, home


def yaml_pages(kinds, *places):
    """The pages of each kind in each place: a path with `@` for the number, and text around the front matter."""
    pages = {}
    for path, kind_name, more in places:
        for index, kind in enumerate(kinds):
            text = kind.replace("; ", "\n")
            pages[path.replace("@", str(index))] = (kind_name + kind, f"---\ntitle: page\n{more}{text}\n---\ntext\n")
    return pages


ORDERS = ['"lastmod", ":default"', '"modified", ":default"', '"reviewed", ":default"', '"lastmod", "publishDate", ":git"',
          '"lastmod", ":fileModTime", ":default"', '"updated_on", "lastmod", ":git"', '":git", "lastmod"', '"date", ":git"',
          '"lastmod"', '":filename", ":git"', '"publishDate", "Lastmod", ":default"', '":default"', '"pubdate", ":git", "date"',
          '"lastmod", "date", "publishDate"']
HUGO_KINDS = ["", "date: 2020-03-03", "lastmod: 2021-01-01", "lastmod: 2021-01-01; date: 2020-02-02",
              "modified: 2021-02-02; date: 2020-02-02", "publishDate: 2019-01-01", "pubdate: 2019-02-02", "published: 2019-03-03",
              "updated_on: 2021-04-04; date: 2020-02-02", "params: {updated_on: 2021-05-05, lastmod: 2021-06-06}",
              "Reviewed: 2021-07-07", 'lastmod: ""; date: 2020-02-02']
LAST_UPDATED = ["", "lastUpdated: 2021-01-01", "lastUpdated: 2021-01-01T10:00:00Z", "lastUpdated: true", "lastUpdated: false",
                "date: 2020-02-02", "date: 2020-02-02; lastUpdated: 2021-03-03 10:00:00", "lastmod: 2019-04-04"]
LAST_UPDATE = ["", "last_update: {date: 2021-01-01}", "last_update: {date: 2021-01-01T10:00:00Z}",
               "last_update: {date: 2021-03-03 10:00:00}", 'last_update: {date: "2021-01-01"}', "last_update: {author: ada}",
               "last_update: {author: ada, date: 2021-05-05}", "last_update: {date: 1/2/2021}", 'last_update: {date: "Jan 3, 2021"}',
               "lastUpdated: 2021-06-06"]
JEKYLL_KINDS = ["", "last_modified_at: 2021-01-01", "last_modified_at: 2021-01-01T10:00:00Z", "lastmod: 2021-02-02", "updated: 2021-03-03"]
MKDOCS_KINDS = ["", "date: 2020-02-02", "revision_date: 2021-01-01", "git_revision_date_localized: 2021-02-02", "updated: 2021-03-03",
                "last_updated: 2021-04-04"]
SPHINX_KINDS = ["", ":date: 2020-02-02", ":last_updated: 2021-01-01", ".. include:: /part.txt"]
SITEMAP_OF_MKDOCS = """<urlset>{% for file in pages %}<url><loc>{{ file.page.canonical_url }}</loc><lastmod>{{
    file.page.meta.git_revision_date_localized_raw_iso_datetime | replace(" ", "T") }}</lastmod></url>{% endfor %}</urlset>"""

GENERATORS = [
    Generator(
        "hugo", "get_hugo; echo $hugo", ["--quiet"], "public",
        ("hugo.toml", 'enableGitInfo = true\nbaseURL = "https://example.com/"\n[frontmatter]\nlastmod = [SETTING]\n', {order: order for order in ORDERS}),
        yaml_pages(HUGO_KINDS, ("content/p@.md", "", ""), ("content/2018-08-08-n@.md", "2018-08-08 in the name; ", "")),
        {f"layouts/{name}.html": "<title>x</title>" for name in ("single", "list", "home")}),
    Generator(
        "docusaurus", "get_node; get_packages docusaurus-3 @docusaurus/{core,preset-classic}@3.10.2 react@18.3.1 react-dom@18.3.1; "
        "echo $node $tools/docusaurus-3/node_modules/@docusaurus/core/bin/docusaurus.mjs", ["build", "--no-minify"], "build",
        ("docusaurus.config.js",
         'const more = {SETTING}; export default { title: "x", url: "https://example.com", baseUrl: "/", onBrokenLinks: "ignore", presets: [["classic", { theme: {}, '
         'docs: more, pages: more, blog: { ...more, onUntruncatedBlogPosts: "ignore" }, sitemap: { lastmod: "datetime" } }]] };',
         {"on": "showLastUpdateTime: true", "off": ""}),
        yaml_pages(LAST_UPDATE, ("docs/d@.md", "doc ", ""), ("src/pages/p@.md", "page ", ""), ("blog/b@.md", "post ", "date: 2019-09-09\n")),
        {"package.json": '{"browserslist": ["defaults"]}'}, author=False, home="docusaurus-3"),
    Generator(
        "vitepress", "get_node; get_packages vitepress-1.6.4 vitepress@1.6.4; echo $node $tools/vitepress-1.6.4/node_modules/vitepress/bin/vitepress.js",
        ["build"], ".vitepress/dist",
        (".vitepress/config.mjs", 'export default { sitemap: { hostname: "https://example.com/" }, SETTING };',
         {"on": "themeConfig: { lastUpdated: { text: 'updated' } }", "off": "lastUpdated: false"}),
        yaml_pages([*LAST_UPDATED, 'lastUpdated: "2021-05-05"'], ("p@.md", "", "")),
        {"package.json": '{"type": "module"}'}, home="vitepress-1.6.4"),
    Generator(
        "astro", "get_node; get_packages astro-7 astro@7.1.6 @astrojs/starlight@0.41.5 sharp@0.35.3; echo $node $tools/astro-7/node_modules/astro/bin/astro.mjs",
        ["build"], "dist",
        ("astro.config.mjs", 'import starlight from "@astrojs/starlight"; export default { site: "https://example.com", '
         'integrations: [starlight({ title: "x", pagefind: false, SETTING })] };', {"on": "lastUpdated: true", "off": ""}),
        yaml_pages(LAST_UPDATED, ("src/content/docs/p@.md", "", "")),
        {"package.json": '{"type": "module"}', "src/content.config.ts":
         'import { defineCollection } from "astro:content"; import { docsLoader } from "@astrojs/starlight/loaders"; import { docsSchema } '
         'from "@astrojs/starlight/schema"; export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) };'},
        author=False, read=in_pages, home="astro-7"),
    Generator(
        "jekyll", "get_jekyll; echo $jekyll", ["build", "--quiet"], "_site",
        ("_config.yml", "url: https://example.com\nplugins: [SETTING jekyll-sitemap]\n", {"plugin": "jekyll-last-modified-at,", "alone": ""}),
        yaml_pages(JEKYLL_KINDS, ("p@.md", "page ", "layout: x\n"), ("_posts/2019-09-09-b@.md", "post ", "layout: x\n")),
        {"_layouts/x.html": "<!DOCTYPE html><title>x</title><p>{{ content }}"}, author=False),
    Generator(
        "mkdocs", "get_python_program mkdocs-dates 1.6.3 mkdocs mkdocs==1.6.1 mkdocs-git-revision-date-localized-plugin==1.6.3; echo $program",
        ["build", "--quiet"], "site",
        ("mkdocs.yml", "site_name: x\nsite_url: https://example.com/\ntheme: {name: mkdocs, custom_dir: theme}\nplugins:\n"
         "- git-revision-date-localized: {SETTING}\n", {"plain": "", "no follow": "enable_git_follow: false", "creation": "enable_creation_date: true"}),
        yaml_pages(MKDOCS_KINDS, ("docs/p@.md", "", "")), {"theme/sitemap.xml": SITEMAP_OF_MKDOCS}),
    Generator(
        "sphinx", "get_python_program sphinx-dates 8.2.3 sphinx-build sphinx==8.2.3 sphinx-last-updated-by-git==0.3.8 sphinx-sitemap==2.9.0; echo $program",
        ["-q", "-E", "-b", "html", ".", "_build/html"], "_build/html",
        ("conf.py", "project = 'x'\nhtml_baseurl = 'https://example.com/'\nsitemap_url_scheme = '{link}'\nsitemap_show_lastmod = True\n"
         "extensions = ['sphinx_sitemap'SETTING]\n", {"sitemap": "", "both": ", 'sphinx_last_updated_by_git'"}),
        {f"p{index}.rst": (kind, f"{kind}\n\nTitle\n=====\n\ntext\n") for index, kind in enumerate(SPHINX_KINDS)},
        {"index.rst": "Index\n=====\n\n.. toctree::\n   :glob:\n\n   p*\n", "part.txt": "part\n"}),
]


def tool_of(generator):
    """Installs a generator, and returns its command."""
    script = f'source "{TOP}/tests/slow/tools.sh"; {generator.tool}'
    done = subprocess.run(["bash", "-euc", script], stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.split()


def write(root, files):
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")


def commit(root, message, committed, authored=None):
    git(root, "add", "--all", at=committed)
    git(root, "commit", "--quiet", "--allow-empty", f"--date={authored or committed}", f"--message={message}", at=committed)


def make_site(generator, state, root):
    """Writes the pages of a site in a repository that is in this state."""
    origin = root.parent / "origin" if state == "shallow" else root
    pages = {path: text for path, (_, text) in generator.pages.items()}
    write(origin, {".gitignore": f"/{generator.output}\n/.docusaurus\n/.astro\n/.vitepress/cache\n/node_modules\n"} | generator.files)
    git(origin, "init", "--quiet")
    commit(origin, "begin", "2023-01-01T00:00:00Z")
    write(origin, pages)
    if state != "untracked":
        commit(origin, "write", COMMITTED, AUTHORED)
    write(origin, {"NOTES": "x"})
    git(origin, "add", "NOTES")
    git(origin, "commit", "--quiet", "--message=notes", at=LATER)
    if state == "edited":
        write(origin, {path: text + "\nmore\n" for path, text in pages.items()})
    if state == "shallow":
        git(root.parent, "clone", "--quiet", "--depth=1", f"file://{origin}", root)


def name_of(path):
    return pathlib.PurePath(path).stem.removeprefix("2018-08-08-").removeprefix("2019-09-09-")


def compared(tally, generator, tool, setting, state, root):
    """Yields each page with its front matter, and its dates by the generator and by waypost."""
    shutil.rmtree(root / generator.output, ignore_errors=True)
    write(root, {generator.settings_file: generator.template.replace("SETTING", generator.settings[setting])})
    variables = {"TZ": "UTC", "CI": "1", "ASTRO_TELEMETRY_DISABLED": "1"}
    built = run([*tool, *generator.command], root, variables)
    tally.equal(built.returncode, 0, f"{generator.name}, {setting}, {state}: {built.stdout}{built.stderr}")
    own = {name.removeprefix("2018-08-08-"): date for name, date in generator.read(root / generator.output).items()}
    which = "author" if generator.author else "committer"
    explained = run([WAYPOST, "explain", "--json"], root, {"WAYPOST_LASTMOD_DATE": which})
    lines = [json.loads(line) for line in explained.stdout.splitlines()]
    dates = {line["source"]: line["lastmod"] and instant(line["lastmod"]) for line in lines if line["source"]}
    for path, (kind, _) in generator.pages.items():
        where = f"{generator.name}, {setting}, {state}, {path} ({kind})"
        tally.check(name_of(path) in own and path in dates, f"{where}: is not in both: {explained.stderr}")
        yield where, path, kind, own.get(name_of(path)), dates.get(path)


def is_reason(outcome, kind, commit_date, own, found):
    """Whether waypost has what a row of DIFFERENCES says."""
    stated = [instant(text.replace(" ", "T")) for text in re.findall(r"\d{4}-\d\d-\d\d(?:[T ][\d:]+Z?)?", kind)]
    changed = [date for date in stated if date >= instant("2021-01-01")]
    return found in {
        "changed": [None, *changed],
        "stated": [None, *stated],
        "git": [commit_date],
        "git if none": [commit_date if own is None else own],
        "git or stated": [commit_date, *changed],
    }[outcome]


def judge(tally, generator, used):
    tool = tool_of(generator)
    commit_date = instant(AUTHORED if generator.author else COMMITTED)
    home = TOP / ".cache/tools" / generator.home if generator.home else None
    table = collections.defaultdict(list)
    for state in STATES:
        with tempfile.TemporaryDirectory(prefix="site-", dir=home and home.resolve()) as work:
            root = pathlib.Path(work) / "site"
            make_site(generator, state, root)
            for setting in generator.settings:
                for where, path, kind, own, found in compared(tally, generator, tool, setting, state, root):
                    table[state, path].append(own)
                    rows = [] if own == found else [
                        (row, outcome) for row, (name, states, settings, kinds, outcome, _) in enumerate(DIFFERENCES)
                        if all(map(re.fullmatch, (name, states, settings, kinds), (generator.name, state, setting, kind)))
                    ]
                    reasons = [row for row, outcome in rows if is_reason(outcome, kind, state != "untracked" and commit_date or None, own, found)]
                    used.update(reasons[-1:])
                    tally.check(own == found or reasons, f"{where}: the generator has {shown(own)}, waypost {shown(found)}")
    return table


def shown(date):
    return "none" if date is None else datetime.datetime.fromtimestamp(date, datetime.timezone.utc).isoformat()


def judge_table(tally, table):
    """Compares the dates of Hugo with the table that cargo's tests read, or writes it."""
    words = {instant(AUTHORED): "git", None: "none"}
    rows = ["state\tdate in name\tfront matter\t" + "\t".join(ORDERS)]
    for (state, path), dates in table.items():
        if state in ("committed", "untracked"):
            day = [shown(date)[:10] for date in dates]
            dates = [words.get(date) or ("checkout" if day > "2025" else day) for date, day in zip(dates, day)]
            is_dated = "2018" in path
            kind = HUGO_KINDS[int(name_of(path)[1:])]
            rows.append("\t".join([state, "yes" if is_dated else "no", kind, *dates]))
    file = TOP / "tests/it/hugo_dates.tsv"
    text = "\n".join(rows) + "\n"
    if os.environ.get("UPDATE_EXPECTED"):
        file.write_text(text, "utf-8")
    tally.check(file.read_text("utf-8") == text, "the dates of Hugo are those of tests/it/hugo_dates.tsv")


def main():
    chosen = [known for known in GENERATORS if len(sys.argv) < 2 or known.name in sys.argv[1:]]
    tally, used = Tally(), collections.Counter()
    for generator in chosen:
        table = judge(tally, generator, used)
        if generator.name == "hugo":
            judge_table(tally, table)
    for row, (name, *_, reason) in enumerate(DIFFERENCES):
        if name in [generator.name for generator in chosen] or chosen == GENERATORS:
            tally.check(used[row], f"no page of {name} differs, though {reason}")
    for row, (name, states, settings, *_, reason) in enumerate(DIFFERENCES):
        if used[row]:
            print(f"    {used[row]} pages of {name} ({states}; {settings}): {reason}")
    tally.end()


if __name__ == "__main__":
    main()
