"""Adds to the wheel what only the release knows: version, URLs, the program and its platform."""
import os
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface


class ReleaseMetadata(MetadataHookInterface):
    def update(self, metadata):
        metadata["version"] = os.environ["WAYPOST_WHEEL_VERSION"]
        metadata["urls"] = {"Homepage": os.environ["WAYPOST_WHEEL_HOMEPAGE"],
                            "Repository": os.environ["WAYPOST_WHEEL_REPOSITORY"]}


class ProgramHook(BuildHookInterface):
    def initialize(self, version, build_data):
        program = Path(os.environ["WAYPOST_WHEEL_PROGRAM"])
        build_data["shared_scripts"][str(program)] = f"waypost{program.suffix}"
        build_data["tag"] = f"py3-none-{os.environ['WAYPOST_WHEEL_PLATFORM']}"
        build_data["pure_python"] = False
