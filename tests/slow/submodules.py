#!/usr/bin/env -S python3 -B
"""Changes sites whose content is in a submodule, step by step, and builds each with its real generator.

usage: submodules.py WAYPOST NAME=PROGRAM...

Before and after each step the site is built. A page whose main text is another one for a reader, or that is new, must have the day of the
step, which is that of the submodule's commit; any other page keeps its date. Prints each failed check, then 'N passed, M failed'.
"""
import pathlib
import re
import shutil
import sys
import tempfile

from judge import Tally, git, read_sitemaps, run

BASE = "https://example.com/"
LIST = '<!DOCTYPE html><title>x</title><nav>menu</nav><main>{}</main>'
ZOLA = {
    "config.toml": f'base_url = "{BASE}"\n',
    "content/_index.md": "+++\n+++\nHome\n",
    "templates/index.html": LIST.format(
        "{{ section.content | safe }}{% set posts = get_section(path='posts/_index.md') %}"
        "{% for page in posts.pages %}<a href='{{ page.permalink }}'>{{ page.title }}</a>{% endfor %}"),
    "templates/section.html": LIST.format(
        "{{ section.content | safe }}{% for page in section.pages %}<a href='{{ page.permalink }}'>{{ page.title }}</a>{% endfor %}"),
    "templates/page.html": LIST.format("{{ page.content | safe }}"),
}
HUGO = {
    "hugo.toml": f'baseURL = "{BASE}"\ndisableKinds = ["taxonomy", "term", "RSS"]\n',
    "content/_index.md": "---\ntitle: Home\n---\nHome\n",
    "layouts/home.html": LIST.format(
        "{{ .Content }}{{ range site.RegularPages }}<a href='{{ .RelPermalink }}'>{{ .Title }}</a>{{ end }}"),
    "layouts/section.html": LIST.format("{{ .Content }}{{ range .Pages }}<a href='{{ .RelPermalink }}'>{{ .Title }}</a>{{ end }}"),
    "layouts/page.html": LIST.format("{{ .Content }}"),
}
MDBOOK = {
    "book.toml": '[book]\ntitle = "x"\n[output.html]\nsite-url = "/"\n',
    "src/SUMMARY.md": "# Summary\n\n- [Home](home.md)\n- [1](posts/p1.md)\n- [2](posts/p2.md)\n- [3](posts/p3.md)\n",
    "src/home.md": "# Home\n\n{{#include posts/part.txt}}\n",
}
# The files of the site, the directory of its content and of its output, the arguments of a build, and the files of the submodule.
SITES = {
    "zola": (ZOLA, "content", "public", ["build"], {"_index.md": "+++\nsort_by = \"title\"\n+++\nPosts\n"}),
    "hugo": (HUGO, "content", "public", ["--quiet", "--cleanDestinationDir"], {"_index.md": "---\ntitle: Posts\n---\nPosts\n"}),
    "mdbook": (MDBOOK, "src", "book", ["build"], {"part.txt": "A part\n"}),
}


class Site:
    def __init__(self, folder, name, program):
        files, self.content, self.output, arguments, self.shared = SITES[name]
        self.name, self.command = name, [program, *arguments]
        self.root, self.origin = folder / name, folder / f"{name}-posts"
        for directory, written in ((self.origin, self.shared), (self.root, files)):
            directory.mkdir()
            git(directory, "init", "--quiet", "--initial-branch=main")
            for path, text in written.items():
                (directory / path).parent.mkdir(parents=True, exist_ok=True)
                (directory / path).write_text(text)
        (self.root / ".gitignore").write_text(f"/{self.output}\n")
        for number in (1, 2, 3):
            self.post(number, f"Text {number}")
        self.commit(self.origin, 1)
        git(self.root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(self.origin), f"{self.content}/posts")
        self.commit(self.root, 2)

    def post(self, number, text):
        fence = {"zola": "+++", "hugo": "---"}.get(self.name)
        title = f"title{' = ' if fence == '+++' else ': '}\"Post {number}\"\n"
        front = f"{fence}\n{title}{fence}\n" if fence else f"# Post {number}\n\n"
        (self.origin / f"p{number}.md").write_text(f"{front}{text}\n")

    def commit(self, directory, day):
        git(directory, "add", "--all")
        git(directory, "commit", "--quiet", "--message", "x", at=date_of(day))

    def update(self, day):
        """Commits the posts, and the next day the site with them."""
        self.commit(self.origin, day)
        git(self.root / self.content / "posts", "pull", "--quiet", "origin", "main")
        self.commit(self.root, day + 1)

    def build(self, waypost):
        """Returns the main text and the date of each page, by its URL."""
        shutil.rmtree(self.root / self.output, ignore_errors=True)
        done = run(self.command, self.root)
        assert done.returncode == 0, f"{self.command}: {done.stdout}{done.stderr}"
        done = run([waypost, "--base-url", BASE, "--quiet"], self.root, {"WAYPOST_LASTMOD_LISTS": "members"})
        assert done.returncode == 0, done.stderr
        pages = {}
        for url, date in read_sitemaps(self.root / self.output, BASE).items():
            path = url.removeprefix(BASE)
            file = self.root / self.output / (path + "index.html" if path in ("",) or path.endswith("/") else path)
            text = re.search(r"<main>(.*)</main>", file.read_text(), re.DOTALL)[1]
            # What mdBook calls the page's number and its neighbours is no text of it.
            pages[url] = re.sub(r"<nav.*?</nav>", "", text, flags=re.DOTALL), date
        return pages


def date_of(day):
    return f"2025-03-{day:02}T10:00:00+00:00"


def steps_of(site):
    """What happens, and the day; the site follows a day later."""
    post = site.origin / "p2.md"
    yield "a post changes", lambda: site.post(1, "Another text")
    yield "nothing but a note for authors changes", lambda: (site.origin / "NOTES").write_text("x")
    if site.name == "mdbook":
        yield "an included file changes", lambda: (site.origin / "part.txt").write_text("Another part\n")
        return
    yield "a post is added", lambda: site.post(4, "Text 4")
    yield "a post is removed", post.unlink
    yield "the text of the section changes", lambda: (site.origin / "_index.md").write_text(site.shared["_index.md"] + "More\n")


def main():
    waypost, *programs = sys.argv[1:]
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        for name, program in (pair.split("=", 1) for pair in programs):
            site = Site(pathlib.Path(folder), name, program)
            before = site.build(waypost)
            tally.check(len(before) >= 4 and all(date for _, date in before.values()), f"{name}: at first: {before}")
            for number, (step, change) in enumerate(steps_of(site)):
                day = 4 + 2 * number
                change()
                site.update(day)
                after = site.build(waypost)
                for url, (text, date) in after.items():
                    known = before.get(url)
                    wanted = known[1] if known and known[0] == text else date_of(day)
                    tally.equal(date.replace("Z", "+00:00") if date else date, wanted.replace("Z", "+00:00"), f"{name}: {step}: {url}")
                before = after
    tally.end()


if __name__ == "__main__":
    main()
