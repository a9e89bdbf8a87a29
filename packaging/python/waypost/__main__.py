"""`python -m waypost`: runs the program with the same arguments."""
import os
import subprocess
import sys

from waypost import find_program


def main():
    try:
        command = [find_program(), *sys.argv[1:]]
    except FileNotFoundError as error:
        sys.exit(f"error: {error}")
    if os.name == "nt":  # `exec` does not wait there
        sys.exit(subprocess.run(command).returncode)
    os.execv(command[0], command)


main()
