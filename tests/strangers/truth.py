"""The source of each page, as the generator itself knows it.

Each function takes a site and returns the sources by the page's file in the output; sources are relative to the root of the site.
"""
import csv
import html
import json
import os
import re
import urllib.parse


def file_of(site, page):
    """Returns the file of a page, which is given by its path in the URL or in the output."""
    path = urllib.parse.unquote(page).lstrip("/")
    names = [path, f"{path}.html", os.path.join(path, "index.html")]
    return next((name for name in names if (site.output / name).is_file()), None)


def table(site):
    """Pages and sources with a tab between, which a hook of the generator has written to the file `truth`."""
    lines = dict(line.split("\t") for line in site.truth.read_text("utf-8").splitlines())
    return {file_of(site, page): os.path.normpath(source) for page, source in lines.items()}


def permalinks(site):
    """The output of `hugo list all`."""
    rows = csv.DictReader(site.truth.read_text("utf-8").splitlines())
    return {file_of(site, urllib.parse.urlsplit(row["permalink"]).path): row["path"] for row in rows}


def marks(site):
    """Comments that a changed template has written into the pages."""
    sources = {}
    for page in site.output.rglob("*.html"):
        found = re.search("<!-- source: (.*?) -->", page.read_text("utf-8"))
        if found and (site.root / html.unescape(found[1])).is_file():
            sources[str(page.relative_to(site.output))] = html.unescape(found[1])
    return sources


def summary(site):
    """The chapters of an mdBook; the first one is the home page too."""
    src = site.facts.get("src", "src")
    chapters = re.findall(r"\](?:\(|: +)(?:\./)?([^)\s]+\.md)", (site.root / src / "SUMMARY.md").read_text("utf-8"))
    sources = {re.sub(r"(^|/)README\.html$", r"\1index.html", chapter[:-2] + "html"): f"{src}/{chapter}" for chapter in chapters}
    sources.setdefault("index.html", f"{src}/{chapters[0]}")
    for language in site.facts.get("catalogues", []):
        sources |= {f"{language}/{page}": source for page, source in sources.items() if page.split("/")[0] not in site.facts["catalogues"]}
    return sources


def page_data(site):
    """The data of each page in the scripts of VitePress."""
    sources = {}
    for script in (site.output / "assets").rglob("*.md.*.js"):
        for page, source in re.findall(r'"relativePath":"([^"]+)","filePath":"([^"]+)"', script.read_text("utf-8")):
            sources[page[:-2] + "html"] = source
    return sources


def same_path(site):
    """One page for each Markdown file, with the same path."""
    src = site.root / site.facts.get("src", "docs")
    sources = {}
    for file in src.rglob("*.md"):
        path = file.relative_to(src).with_suffix("")
        page = path.parent if path.name in ("index", "README") else path
        sources[str(page / "index.html")] = str(file.relative_to(site.root))
    return sources


def starlight(site):
    """The entries of Astro's data store; a page without a translation shows the entry of the default language."""
    docs = unflattened(json.loads(site.truth.read_text("utf-8")))["docs"]
    sources = {re.sub(r"(^|/)index/index\.html$", r"\1index.html", f"{name}/index.html"): entry["filePath"]
               for name, entry in docs.items()}
    for page in site.output.rglob("*.html"):
        file = str(page.relative_to(site.output))
        _, _, untranslated = file.partition("/")
        if file not in sources and untranslated in sources:
            sources[file] = sources[untranslated]
    return sources


def unflattened(values, index=0):
    """A value in the format of the package devalue: its members are indices of other values."""
    value = values[index]
    if isinstance(value, dict):
        return {key: unflattened(values, member) for key, member in value.items()}
    if not isinstance(value, list):
        return value
    if value and value[0] == "Map":
        members = [unflattened(values, member) for member in value[1:]]
        return dict(zip(members[::2], members[1::2]))
    if value and isinstance(value[0], str):
        return value
    return [unflattened(values, member) if member >= 0 else None for member in value]


def eleventy_list(site):
    """The output of `eleventy --to=json`."""
    pages = json.loads(site.truth.read_text("utf-8"))
    return {file_of(site, page["url"]): os.path.normpath(page["inputPath"]) for page in pages if page["url"]}
