"""The npm packages: one with the program for each platform, `waypost` that selects it, and Netlify's plugin."""
import json
import shutil
import subprocess
import tempfile
import tomllib
from pathlib import Path

from release import LICENCES, TOP

SHARED = (TOP / "packaging/npm", TOP / "netlify")


def make_platform(release, platform, program, dist):
    """Packs `waypost-PLATFORM` with the program."""
    system, processor = platform.split("-")
    description = {
        "name": f"waypost-{platform}",
        "description": f"The program of waypost for {platform}; install the package `waypost` instead",
        "license": "MIT OR Apache-2.0",
        **release.npm_fields(),
        "os": [system],
        "cpu": [processor],
        "files": ["bin", *LICENCES],
        "preferUnplugged": True,
    }
    with tempfile.TemporaryDirectory() as work:
        package = Path(work)
        (package / "bin").mkdir()
        target = package / "bin" / f"waypost{program.suffix}"
        shutil.copyfile(program, target)
        target.chmod(0o755)
        (package / "README.md").write_text(f"# {description['name']}\n\n{description['description']}.\n", encoding="utf-8")
        pack(release, package, description, dist)


def make_shared(release, dist):
    """Packs the packages without a program. Each needs the programs of its own version."""
    targets = tomllib.loads((TOP / "packaging/targets.toml").read_text(encoding="utf-8")).values()
    programs = {f"waypost-{target['npm']}": release.version for target in targets if "npm" in target}
    for source in SHARED:
        description = json.loads((source / "package.json").read_text(encoding="utf-8"))
        with tempfile.TemporaryDirectory() as work:
            package = Path(work) / "package"
            shutil.copytree(source, package, ignore=shutil.ignore_patterns("node_modules"))
            pack(release, package, description | release.npm_fields() | {"optionalDependencies": programs}, dist)


def pack(release, package, description, dist):
    for licence in LICENCES:
        shutil.copyfile(TOP / licence, package / licence)
    (package / "package.json").write_text(json.dumps(description, indent=2) + "\n", encoding="utf-8")
    target = dist / "npm"
    target.mkdir(exist_ok=True)
    npm = shutil.which("npm") or "npm"  # `npm.cmd` on Windows
    command = [npm, "pack", "--silent", "--pack-destination", str(target), str(package)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=release.environment())
