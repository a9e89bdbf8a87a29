"""The wheel of a program, built by hatchling from packaging/python."""
import os
import shutil
import subprocess
import sys

from release import LICENCES, TOP

HATCHLING = "hatchling==1.33.0"
TOOL = TOP / ".cache/tools" / HATCHLING.replace("==", "-")


def make(release, platform, program, dist):
    """Builds the wheel for `platform`, the last part of its name."""
    if not TOOL.exists():
        install = [sys.executable, "-m", "pip", "install", "--quiet", "--root-user-action=ignore", "--target"]
        partial = TOOL.with_name(f"{TOOL.name}.partial")
        subprocess.run([*install, str(partial), HATCHLING], check=True)
        partial.rename(TOOL)
    source = TOP / "packaging/python"
    for licence in LICENCES:
        shutil.copyfile(TOP / licence, source / licence)
    given = {"PYTHONPATH": str(TOOL), "PYTHONDONTWRITEBYTECODE": "1", "WAYPOST_WHEEL_PROGRAM": str(program),
             "WAYPOST_WHEEL_PLATFORM": platform, "WAYPOST_WHEEL_VERSION": release.version,
             "WAYPOST_WHEEL_REPOSITORY": release.repository, "WAYPOST_WHEEL_HOMEPAGE": release.homepage}
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(dist / "python")]
    subprocess.run(command, check=True, cwd=source, stdout=subprocess.DEVNULL,
                   env=os.environ | release.environment() | given)
