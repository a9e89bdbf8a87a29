#!/usr/bin/env -S python3 -B
"""Checks the documentation: the built book, and the commands of the guides.

usage: docs.py TOP WORK [NAME=DIR...]

TOP is the repository, WORK an empty directory. A guide runs in WORK, or in the directory given for its site. All programs are
on the search path. The last line is 'N passed, M failed'.
"""
import functools
import http.server
import json
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import xml.etree.ElementTree

from txtar import SiteArchive

LOC = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"
LASTMOD = "{http://www.sitemaps.org/schemas/sitemap/0.9}lastmod"
results = {True: 0, False: 0}


def check(about, passes, detail=""):
    results[bool(passes)] += 1
    if not passes:
        print(f"FAILED {about}\n{detail}")


def run(command, cwd):
    done = subprocess.run(["sh", "-c", command], cwd=cwd, capture_output=True, text=True, errors="replace")
    return done.returncode, done.stdout + done.stderr


class Server(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


def serve(folder):
    """Serves a directory on a free loopback port, and returns its base URL."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Server, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/"


def commit(folder):
    script = "git init --quiet --initial-branch=main && git add --all && git commit --quiet -m site"
    code, printed = run(script, folder)
    assert code == 0, printed


def entries(sitemap):
    root = xml.etree.ElementTree.parse(sitemap).getroot()
    return {entry.findtext(LOC): entry.findtext(LASTMOD) for entry in root}


def check_book(top, work):
    """The book, in a repository of its own, so that neither local changes nor a shallow clone matter."""
    root = work / "book"
    shutil.copytree(top / "docs", root / "docs", ignore=shutil.ignore_patterns("book"))
    (root / ".gitignore").write_text("/docs/book\n")
    commit(root)
    base = serve(root / "docs/book")
    code, printed = run(f"docs/build {base}", root)
    check("the book is built without a finding", code == 0, printed)
    book = root / "docs/book"
    listed = entries(book / "sitemap.xml")
    contents = (root / "docs/src/SUMMARY.md").read_text()
    chapters = re.findall(r"\]\(([^)]+)\.md\)", contents)
    urls = {base + re.sub("(^|/)index.html$", r"\1", f"{chapter}.html") for chapter in chapters}
    check("the sitemap lists every chapter and nothing else", set(listed) == urls, str(sorted(set(listed) ^ urls)))
    check("every chapter has a date", all(listed.values()), str(listed))
    result = json.loads((book / "check.json").read_text())
    check("the check finds nothing", result["findings"] == [], str(result["findings"]))
    check("the report is there", "<html" in (book / "report.html").read_text())
    code, printed = run(f"waypost check {base} --live --strict", work)
    check("a check of the served book finds nothing", code == 0, printed)


def check_guide(guide, top, folders, work):
    """Runs the commands of a guide in the site of the generator, without the site's built output."""
    text = guide.read_text()
    name = re.search("<!-- site: (.+) -->", text)
    commands = re.findall(r"^\$ (.+)\n((?:(?!\$ |```).*\n)*)", text, re.MULTILINE)
    commands += [(command, "") for block in re.findall("^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL) for command in block.splitlines()]
    if not name:
        where = "the tests of cargo run its commands" if commands else "it has no commands"
        print(f"not run: {guide.name}, {where}")
        return
    name = name[1]
    folder = pathlib.Path(folders.get(name, work / guide.stem))
    if name == "this page":
        outputs = ()
        unpack(SiteArchive.parse(re.search("```txtar\n(.*?)```", text, re.DOTALL)[1]), folder, outputs)
    else:
        archive = SiteArchive.read(top / f"tests/generators/{name}.txtar")
        outputs = tuple(f"{output}/" for output in re.findall(r"^# (\S+)", archive.comment, re.MULTILINE))
        unpack(archive, folder, outputs)
        # A package.json in the guide is that of the site.
        for block in re.findall("```json\n(.*?)```", text, re.DOTALL):
            (folder / "package.json").write_text(block)
        (folder / ".gitignore").write_text("".join(f"/{output}\n" for output in outputs))
        commit(folder)
    for command, shown in commands:
        code, printed = run(command, folder)
        check(f"{guide.name}: {command}", code == 0, printed)
        printed = printed.lstrip("\n")
        if shown:
            check(f"{guide.name}: {command} prints what the page shows", printed == shown, f"{printed}instead of\n{shown}")
    sitemaps = [sitemap for output in outputs or ("",) for sitemap in (folder / output).rglob("sitemap*.xml")]
    dates = [date for sitemap in sitemaps for date in entries(sitemap).values()]
    check(f"{guide.name}: the sitemap lists pages with dates", any(dates), str(dates))


def unpack(archive, folder, outputs):
    """Writes the files of a site that are not in an output directory."""
    for file, content in archive.files.items():
        if not file.startswith(outputs):
            path = folder / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def main():
    top, work = (pathlib.Path(path) for path in sys.argv[1:3])
    folders = dict(pair.split("=", 1) for pair in sys.argv[3:])
    check_book(top, work)
    for guide in sorted((top / "docs/src/guides").glob("*.md")):
        check_guide(guide, top, folders, work)
    print(f"{results[True]} passed, {results[False]} failed")
    sys.exit(1 if results[False] else 0)


main()
