#!/usr/bin/env python3
"""Runs the GitHub Action, its example workflows and the Netlify plugin as their hosts run them.

usage: pipelines.py WORK WAYPOST NETLIFY_BUILD ACTION_VALIDATOR      (from pipelines.sh)

WORK contains bin/ with the generators and Node.js. The last line is 'N passed, M failed'.
"""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import action_installs
import first_deploys
import netlify_builds
from github_job import EXPRESSION, Job
from pipeline_checks import TOP, WAYPOST, WORK, check, counts, environment, git, read_yaml

VALIDATOR = sys.argv[4]


def repository(name, source, extra=()):
    """Makes a site in a repository with two commits; the second adds the pages of `extra`."""
    folder = WORK / name
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns("public", "book"))
    git(folder.parent, "init", "--quiet", "--initial-branch=main", str(folder))
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "the site")
    for path, text in extra:
        (folder / path).write_text(text)
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--allow-empty", "--message", "more")
    return folder


def commands(run):
    """Returns the lines that the runner treats as workflow commands."""
    lines = (run.stdout + run.stderr).splitlines()
    return [line for line in lines if line.strip().startswith("::") or "##[" in line]


def action_is_valid():
    workflows = [*(TOP / "examples/github-pages").glob("*.yml"), *(TOP / ".github/workflows").glob("*.yml")]
    for file in [TOP / "action.yml", *sorted(workflows)]:
        # The validator does not know the permission `attestations`.
        known = WORK / file.name
        known.write_text(file.read_text().replace("      attestations: write\n", ""))
        run = subprocess.run([VALIDATOR, known], capture_output=True, text=True, env=environment())
        check(f"{file.relative_to(TOP)} is valid", run.returncode == 0, run.stdout + run.stderr)


def action_runs_on_a_hostile_site():
    titles = "+++\ntitle = \"::error::x ##[set-output name=url-count;]7\"\n+++\n\n"
    pages = [(f"content/new-{number:02}.md",
              titles + '<link rel="canonical" href="::error::https://">\n<meta property="robots" content="noindex">\n')
             for number in range(15)]
    origin = repository("hostile", TOP / "tests/edge-site", pages)
    job = Job("hostile", origin, 1)
    subprocess.run(["zola", "build"], cwd=job.folder, check=True, capture_output=True, env=environment())
    run = job.act(base_url="https://example.org/")
    shown = run.stdout + run.stderr
    check("the action succeeds", run.returncode == 0, shown)
    outputs = job.outputs()
    urls = (job.folder / "public/sitemap.xml").read_text().count("<loc>")
    pages = sum(1 for file in (job.folder / "public").rglob("*.html"))
    names = ["sitemap-path", "url-count", "excluded-count", "changed-count"]
    check("the action sets its four outputs", list(outputs) == names, outputs)
    check("sitemap-path is the path of the sitemap",
          (job.folder / outputs["sitemap-path"]).is_file(), outputs)
    check("url-count is the number of URLs", outputs["url-count"] == str(urls), (outputs, urls))
    check("all pages are counted",
          int(outputs["url-count"]) + int(outputs["excluded-count"]) == pages,
          (outputs, pages))
    all_commands = commands(run)
    known = [line for line in all_commands
             if re.match(r"::(warning|error|notice) (file=[^:,]*,line=\d+,(col=\d+,)?)?title=[\w-]+::", line)]
    check("only annotations of waypost are commands", all_commands == known and known,
          "\n".join(all_commands))
    check("ten warnings are annotated", sum(line.startswith("::warning") for line in known) == 10,
          known)
    check("sources are annotated", any("file=content/new-00.md,line=1" in line for line in known),
          "\n".join(known))
    check("the hint for a shallow clone is the one for GitHub",
          "fetch-depth: 0" in job.files["GITHUB_STEP_SUMMARY"].read_text()
          or any("fetch-depth%3A 0" in line or "fetch-depth: 0" in line for line in known), "\n".join(known))
    summary = job.files["GITHUB_STEP_SUMMARY"].read_text()
    check("the summary has the number of listed pages", f"### {urls} of {pages} pages" in summary,
          summary)
    check("the summary has every finding", summary.count("warning[robots-tag-ignored]") == 15, summary)


def action_takes_no_input_for_a_script():
    origin = repository("inputs", TOP / "tests/edge-site")
    job = Job("inputs", origin, 0)
    subprocess.run(["zola", "build"], cwd=job.folder, check=True, capture_output=True, env=environment())
    evil = f"\"; touch {WORK}/owned; echo \"$(touch {WORK}/owned)"
    for name in ("site", "output-dir", "base-url", "config", "dry-run", "strict", "version"):
        job.act(**{name.replace("-", "_"): evil})
        check(f"the input {name} is not run as a script", not (WORK / "owned").exists())
    run = job.act(base_url="no address")
    check("an error is annotated and the exit code is 2",
          run.returncode == 2 and "::error title=waypost::" in run.stdout or
          run.returncode == 2 and run.stderr.startswith("error"), run.stdout + run.stderr)
    run = job.act(strict="true")
    check("with `strict`, the exit code is 1", run.returncode == 1, run.stdout + run.stderr)


def switches_and_lists_are_read_as_written():
    job = Job("switches", repository("switches", TOP / "tests/edge-site"), 0)
    subprocess.run(["zola", "build"], cwd=job.folder, check=True, capture_output=True, env=environment())
    before = (job.folder / "public/sitemap.xml").read_bytes()
    for value in ("true", "True", "TRUE"):
        run = job.act(dry_run=value)
        same = (job.folder / "public/sitemap.xml").read_bytes() == before
        check(f"`dry-run: {value}` writes nothing", run.returncode == 0 and same, run.stdout + run.stderr)
    for value in ("yes", "1", "on"):
        run = job.act(dry_run=value)
        check(f"`dry-run: {value}` is an error", run.returncode == 2 and "neither true nor false" in run.stdout,
              run.stdout + run.stderr)
    (job.folder / "map.csv").write_text("about/index.html,content/about.md\n")
    run = job.act(source_map="  map.csv \r\n\r\n", dry_run="true")
    check("blanks and carriage returns around an item do not count", run.returncode == 0, run.stdout + run.stderr)


def examples_work(name, site, built):
    workflow = read_yaml(TOP / f"examples/github-pages/{name}.yml")
    steps_work(f"{name}.yml", workflow["jobs"]["build"]["steps"], site, built)


def the_page_of_github_works():
    """The first block of the page in the documentation has the steps for a Zola site."""
    page = (TOP / "docs/src/hosts/github-pages.md").read_text()
    file = WORK / "github-pages.yml"
    file.write_text(page.split("```yaml\n")[1].split("```")[0])
    steps_work("github-pages.md", read_yaml(file)["steps"], TOP / "tests/edge-site", "public", "https://example.org")


def steps_work(name, steps, site, built, base="https://example.org/docs"):
    depth = steps[0]["with"]["fetch-depth"]
    job = Job(f"example-{name}", repository(f"example-{name}", site), depth)
    values = {"steps.pages.outputs.base_url": base}
    for step in steps:
        if "run" in step:
            run = job.run(step, values)
            check(f"{name}: {step['run']}", run.returncode == 0, run.stdout + run.stderr)
        elif "waypost" in step["uses"]:
            inputs = {key: EXPRESSION.sub(lambda match: values[match[1]], value)
                      for key, value in step["with"].items()}
            run = job.act(**{key.replace("-", "_"): value for key, value in inputs.items()})
            check(f"{name}: waypost", run.returncode == 0, run.stdout + run.stderr)
    sitemap = (job.folder / built / "sitemap.xml").read_text()
    check(f"{name}: the sitemap has URLs and dates",
          f"<loc>{base}/" in sitemap and "<lastmod>" in sitemap, sitemap[:500])
    upload = next(step for step in steps if "upload-pages-artifact" in step.get("uses", ""))
    check(f"{name}: the published directory contains the sitemap",
          upload["with"]["path"] == built)


# The parts in shards.yml; `rest` has the pages that are in no other segment.
SEGMENTS = """
[params.waypost.lastmod]
lists = "own"
[params.waypost.sitemap]
max_urls = 3
[segments.blog]
includes = [{ path = "{/posts,/posts/**}" }]
[segments.docs]
includes = [{ path = "{/about,/about/**}" }]
[segments.notes]
includes = [{ path = "{/thanks,/thanks/**}" }]
[segments.rest]
includes = [{ path = "/**" }]
excludes = [{ path = "{/posts,/posts/**,/about,/about/**,/thanks,/thanks/**}" }]
"""


def parts_are_the_whole():
    """Tests shards.yml: the index over four parts leads to the entries of one build of the whole site."""
    jobs = read_yaml(TOP / "examples/github-pages/shards.yml")["jobs"]
    origin = repository("shards", TOP / "tests/slow/sites/hugo")
    with open(origin / "hugo.toml", "a", encoding="utf-8") as config:
        config.write(SEGMENTS)
    git(origin, "commit", "--quiet", "--all", "--message", "segments")
    base = "https://example.org/docs"
    whole, last = Job("shards-whole", origin, 0), Job("shards-last", origin, 1)
    built = whole.run({"run": f"hugo --minify --baseURL {base}/"}, {})
    run = whole.act(base_url=base)
    check("shards.yml: the whole site is built", built.returncode == run.returncode == 0,
          built.stderr + run.stderr)
    build, upload = [step for step in jobs["part"]["steps"]
                     if "run" in step or "upload-artifact" in step.get("uses", "")]
    own = next(step for step in jobs["part"]["steps"] if "/waypost@" in step.get("uses", ""))
    accepted = own["with"]["accept"]
    for segment in jobs["part"]["strategy"]["matrix"]["segment"]:
        values = {"steps.pages.outputs.base_url": base, "matrix.segment": segment}
        job = Job(f"shards-{segment}", origin, 0)
        job.variables = {name: EXPRESSION.sub(lambda match: values[match[1]], value)
                         for name, value in jobs["part"]["env"].items()}
        built, run = job.run(build, values), job.act(base_url=base, accept=accepted)
        check(f"shards.yml: {segment} is built", built.returncode == run.returncode == 0,
              built.stderr + run.stdout + run.stderr)
        name = EXPRESSION.sub(lambda match: values[match[1]], upload["with"]["name"])
        shutil.copytree(job.folder / upload["with"]["path"], last.folder / "parts" / name)
    (WORK / "bin/waypost").symlink_to(WAYPOST)
    step = next(step for step in jobs["whole"]["steps"] if step.get("name") == "Write the index")
    run = last.run(step, {"steps.pages.outputs.base_url": base})
    (WORK / "bin/waypost").unlink()
    check("shards.yml: the index is written", run.returncode == 0, run.stdout + run.stderr)
    entries = [sorted(entry for path in (job.folder / "public").glob("sitemap*.xml")
                      for entry in re.findall("<url>.*?</url>", path.read_text(), re.DOTALL))
               for job in (whole, last)]
    # The page of the segment `notes` is noindexed, so that part has no sitemap.
    parts = {path.name.split("-")[1].removesuffix(".xml") for path in (last.folder / "public").glob("sitemap-*.xml")}
    check("shards.yml: the parts have the entries of the whole site",
          entries[0] == entries[1] and len(entries[0]) > 3 and len(parts) == 3, (parts, entries))


def main():
    action_is_valid()
    action_runs_on_a_hostile_site()
    action_takes_no_input_for_a_script()
    switches_and_lists_are_read_as_written()
    action_installs.run()
    examples_work("zola", TOP / "tests/edge-site", "public")
    examples_work("hugo", TOP / "tests/slow/sites/hugo", "public")
    the_page_of_github_works()
    first_deploys.printed_steps_work(repository)
    examples_work("mdbook", TOP / "tests/slow/sites/mdbook", "book")
    parts_are_the_whole()
    netlify_builds.run()
    print(f"{counts[True]} passed, {counts[False]} failed")
    sys.exit(0 if counts[False] == 0 else 1)


main()
