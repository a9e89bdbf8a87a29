"""The packages of this checkout, and a package index on the loopback that npm and pip install them from."""
import contextlib
import http.server
import json
import os
import subprocess
import tarfile
import threading
import tomllib
import urllib.parse

from pipeline_checks import TOP, WAYPOST, WORK

VERSION = tomllib.loads((TOP / "Cargo.toml").read_text())["workspace"]["package"]["version"]
# Programs that use the real registries need the settings of the user for them.
NETWORK_SETTINGS = ("npm_config_", "pip_", "ssl_cert_", "node_extra_ca_certs", "http_proxy", "https_proxy", "no_proxy")


def make_packages():
    """Makes the packages of this machine from the program under test, and returns their directory."""
    dist = WORK / "dist"
    for arguments in (["x86_64-unknown-linux-musl", WAYPOST], ["common"]):
        subprocess.run([TOP / "packaging/make", *arguments, dist], check=True, stdout=subprocess.DEVNULL)
    return dist


class Registry(http.server.BaseHTTPRequestHandler):
    """Serves the npm packages of waypost, and redirects any other request to the real registry."""

    archives = {}  # by the names of the packages
    real = ""

    def do_GET(self):
        name = urllib.parse.unquote(self.path).strip("/")
        if name.endswith(".tgz"):
            self.respond("application/octet-stream", self.archives[name.removesuffix(".tgz")].read_bytes())
        elif name in self.archives or name.startswith("waypost-"):
            self.respond("application/json", json.dumps(self.packument(name)).encode())
        else:
            self.send_response(302)
            self.send_header("Location", self.real.rstrip("/") + self.path)
            self.send_header("Content-Length", "0")
            self.end_headers()

    def respond(self, kind, body):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def packument(self, name):
        """What a registry knows of a package; one for another platform has no archive."""
        if name in self.archives:
            with tarfile.open(self.archives[name]) as tar:
                description = json.load(tar.extractfile("package/package.json"))
        else:
            system, processor = name.split("-")[1:]
            description = {"name": name, "version": VERSION, "os": [system], "cpu": [processor]}
        description["dist"] = {"tarball": f"http://127.0.0.1:{self.server.server_port}/{name}.tgz"}
        return {"name": name, "dist-tags": {"latest": VERSION}, "versions": {VERSION: description}}

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def served():
    """Makes the packages and serves them; yields the variables with which npm and pip use them."""
    dist = make_packages()
    archives = (dist / "npm").glob("*.tgz")
    Registry.archives = {file.name.removesuffix(f"-{VERSION}.tgz"): file for file in archives}
    found = subprocess.run(["npm", "config", "get", "registry"], check=True, capture_output=True, text=True)
    Registry.real = found.stdout.strip()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Registry)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    kept = {name: value for name, value in os.environ.items() if name.lower().startswith(NETWORK_SETTINGS)}
    wheels = f"{os.environ.get('PIP_FIND_LINKS', '')} {dist / 'python'}".strip()
    registry = f"http://127.0.0.1:{server.server_port}/"
    # Yarn passes its own registry on to the commands that it runs.
    yield kept | {"npm_config_registry": registry, "YARN_REGISTRY": registry, "PIP_FIND_LINKS": wheels,
                  # Archives of other packages come from the real registry itself.
                  "npm_config_replace_registry_host": "never", "npm_config_cache": str(WORK / "npm-cache"),
                  "npm_config_audit": "false", "npm_config_fund": "false", "npm_config_update_notifier": "false",
                  "PIP_CACHE_DIR": str(WORK / "pip-cache"), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    server.shutdown()
