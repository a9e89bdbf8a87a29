"""The other tools that are measured: what they do, and how they are installed and started."""

import dataclasses
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

BASE_URL = "https://example.com"
HERE = Path(__file__).resolve().parent / "peers"


@dataclasses.dataclass(frozen=True)
class Peer:
    """Another tool."""

    name: str
    about: str
    factor: float
    """How many times faster than it waypost is to be."""
    package: str | None
    """Its package and version on npm; none where it stands beside this file."""
    arguments: Callable[[Path, Path], tuple[str, ...]]
    """Its command, from the folder of its package and the output folder of a site."""

    def command(self, tools: Path, public: Path) -> tuple[str, ...] | None:
        """Its command; none where it cannot be installed."""
        folder = install(self.package, tools) if self.package else HERE
        return self.arguments(folder, public) if folder else None


def install(package: str, tools: Path) -> Path | None:
    """Installs a package of npm, once."""
    name, _, version = package.rpartition("@")
    prefix = tools / f"{name.replace('/', '-').lstrip('@')}-{version}"
    folder = prefix / "node_modules" / name
    if not folder.is_dir():
        if not shutil.which("npm"):
            return None
        prefix.mkdir(parents=True, exist_ok=True)
        command = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", prefix, package]
        subprocess.run(command, check=False, stdout=sys.stderr)
    return folder if folder.is_dir() else None


def static_sitemap_cli(folder: Path, public: Path) -> tuple[str, ...]:
    """Its program is started as npm would start it."""
    program = folder.parent / ".bin" / "sscli"
    return (str(program), "-b", BASE_URL, "-r", str(public), "-f", "xml", "--slash")


def netlify(folder: Path, public: Path) -> tuple[str, ...]:
    """It is a plugin, so a few lines start it."""
    return ("node", str(HERE / "netlify_driver.cjs"), str(folder), str(public))


def svelte_sitemap(folder: Path, public: Path) -> tuple[str, ...]:
    """Its program, told where the site is."""
    program = folder.parent / ".bin" / "svelte-sitemap"
    return ("env", "-C", str(public), str(program), "--domain", BASE_URL, "--out-dir", ".", "--trailing-slashes")


def regex_scanner(folder: Path, public: Path) -> tuple[str, ...]:
    """Ours, in Python."""
    return (sys.executable, str(folder / "regex_scanner.py"), str(public))


ALL = [
    Peer("static-sitemap-cli 2.2.8", "parses heads for noindex", 15, "static-sitemap-cli@2.2.8", static_sitemap_cli),
    Peer("@netlify/plugin-sitemap 0.8.1", "reads no page", 5, "@netlify/plugin-sitemap@0.8.1", netlify),
    Peer("svelte-sitemap 4.0.4", "reads no page", 5, "svelte-sitemap@4.0.4", svelte_sitemap),
    Peer("a scanner in Python", "regular expressions over every page", 3, None, regex_scanner),
]
