#!/usr/bin/env python3
"""Runs `waypost init --write` on fresh sites, and then what it leads to, as each host does.

usage: init.py WORK WAYPOST NETLIFY_BUILD GENERATOR...      (from init.sh)

WORK contains bin/ with Node.js, and generators/ with the programs of the generators. waypost itself comes
from npm and pip alone, as on the hosts. The last line is 'N passed, M failed'.
"""
import json
import re
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from xml.etree import ElementTree

import init_sites
import local_packages
from github_job import Job
from init_sites import BASE, commit
from netlify_builds import netlify_build
from pipeline_checks import TOP, WAYPOST, WORK, check, counts, environment, git, read_yaml

# The archives of the generators are at a host that tests do not use. `curl` gets the programs of tools.sh.
CURL = """#!/bin/sh
for url; do :; done
case $url in
https://github.com/getzola/zola/releases/download/*/zola-*-linux-gnu.tar.gz) program=zola ;;
https://github.com/gohugoio/hugo/releases/download/*/hugo_*linux-amd64.tar.gz) program=hugo ;;
https://github.com/rust-lang/mdBook/releases/download/*/mdbook-*-linux-musl.tar.gz) program=mdbook ;;
*) exec /usr/bin/curl "$@" ;;
esac
exec tar -cz -C {generators}/$program $program
"""
NOT_RUN = """not run: the downloads of Zola, Hugo and mdBook from their releases, replaced by the programs of tools.sh
not run: actions of others in workflows (checkout, setup, install, upload), imitated
not run: container images and the machines of hosts: commands run on this machine, with the programs of the image
not run: `apk` and `apt-get`, which install Node.js in the images of Alpine and Debian"""


@dataclass
class Trial:
    """A site on a host: a copy of its repository, in which `waypost init` runs."""

    site: init_sites.Site
    host: str
    network: dict
    has_generator: bool  # on the machine that builds

    def __post_init__(self):
        self.name = f"{self.site.name}-{self.host}"
        self.origin = WORK / f"{self.name}-origin"
        self.tmp = WORK / f"{self.name}-tmp"
        self.tmp.mkdir()
        shutil.copytree(self.site.folder, self.origin, ignore=shutil.ignore_patterns("node_modules"))

    def write(self, name, text):
        file = self.origin / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def init(self, **variables):
        """Runs `waypost init --write`; returns the step to paste, if any, and everything on stdout."""
        command = [WAYPOST, "init", *self.site.arguments, "--write", self.site.root or "."]
        run = subprocess.run(command, cwd=self.origin, capture_output=True, text=True, env=environment(**variables))
        check(f"{self.name}: init succeeds", run.returncode == 0, run.stdout + run.stderr)
        first, *_ = run.stdout.split("\n\n")
        lines = [line for line in first.splitlines(keepends=True) if not line.startswith("# ")]
        return "".join(lines), run.stdout + run.stderr

    def again(self, expected="", **variables):
        """Checks that a second run changes nothing, and commits the result of the first."""
        git(self.origin, "add", "--all")
        before = self.tree()
        step, printed = self.init(**variables)
        git(self.origin, "add", "--all")
        check(f"{self.name}: a second run changes nothing", self.tree() == before and step == expected, printed)
        commit(self.origin, "2024-07-01T10:00:00Z", "waypost")

    def tree(self):
        return subprocess.run(["git", "-C", self.origin, "write-tree"], check=True, capture_output=True).stdout

    def variables(self, **more):
        """The environment of a machine: its programs, and the packages of this checkout."""
        path = [str(WORK / "bin"), "/usr/local/bin", "/usr/bin", "/bin"]
        if self.has_generator:
            path.insert(0, str(WORK / "generators" / self.site.generator))
        if self.site.image.startswith("python"):
            path.insert(0, str(self.python() / "bin"))
        return self.network | {"PATH": ":".join(path)} | more

    def python(self):
        venv = self.tmp / "python"
        if not venv.exists():
            subprocess.run(["/usr/bin/python3", "-m", "venv", venv], check=True, env=environment())
        return venv

    def clone(self, depth):
        return Job(self.name, self.origin, depth).folder

    def own_tmp(self, text):
        """Replaces /tmp, which is empty on a new machine, by a directory of this trial."""
        return text.replace("/tmp", str(self.tmp))

    def run(self, folder, script, **variables):
        """Runs a script in one shell, as hosts run a build command."""
        run = subprocess.run(["bash", "-eo", "pipefail", "-c", self.own_tmp(script)], cwd=folder, capture_output=True, text=True,
                             env=environment(**self.variables(**variables)))
        check(f"{self.name}: `{script.splitlines()[0][:60]}` succeeds", run.returncode == 0, run.stdout + run.stderr)

    def is_true(self, output):
        """Checks the sitemap: its schema, its pages, and its dates against those of Git."""
        file = output / "sitemap.xml"
        if not file.exists():
            check(f"{self.name}: there is a sitemap", False, sorted(str(path) for path in output.glob("*"))[:20])
            return
        schema = TOP / "tests/schemas/all.xsd"
        run = subprocess.run(["xmllint", "--nonet", "--noout", "--schema", schema, file], capture_output=True, text=True)
        check(f"{self.name}: the sitemap follows the schema", run.returncode == 0, run.stderr)
        space = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
        entries = ElementTree.parse(file).getroot()
        dates = {page_of(entry.findtext(f"{space}loc")): entry.findtext(f"{space}lastmod") for entry in entries}
        dates = {page: date and datetime.fromisoformat(date) for page, date in dates.items()}
        expected = {page: self.site.dates("-1", "--", *sources)[0] for page, sources in self.site.pages.items()}
        shown = {page: dates.get(page) for page in expected}
        check(f"{self.name}: the pages have the dates of `git log`", shown == expected, f"{dates}\ninstead of\n{expected}")
        unknown = set(dates.values()) - set(self.site.dates()) - {None}
        check(f"{self.name}: every date is that of a commit", not unknown, f"{unknown} in {dates}")


def page_of(url):
    """The path of a page without the parts that depend on how a host serves it."""
    return url.removeprefix(BASE).removesuffix("/").removesuffix(".html")


def github_pasted(trial):
    step, _ = trial.init(GITHUB_ACTIONS="true")
    text = "on: push\njobs:\n  site:\n    runs-on: ubuntu-latest\n    steps:\n" + indented(step, 6)
    trial.write(".github/workflows/site.yml", text)
    trial.again(GITHUB_ACTIONS="true")
    run_workflow(trial)


def github_patched(trial):
    site = trial.site
    steps = ["uses: actions/checkout@v5", site.action, *(f"run: {command}" for command in site.install),
             f"run: {site.build}" + (f"\n  working-directory: {site.root}" if site.root else ""),
             f"uses: actions/upload-pages-artifact@v4\n  with:\n    path: {site.root or '.'}/{site.output}"]
    text = "".join(f"- {step}\n" for step in steps if step)
    trial.write(".github/workflows/site.yml", "on: push\njobs:\n  site:\n    runs-on: ubuntu-latest\n    steps:\n" + indented(text, 6))
    step, printed = trial.init()
    check(f"{trial.name}: the workflow is changed", step == "", printed)
    trial.again()
    run_workflow(trial)


def run_workflow(trial):
    steps = read_yaml(trial.origin / ".github/workflows/site.yml")["jobs"]["site"]["steps"]
    depth = steps[0].get("with", {}).get("fetch-depth", 1)
    job = Job(trial.name, trial.origin, depth)
    for step in steps:
        if "run" in step:
            step = step | {"run": trial.own_tmp(step["run"])}
            # An empty WAYPOST_BIN: the program comes from the packages.
            run = job.run(step, {}, **trial.variables(GITHUB_REF="refs/heads/main", WAYPOST_BIN=""))
            check(f"{trial.name}: `{step['run'][:60]}` succeeds", run.returncode == 0, run.stdout + run.stderr)
        else:
            imitate(trial, job, step)
    trial.is_true(job.folder / trial.site.root / trial.site.output)


def imitate(trial, job, step):
    """Does what an action of others does."""
    action = step["uses"].split("@")[0]
    if action in ("taiki-e/install-action", "peaceiris/actions-hugo"):
        tool = step.get("with", {}).get("tool", "hugo").split("@")[0]
        check(f"{trial.name}: the action installs the generator", tool == trial.site.generator, step)
        trial.has_generator = True
    elif action == "actions/upload-pages-artifact":
        check(f"{trial.name}: the artifact has the sitemap", (job.folder / step["with"]["path"] / "sitemap.xml").exists())
    else:
        check(f"{trial.name}: the action {action} is known", action == "actions/checkout", step)


GITLAB = {"GITLAB_CI": "true", "CI_COMMIT_BRANCH": "main", "CI_DEFAULT_BRANCH": "main"}


def gitlab_pasted(trial):
    step, _ = trial.init(GITLAB_CI="true")
    trial.write(".gitlab-ci.yml", step)
    trial.again(GITLAB_CI="true")
    run_gitlab(trial)


def gitlab_patched(trial):
    site = trial.site
    build = [f"cd {site.root}"] if site.root else []
    commands = [*build, *site.install, site.build]
    trial.write(".gitlab-ci.yml", f"pages:\n  image: {site.image}\n  script:\n" + "".join(f"    - {line}\n" for line in commands))
    step, printed = trial.init()
    check(f"{trial.name}: the pipeline is changed", step == "", printed)
    trial.again()
    run_gitlab(trial)


def run_gitlab(trial):
    job = read_yaml(trial.origin / ".gitlab-ci.yml")["pages"]
    check(f"{trial.name}: the image has the generator's language", job["image"] == trial.site.image, job)
    clone = trial.clone(int(job.get("variables", {}).get("GIT_DEPTH", 20)))
    trial.run(clone, "\n".join(job["script"]), **GITLAB)
    output = f"{trial.site.root}/{trial.site.output}".strip("/")
    check(f"{trial.name}: the artifacts are the output", job["artifacts"]["paths"] == [output], job)
    trial.is_true(clone / output)


NETLIFY = {"NETLIFY": "true", "CONTEXT": "production", "BRANCH": "main", "URL": BASE}


def netlify_pasted(trial):
    step, _ = trial.init(NETLIFY="true")
    trial.write("netlify.toml", step)
    trial.again(NETLIFY="true")
    run_netlify(trial)


def netlify_patched(trial):
    site = trial.site
    base = f'base = "{site.root}"\n' if site.root else ""
    trial.write("netlify.toml", f'[build]\n{base}command = "{site.build}"\npublish = "{site.output}"\n')
    step, printed = trial.init()
    check(f"{trial.name}: netlify.toml is changed", step == "", printed)
    trial.again()
    run_netlify(trial)


def run_netlify(trial):
    clone = trial.clone(0)
    file = clone / "netlify.toml"
    file.write_text(trial.own_tmp(file.read_text()))
    packages(trial, clone)
    run = netlify_build(clone, "production", ["--repositoryRoot", clone], **trial.variables(**NETLIFY))
    check(f"{trial.name}: Netlify Build succeeds", run.returncode == 0, run.stdout + run.stderr)
    build = tomllib.loads(file.read_text())["build"]
    trial.is_true(clone / build.get("base", "") / build["publish"])


def packages(trial, clone):
    """Netlify, Vercel and Cloudflare install the packages of package.json before the build."""
    if (clone / "package-lock.json").exists():
        trial.run(clone, "npm install --silent")


VERCEL = {"VERCEL": "1", "VERCEL_ENV": "production", "VERCEL_GIT_COMMIT_REF": "main",
          "VERCEL_PROJECT_PRODUCTION_URL": BASE.split("/")[2]}


def vercel_pasted(trial):
    step, printed = trial.init(VERCEL="1")
    trial.write("vercel.json", step)
    trial.again(VERCEL="1")
    run_vercel(trial, printed)


def vercel_patched(trial):
    command = f"cd {trial.site.root} && {trial.site.build}" if trial.site.root else trial.site.build
    output = f"{trial.site.root}/{trial.site.output}".strip("/")
    trial.write("vercel.json", json.dumps({"buildCommand": command, "outputDirectory": output}, indent=2))
    step, printed = trial.init()
    check(f"{trial.name}: vercel.json is changed", step == "", printed)
    trial.again()
    run_vercel(trial, printed)


def run_vercel(trial, printed):
    config = json.loads((trial.origin / "vercel.json").read_text())
    check(f"{trial.name}: Vercel accepts the length of the command", len(config["buildCommand"]) <= 256, config)
    clone = trial.clone(0 if "VERCEL_DEEP_CLONE=true" in printed else 10)
    packages(trial, clone)
    trial.run(clone, config["buildCommand"], **VERCEL)
    trial.is_true(clone / config["outputDirectory"])
    return clone


def cloudflare_pasted(trial):
    step, _ = trial.init(CF_PAGES="1")
    trial.again(step, CF_PAGES="1")
    clone = trial.clone(1)
    packages(trial, clone)
    trial.run(clone, step, CF_PAGES="1", CF_PAGES_BRANCH="main")
    trial.is_true(clone / trial.site.root / trial.site.output)


def readthedocs_pasted(trial):
    """Its own build of MkDocs is that of its documentation: build.jobs around `mkdocs build`."""
    own = trial.site.generator == "mkdocs"
    step, _ = trial.init(READTHEDOCS="True")
    trial.write(".readthedocs.yaml", step + ("mkdocs:\n  configuration: mkdocs.yml\n" if own else ""))
    trial.again(READTHEDOCS="True")
    build = read_yaml(trial.origin / ".readthedocs.yaml")["build"]
    check(f"{trial.name}: the build has the generator's language",
          trial.site.image.replace("node:", "nodejs:") in [f"{name}:{value}" for name, value in build["tools"].items()], build)
    clone = trial.clone(50)
    variables = {"READTHEDOCS": "True", "READTHEDOCS_VERSION_TYPE": "branch", "READTHEDOCS_CANONICAL_URL": BASE,
                 "READTHEDOCS_OUTPUT": str(clone / "_readthedocs")}
    jobs = build["jobs"]
    standard = ["pip install --quiet mkdocs", 'mkdocs build --clean --site-dir "$READTHEDOCS_OUTPUT/html"'] if own else []
    for command in [*jobs["post_checkout"], *standard, *jobs.get("build", {}).get("html", []), *jobs.get("post_build", [])]:
        trial.run(clone, command, **variables)
    trial.is_true(clone / "_readthedocs/html")


def package_script(trial):
    """A build by the script of package.json, on a machine without any host."""
    add_build_script(trial)
    step, printed = trial.init()
    check(f"{trial.name}: package.json is changed", step == "", printed)
    trial.again()
    clone = trial.clone(0)
    trial.run(clone, " && ".join([*trial.site.install, "npm run build"]))
    trial.is_true(clone / trial.site.output)


def add_build_script(trial):
    file = trial.origin / "package.json"
    package = json.loads(file.read_text())
    package.setdefault("scripts", {}).setdefault("build", trial.site.build.removeprefix("npx @11ty/"))
    file.write_text(json.dumps(package, indent=2) + "\n")


def pnpm_lock(trial):
    other_lock(trial, "pnpm")


def yarn_lock(trial):
    other_lock(trial, "yarn@1")


def other_lock(trial, manager):
    """The lock file of a package manager that runs no script after the one named `build`."""
    (trial.origin / "package-lock.json").unlink()
    add_build_script(trial)
    trial.run(trial.origin, f"npx --yes {manager} install")
    step, printed = trial.init(VERCEL="1")
    check(f"{trial.name}: the step installs with {manager}", f"npx --yes {manager} install" in step, printed)
    trial.write("vercel.json", step)
    trial.again(VERCEL="1")
    clone = run_vercel(trial, printed)
    shutil.rmtree(clone / trial.site.output)
    trial.run(clone, f"npx --yes {manager} run build")
    trial.is_true(clone / trial.site.output)


PASTED = [github_pasted, gitlab_pasted, netlify_pasted, vercel_pasted, cloudflare_pasted, readthedocs_pasted]
HOSTS = [*PASTED, github_patched, gitlab_patched, netlify_patched, vercel_patched]
# The build of Docusaurus takes a minute, and has the same steps as that of Eleventy.
HOSTS_OF = {"plain": PASTED, "docusaurus": [package_script], "eleventy": [*HOSTS, package_script, pnpm_lock, yarn_lock]}


def indented(text, blanks):
    return re.sub("^(?=.)", " " * blanks, text, flags=re.MULTILINE)


def main():
    curl = WORK / "bin/curl"
    curl.write_text(CURL.replace("{generators}", str(WORK / "generators")))
    curl.chmod(0o755)
    print(NOT_RUN)
    with local_packages.served() as network:
        for generator in sys.argv[4:]:
            for root in ("", "docs") if generator == "mdbook" else ("",):
                site = init_sites.make(generator, network, root)
                for host in HOSTS_OF.get(generator, HOSTS):
                    trial = Trial(site, host.__name__.replace("_", "-"), network, host.__name__.endswith("_patched"))
                    host(trial)
    print(f"{counts[True]} passed, {counts[False]} failed")
    sys.exit(0 if counts[False] == 0 else 1)


main()
