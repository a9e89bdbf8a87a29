"""Runs whole processes and tells what they took; the figures of several rounds become their medians.

Nothing here knows what is compared. Rounds are interleaved: what else the machine does then moves all contestants alike.
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
    """A process that did not do what it was started for."""


@dataclasses.dataclass(frozen=True)
class Taken:
    """What a process took, its children with it: seconds, and bytes at its largest."""

    wall: float
    cpu: float
    memory: int


@dataclasses.dataclass(frozen=True)
class Contestant:
    """A command, and what must be done before and hold after each of its runs."""

    command: tuple[str, ...]
    before: Callable[[], None] = lambda: None
    writes: Path | None = None
    """The file that it must have written."""


def run(contestant: Contestant, log: Path) -> Taken:
    """Runs a command to its end; what it prints goes to the log."""
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
    """The medians of each contestant, all taken in turn; a round before them warms the caches and is not counted.

    A contestant that fails is left out, and its failure is said.
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
    """The median of each figure by itself."""
    return Taken(*(statistics.median(getattr(one, field.name) for one in taken) for field in dataclasses.fields(Taken)))


def forget(folder: Path) -> None:
    """Drops every file of a folder from the page cache; the inodes and folders stay in it."""
    os.sync()
    for parent, _, names in os.walk(folder):
        for name in names:
            file = os.open(f"{parent}/{name}", os.O_RDONLY)
            os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(file)


def own_memory() -> int:
    """This process's own size at its largest: Linux counts it for each process that it starts, so less cannot be seen."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def machine() -> str:
    """The processor, cores, memory and system, in a line."""
    models = [line.partition(":")[2].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
              if line.startswith("model name")]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    load = os.getloadavg()[0]
    return (f"{len(os.sched_getaffinity(0))} cores of {models[0] if models else platform.machine()}, {memory:.0f} GiB, "
            f"{platform.system()} {platform.release()}; load {load:.1f} when it began")
