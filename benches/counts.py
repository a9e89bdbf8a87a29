"""Counts system calls and instructions of whole processes: other load on the machine does not change them."""

import re
import shutil
import subprocess
from pathlib import Path


def system_calls(command: tuple[str, ...], log: Path) -> int | None:
    """Returns the number of system calls of all threads; none if strace is not installed."""
    if not shutil.which("strace"):
        return None
    subprocess.run(["strace", "-f", "-c", "-o", log, *command], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    # % time     seconds  usecs/call     calls    errors syscall
    total = re.search(r"^100\.00\s+\S+\s+(?:\d+\s+)?(\d+)\s+(?:\d+\s+)?total$", log.read_text(), re.MULTILINE)
    return int(total[1]) if total else None


def instructions(command: tuple[str, ...], log: Path) -> int | None:
    """Returns the number of instructions outside the kernel; none if valgrind is not installed."""
    if not shutil.which("valgrind"):
        return None
    subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", f"--log-file={log}", *command],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    total = re.search(r"Collected : (\d+)", log.read_text())
    return int(total[1]) if total else None
