"""Sites as the generators' own starters make them, each in a repository with dated commits."""
import subprocess
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from pipeline_checks import WORK, environment, git

BASE = "https://docs.example.com/"
# The newest commits change no page, and are more than any service clones by itself.
LATER_COMMITS = 60


@dataclass
class Site:
    """A site of a generator, in the directory `root` of its repository."""

    generator: str
    build: str  # the command of the generator's own documentation
    output: str
    pages: dict  # the paths of pages, each with its sources; a list has those of its pages too
    root: str = ""
    arguments: tuple = ()  # of `waypost init`
    image: str = "node:22"
    install: tuple = ()  # commands with which the user's pipeline installs the generator
    action: str = ""  # the action that does so in a workflow
    folder: Path = None

    @property
    def name(self):
        return f"{self.generator}-{self.root}".strip("-")

    def dates(self, *arguments):
        """The dates of the commits that `git log` selects, newest first."""
        command = ["git", "-C", self.folder, "log", "--format=%cI", *arguments]
        printed = subprocess.run(command, check=True, capture_output=True, text=True, env=environment()).stdout
        return [datetime.fromisoformat(date) for date in printed.split()]


def zola(start, write, root):
    start("zola init .", f"{BASE}\nn\nn\nn\n")
    page = "<!DOCTYPE html><title>{{ PAGE.title }}</title><a href='/about/'>About</a>{{ PAGE.content | safe }}"
    write("templates/index.html", page.replace("PAGE", "section"))
    write("templates/page.html", page.replace("PAGE", "page"))
    write("content/_index.md", '+++\ntitle = "Home"\n+++\nHome\n')
    write("content/about.md", '+++\ntitle = "About"\n+++\nAbout\n')
    write(".gitignore", "/public\n")
    return Site("zola", "zola build", "public", {"": "content/_index.md content/about.md", "about": "content/about.md"},
                action="{uses: taiki-e/install-action@v2, with: {tool: zola}}")


def hugo(start, write, root):
    start(f"hugo new site . && sed -i 's|https://example.org/|{BASE}|' hugo.toml && hugo new content posts/first.md && "
          "sed -i 's/draft = true/draft = false/; /^date = /d' content/posts/first.md")
    write("layouts/all.html", "<!DOCTYPE html><title>{{ .Title }}</title>{{ .Content }}"
          "{{ range .Pages }}<a href='{{ .RelPermalink }}'>{{ .Title }}</a>{{ end }}")
    write("content/_index.md", "+++\ntitle = 'Home'\n+++\nHome\n")
    write(".gitignore", "/public\n")
    return Site("hugo", "hugo --minify", "public", {"": "content/_index.md content/posts/first.md", "posts/first": "content/posts/first.md"},
                action="{uses: peaceiris/actions-hugo@v3}")


def mdbook(start, write, root):
    start("mdbook init --title Book --ignore git .")
    write("src/SUMMARY.md", "# Summary\n\n- [Home](home.md)\n- [One](chapter_1.md)\n")
    write("src/home.md", "# Home\n")
    # The first chapter is the home page.
    return Site("mdbook", "mdbook build", "book", {"": "src/home.md", "chapter_1": "src/chapter_1.md"},
                root=root, arguments=("--base-url", BASE), action="{uses: taiki-e/install-action@v2, with: {tool: mdbook}}")


def mkdocs(start, write, root):
    start(f"mkdocs new . && echo 'site_url: {BASE}' >>mkdocs.yml")
    write("docs/about.md", "# About\n")
    write(".gitignore", "/site\n")
    return Site("mkdocs", "mkdocs build", "site", {"": "docs/index.md", "about": "docs/about.md"}, image="python:3.13",
                install=("pip install --quiet mkdocs",))


def eleventy(start, write, root):
    start("npm init -y && npm pkg set type=module && npm install --save-dev --silent @11ty/eleventy@3")
    write("index.md", "# Home\n")
    write("about.md", "# About\n")
    write(".gitignore", "node_modules\n_site\n")
    return Site("eleventy", "npx @11ty/eleventy", "_site", {"": "index.md", "about": "about.md"},
                arguments=("--base-url", BASE), install=("npm ci",))


def docusaurus(start, write, root):
    start("create-docusaurus . classic --javascript --skip-install && "
          f"sed -i 's|https://your-docusaurus-site.example.com|{BASE.rstrip('/')}|' docusaurus.config.js")
    return Site("docusaurus", "npm run build", "build",
                {"docs/intro": "docs/intro.mdx", "markdown-page": "src/pages/markdown-page.mdx"}, install=("npm install",))


def plain(start, write, root):
    """Pages that no generator makes."""
    write("public/index.html", "<!DOCTYPE html><title>Home</title><a href='about.html'>About</a>")
    write("public/about.html", "<!DOCTYPE html><title>About</title>")
    return Site("plain", "", "public", {"": "public/index.html", "about": "public/about.html"}, arguments=("--base-url", BASE))


STARTERS = {"plain": plain, "zola": zola, "hugo": hugo, "mdbook": mdbook, "mkdocs": mkdocs, "eleventy": eleventy, "docusaurus": docusaurus}


def make(generator, network, root=""):
    """Makes a site of a generator. Each page has a commit of its own."""
    folder = WORK / f"{generator}{root}"
    (folder / root).mkdir(parents=True)
    path = f"{WORK / 'generators' / generator}:{environment()['PATH']}"

    def start(script, given=""):
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=folder / root, input=given, text=True,
                              capture_output=True, env=environment(**network, PATH=path))
        assert done.returncode == 0, f"{script}\n{done.stdout}{done.stderr}"

    def write(name, text):
        file = folder / root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    site = STARTERS[generator](start, write, root)
    site.folder = folder
    site.pages = {page: [f"{root}/{source}".strip("/") for source in sources.split()] for page, sources in site.pages.items()}
    git(folder, "init", "--quiet", "--initial-branch=main")
    commit(folder, "2024-01-01T10:00:00Z", "the site")
    for month, (source, *_) in enumerate(site.pages.values(), start=2):
        assert (folder / source).exists(), f"the starter of {generator} writes no {source}"
        with open(folder / source, "a", encoding="utf-8") as page:
            page.write("\nMore.\n")
        commit(folder, f"2024-{month:02}-01T10:00:00Z", source)
    for number in range(LATER_COMMITS):
        commit(folder, f"2024-06-01T10:{number:02}:00Z", "later")
    return site


def commit(folder, date, subject):
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--allow-empty", "--message", subject, GIT_AUTHOR_DATE=date, GIT_COMMITTER_DATE=date)
