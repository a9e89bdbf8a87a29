"""Checks reports in headless Chromium, and validates JSON results.

usage: report.py WAYPOST SITE NODE MODULES

Chromium opens the report, with a search in the URL for some checks, and dumps the page that the
script has drawn. Prints each failed check, then 'N passed, M failed'.
"""
import html.parser
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import jsonschema

from judge import Tally, run

FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--window-size=1200,900",
]
HOSTILE = "</title></script><script>document.body.id='hacked'</script><img src=x onerror=\"document.body.id='hacked'\">"


class Tree(html.parser.HTMLParser):
    """Parses the elements of a page, and the text of each element with an id."""

    def __init__(self, text):
        super().__init__()
        self.elements = []
        self.open = []
        self.texts = {}
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.elements.append((tag, attributes, [outer.get("id") for _, outer in self.open]))
        if tag not in ("meta", "link", "input", "br", "img"):
            self.open.append((tag, attributes))

    def handle_endtag(self, tag):
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        for _, attributes in self.open:
            if "id" in attributes:
                self.texts[attributes["id"]] = self.texts.get(attributes["id"], "") + data

    def within(self, name, tag):
        return [attributes for found, attributes, outer in self.elements if found == tag and name in outer]


def chromium(*arguments):
    """Runs Chromium with a temporary profile."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = ["chromium", *FLAGS, f"--user-data-dir={profile}", *arguments]
        return subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120)


def opened(file, search=""):
    """Opens a report, and returns its tree after its script has run."""
    address = file.as_uri() + (f"#q={search}" if search else "")
    return Tree(chromium("--virtual-time-budget=3000", "--dump-dom", address).stdout)


def prepare(folder, site):
    copy = folder / "site"
    shutil.copytree(site, copy)
    hostile = copy / "public" / "hostile.html"
    robots = f"<meta name=robots content='noindex {HOSTILE.replace(chr(39), '')}'>"
    hostile.write_text(f"<!DOCTYPE html><title>h</title>{robots}<p>x")
    (copy / "public" / "<img src=x onerror=alert(1)>.html").write_text("<!DOCTYPE html><title>i</title><p>y")
    commit = ["-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "--quiet", "--message"]
    for command in (["init", "--quiet"], ["add", "content/blog"], [*commit, "Blog"], ["add", "--all"],
                    [*commit, "All"]):
        day = 1 if command[-1] == "Blog" else 9
        run(["env", f"GIT_COMMITTER_DATE=2024-03-0{day}T00:00:00Z", "git", *command], copy)
    return copy


def judge_report(tally, waypost, site):
    file = site / "report.html"
    made = run([waypost, "report", ".", "--to", str(file)], site)
    tally.equal(made.returncode, 0, f"exit code of report ({made.stderr[-500:]})")
    explained = [json.loads(line) for line in run([waypost, "explain", "--json"], site).stdout.splitlines()]
    tree = opened(file)
    root = next(attributes for tag, attributes, _ in tree.elements if tag == "html")
    tally.equal(root.get("data-drawn"), "yes", "the script runs completely")
    reasons = {page["reason"] or "listed" for page in explained}
    bars = {attributes["data-filter"] for tag, attributes, _ in tree.elements if "data-filter" in attributes}
    tally.equal({bar for bar in bars if not bar.startswith("undated: ")}, reasons, "a bar for each reason")
    tally.equal(tree.texts["count"], f"{len(explained)} pages", "all pages are counted")
    tally.equal(len(tree.within("table", "tr")), len(explained) + 1, "each page has a row")
    links = [attributes["href"] for attributes in tree.within("table", "a")]
    tally.equal(sorted(links), sorted(page["url"] for page in explained), "the links are the URLs of the pages")
    tally.check(tree.within("histogram", "span"), "the histogram has bars")
    histogram = next(at for _, at, _ in tree.elements if at.get("id") == "histogram")
    tally.check("aria-label" in histogram, "the histogram has a label")
    tally.check(tree.within("tree", "details"), "the tree has directories")
    titles = [attributes.get("id") for tag, attributes, _ in tree.elements if tag == "h2"]
    tally.check("findings-title" in titles and "since-title" not in titles, "the sections are shown")
    tally.check(not any(tag == "img" for tag, _, _ in tree.elements), "paths are not markup")
    tally.check(not any(attributes.get("id") == "hacked" for _, attributes, _ in tree.elements),
                "scripts of the site do not run")
    loads = [at for _, at, _ in tree.elements if "src" in at or at.get("rel") == "stylesheet"]
    tally.equal(loads, [], "nothing is loaded")
    labelled = {at.get("for") for tag, at, _ in tree.elements if tag == "label"}
    fields = {at.get("id") for tag, at, _ in tree.elements if tag in ("input", "select")}
    tally.equal(fields, labelled, "every field has a label")
    found = opened(file, "mud")
    wanted = [page for page in explained if "mud" in " ".join([page["url"], page["file"], page["source"] or ""])]
    tally.equal(found.texts["count"], f"{len(wanted)} page{'s' * (len(wanted) != 1)}",
                "a search finds the matching pages")
    tree = opened(file, "100%")
    tally.equal(tree.texts["count"], "0 pages",
                "a search with an invalid percent-encoding is used literally")
    return file


def judge_results(tally, waypost, site):
    """Checks the schema of JSON results, and results of each kind against it."""
    text = pathlib.Path(__file__).parents[2].joinpath("waypost-results.schema.json").read_text(encoding="utf-8")
    schema = json.loads(text)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for arguments in [["build", "--dry-run"], ["check"], ["check", "public/sitemap.xml"], ["explain"],
                      ["index", "public/sitemap.xml", "--to", "public/index.xml", "--dry-run"],
                      ["submit", "--all", "--dry-run"]]:
        shown = run([waypost, *arguments, "--json"], site, {"WAYPOST_SUBMIT_KEY": "a1b2c3d4e5"}).stdout
        lines = shown.splitlines() if arguments == ["explain"] else [shown]
        errors = [error.message for line in lines for error in validator.iter_errors(json.loads(line))]
        tally.equal(errors, [], f"{arguments} against the schema of results")
        broken = json.loads(lines[0]) | {"version": 2}
        tally.check(list(validator.iter_errors(broken)), f"the schema rejects another version of {arguments}")


def judge_views(tally, file, node, modules):
    """Counts the checks of report_views.mjs, which sees the report as people do."""
    script = pathlib.Path(__file__).with_name("report_views.mjs")
    seen = run([node, str(script), modules, shutil.which("chromium"), str(file)], file.parent)
    *failures, last = seen.stdout.splitlines() or [seen.stderr[-500:]]
    print("\n".join(failures), end="\n" if failures else "")
    counts = re.fullmatch(r"(\d+) passed, (\d+) failed", last)
    tally.check(counts, f"the views of the report are checked: {last}")
    if counts:
        tally.passed += int(counts[1])
        tally.failed += int(counts[2])


def judge_stylesheet(tally, waypost, site):
    settings = site / "config.toml"
    settings.write_text(settings.read_text() + "\n[extra.waypost.sitemap]\nstylesheet = true\n")
    built = run([waypost], site)
    tally.equal(built.returncode, 0, f"exit code of build ({built.stderr[-500:]})")
    picture = site / "sitemap.png"
    chromium(f"--screenshot={picture}", (site / "public" / "sitemap.xml").as_uri())
    plain = site / "plain.png"
    text = (site / "public" / "sitemap.xml").read_text()
    (site / "plain.xml").write_text(re.sub(r"<\?xml-stylesheet.*?\?>\n", "", text))
    chromium(f"--screenshot={plain}", (site / "plain.xml").as_uri())
    tally.check(picture.read_bytes() != plain.read_bytes(), "the stylesheet changes the rendering")


def main():
    waypost, site, node, modules = sys.argv[1:]
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        site = prepare(pathlib.Path(folder), pathlib.Path(site))
        file = judge_report(tally, waypost, site)
        judge_views(tally, file, node, modules)
        judge_results(tally, waypost, site)
        judge_stylesheet(tally, waypost, site)
    tally.end()


if __name__ == "__main__":
    main()
