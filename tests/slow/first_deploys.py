"""Runs the steps that `waypost init` prints as each service runs them: in its clone, with what its image has of Rust.

Before a release, a build compiles waypost. Here a fake cargo installs the program under test where the real one would.
"""
import re
import subprocess

from pipeline_checks import TOP, WAYPOST, WORK, check, environment, git

# What each image has. actions/runner-images and the image `rust` have cargo, with its programs on the search path.
# Netlify has rustup without a toolchain (netlify/build-image#477), Cloudflare and Vercel no Rust (cloudflare-docs#849,
# vercel.com/docs/builds/build-image), Read the Docs asdf: `build.tools` gives cargo, `reshim` finds what it installed
# (asdf-rust#14).
CARGO = f"""[ "$*" = "install --locked --path {TOP}" ] && mkdir -p "$HOME/installed" && cp {WAYPOST} "$HOME/installed/waypost\""""
NO_TOOLCHAIN = '[ -e "$HOME/toolchain" ] || { echo "no default is configured" >&2; exit 1; }\n'
RUSTUP_INIT = """mkdir -p ~/.cargo && echo 'PATH=$HOME/rust:$HOME/installed:$PATH' >~/.cargo/env"""
IMAGES = {
    "rust": {"cargo": CARGO},
    "rustup": {"cargo": NO_TOOLCHAIN + CARGO, "rustup": '[ "$*" = "default stable" ] && touch "$HOME/toolchain"'},
    "none": {"curl": f'[ "$*" = "-sSf https://sh.rustup.rs" ] && echo "{RUSTUP_INIT}"', "rust/cargo": CARGO},
    "asdf": {"cargo": CARGO.replace("installed", "asdf"),
             "asdf": '[ "$*" = reshim ] && mkdir -p "$HOME/installed" && cp "$HOME"/asdf/* "$HOME/installed"'},
}
# File, its text, the variables of a build, the image, and the commits in the clone. Read the Docs fetches 50.
SERVICES = {
    "GitHub Actions": (".github/workflows/site.yml", """
jobs: {site: {steps: [{run: zola build}, {uses: actions/upload-pages-artifact@v4, with: {path: public}}]}}
""", {"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": "push"}, "rust", 1),
    "GitLab CI": (".gitlab-ci.yml", "pages: {script: [zola build]}\n",
                  {"GITLAB_CI": "true", "CI_COMMIT_BRANCH": "main", "CI_DEFAULT_BRANCH": "main"}, "rust", 1),
    "Netlify": ("netlify.toml", '[build]\npublish = "public"\n', {"NETLIFY": "true", "CONTEXT": "production"}, "rustup", None),
    "Cloudflare Pages": ("wrangler.toml", 'pages_build_output_dir = "public"\n', {"CF_PAGES": "1", "CF_PAGES_BRANCH": "main"},
                         "none", 1),
    "Vercel": ("vercel.json", "{}\n", {"VERCEL": "1", "VERCEL_ENV": "production"}, "none", 1),
    "Read the Docs": (".readthedocs.yaml", "version: 2\n", {"READTHEDOCS": "True", "READTHEDOCS_VERSION_TYPE": "branch"},
                      "asdf", 1),
}


def printed_steps_work(repository):
    for title, service in SERVICES.items():
        name = title.lower().replace(" ", "-")
        origin = repository(f"first-{name}", TOP / "tests/edge-site", [])
        (origin / service[0]).parent.mkdir(parents=True, exist_ok=True)
        (origin / service[0]).write_text(service[1])
        (origin / "waypost.toml").write_text('production_branches = ["main"]\nlevels.base-url-placeholder = "allow"\n')
        git(origin, "add", "--all")
        git(origin, "commit", "--quiet", "--message", "the service")
        printed = subprocess.run([WAYPOST, "init"], cwd=origin, capture_output=True, text=True, env=environment()).stdout
        run_printed(title, name, origin, service, printed.replace("path/to/waypost", str(TOP)))


def run_printed(title, name, origin, service, printed):
    """Follows each line and comment: a full clone, what begins the build command, and the commands after the build."""
    _, _, variables, image, depth = service
    if re.search(r"`(fetch-depth: 0|GIT_DEPTH: 0|VERCEL_DEEP_CLONE=true)`", printed):
        depth = None
    commands = re.findall(r"(?:begin the build command with|add) `((?:git fetch|rustup|curl)[^`]*?)(?: &&)?`", printed)
    assert depth is None or any(command.startswith("git fetch") for command in commands), printed
    steps = re.findall(r"^(?:- run: |&& |\s*- )(.+)", printed, re.MULTILINE)
    home = WORK / f"first-{name}-home"
    programs = dict(IMAGES[image])
    if image == "asdf" and "add `rust: latest` to `build.tools`" not in printed:
        del programs["cargo"]
    for program, script in programs.items():
        file = home / ("" if "/" in program else "image") / program
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(0o755)
    more = ["--depth", str(depth)] if depth else []
    site = WORK / f"first-{name}-clone"
    subprocess.run(["git", "clone", "--quiet", *more, f"file://{origin}", site], check=True, env=environment())
    path = f"{home / 'image'}:{home / 'installed'}:{environment()['PATH']}"
    variables = environment(HOME=str(home), PATH=path, READTHEDOCS_OUTPUT=str(site / "_readthedocs"), **variables)
    output = site / ("_readthedocs/html" if image == "asdf" else "public")
    build = f"zola build --output-dir {output}"
    run = subprocess.run(["sh", "-c", " && ".join([*commands, build, *steps])], cwd=site, capture_output=True, text=True,
                         env=variables)
    sitemap = output / "sitemap.xml"
    dates = sitemap.read_text().count("<lastmod>") if sitemap.exists() else 0
    check(f"{title}: the printed step writes a sitemap with dates", run.returncode == 0 and dates > 5,
          printed + run.stdout + run.stderr)
