"""Finds the program of waypost, which is installed with this package."""
import os
import sys
import sysconfig


def find_program():
    """Returns the path of the program: WAYPOST_BIN, or the one that was installed with this package.

    Raises FileNotFoundError if neither exists.
    """
    given = os.environ.get("WAYPOST_BIN")
    if given:
        return given
    name = "waypost.exe" if sys.platform == "win32" else "waypost"
    for scripts in _script_directories():
        program = os.path.join(scripts, name)
        if os.path.isfile(program):
            return program
    raise FileNotFoundError(f"`{name}` is not installed next to Python: reinstall the package `waypost`, or set WAYPOST_BIN")


def _script_directories():
    yield sysconfig.get_path("scripts")
    user = "nt_user" if os.name == "nt" else "posix_user"
    yield sysconfig.get_path("scripts", scheme=user)
    # `pip install --target` puts scripts into `bin` next to the package.
    yield os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "bin")
