"""Other tools to compare with: descriptions, installation and commands."""

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
    """Target for how many times faster waypost is."""
    package: str | None
    """Package and version on npm, or none for a script in `peers/`."""
    arguments: Callable[[Path, Path], tuple[str, ...]]
    """Builds the command from the package directory and the output directory of a site."""

    def command(self, tools: Path, public: Path) -> tuple[str, ...] | None:
        """Returns the command, or none if the tool cannot be installed."""
        folder = install(self.package, tools) if self.package else HERE
        return self.arguments(folder, public) if folder else None


def install(package: str, tools: Path) -> Path | None:
    """Installs an npm package once, and returns its directory."""
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
    """Returns the command that npm would run."""
    program = folder.parent / ".bin" / "sscli"
    return (str(program), "-b", BASE_URL, "-r", str(public), "-f", "xml", "--slash")


def netlify(folder: Path, public: Path) -> tuple[str, ...]:
    """Returns a command that runs the Netlify plugin through a small driver."""
    return ("node", str(HERE / "netlify_driver.cjs"), str(folder), str(public))


def svelte_sitemap(folder: Path, public: Path) -> tuple[str, ...]:
    """Returns the command, run in the output directory."""
    program = folder.parent / ".bin" / "svelte-sitemap"
    return ("env", "-C", str(public), str(program), "--domain", BASE_URL, "--out-dir", ".", "--trailing-slashes")


def regex_scanner(folder: Path, public: Path) -> tuple[str, ...]:
    """Returns the command of our own scanner in Python."""
    return (sys.executable, str(folder / "regex_scanner.py"), str(public))


ALL = [
    Peer("static-sitemap-cli 2.2.8", "parses heads for noindex", 15, "static-sitemap-cli@2.2.8", static_sitemap_cli),
    Peer("@netlify/plugin-sitemap 0.8.1", "does not read pages", 5, "@netlify/plugin-sitemap@0.8.1", netlify),
    Peer("svelte-sitemap 4.0.4", "does not read pages", 5, "svelte-sitemap@4.0.4", svelte_sitemap),
    Peer("a scanner in Python", "regular expressions over every page", 3, None, regex_scanner),
]
