#!/usr/bin/env -S python3 -B
"""Compares the sources that waypost finds with the generators' own, and checks their sitemaps.

usage: [UPDATE_GENERATORS=1] sources.py WAYPOST TABLE=SITE...

SITE is a freshly built site of tests/generators. Its templates or texts write the source of each
page into the page, in `<code>`. TABLE has the expected sources: a line `# DIR OUTPUT ARGUMENTS...`,
then one line per page that is not a redirect, with fields separated by tabs:

- the file in the output directory
- the source; `-` if the page has no source; `?` and the source if waypost does not find it

Prints each failed check, then 'N passed, M failed'.
"""
import html
import json
import os
import pathlib
import re
import shutil
import sys

from judge import Tally, checked, pages_on_disk, run


# Findings for the sitemaps of these generators: the date of the build or the file on every page,
# URLs in another form than in the site's links, and copied pages that are not listed.
FAULTS = {
    "mkdocs": {"lastmod-build-date", "sitemap-dates-differ", "sitemap-lacks-pages"},
    "mkdocs-plain": {"lastmod-build-date", "sitemap-dates-differ", "loc-other-form"},
    "jekyll": {"sitemap-dates-differ", "loc-other-form"},
}


class Table:
    """A table of tests/generators."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        first, *lines = self.path.read_text(encoding="utf-8").splitlines()
        _, self.folder, self.output, *self.arguments = first.split(" ")
        self.first = first
        self.pages = {}
        for line in lines:
            file, *fields = line.split("\t")
            self.pages[file] = fields

    def write(self, pages):
        lines = ["\t".join([file, *fields]) for file, fields in sorted(pages.items())]
        self.path.write_text("\n".join([self.first, *lines]) + "\n", encoding="utf-8")


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


def judge_site(tally, waypost, table, site):
    output, folder = site / table.output, table.arguments[0]
    found = found_by(waypost, site, table.arguments)
    truths = {os.fsdecode(os.fsencode(str(page.relative_to(output)))): truth_of(site, page, folder)
              for page in pages_on_disk(output)}
    pages = {}
    for file, source in found.items():
        truth = truths[file]
        is_copy = source and (site / folder / source).read_bytes() == (output / file).read_bytes()
        tally.check(source in (None, truth) or is_copy,
                    f"{table.path.stem}: source of {file}: got {source}, wanted {truth}")
        pages[file] = ["?", truth] if source is None and truth else [source or "-"]
    missing = sorted(set(truths) - set(found))
    tally.check(all("http-equiv" in (output / file).read_text("utf-8") for file in missing),
                f"{missing} are redirects")
    if os.environ.get("UPDATE_GENERATORS") == "1":
        table.write(pages)
        commit_output(table, output)
        table.pages = pages
    for file in sorted(set(pages) | set(table.pages)):
        tally.equal(pages.get(file), table.pages.get(file), f"{table.path.stem}: {file}")


def judge_own_sitemap(tally, waypost, name, site):
    found = checked(waypost, site)
    tally.check(FAULTS[name] <= found,
                f"{name}: check of the generator's sitemap: got {found}, wanted {FAULTS[name]}")
    built = run([waypost, "--quiet"], site)
    tally.equal(built.returncode, 0, f"{name}: exit code of build ({built.stderr[-500:]})")
    tally.equal(checked(waypost, site), set(), f"{name}: check of the sitemap of waypost")


def commit_output(table, output):
    """Copies the output that waypost reads: pages, and the generator's sitemaps."""
    kept = table.path.parent / table.folder / table.output
    shutil.rmtree(kept, ignore_errors=True)
    sitemaps = {path for path in output.rglob("*") if re.fullmatch(r"sitemap.*\.xml(\.gz)?", path.name)}
    for path in sitemaps.union(pages_on_disk(output)):
        target = kept / path.relative_to(output)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)


def main():
    waypost, *pairs = sys.argv[1:]
    tally = Tally()
    for pair in pairs:
        table, site = pair.split("=", 1)
        table = Table(table)
        judge_site(tally, waypost, table, pathlib.Path(site))
        if table.folder in FAULTS:
            judge_own_sitemap(tally, waypost, table.folder, pathlib.Path(site))
    tally.end()


if __name__ == "__main__":
    main()
