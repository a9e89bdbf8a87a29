"""Every way to install waypost: each ends with a sitemap in a root that had no waypost."""
import json

from publishing import CHECKOUT, DIST, version
from roots import NODE_LAYER, UV_LAYER, install_and_run, quoted
from small_site import SITEMAP, make, sitemap_of
from stage import HOST_TARGET, WORK, Stopwatch, check, must, record, run


def archive(urls):
    url = f"{urls['releases']}download/v{version()}/waypost-{HOST_TARGET}.tar.gz"
    script = f"curl -fsS {url} | tar -xz -C /usr/local/bin waypost; waypost"
    install_and_run("archive", "curl … | tar -xz -C /usr/local/bin waypost && waypost", script, contents="Debian 12, curl")


def installer(urls):
    downloads = f"{urls['releases']}download/v{version()}"
    script = (f"curl -fsS {downloads}/install.sh | sh -s -- --from {downloads}; "
              "test -f /root/.local/share/zsh/site-functions/_waypost; /root/.local/bin/waypost")
    install_and_run("installer", "curl … install.sh | sh && waypost", script, contents="Debian 12, curl")


def pip(urls):
    script = (f"python3 -m venv /venv; /venv/bin/pip install -q --index-url {urls['pypi']}simple/ waypost; "
              "/venv/bin/python -m waypost --version; /venv/bin/waypost")
    install_and_run("pip", "pip install waypost && waypost", script, contents="Debian 12, Python 3.11")


def uvx(urls):
    script = f"uvx --default-index {urls['pypi']}simple/ waypost"
    install_and_run("uvx", "uvx waypost", script, layers=[UV_LAYER], contents="Debian 12, uv")


def npm(urls):
    package = json.dumps({"private": True, "scripts": {"build": "true", "postbuild": "waypost"}})
    script = (f"npm config set registry {urls['npm']}; printf %s {quoted(package)} >package.json; "
              "npm install --silent --save-dev waypost; npm run build; npx waypost check")
    install_and_run("npm", "npm install --save-dev waypost && npm run build", script, layers=[NODE_LAYER],
                    contents="Debian 12, Node.js 24")


def npx(urls):
    script = f"npm config set registry {urls['npm']}; npx --yes waypost"
    install_and_run("npx", "npx waypost", script, layers=[NODE_LAYER], contents="Debian 12, Node.js 24")


def lock_file_of_another_system(urls):
    """A team works on macOS and builds on Linux: the lock file written there installs here."""
    package = json.dumps({"private": True, "devDependencies": {"waypost": version()}})
    written_there = "npm install --silent --os=darwin --cpu=arm64; test -d node_modules/waypost-darwin-arm64; rm -r node_modules"
    script = (f"npm config set registry {urls['npm']}; printf %s {quoted(package)} >package.json; "
              f"{written_there}; npm ci --silent; test ! -d node_modules/waypost-darwin-arm64; npx waypost")
    install_and_run("npm with the lock file of a Mac", "npm ci && npx waypost", script, layers=[NODE_LAYER],
                    contents="Debian 12, Node.js 24")


def cargo(was_built):
    """Builds from the sources."""
    command = "cargo install --path . --locked && waypost"
    if not was_built:
        record("cargo install", command, "", None, "not run: a program was given")
        return
    with Stopwatch() as watch:
        must("cargo", "install", "--quiet", "--path", ".", "--locked", "--root", WORK / "cargo", cwd=CHECKOUT,
             CARGO_TARGET_DIR=WORK.parent / "rehearsal-build")
        site = make(WORK / "cargo-site")
        printed = run(WORK / "cargo/bin/waypost", cwd=site)[1]
    is_true = sitemap_of(site) == SITEMAP
    check("cargo install: the first sitemap is true", is_true, printed)
    record("cargo install", command, "this machine", watch.seconds, "true" if is_true else "FAILED")


def wrong_downloads_are_rejected(urls):
    """The installer leaves nothing behind if an archive is not the one that was released."""
    tampered = WORK / "releases/download/tampered"
    tampered.mkdir()
    name = f"waypost-{HOST_TARGET}.tar.gz"
    (tampered / name).write_bytes((DIST / name).read_bytes() + b"x")
    (tampered / f"{name}.sha256").write_bytes((DIST / f"{name}.sha256").read_bytes())
    for source, text in (("tampered", "has a wrong checksum"), ("absent", "cannot download")):
        code, printed = run("sh", "packaging/install.sh", "--to", WORK / "wrong/bin", "--from",
                            f"{urls['releases']}download/{source}", cwd=CHECKOUT)
        check(f"the installer rejects an archive that is {source}",
              code == 1 and text in printed and not (WORK / "wrong").exists(), printed)
    code, printed = run("sh", "packaging/install.sh", "--to", cwd=CHECKOUT)
    check("the installer names a missing value", code != 0 and "--to needs a directory" in printed, printed)


def run_all(urls, was_built):
    archive(urls)
    installer(urls)
    wrong_downloads_are_rejected(urls)
    pip(urls)
    uvx(urls)
    npm(urls)
    npx(urls)
    lock_file_of_another_system(urls)
    cargo(was_built)
