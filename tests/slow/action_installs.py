"""Runs the steps of the GitHub action that install the program, on emulated runners.

A fake `uname` names the system, and a server on the loopback has the releases.
"""
import hashlib
import http.server
import os
import re
import shutil
import subprocess
import threading
from pathlib import Path

from pipeline_checks import TOP, WAYPOST, WORK, check, environment

OWN_VERSION = next(line.split('"')[1] for line in (TOP / "Cargo.toml").read_text().splitlines()
                   if line.startswith("version = "))
SYSTEMS = {"Linux": ("Linux", "x86_64", "x86_64-unknown-linux-musl"),
           "macOS": ("Darwin", "arm64", "aarch64-apple-darwin"),
           "Windows": ("MINGW64_NT-10.0-26100", "x86_64", "x86_64-pc-windows-msvc")}


class Releases(http.server.SimpleHTTPRequestHandler):
    """Serves the files of releases; all requests for release 4.0.3 are forbidden."""

    def __init__(self, *args):
        super().__init__(*args, directory=WORK / "server")

    def do_GET(self):
        if "/v4.0.3/" in self.path:
            self.send_error(403)
        else:
            super().do_GET()

    def log_message(self, *_):
        pass


def fake(name, program, script):
    """Makes a directory with a program, and returns a PATH that begins with it."""
    file = WORK / name / program
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)
    return f"{file.parent}{os.pathsep}{environment()['PATH']}"


def runner(system):
    kernel, machine, _ = SYSTEMS[system]
    return fake(f"runner-{system}", "uname", f'[ "$1" = -s ] && echo {kernel} || echo {machine}')


def release(version, target):
    """Publishes an archive with its checksum, and returns the checksum's file."""
    folder = WORK / f"server/owner/waypost/releases/download/v{version}"
    folder.mkdir(parents=True, exist_ok=True)
    archive = folder / f"waypost-{target}.tar.gz"
    subprocess.run(["tar", "-czf", archive, "-C", WAYPOST.parent, WAYPOST.name], check=True)
    checksum = archive.with_name(archive.name + ".sha256")
    checksum.write_text(f"{hashlib.sha256(archive.read_bytes()).hexdigest()}  {archive.name}\n")
    return checksum


def action_of(owner):
    """Copies the action of a repository of this owner; before a release it is `OWNER`."""
    top = WORK / f"action-{owner}"
    top.mkdir()
    for name in ("action", "build", "src", "crates", "docs/src", "build.rs", "Cargo.lock", "plugin-manifest.toml"):
        (top / name).parent.mkdir(exist_ok=True)
        (shutil.copytree if (TOP / name).is_dir() else shutil.copy)(TOP / name, top / name)
    (top / "Cargo.toml").write_text(re.sub('github.com/[^/]*/[^"]*', f"github.com/{owner}/waypost", (TOP / "Cargo.toml").read_text()))


def install(name, version, server, owner="owner", arguments=(), **more):
    """Runs install.sh without waypost; returns the run and the directory that it adds to PATH."""
    folder = WORK / f"install-{name}"
    folder.mkdir(exist_ok=True)
    (folder / "path").write_text("")
    fixed = {"INPUT_VERSION": version, "ACTION_REPOSITORY": "owner/waypost", "GITHUB_SERVER_URL": server,
             "GITHUB_ACTION_PATH": str(WORK / f"action-{owner}"), "GITHUB_OUTPUT": str(folder / "output"), "GITHUB_PATH": str(folder / "path"), "GITHUB_ENV": str(folder / "env"),
             "PATH": runner("Linux"), "RUNNER_TEMP": str(folder / "temp")}
    run = subprocess.run(["bash", TOP / "action/install.sh", *arguments], capture_output=True, text=True, cwd=folder,
                         env=environment(**fixed | more))
    added = (folder / "path").read_text().strip()
    return run, folder / added if added else None


def fails(name, run, folder, text):
    check(name, run.returncode == 2 and "::error title=waypost::" in run.stdout and text in run.stdout and folder is None,
          run.stdout + run.stderr)


def every_system_gets_its_release(server):
    for system, (*_, target) in SYSTEMS.items():
        release("1.2.3", target)
        # GNU tar takes `D:` for the name of a host, as in Git Bash.
        run, folder = install(system, "v1.2.3", server, PATH=runner(system), RUNNER_TEMP="D:/a/_temp")
        works = folder and subprocess.run([folder / WAYPOST.name, "--version"], capture_output=True).returncode == 0
        check(f"the action installs a release on {system}", run.returncode == 0 and works, run.stdout + run.stderr)
    release(OWN_VERSION, SYSTEMS["Linux"][2])
    run, folder = install("own", "", server)
    check("without a version, the action installs its own", run.returncode == 0 and folder, run.stdout + run.stderr)


def wrong_releases_are_rejected(server):
    run, folder = install("missing", "9.9.9", server)
    fails("a version without a release is an error", run, folder, "owner/waypost has no release 9.9.9")
    run, folder = install("latest", "latest", server)
    fails("`latest` is not a version", run, folder, "not the version of a release")
    run, folder = install("forbidden", "4.0.3", server)
    fails("a forbidden download is an error", run, folder, "403")
    run, folder = install("offline", "1.2.3", "http://127.0.0.1:9")
    fails("a server that does not respond is an error", run, folder, "cannot download")
    checksum = release("1.2.4", SYSTEMS["Linux"][2])
    checksum.write_text("0" * 64 + checksum.read_text()[64:])
    run, folder = install("tampered", "1.2.4", server)
    fails("an archive with a wrong checksum is rejected", run, folder, "wrong checksum")
    other = checksum.with_name("other.tar.gz")
    other.write_text("other")
    checksum.write_text(f"{hashlib.sha256(b'other').hexdigest()}  {other.name}\n")
    run, folder = install("renamed", "1.2.4", server)
    fails("a checksum of another file is rejected", run, folder, "wrong checksum")


def provenance_is_verified(server):
    for name, code in (("genuine", 0), ("forged", 1)):
        path = fake(f"gh-{name}", "gh", f'echo "$GH_HOST $@" >"$RUNNER_TEMP/gh"; exit {code}')
        path = f"{path.split(os.pathsep)[0]}{os.pathsep}{runner('Linux')}"
        run, folder = install(name, "1.2.3", server, PATH=path, GH_TOKEN="token")
        called = (WORK / f"install-{name}/temp/gh").read_text()
        expected = "attestation verify waypost-x86_64-unknown-linux-musl.tar.gz --repo owner/waypost\n"
        check(f"gh verifies a {name} archive", called.endswith(expected), called)
        if code:
            fails("an archive without provenance is rejected", run, folder, "provenance")
        else:
            check("an archive with provenance is installed", run.returncode == 0 and folder, run.stdout + run.stderr)


def own_files_are_built_where_no_release_is(server):
    script = 'echo "$PWD $@" >"$RUNNER_TEMP/asked"\nmkdir -p "$6/bin" "$CARGO_TARGET_DIR" && touch "$6/bin/waypost"'
    linux, strange = fake("builds", "cargo", script), fake("strange", "cargo", script)
    fake("builds", "uname", '[ "$1" = -s ] && echo Linux || echo x86_64')
    fake("strange", "uname", "echo Plan9")
    for name, owner, path, repository, reason in (
            ("unreleased", "OWNER", linux, "someone/waypost", "there is no release yet"),
            ("fork", "owner", linux, "someone/waypost", "releases are those of owner/waypost"),
            ("local", "owner", linux, "", "releases are those of owner/waypost"),
            ("platform", "owner", strange, "owner/waypost", "releases have no program for this platform")):
        run, folder = install(name, "", server, owner, PATH=path, ACTION_REPOSITORY=repository)
        asked = (WORK / f"install-{name}/temp/asked").read_text() if run.returncode == 0 else ""
        expected = f"{WORK}/action-{owner} install --path . --locked --root {folder}\n"
        check(f"the action builds its own files: {reason} ({name})", asked == expected and (folder / "waypost").exists()
              and run.stdout == f"building waypost from the files of the action: {reason}\n", run.stdout + run.stderr)
    run, folder = install("unreleased", "", server, "OWNER", PATH=fake("broken-cargo", "cargo", "exit 1"))
    check("a program from the cache is not built again", run.returncode == 0 and folder and "from the cache" in run.stdout,
          run.stdout + run.stderr)
    run, folder = install("failing", "", server, "OWNER", PATH=fake("broken-cargo", "cargo", "exit 1"))
    fails("a build that fails is an error", run, folder, "cannot build waypost, which needs Rust 1.")
    run, folder = install("early", "1.2.3", server, "OWNER")
    fails("no version can be selected before a release", run, folder, "there is none yet")
    run, folder = install("selected", "1.2.3", server, PATH=strange)
    fails("a platform without the selected release is named", run, folder, "no program for this platform")


def the_cache_has_a_key_for_what_is_built(server):
    def key(owner, **more):
        name = f"key-{owner}"
        (WORK / name).unlink(missing_ok=True)
        run, folder = install(name, "", server, owner, ["--cache-key"], GITHUB_OUTPUT=str(WORK / name), **more)
        check("the key installs nothing", run.returncode == 0 and folder is None, run.stdout + run.stderr)
        return (WORK / name).read_text() if (WORK / name).exists() else ""
    first = key("OWNER")
    check("the cache has a key", re.fullmatch("key=waypost-Linux-x86_64-[0-9a-f]{64}\n", first), first)
    check("the same files have the same key", key("OWNER") == first)
    (WORK / "action-OWNER/src/main.rs").write_text("fn main() {}\n")
    check("other files have another key", key("OWNER") not in (first, ""))
    check("a release has no key", key("owner") == "")
    check("a program on the runner has no key", key("OWNER", WAYPOST_BIN=str(WAYPOST)) == "")


def what_is_missing_is_named(server):
    tools = WORK / "without-curl"
    tools.mkdir()
    for name in ("bash", "sed", "head", "mkdir", "uname"):
        (tools / name).symlink_to(next(Path(part) / name for part in ("/usr/bin", "/bin") if (Path(part) / name).exists()))
    run, folder = install("curl", "1.2.3", server, PATH=str(tools))
    fails("a missing curl is named", run, folder, "curl is not installed")
    run, folder = install("cargo", "", server, "OWNER", PATH=str(tools))
    fails("a missing cargo is named", run, folder, "cargo is not installed: install Rust 1.")


def the_version_overrides_the_environment(server):
    run, folder = install("other", "1.2.3", server, WAYPOST_BIN="/somewhere/waypost")
    named = (WORK / "install-other/env").read_text() if run.returncode == 0 else ""
    check("the requested version overrides WAYPOST_BIN",
          named == f"WAYPOST_BIN={folder}/waypost\n", run.stdout + run.stderr + named)


def run():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Releases)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}"
    action_of("owner")
    action_of("OWNER")
    every_system_gets_its_release(url)
    wrong_releases_are_rejected(url)
    provenance_is_verified(url)
    own_files_are_built_where_no_release_is(url)
    the_cache_has_a_key_for_what_is_built(url)
    what_is_missing_is_named(url)
    the_version_overrides_the_environment(url)
    server.shutdown()
