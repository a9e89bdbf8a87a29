"""Measures whole processes, and reports the medians of several rounds.

Contestants take turns in each round, so that other load on the machine affects all of them alike.
"""

import dataclasses
import os
import platform
import resource
import statistics
import time
from collections.abc import Callable
from pathlib import Path


class Failed(Exception):
    """Error for a process that failed or did not write its file."""


@dataclasses.dataclass(frozen=True)
class Taken:
    """Resources used by a process and its children: seconds, and peak memory in bytes."""

    wall: float
    cpu: float
    memory: int


@dataclasses.dataclass(frozen=True)
class Contestant:
    """A command, with the step before each run and the file it must write."""

    command: tuple[str, ...]
    before: Callable[[], None] = lambda: None
    writes: Path | None = None
    """The file that must exist after a run."""


def run(contestant: Contestant, log: Path) -> Taken:
    """Runs a command, with its output in the log."""
    contestant.before()
    output = [(os.POSIX_SPAWN_OPEN, 1, str(log), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644),
              (os.POSIX_SPAWN_DUP2, 1, 2)]
    start = time.perf_counter()
    process = os.posix_spawnp(contestant.command[0], contestant.command, os.environ, file_actions=output)
    _, status, used = os.wait4(process, 0)
    wall = time.perf_counter() - start
    if status != 0 or (contestant.writes and not contestant.writes.exists()):
        raise Failed(f"`{' '.join(contestant.command)}`:\n{log.read_text(errors='replace')[:1000]}")
    return Taken(wall, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)


def compare(
    contestants: dict[str, Contestant], rounds: int, log: Path, say: Callable[[str], None],
) -> dict[str, Taken]:
    """Returns the medians of each contestant, after an uncounted round that warms the caches.

    A contestant that fails is reported and excluded.
    """
    rows: dict[str, list[Taken]] = {name: [] for name in contestants}
    for number in range(rounds + 1):
        for name in list(rows):
            try:
                taken = run(contestants[name], log)
            except (Failed, OSError) as error:
                say(f"{name} failed: {error}")
                del rows[name]
                continue
            if number > 0:
                rows[name].append(taken)
    return {name: median(taken) for name, taken in rows.items()}


def median(taken: list[Taken]) -> Taken:
    """Returns the median of each figure separately."""
    return Taken(*(statistics.median(getattr(one, field.name) for one in taken) for field in dataclasses.fields(Taken)))


def forget(folder: Path) -> None:
    """Drops every file of a directory from the page cache; inodes and directories stay cached."""
    os.sync()
    for parent, _, names in os.walk(folder):
        for name in names:
            file = os.open(f"{parent}/{name}", os.O_RDONLY)
            os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(file)


def own_memory() -> int:
    """Returns this process's peak memory, which Linux includes in that of each child."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def machine() -> str:
    """Describes the processor, cores, memory and system in one line."""
    models = [line.partition(":")[2].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
              if line.startswith("model name")]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    load = os.getloadavg()[0]
    return (f"{len(os.sched_getaffinity(0))} cores of {models[0] if models else platform.machine()}, {memory:.0f} GiB, "
            f"{platform.system()} {platform.release()}; load {load:.1f} at the start")
