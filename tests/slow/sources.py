#!/usr/bin/env -S python3 -B
"""Compares the sources that waypost finds with the generators' own.

usage: [UPDATE_GENERATORS=1] sources.py WAYPOST ARCHIVE=SITE...

SITE is a freshly built site of tests/generators. Its templates or texts write the source of each
page into the page, in `<code>`. The comment of ARCHIVE has tables of the expected sources;
tests/generators/README.md describes them.

Prints each failed check, then 'N passed, M failed'.
"""
import html
import json
import os
import pathlib
import re
import sys

from judge import Tally, pages_on_disk, run
from txtar import SiteArchive


UPDATES = os.environ.get("UPDATE_GENERATORS") == "1"


class Table:
    """A table in the comment of an archive: `# OUTPUT ARGUMENTS...`, then one line per page."""

    def __init__(self, name, text):
        self.first, *lines = text.splitlines()
        self.output, *self.arguments = self.first.split(" ")
        self.name = f"{name}, {self.output}"
        self.pages = {}
        for line in filter(None, lines):
            file, *fields = line.split("\t")
            self.pages[file] = fields

    def text(self):
        lines = ["\t".join([file, *fields]) for file, fields in sorted(self.pages.items())]
        return "\n".join([f"# {self.first}", *lines, "", ""])


def truth_of(site, page, folder):
    """Returns the source that a page names, relative to the root of its site."""
    texts = re.findall("<code[^>]*>([^<]*)</code>", page.read_text("utf-8"))
    named = {html.unescape(text).strip() for text in texts}
    if len(named) != 1 or named == {""}:
        return None
    source = os.path.normpath(named.pop())
    if (site / folder / source).is_file():
        return source
    # mdBook reports README.md as index.md, also for the index page that copies the first chapter.
    readme = re.sub("index.md$", "README.md", source)
    if (site / folder / readme).is_file():
        return readme
    summary = site / folder / os.path.dirname(source) / "SUMMARY.md"
    if source.endswith("index.md") and summary.is_file():
        return os.path.join(os.path.dirname(source), re.search(r"\]\(([^)]+)\)", summary.read_text("utf-8"))[1])
    return None


def found_by(waypost, site, arguments):
    explained = run([waypost, "explain", *arguments, "--json"], site)
    if explained.returncode != 0:
        sys.exit(explained.stderr)
    lines = map(json.loads, explained.stdout.splitlines())
    return {line["file"]: line["source"] for line in lines if line["reason"] != "redirect"}


def judge_table(tally, waypost, table, site):
    """Compares the sources of a site with a table, and returns them."""
    output, folder = site / table.output, table.arguments[0]
    found = found_by(waypost, site, table.arguments)
    truths = {os.fsdecode(os.fsencode(str(page.relative_to(output)))): truth_of(site, page, folder)
              for page in pages_on_disk(output)}
    pages = {}
    for file, source in found.items():
        truth = truths[file]
        is_copy = source and (site / folder / source).read_bytes() == (output / file).read_bytes()
        tally.check(source in (None, truth) or is_copy,
                    f"{table.name}: source of {file}: got {source}, wanted {truth}")
        pages[file] = ["?", truth] if source is None and truth else [source or "-"]
    missing = sorted(set(truths) - set(found))
    tally.check(all("http-equiv" in (output / file).read_text("utf-8") for file in missing),
                f"{missing} are redirects")
    if not UPDATES:
        for file in sorted(set(pages) | set(table.pages)):
            tally.equal(pages.get(file), table.pages.get(file), f"{table.name}: {file}")
    return pages


def judge_archive(tally, waypost, path, site):
    """Judges a site by all tables of its archive, and rewrites the archive if asked."""
    archive = SiteArchive.read(path)
    tally.equal(archive.text().encode(), path.read_bytes(), f"{path.name} as written by txtar.py")
    tables = [Table(path.stem, text) for text in re.split("^# ", archive.comment, flags=re.MULTILINE)[1:]]
    for table in tables:
        pages = judge_table(tally, waypost, table, site)
        if UPDATES:
            table.pages = pages
            replace_output(archive, site, table.output)
    if UPDATES:
        archive.comment = "".join(table.text() for table in tables)
        archive.write(path)


def replace_output(archive, site, output):
    """Replaces the output in an archive by what waypost reads: pages, and the generator's sitemaps."""
    written = f"{output}/", ".docusaurus/"
    archive.files = {name: data for name, data in archive.files.items() if not name.startswith(written)}
    # Docusaurus' own data, of which waypost reads these files.
    own = {path for path in (site / ".docusaurus").rglob("*")
           if re.fullmatch(r"site-.*-[0-9a-f]{3}\.json|i18n\.json|docusaurus\.config\.mjs", path.name)}
    sitemaps = {path for path in (site / output).rglob("*") if re.fullmatch(r"sitemap.*\.xml(\.gz)?", path.name)}
    for path in own.union(sitemaps, pages_on_disk(site / output)):
        archive.files[path.relative_to(site).as_posix()] = path.read_bytes()


def main():
    waypost, *pairs = sys.argv[1:]
    tally = Tally()
    for pair in pairs:
        archive, site = map(pathlib.Path, pair.split("=", 1))
        judge_archive(tally, waypost, archive, site)
    tally.end()


if __name__ == "__main__":
    main()
