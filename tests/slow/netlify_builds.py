"""Runs the Netlify plugin in real, offline builds of Netlify."""
import os
import re
import shutil
import subprocess

from pipeline_checks import NETLIFY_BUILD, TOP, WAYPOST, WORK, check, environment, git


def with_plugin(name, site, build, inputs=()):
    """Makes a site with the npm packages, and a netlify.toml that builds it and runs the plugin."""
    folder = WORK / f"netlify-{name}"
    shutil.copytree(site, folder, ignore=shutil.ignore_patterns("public"))
    table = "\n".join(["[plugins.inputs]", *inputs])
    (folder / "netlify.toml").write_text(
        f"[build]\ncommand = '''{build}'''\npublish = \"public\"\n[[plugins]]\npackage = \"netlify-plugin-waypost\"\n{table}\n")
    git(folder.parent, "init", "--quiet", "--initial-branch=main", str(folder))
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "the site")
    shutil.copytree(WORK / "npm-site/node_modules", folder / "node_modules")
    return folder


def netlify_build(folder, context, arguments=(), **more):
    node = WORK / "bin/node"
    given = arguments or ["--cwd", folder]
    command = [node, NETLIFY_BUILD, "--offline", *given, "--context", context]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment(**more))


def install_packages():
    """Makes the packages of this machine from the program under test, and installs two of them with npm."""
    dist = WORK / "dist"
    for arguments in (["x86_64-unknown-linux-musl", WAYPOST], ["common"]):
        subprocess.run([TOP / "packaging/make", *arguments, dist], check=True, stdout=subprocess.DEVNULL)
    tarballs = [next((dist / "npm").glob(f"{name}-[0-9]*.tgz")) for name in ("netlify-plugin-waypost", "waypost-linux-x64")]
    names = subprocess.run(["tar", "-tzf", tarballs[0]], check=True, capture_output=True, text=True).stdout.split()
    files = ["LICENSE-APACHE", "LICENSE-MIT", "README.md", "index.js", "inputs.js", "manifest.yml", "program.js", "report.js"]
    check("the plugin's package has its modules, its README and the licences",
          {f"package/{name}" for name in files} <= set(names), names)
    site = WORK / "npm-site"
    site.mkdir()
    (site / "package.json").write_text('{"name": "site", "private": true}\n')
    run = subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--omit=dev", *tarballs], cwd=site,
                         capture_output=True, text=True, env=environment(PATH=os.environ["PATH"]))
    binary = site / "node_modules/waypost-linux-x64/bin/waypost"
    check("both npm packages can be installed, and the binary runs", run.returncode == 0 and
          subprocess.run([binary, "--version"], capture_output=True).returncode == 0, run.stdout + run.stderr)


def netlify_plugin_runs():
    site = with_plugin("zola", TOP / "tests/edge-site", "zola build")
    run = netlify_build(site, "production")
    printed = run.stdout + run.stderr
    sitemap = (site / "public/sitemap.xml").read_text()
    listed = re.search(r"(\d+) of \d+ pages in the sitemap", printed)
    check("Netlify: the build succeeds", run.returncode == 0, printed)
    check("Netlify: the sitemap has dates", "<lastmod>" in sitemap and "/print/" not in sitemap,
          sitemap)
    check("Netlify: the summary is shown", listed and int(listed[1]) == sitemap.count("<loc>"),
          printed)

    site = with_plugin("input", TOP / "tests/edge-site", "zola build",
                       ['base_url = "https://example.net/"'])
    run = netlify_build(site, "production")
    printed = run.stdout + run.stderr
    check("Netlify: the base URL is passed to the program",
          run.returncode == 2 and "https://example.net/" in printed
          and "Error: error[base-url-contradicted]" in printed, printed)

    site = with_plugin("strict", TOP / "tests/edge-site", "zola build", ["strict = true"])
    run = netlify_build(site, "production")
    printed = run.stdout + run.stderr
    check("Netlify: warnings fail a strict build",
          run.returncode == 2 and "Error: warning[" in printed, printed)

    plain = WORK / "plain"
    plain.mkdir()
    (plain / "index.html").write_text("<!doctype html><title>x</title><p>x")
    site = with_plugin("plain", plain, "mkdir public && cp index.html public")
    run = netlify_build(site, "production")
    printed = run.stdout + run.stderr
    check("Netlify: without a base URL, the build fails with waypost's message",
          run.returncode == 2 and "no base URL" in printed
          and "--base-url" in printed, printed)
    check("Netlify: without a base URL, no sitemap is written",
          not (site / "public/sitemap.xml").exists())

    preview = "https://deploy-preview-1--site.netlify.app"
    site = with_plugin("preview", TOP / "tests/edge-site", f"zola build --base-url {preview} && rm public/sitemap.xml")
    run = netlify_build(site, "deploy-preview", DEPLOY_PRIME_URL=preview)
    printed = run.stdout + run.stderr
    check("Netlify: a preview build succeeds and reports the preview",
          run.returncode == 0 and "preview" in printed, printed)
    check("Netlify: a preview build writes no sitemap", not (site / "public/sitemap.xml").exists())
    check("Netlify: a preview build adds no sitemap to robots.txt",
          "Sitemap:" not in (site / "public/robots.txt").read_text())


PAGES = "for p in . a b c; do mkdir -p public/$p; echo \"<!doctype html><title>$p</title><p>$p\" >public/$p/index.html; done"
RULES = """
[[headers]]
for = "/a/"
values = { X-Robots-Tag = "noindex" }
[[redirects]]
from = "/b/"
to = "/x"
force = true
[[plugins]]
package = "netlify-plugin-waypost"
[plugins.inputs]
base_url = "https://example.org/"
"""

def headers_and_redirects_above_the_base_directory_count():
    top = WORK / "netlify-base"
    (top / "site").mkdir(parents=True)
    git(WORK, "init", "--quiet", "--initial-branch=main", str(top))
    (top / "netlify.toml").write_text(
        f"[build]\nbase = 'site'\npublish = 'public'\ncommand = '''{PAGES}'''\n{RULES}")
    shutil.copytree(WORK / "npm-site/node_modules", top / "site/node_modules")
    shutil.copy(WORK / "npm-site/package.json", top / "site")
    run = netlify_build(top, "production", ["--repositoryRoot", top])
    sitemap = top / "site/public/sitemap.xml"
    text = sitemap.read_text() if sitemap.exists() else run.stdout + run.stderr
    check("Netlify: the configuration above the base directory counts",
          re.findall(r"<loc>(.*?)</loc>", text) == ["https://example.org/", "https://example.org/c/"], text)


def a_package_of_a_monorepo_has_dates():
    top = WORK / "netlify-package"
    shutil.copytree(TOP / "tests/edge-site", top / "apps/site", ignore=shutil.ignore_patterns("public"))
    (top / "apps/site/netlify.toml").write_text(
        "[build]\ncommand = 'cd apps/site && zola build'\npublish = 'apps/site/public'\n"
        "[[plugins]]\npackage = 'netlify-plugin-waypost'\n")
    shutil.copy(WORK / "npm-site/package.json", top)
    git(WORK, "init", "--quiet", "--initial-branch=main", str(top))
    git(top, "add", "--all")
    git(top, "commit", "--quiet", "--message", "the site")
    shutil.copytree(WORK / "npm-site/node_modules", top / "node_modules")
    run = netlify_build(top, "production", ["--repositoryRoot", top, "--packagePath", "apps/site"])
    printed = run.stdout + run.stderr
    dated = re.search(r"Dates of \d+ pages: (\d+) from Git", printed)
    check("Netlify: the pages of a package have dates, and the summary has their number",
          run.returncode == 0 and dated and int(dated[1]) > 0, printed)


def fake_program(name, script):
    program = WORK / name / "waypost"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return program


def programs_are_checked():
    site = with_plugin("program", TOP / "tests/edge-site", "zola build")
    run = netlify_build(site, "production", WAYPOST_BIN="/bin/true")
    printed = run.stdout + run.stderr
    check("Netlify: another program fails the build without a stack trace",
          run.returncode == 2 and "is not waypost" in printed and "SyntaxError" not in printed, printed)
    broken = fake_program("broken", '[ "$1" = --version ] && echo waypost 9.0.0\nexit 0')
    run = netlify_build(site, "production", WAYPOST_BIN=str(broken))
    printed = run.stdout + run.stderr
    check("Netlify: a program without a result fails the build without a stack trace",
          run.returncode == 2 and "printed no result" in printed and "SyntaxError" not in printed, printed)
    path = f"{fake_program('old', 'echo waypost 0.0.9').parent}:{environment()['PATH']}"
    run = netlify_build(site, "production", PATH=path)
    check("Netlify: the packaged program precedes PATH", run.returncode == 0, run.stdout + run.stderr)
    shutil.rmtree(site / "node_modules/waypost-linux-x64")
    run = netlify_build(site, "production", PATH=path)
    printed = run.stdout + run.stderr
    check("Netlify: an older program on PATH is reported with its version",
          run.returncode == 2 and "is waypost 0.0.9" in printed, printed)


SUBMITS = """[ "$1" = submit ] || exec {waypost} "$@"
while [ "$1" != --record ]; do shift; done
cat "$2/last" >>{log} 2>/dev/null || echo no record >>{log}
echo submitted >"$2/last"
cp public/sitemap.xml "$2" # the record is a copy of the sitemaps
echo '{{"added": 2, "changed": 1, "removed": 0, "requests": []}}'"""


def a_submission_finds_the_record_of_the_last_one():
    log = WORK / "submissions"
    program = fake_program("submits", SUBMITS.format(waypost=WAYPOST, log=log))
    site = with_plugin("submit", TOP / "tests/edge-site", "rm -rf node_modules/.cache && zola build", ["submit = true"])
    for context in ("production", "production", "deploy-preview"):
        run = netlify_build(site, context, WAYPOST_BIN=str(program), CONTEXT=context)
        check(f"Netlify: a {context} build with `submit` succeeds", run.returncode == 0, run.stdout + run.stderr)
    lines = log.read_text().splitlines() if log.exists() else []
    check("Netlify: the record of a submission is cached, and a preview submits nothing",
          lines == ["no record", "submitted"], lines)


def inputs_are_checked():
    site = with_plugin("switch", TOP / "tests/edge-site", "zola build", ['dry_run = "yes"'])
    run = netlify_build(site, "production")
    printed = run.stdout + run.stderr
    check("Netlify: a switch that is neither true nor false fails the build",
          run.returncode == 2 and "`dry_run` is `yes`" in printed, printed)
    site = with_plugin("dry", TOP / "tests/edge-site", "zola build && rm public/sitemap.xml", ["dry_run = true"])
    run = netlify_build(site, "production")
    check("Netlify: with `dry_run`, nothing is written",
          run.returncode == 0 and not (site / "public/sitemap.xml").exists(), run.stdout + run.stderr)


def run():
    install_packages()
    netlify_plugin_runs()
    headers_and_redirects_above_the_base_directory_count()
    a_package_of_a_monorepo_has_dates()
    programs_are_checked()
    a_submission_finds_the_record_of_the_last_one()
    inputs_are_checked()
