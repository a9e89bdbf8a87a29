"""Checks reports in headless Chromium, and validates JSON results.

usage: report.py WAYPOST SITE NODE MODULES

report_views.mjs opens the report in Chromium. Prints each failed check, then 'N passed, M failed'.
"""
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


def chromium(*arguments):
    """Runs Chromium with a temporary profile."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = ["chromium", *FLAGS, f"--user-data-dir={profile}", *arguments]
        return subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120)


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


def judge_report(tally, waypost, site, node, modules):
    """Makes a report, and counts the checks of report_views.mjs, which sees it as people do."""
    file, explained = site / "report.html", site / "explained.jsonl"
    made = run([waypost, "report", ".", "--to", str(file)], site)
    tally.equal(made.returncode, 0, f"exit code of report ({made.stderr[-500:]})")
    explained.write_text(run([waypost, "explain", "--json"], site).stdout)
    script = pathlib.Path(__file__).with_name("report_views.mjs")
    seen = run([node, str(script), modules, shutil.which("chromium"), str(file), str(explained)], site)
    *failures, last = seen.stdout.splitlines() or [seen.stderr[-500:]]
    print("\n".join(failures), end="\n" if failures else "")
    counts = re.fullmatch(r"(\d+) passed, (\d+) failed", last)
    tally.check(counts, f"the views of the report are checked: {last}")
    if counts:
        tally.passed += int(counts[1])
        tally.failed += int(counts[2])


def judge_stylesheet(tally, waypost, site):
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
        judge_report(tally, waypost, site, node, modules)
        judge_results(tally, waypost, site)
        judge_stylesheet(tally, waypost, site)
    tally.end()


if __name__ == "__main__":
    main()
