"""The version, URLs and time of the release that a checkout is for, from Cargo.toml and Git."""
import os
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
LICENCES = ("LICENSE-APACHE", "LICENSE-MIT")


def fail(message):
    sys.exit(f"error: {message}")


@dataclass(frozen=True)
class Release:
    version: str
    description: str
    repository: str
    homepage: str
    time: int  # seconds since 1970: the time of every file in a package

    @classmethod
    def of_checkout(cls):
        manifest = tomllib.loads((TOP / "Cargo.toml").read_text(encoding="utf-8"))
        shared = manifest["workspace"]["package"]
        return cls(shared["version"], manifest["package"]["description"], shared["repository"],
                   shared["homepage"], commit_time())

    def npm_fields(self):
        """The fields of package.json that a release fills in."""
        return {"version": self.version, "homepage": self.homepage,
                "repository": {"type": "git", "url": f"git+{self.repository}.git"},
                "bugs": {"url": f"{self.repository}/issues"}}

    def environment(self):
        """The environment of tools that write packages."""
        return os.environ | {"SOURCE_DATE_EPOCH": str(self.time)}


def commit_time():
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if given is None:
        command = ["git", "-C", str(TOP), "log", "-1", "--format=%ct"]
        given = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return int(given)
