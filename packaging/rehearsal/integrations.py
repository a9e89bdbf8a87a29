"""The integrations, each in its real tool."""
import os
import shutil
import tomllib

from publishing import CHECKOUT, PYTHON, npm_package, version
from small_site import BASE, FILES, SITEMAP, make, sitemap_of
from stage import NODE, TOOLS, TOP, WORK, Stopwatch, check, download, git, record, run

DATE = "<lastmod>2024-05-06T07:08:09Z</lastmod>"


def mkdocs(urls):
    """The plugin gets the URL and the directories from MkDocs, not from defaults."""
    venv = WORK / "mkdocs"
    download("python3", "-m", "venv", venv)
    download(venv / "bin/pip", "install", "--quiet", "mkdocs==1.6.1")
    site = make(WORK / "mkdocs-site", {
        "docs/mkdocs.yml": f"site_name: Site\nsite_url: {BASE}docs/\ndocs_dir: pages\nsite_dir: out\ntheme: mkdocs\nplugins: [waypost]\n",
        "docs/pages/index.md": "# Home\n", "docs/pages/about.md": "# About\n"})
    with Stopwatch() as watch:
        installed = run(venv / "bin/pip", "install", "--quiet", "--index-url", f"{urls['pypi']}simple/", "waypost")
        code, printed = run(venv / "bin/mkdocs", "build", "--config-file", "docs/mkdocs.yml", cwd=site)
    written = sitemap_of(site, "docs/out")
    lines = {f"<url><loc>{BASE}docs/</loc>{DATE}</url>", f"<url><loc>{BASE}docs/about/</loc>{DATE}</url>"}
    is_true = code == 0 and lines == {line for line in written.splitlines() if "<loc>" in line}
    check("MkDocs: the sitemap is true", is_true, f"{installed}{printed}\n{written}")
    record("MkDocs plugin", "plugins: [waypost]", "virtual environment, MkDocs 1.6.1", watch.seconds, "true" if is_true else "FAILED")
    # A finding at level `deny` fails the build of MkDocs.
    (site / "docs/waypost.toml").write_text('[levels]\nno-such-code = "deny"\n')
    code, printed = run(venv / "bin/mkdocs", "build", "--config-file", "docs/mkdocs.yml", cwd=site)
    check("MkDocs: a mistake in the settings fails the build", code != 0 and "waypost ended with exit code 2" in printed, printed)


def docusaurus(urls):
    """Two languages: one sitemap for both, after the last one is built."""
    prefix = TOOLS / "docusaurus-3"
    npm_package(prefix, "@docusaurus/core@3.10.2", "@docusaurus/preset-classic@3.10.2", "react@18.3.1", "react-dom@18.3.1")
    site = prefix / f"site-{os.getpid()}"
    config = f"""export default {{
  title: "Site", url: "{BASE}", baseUrl: "/base/",
  i18n: {{ defaultLocale: "en", locales: ["fr", "en"] }},
  plugins: ["waypost/docusaurus"],
  presets: [["classic", {{ blog: false, sitemap: false, theme: {{}} }}]],
}};
"""
    try:
        make(site, {"docusaurus.config.js": config, "package.json": '{"private": true}',
                    ".gitignore": "node_modules\nbuild\n.docusaurus\n", "docs/intro.md": "# Intro\n",
                    "src/pages/index.md": "# Home\n"})
        with Stopwatch() as watch:
            installed = run("npm", "install", "--silent", "waypost", cwd=site)
            command = prefix / "node_modules/@docusaurus/core/bin/docusaurus.mjs"
            code, printed = run(NODE, command, "build", cwd=site)
        written = sitemap_of(site, "build")
        listed = {line.split("<loc>")[1].split("</loc>")[0] for line in written.splitlines() if "<loc>" in line and DATE in line}
        paths = ["", "docs/intro/", "fr/", "fr/docs/intro/"]
        trimmed = {url.removesuffix("/") for url in listed}
        is_true = code == 0 and trimmed == {f"{BASE}base/{path}".removesuffix("/") for path in paths}
        check("Docusaurus: one true sitemap for all languages", is_true and printed.count("listed") == 1,
              f"{installed}{printed}\n{written}")
        record("Docusaurus plugin", "plugins: ['waypost/docusaurus']", "Docusaurus 3.10.2, Node.js 24", watch.seconds,
               "true" if is_true else "FAILED")
    finally:
        shutil.rmtree(site, ignore_errors=True)


def pre_commit(urls):
    hook = f"repos:\n- repo: {CHECKOUT}\n  rev: v{version()}\n  hooks:\n  - id: waypost-settings\n  - id: waypost-check\n"
    site = make(WORK / "pre-commit-site", FILES | {
        ".pre-commit-config.yaml": hook, "waypost.toml": "", "public/sitemap.xml": SITEMAP,
        "public/robots.txt": f"Sitemap: {BASE}sitemap.xml\n"})
    # The package that builds the hook's environment comes from the real index.
    given = {"PIP_EXTRA_INDEX_URL": f"{urls['pypi']}simple/", "PRE_COMMIT_HOME": WORK / "pre-commit"}
    with Stopwatch() as watch:
        code, printed = run(PYTHON / "bin/pre-commit", "run", "--all-files", cwd=site, **given)
    passes = code == 0 and printed.count("Passed") == 2
    check("pre-commit: both hooks pass on a site in order", passes, printed)
    record("pre-commit hook", "pre-commit run", "pre-commit 4.7.0", watch.seconds, "passed" if passes else "FAILED")
    shutil.rmtree(site / "public/about")
    (site / "waypost.toml").write_text("[levls]\n")
    git(site, "add", "--all")
    for hook, text in (("waypost-settings", "did you mean `levels`"), ("waypost-check", "levls")):
        code, printed = run(PYTHON / "bin/pre-commit", "run", hook, "--all-files", cwd=site, **given)
        check(f"pre-commit: {hook} fails on wrong settings", code == 1 and text in printed, printed)
    (site / "waypost.toml").write_text("")
    git(site, "add", "--all")
    code, printed = run(PYTHON / "bin/pre-commit", "run", "waypost-check", "--all-files", cwd=site, **given)
    check("pre-commit: a sitemap that lists a missing page fails", code == 1 and f"{BASE}about/" in printed, printed)


def gitlab(urls):
    """The component in a pipeline of gitlab-ci-local, which validates it with GitLab's schema."""
    prefix = TOOLS / "gitlab-ci-local-4.75.1"
    npm_package(prefix, "gitlab-ci-local@4.75.1")
    pipeline = """include:
  - local: templates/waypost.yml
    inputs:
      build-job: build
      arguments: --strict
stages: [build, deploy]
build:
  stage: build
  script: cp -r built public
  artifacts:
    paths: [public]
"""
    files = {name.replace("public/", "built/"): text for name, text in FILES.items()}
    files |= {".gitlab-ci.yml": pipeline, ".gitignore": "public\n.gitlab-ci-local\n",
              "templates/waypost.yml": (CHECKOUT / "templates/waypost.yml").read_text(encoding="utf-8")}
    site = make(WORK / "gitlab-site", files)
    git(site, "remote", "add", "origin", "https://example.com/group/site.git")
    program = prefix / "node_modules/gitlab-ci-local/dist/index.js"
    with Stopwatch() as watch:
        code, printed = run(NODE, program, "--force-shell-executor", "--shell-isolation", "--variable",
                            f"PIP_INDEX_URL={urls['pypi']}simple/", cwd=site)
    written = sitemap_of(site)
    is_true = code == 0 and written == SITEMAP
    check("GitLab: the component writes a true sitemap", is_true, f"{printed}\n{written}")
    record("GitLab component", "include: component", "gitlab-ci-local 4.75.1, shell executor", watch.seconds,
           "true" if is_true else "FAILED")


def container_file():
    code, printed = run(PYTHON / "bin/hadolint", TOP / "packaging/Dockerfile")
    check("hadolint finds nothing in the Dockerfile", code == 0, printed)


def metadata_of_the_hooks():
    """pre-commit itself validates its file."""
    code, printed = run(PYTHON / "bin/pre-commit", "validate-manifest", TOP / ".pre-commit-hooks.yaml")
    check("the hooks are valid", code == 0, printed)
    hooks = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))
    check("the hooks install the wheel of this version", hooks["project"]["dependencies"] == [f"waypost=={version()}"])


def run_all(urls):
    mkdocs(urls)
    docusaurus(urls)
    pre_commit(urls)
    gitlab(urls)
    container_file()
    metadata_of_the_hooks()
