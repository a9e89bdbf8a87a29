"""Benchmarks the whole waypost process against the cost of reading a site and against other tools.

Makes the sites it needs (benches/sites.py) in .cache, or in the directory for temporary files if they must
not be in a repository, and installs the other tools in .cache. Prints one table per benchmark, with
its targets or one line per target. A missed target is reported, but is not a failure.

usage: benches/side_by_side.py [--quick] [--only NAME ...] [--largest PAGES] [--waypost PROGRAM]
                               [--write FILE]
"""

import argparse
import dataclasses
import datetime
import os
import resource
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable
from pathlib import Path

import counts
import peers
import sites
from measure import Contestant, Taken, compare, forget, machine, own_memory

TOP = Path(__file__).resolve().parent.parent
CACHE = TOP / ".cache"
OUTSIDE = Path(tempfile.gettempdir()) / "waypost-bench"
BEGIN, END = "<!-- figures -->", "<!-- /figures -->"
MIB = 2**20


@dataclasses.dataclass(frozen=True)
class Scale:
    """Sizes of the sites and numbers of rounds."""

    pages: int
    """Pages of a large site."""
    peer_pages: int
    growth: tuple[int, ...]
    left_out: int
    history: tuple[int, int]
    counted: int
    """Pages of a site whose system calls and instructions are counted."""
    rounds: int
    small_rounds: int


FULL = Scale(50_000, 10_000, (1_000, 10_000, 50_000, 100_000, 1_000_000), 20_000, (2_000, 3_000), 3_000, 7, 100)
QUICK = Scale(3_000, 1_000, (500, 1_000, 5_000), 2_000, (500, 800), 300, 3, 20)


class Bench:
    """State shared by the benchmarks: programs, sites and the report."""

    def __init__(self, scale: Scale, waypost: str, floor: str) -> None:
        self.scale, self.waypost_program, self.floor_program = scale, waypost, floor
        self.folder = CACHE / "bench"
        self.log = self.folder / "log"
        self.report: list[str] = []

    def site(self, pages: int, **like: str | int) -> Path:
        """Makes a site unless it exists, and returns its root."""
        site = sites.Site(pages, **like)
        if not sites.is_made(site, self.folder):
            # In a child process, to keep this process small: Linux includes its peak memory in the
            # peak memory of each child.
            made = (str(getattr(site, field.name)) for field in dataclasses.fields(site))
            subprocess.run([sys.executable, TOP / "benches" / "sites.py", self.folder, *made], check=True)
            os.sync()
        return self.folder / site.name

    def default_site(self, pages: int, shape: str, sizes_: str, repository: str) -> Path:
        """Makes a site with default settings unless it exists, and returns its root."""
        script = TOP / "benches" / "sites.py"
        # The cache is in waypost's own repository.
        folder = OUTSIDE if repository == "none" else self.folder
        site = (str(pages), shape, sizes_, repository)
        subprocess.run([sys.executable, script, folder, "default", *site], check=True)
        return folder / sites.default_name(pages, shape, sizes_, repository)

    def compare(self, contestants: dict[str, Contestant], rounds: int | None = None) -> dict[str, Taken]:
        """Measures contestants in turns."""
        return compare(contestants, rounds or self.scale.rounds, self.log, self.say)

    def build(self, root: Path, threads: int | None, *settings: str) -> Contestant:
        """Returns a `waypost build` into a directory without a sitemap, with extra settings.

        Without `threads`, waypost chooses the number of threads. A run writes robots.txt last, so
        the file shows that the run is complete.
        """
        public = root / "public"
        options = () if threads is None else ("--threads", str(threads))
        if settings:
            text = sites.settings(*settings)
            file = self.folder / f"settings-{zlib.crc32(text.encode()):08x}.toml"
            file.write_text(text)
            options += ("--config", str(file))
        command = (self.waypost_program, "build", "--quiet", *options, str(root))
        return Contestant(command, lambda: remove_sitemaps(public), public / "robots.txt")

    def floor(self, root: Path, how_much: str, threads: int) -> Contestant:
        """Returns a run of the floor on a site."""
        return Contestant((self.floor_program, str(root / "public"), how_much, str(threads)))

    def say(self, *lines: str) -> None:
        """Prints lines and adds them to the report."""
        self.report += lines
        print(*lines, sep="\n", flush=True)

    def table(self, heading: list[str], rows: list[list[str]]) -> None:
        """Prints a table."""
        all_rows = [heading, ["---"] * len(heading), *rows]
        self.say("", *("| " + " | ".join(row) + " |" for row in all_rows), "")

    def times(self, taken: dict[str, Taken], of: str, pages: int = 0) -> None:
        """Prints a table of times, each with its ratio to the contestant `of`."""
        rows = []
        for name, one in taken.items():
            ratios = [f"{one.wall / taken[of].wall:.2f}x", f"{one.cpu / taken[of].cpu:.2f}x"] if of in taken else ["", ""]
            a_page = [f"{one.cpu / pages * 1e6:.1f} µs"] if pages else []
            rows.append([name, ms(one.wall), ratios[0], ms(one.cpu), ratios[1], *a_page, mib(one.memory)])
        per_page = ["CPU per page"] if pages else []
        self.table(["", "wall", "", "CPU", "", *per_page, "peak memory"], rows)

    def target(self, what: str, reached: float, limit: float, unit: str = "x", at_least: bool = False) -> None:
        """Prints whether a target is met."""
        met = reached >= limit if at_least else reached <= limit
        bound = "at least" if at_least else "at most"
        number = lambda value: f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"
        result = "met" if met else "**missed**"
        self.say(f"- target for {what}: {bound} {number(limit)}{unit}, "
                 f"reached {number(reached)}{unit}: {result}")


def remove_sitemaps(public: Path) -> None:
    """Removes the files that waypost and the other tools write."""
    for pattern in ("sitemap*", "robots.txt"):
        for file in public.glob(pattern):
            file.unlink()


def ms(seconds: float) -> str:
    """Formats a time for a table."""
    return f"{seconds * 1e3:.1f} ms" if seconds < 0.1 else f"{seconds * 1e3:,.0f} ms"


def mib(size: float) -> str:
    """Formats a size for a table; sizes up to this process's own peak cannot be measured."""
    return f"{size / MIB:.1f} MiB" if size > own_memory() else f"< {own_memory() / MIB:.0f} MiB"


# Kind, shape and sizes of the pages, repository, and the targets for CPU time relative to the floor, for
# system calls and for instructions per page.
DEFAULTS = [
    ("ordinary pages, no repository", "hugo", "real", "none", 1.2, 11, None),
    ("ordinary pages, output ignored", "hugo", "real", "ignored", 1.2, 11, None),
    ("ordinary pages, output tracked", "hugo", "real", "tracked", 1.2, 11, None),
    ("ordinary pages, Zola site with sources", "hugo", "real", "zola", 1.6, 17, None),
    ("tiny pages, no repository", "hugo", "tiny", "none", 1.6, 11, 20_000),
    ("javadoc's pages, no repository", "javadoc", "real", "none", 1.6, 11, None),
    ("javadoc's pages, output tracked", "javadoc", "real", "tracked", 1.6, 11, None),
]


def default(bench: Bench) -> None:
    """Measures builds with default settings, as a new user starts them."""
    pages, counted = bench.scale.peer_pages, bench.scale.counted
    bench.say(f"{pages:,} pages with default settings, 1 thread; calls and instructions of a dry run with {counted:,} pages:")
    rows = []
    for name, shape, sizes_, repository, cpu, calls, instructions in DEFAULTS:
        root = bench.default_site(pages, shape, sizes_, repository)
        taken = bench.compare({"floor": bench.floor(root, "all", 1), "waypost": bench.build(root, 1)})
        small = bench.default_site(counted, shape, sizes_, repository)
        command = (bench.waypost_program, "build", "--quiet", "--dry-run", "--threads", "1", str(small))
        per_page = [per(count(command, bench.log), counted) for count in (counts.system_calls, counts.instructions)]
        rows.append([name, ms(taken["floor"].cpu), ms(taken["waypost"].cpu),
                     with_target(taken["waypost"].cpu / taken["floor"].cpu, cpu, ".2f", "x"),
                     with_target(per_page[0], calls, ".1f"), with_target(per_page[1], instructions, ",.0f")])
    heading = ["", "floor, CPU", "waypost, CPU", "(at most)", "calls per page (at most)", "instructions per page (at most)"]
    bench.table(heading, rows)


def with_target(reached: float, most: float | None, form: str, unit: str = "") -> str:
    """Formats a figure and its target, in bold if it is missed; a figure that could not be counted is NaN."""
    if reached != reached:
        return "unknown"
    figure = f"{reached:{form}}{unit}"
    if most is None:
        return figure
    return f"{figure if reached <= most else f'**{figure}**'} ({most:,}{unit})"


def per(count: int | None, pages: int) -> float:
    """Returns the count per page; NaN if it could not be counted."""
    return float("nan") if count is None else count / pages


def warm(bench: Bench) -> None:
    """Measures the floor and waypost on a large site in the page cache."""
    pages = bench.scale.pages
    root = bench.site(pages)
    contestants = {}
    for threads in (1, 2):
        many = "1 thread" if threads == 1 else f"{threads} threads"
        contestants |= {f"floor, every byte, {many}": bench.floor(root, "all", threads),
                        f"floor, 16 KiB per page, {many}": bench.floor(root, "16384", threads),
                        f"waypost, {many}": bench.build(root, threads)}
    bench.say(f"{pages:,} pages of real sizes, some in one directory per page, warm cache:")
    taken = bench.compare(contestants)
    bench.times(taken, "floor, every byte, 1 thread", pages)
    for many in ("1 thread", "2 threads"):
        every_byte = taken[f"floor, every byte, {many}"]
        bench.target(f"CPU time relative to the floor (every byte), {many}",
                     taken[f"waypost, {many}"].cpu / every_byte.cpu, 2)
    bench.target(f"peak memory for {pages:,} pages", taken["waypost, 2 threads"].memory / MIB, 64,
                 " MiB")


def shapes(bench: Bench) -> None:
    """Measures the floor and waypost on a site of each shape."""
    pages = bench.scale.peer_pages
    rows = []
    for shape in ("hugo", "book", "minified"):
        root = bench.site(pages, shape=shape)
        taken = bench.compare({"floor": bench.floor(root, "all", 2), "waypost": bench.build(root, 2)})
        floor, own = taken["floor"], taken["waypost"]
        rows.append([shape, ms(floor.cpu), ms(own.cpu), f"{own.cpu / floor.cpu:.2f}x", f"{own.wall / floor.wall:.2f}x"])
    bench.say(f"{pages:,} pages of one shape, 2 threads, relative to the floor (every byte):")
    bench.table(["", "floor, CPU", "waypost, CPU", "CPU", "wall"], rows)


def cold(bench: Bench) -> None:
    """Measures the floor and waypost on files that are not in the page cache."""
    root = bench.site(bench.scale.pages)
    public = root / "public"

    def forgetting(contestant: Contestant) -> Contestant:
        def before() -> None:
            contestant.before()
            forget(public)
        return dataclasses.replace(contestant, before=before)

    contestants = {"floor, every byte, 1 thread": bench.floor(root, "all", 1),
                   "floor, every byte, 16 threads": bench.floor(root, "all", 16),
                   "waypost, 1 thread": bench.build(root, 1),
                   "waypost, default threads": bench.build(root, None)}
    bench.say(f"{bench.scale.pages:,} pages, not in the page cache "
              "(inodes and directories are cached):")
    taken = bench.compare({name: forgetting(one) for name, one in contestants.items()}, min(bench.scale.rounds, 3))
    bench.times(taken, "floor, every byte, 1 thread")
    bench.target("cold wall time relative to the floor, 1 thread",
                 taken["waypost, default threads"].wall / taken["floor, every byte, 1 thread"].wall, 0.35)


def others(bench: Bench) -> None:
    """Measures other tools that make a sitemap from a directory."""
    pages = bench.scale.peer_pages
    root = bench.default_site(pages, "mixed", "real", "none")
    public = root / "public"
    contestants = {"waypost, 1 thread": bench.build(root, 1), "waypost, 2 threads": bench.build(root, 2)}
    for peer in peers.ALL:
        command = peer.command(CACHE / "tools", public)
        if command:
            contestants[peer.name] = Contestant(command, lambda: remove_sitemaps(public), public / "sitemap.xml")
        else:
            bench.say(f"Cannot install {peer.name}.")
    bench.say(f"{pages:,} pages of real sizes, warm cache, each tool with its defaults:")
    taken = bench.compare(contestants, min(bench.scale.rounds, 5))
    remove_sitemaps(public)
    bench.times(taken, "waypost, 1 thread")
    for peer in peers.ALL:
        if peer.name in taken:
            times = taken[peer.name].cpu / taken["waypost, 1 thread"].cpu
            bench.target(f"CPU time of {peer.name} ({peer.about}) relative to waypost", times, peer.factor, at_least=True)


def start(bench: Bench) -> None:
    """Measures the start-up time, on a site too small for other costs to matter."""
    root = bench.site(10)
    contestants = {"true": Contestant(("true",)),
                   "waypost --version": Contestant((bench.waypost_program, "--version")),
                   "floor, 10 pages, 1 thread": bench.floor(root, "all", 1),
                   "waypost, 10 pages, 1 thread": bench.build(root, 1),
                   "waypost, 10 pages, 2 threads": bench.build(root, 2)}
    bench.say("Start-up; the floor is a process that starts and reads 10 pages:")
    taken = bench.compare(contestants, bench.scale.small_rounds)
    bench.times(taken, "true")
    bench.target("wall time of `--version` relative to `true`",
                 taken["waypost --version"].wall / taken["true"].wall, 1.5)
    bench.target("wall time for 10 pages relative to the floor",
                 taken["waypost, 10 pages, 2 threads"].wall / taken["floor, 10 pages, 1 thread"].wall, 1.5)


def growth(bench: Bench) -> None:
    """Measures time and memory per page for growing numbers of small pages."""
    rules = [f'[[rule]]\nmatch = "section-{n:04}/**/page-*{n % 10}*"\npriority = 0.{n % 10}' for n in range(200)]
    bench.say("Growth, small pages, 2 threads; CPU time per page, excluded pages included:")
    rows, reached = [], {}
    with_excluded = f"and {bench.scale.left_out:,} excluded pages"
    for pages in bench.scale.growth:
        root = bench.site(pages, sizes="small")
        rounds = max(1, min(bench.scale.rounds, 500_000 // pages))
        taken = bench.compare({"floor": bench.floor(root, "all", 2), "plain": bench.build(root, 2),
                               "200 rules": bench.build(root, 2, *rules)}, rounds)
        if pages <= 100_000:  # a second site on the disk
            root = bench.site(pages, sizes="small", left_out=bench.scale.left_out)
            taken |= bench.compare({with_excluded: bench.build(root, 2)}, rounds)
        reached[pages] = taken
        for name, one in taken.items():
            all_pages = pages + (bench.scale.left_out if name == with_excluded else 0)
            a_page = f"{one.cpu / all_pages * 1e6:.1f} µs"
            rows.append([f"{pages:,}", name, ms(one.wall), ms(one.cpu), a_page, mib(one.memory)])
    bench.table(["pages", "", "wall", "CPU", "CPU per page", "peak memory"], rows)
    growth_targets(bench, reached)


def growth_targets(bench: Bench, reached: dict[int, dict[str, Taken]]) -> None:
    """Compares the largest site with 50,000 pages, or with the next smaller site."""
    largest = max(reached)
    if len(reached) == 1:
        return
    base = 50_000 if 50_000 in reached and largest > 50_000 else sorted(reached)[-2]
    for name in ("plain", "200 rules"):
        big, small = reached[largest][name], reached[base][name]
        bench.target(f"CPU per page, {largest:,} pages relative to {base:,}, {name}",
                     big.cpu / largest / (small.cpu / base), 1.1)
    big, small = reached[largest]["plain"], reached[base]["plain"]
    if small.memory > own_memory():
        a_page = (big.memory - small.memory) / (largest - base)
        bench.target(f"memory per page from {base:,} to {largest:,} pages", a_page, 250, " B")
    bench.target(f"peak memory for {largest:,} pages", big.memory / MIB, 300, " MiB")


def history(bench: Bench) -> None:
    """Measures a build that dates its pages from a repository."""
    pages, commits = bench.scale.history
    script = TOP / "benches" / "sites.py"
    subprocess.run([sys.executable, script, bench.folder, "history", str(pages), str(commits)], check=True)
    root = bench.folder / sites.history_name(pages, commits)
    git = ("git", "-C", str(root), "log", "--name-only", "--no-merges", "--format=%H %cI", "HEAD")
    contestants = {"waypost, 1 thread": bench.build(root, 1), "waypost, 2 threads": bench.build(root, 2),
                   "one `git log --name-only`": Contestant(git)}
    bench.say(f"{pages:,} pages and {commits:,} commits, a whole build that dates every page:")
    taken = bench.compare(contestants)
    bench.times(taken, "one `git log --name-only`")
    bench.target(f"CPU time of a build, {pages:,} pages and {commits:,} commits",
                 taken["waypost, 1 thread"].cpu, 0.08, " s")


def writing(bench: Bench) -> None:
    """Measures the cost of gzip in a run; `cargo bench --bench modules` measures single entries."""
    pages = max(size for size in bench.scale.growth if size <= 100_000)
    root = bench.site(pages, sizes="small")
    threads = ("--threads", "2")
    planned = Contestant((bench.waypost_program, "build", "--quiet", "--dry-run", *threads, str(root)))
    contestants = {"up to the plan (`build --dry-run`)": planned, "build": bench.build(root, 2)}
    for gzip in ("also", "only"):
        for count in (1, 2):
            contestants[f"gzip {gzip}, {count} thread{'s' * (count - 1)}"] = bench.build(
                root, count, f'sitemap.gzip = "{gzip}"', "sitemap.max_urls = 10000")
    bench.say(f"Writing and gzip, {pages:,} small pages, 2 threads by default:")
    taken = bench.compare(contestants)
    bench.times(taken, "build", pages)


def checking(bench: Bench) -> None:
    """Measures a check of a sitemap against its site."""
    pages = bench.scale.pages
    root = bench.site(pages)
    check = (bench.waypost_program, "check", "--quiet", "--threads", "2", str(root))
    # In each round the build writes the sitemap that the check then reads.
    contestants = {"build": bench.build(root, 2), "check": Contestant(check)}
    bench.say(f"A check of a sitemap of {pages:,} pages, 2 threads:")
    taken = bench.compare(contestants)
    bench.times(taken, "build", pages)
    bench.target("CPU time of a check relative to a build", taken["check"].cpu / taken["build"].cpu,
                 1.3)


QUESTIONS: dict[str, Callable[[Bench], None]] = {
    "default": default, "warm": warm, "shapes": shapes, "cold": cold, "others": others, "start": start, "history": history,
    "writing": writing, "checking": checking, "growth": growth,
}


def arguments() -> argparse.Namespace:
    """Parses the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true",
                        help="use small sites and few rounds, for about two minutes")
    parser.add_argument("--only", nargs="+", choices=QUESTIONS, default=list(QUESTIONS),
                        help="run only these benchmarks")
    parser.add_argument("--largest", type=int, default=1_000_000,
                        help="skip sites with more pages [default: 1000000]")
    parser.add_argument("--waypost", help="the program to measure [default: built by cargo]")
    parser.add_argument("--write", type=Path, help="replace the figures in this file, between its marks")
    return parser.parse_args()


def built_waypost() -> str:
    """Builds waypost as for a release, and returns its path."""
    subprocess.run([".ci/release"], cwd=TOP, check=True)
    target = Path(os.environ.get("CARGO_TARGET_DIR", TOP / "target"))
    return str(target / "dist" / "waypost")


def built_floor(folder: Path) -> str:
    """Compiles the floor, which is one file without dependencies, and returns its path."""
    program = folder / "floor"
    source = TOP / "benches" / "floor.rs"
    subprocess.run(["rustc", "-O", "--edition", "2024", "-o", program, source], check=True)
    return str(program)


def main() -> None:
    """Runs the benchmarks and writes the report."""
    options = arguments()
    scale = QUICK if options.quick else FULL
    scale = dataclasses.replace(scale, growth=tuple(size for size in scale.growth if size <= options.largest))
    # static-sitemap-cli needs one file descriptor per page.
    most_files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most_files, most_files))
    (CACHE / "bench").mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    bench = Bench(scale, options.waypost or built_waypost(), built_floor(CACHE / "bench"))
    today = datetime.datetime.now(datetime.UTC).date()
    version = subprocess.run([bench.waypost_program, "-V"], capture_output=True, text=True, check=True).stdout.strip()
    command = " ".join(["benches/side_by_side.py", *(["--quick"] if options.quick else []),
                        *(["--waypost"] if options.waypost else [])])
    bench.say(f"{version}, {today}, `{command}`: {machine()}. "
              f"{'Not the release build. ' if options.waypost else ''}Medians of {scale.rounds} rounds.")
    for name in options.only:
        bench.say("", f"### {name.capitalize()}", "")
        try:
            QUESTIONS[name](bench)
        except (KeyError, OSError, subprocess.CalledProcessError) as error:
            bench.say(f"Stopped by an error: {error!r}")
    print(f"\ntook {time.monotonic() - began:.0f} s", file=sys.stderr)
    if options.write:
        write(options.write, bench.report)


def write(file: Path, report: list[str]) -> None:
    """Replaces the text between the marks of a file."""
    before, _, rest = file.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    text = "\n".join(report)
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    file.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}")


if __name__ == "__main__":
    main()
