"""Other tools to compare with: descriptions, installation and commands."""

import dataclasses
import json
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
    """Target for how many times more CPU time it takes than waypost."""
    install: Callable[[Path], Path | None]
    """Installs the tool below a directory unless it is there, and returns its own directory."""
    arguments: Callable[[Path, Path], tuple[str, ...]]
    """Builds the command from the tool's directory and the output directory of a site."""

    def command(self, tools: Path, public: Path) -> tuple[str, ...] | None:
        """Returns the command, or none if the tool cannot be installed."""
        folder = self.install(tools)
        return self.arguments(folder, public) if folder else None


def npm(package: str) -> Callable[[Path], Path | None]:
    """Returns the installation of a package and version on npm."""
    name, _, version = package.rpartition("@")

    def install(tools: Path) -> Path | None:
        prefix = tools / f"{name.replace('/', '-').lstrip('@')}-{version}"
        folder = prefix / "node_modules" / name
        if not folder.is_dir() and shutil.which("npm"):
            prefix.mkdir(parents=True, exist_ok=True)
            command = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", prefix, package]
            subprocess.run(command, check=False, stdout=sys.stderr)
        return folder if folder.is_dir() else None

    return install


def cargo(repository: str, commit: str) -> Callable[[Path], Path | None]:
    """Returns the installation of a Rust program from its repository."""
    name = repository.rpartition("/")[2]

    def install(tools: Path) -> Path | None:
        folder = tools / f"{name}-{commit[:7]}"
        program = folder / "bin" / name
        if not program.is_file():
            command = ["cargo", "install", "--quiet", "--locked", "--git", repository, "--rev", commit, "--root", folder]
            subprocess.run(command, check=False, stdout=sys.stderr)
        return folder if program.is_file() else None

    return install


def own(_tools: Path) -> Path:
    """Returns the directory of our own scripts."""
    return HERE


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


def sitemap_from_files(folder: Path, public: Path) -> tuple[str, ...]:
    """Returns the command, with settings that read the head of each page."""
    settings = folder / "settings.toml"
    paths = (f"{key} = {json.dumps(value)}" for key, value in {
        "root_dir": str(public), "root_url": f"{BASE_URL}/", "sitemap_path": str(public / "sitemap.xml")}.items())
    rules = ("[[rule]]\nmatch = '\\.html$'\ninclude = true\ncheck_html_meta_robots = true",
             "[[rule]]\nmatch = '(^|/)index\\.html$'\nreplace = '$1'")
    settings.write_text("\n".join([*paths, *rules, ""]))
    return (str(folder / "bin" / "sitemap-from-files"), str(settings))


def regex_scanner(folder: Path, public: Path) -> tuple[str, ...]:
    """Returns the command of our own scanner in Python."""
    return (sys.executable, str(folder / "regex_scanner.py"), str(public))


ALL = [
    Peer("static-sitemap-cli 2.2.8", "parses heads for noindex", 25, npm("static-sitemap-cli@2.2.8"), static_sitemap_cli),
    Peer("@netlify/plugin-sitemap 0.8.1", "does not read pages", 12, npm("@netlify/plugin-sitemap@0.8.1"), netlify),
    Peer("svelte-sitemap 4.0.4", "does not read pages", 8, npm("svelte-sitemap@4.0.4"), svelte_sitemap),
    Peer("sitemap-from-files 1.0.0", "written in Rust, parses heads for noindex", 2,
         cargo("https://github.com/ahcodedthat/sitemap-from-files", "1ddcc5799286cc4c15f68c3573dfedef19abd5a6"), sitemap_from_files),
    Peer("a scanner in Python", "regular expressions over every page", 3, own, regex_scanner),
]
