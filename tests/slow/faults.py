"""Tests of system faults: a full disk, missing permissions, path limits, wrong clocks, a held lock.

Each test checks the messages and the files. Permissions do not restrict root, so the runs that test
them use an unprivileged user.
"""
import contextlib
import fcntl
import os
import re
import shutil
import subprocess
import sys
import time

from judge import git, read_sitemaps, state_of

BASE = "https://example.com/"
PAGE = "<!DOCTYPE html><title>t</title>"
ROBOTS = "User-agent: *\n"
COMMITTED = "2024-01-02T03:04:05Z"
LINK = '<link rel="canonical" href="#top">'
UNPRIVILEGED_UID = 65534


def skipped(what):
    print(f"SKIPPED {what}")


def make_site(root, pages, settings=""):
    root.mkdir(parents=True, exist_ok=True)
    for number in range(pages):
        (root / f"p{number}.html").write_text(PAGE)
    (root / "waypost.toml").write_text(f'base_url = "{BASE}"\n{settings}')


def build(waypost, root, *before, **more):
    environment = {"PATH": os.environ["PATH"], "NO_COLOR": "1"} | more.pop("env", {})
    command = [*before, waypost, "build", str(root), "--verbose"]
    done = subprocess.run(command, cwd=root.parent, capture_output=True, text=True, timeout=300, env=environment)
    return done.returncode, done.stderr


@contextlib.contextmanager
def small_disk(folder, options):
    """Mounts a file system in memory; yields None if mounting is not permitted."""
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], capture_output=True)
    try:
        yield folder if mounted.returncode == 0 else None
    finally:
        if mounted.returncode == 0:
            subprocess.run(["umount", str(folder)], check=True)
        folder.rmdir()


def full_disk(tally, waypost, folder):
    """Tests a new set that does not fit, with increasing free space and with no free inodes."""
    with small_disk(folder / "disk", "size=4m,mode=755") as disk:
        if not disk:
            return skipped("full disk: no permission to mount")
        root = disk / "site"
        make_site(root, 400, "[sitemap]\nmax_urls = 30\n")
        tally.equal(build(waypost, root)[0], 0, "full disk: the first run")
        failed = 0
        for pages_free in range(0, 60):
            failed += run_out(tally, waypost, disk, root, pages_free)
        tally.check(failed > 20, f"full disk: only {failed} runs ran out of space")
        print(f"full disk: {failed} runs ran out of space")
    with small_disk(folder / "disk", "size=8m,nr_inodes=450,mode=755") as disk:
        root = disk / "site"
        make_site(root, 400, "[sitemap]\nmax_urls = 30\n")
        tally.equal(build(waypost, root)[0], 0, "no inodes: the first run")
        count = 0
        with contextlib.suppress(OSError):
            while True:
                (disk / f"filler{count}").touch()
                count += 1
        tally.check(expect_no_space(tally, waypost, root, "no inodes"), "no inodes: the run fails")


def run_out(tally, waypost, disk, root, pages_free):
    """Fills the disk except for some pages, then runs waypost; returns whether space ran out."""
    filler = disk / "filler"
    free = os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize
    filler.write_bytes(b"x" * max(0, free - pages_free * 4096))
    failed = expect_no_space(tally, waypost, root, f"full disk, {pages_free} pages free")
    filler.unlink()
    return failed


def expect_no_space(tally, waypost, root, what):
    before = {path.name: path.read_bytes() for path in root.iterdir()}
    (root / "waypost.toml").write_text((root / "waypost.toml").read_text().replace("30", "20"))
    code, printed = build(waypost, root)
    (root / "waypost.toml").write_bytes(before["waypost.toml"])
    after = {path.name: path.is_file() and path.read_bytes() for path in root.iterdir()}
    if code == 0:
        tally.equal(build(waypost, root)[0], 0, f"{what}: the run back to the old set")
        return False
    tally.check("No space left on device" in printed and "hint: free some space" in printed,
                f"{what}: {printed}")
    tally.check(after == before, f"{what}: the old set is unchanged")
    return True


def missing_rights(tally, waypost, folder):
    """Tests files without permissions, as an unprivileged user.

    A page that cannot be read is reported, and the others are listed. If the output cannot be
    written, nothing changes and a hint is printed.
    """
    if os.geteuid() != 0 or not shutil.which("setpriv"):
        return skipped("missing permissions: needs root and `setpriv`, to run as another user")
    os.chmod(folder, 0o755)
    program = folder / "waypost"
    shutil.copy(waypost, program)
    as_user = ["setpriv", f"--reuid={UNPRIVILEGED_UID}", f"--regid={UNPRIVILEGED_UID}", "--clear-groups"]
    root = folder / "site"

    def attempt(what, path, mode, code, *texts):
        pages = make_dated_site(root)
        subprocess.run(["chown", "-R", str(UNPRIVILEGED_UID), str(root)], check=True)
        tally.equal(build(str(program), root, *as_user)[0], 0, f"{what}: the first run")
        dates = {BASE + page: COMMITTED for page in pages}
        tally.equal(read_sitemaps(root, BASE), dates, f"{what}: the first set")
        (root / "p0.html").unlink()
        (root / "robots.txt").write_text(ROBOTS)
        before = state_of(root)
        os.chmod(root / path, mode)
        got, printed = build(str(program), root, *as_user)
        tally.equal(got, code, f"{what}: {printed[-600:]}")
        for text in texts:
            tally.check(text in printed, f"{what}: `{text}` is not printed: {printed[-600:]}")
        if code == 2:
            tally.check(state_of(root) == before, f"{what}: nothing changes")
            tally.check(" = hint: " in printed, f"{what}: no hint is printed: {printed[-600:]}")
        else:
            rest = [page for page in pages if page != "p0.html" and path not in (page, page.split("/")[0])]
            date = None if path.startswith(".git") else COMMITTED
            tally.equal(read_sitemaps(root, BASE), {BASE + page: date for page in rest},
                        f"{what}: other pages")
            robots = ROBOTS if path == "robots.txt" else f"{ROBOTS}Sitemap: {BASE}sitemap.xml\n"
            tally.equal((root / "robots.txt").read_text(), robots, f"{what}: robots.txt")
        tally.check(not [path for path in root.iterdir() if "staging" in path.name],
                    f"{what}: no staging files remain")
        os.chmod(root / path, 0o755)
        shutil.rmtree(root)

    attempt("an unreadable page", "p1.html", 0, 1, "[unreadable]", "p1.html", "Permission denied")
    attempt("an unreadable directory", "d", 0, 2, "cannot list `d`: permission denied", "hint:")
    attempt("a read-only output directory", ".", 0o555, 2, "Permission denied", "hint: make `")
    attempt("an output directory without read permission", ".", 0o300, 2, "Permission denied")
    attempt("an output directory without any permission", ".", 0, 2, "Permission denied")
    attempt("an unreadable settings file", "waypost.toml", 0, 2, "waypost.toml", "Permission denied")
    attempt("an unreadable robots.txt", "robots.txt", 0, 0, "[robots-txt-refused]", "Permission denied")
    attempt("an unreadable sitemap, which is replaced", "sitemap.xml", 0, 0)
    attempt("an unreadable repository", ".git", 0, 2, "cannot read the repository", "Permission denied")
    attempt("unreadable objects", ".git/objects", 0, 2, "cannot read the repository", "Permission denied")
    attempt("an unreadable HEAD", ".git/HEAD", 0, 2, "cannot read the repository", "Permission denied")

    make_site(root / "d", 3)
    shutil.move(root / "d/waypost.toml", root / "waypost.toml")
    subprocess.run(["chown", "-R", str(UNPRIVILEGED_UID), str(root)], check=True)
    os.chmod(root / "d", 0)
    got, printed = build(str(program), root, *as_user)
    texts = ("cannot list `d`: permission denied", " = hint: make it readable")
    explained = all(text in printed for text in texts)
    tally.check(got == 2 and explained,
                f"all pages in an unreadable directory: {got}, {printed[-600:]}")
    shutil.rmtree(root)


def make_dated_site(root):
    """Makes a site with every page committed, and returns the pages."""
    make_site(root / "d", 3)
    make_site(root, 3)
    (root / "robots.txt").write_text(ROBOTS)
    git(root.parent, "init", "--quiet", str(root))
    git(root, "add", "*.html")
    git(root, "commit", "--quiet", "--message", "a", at=COMMITTED)
    return sorted(str(page.relative_to(root)) for page in root.rglob("*.html"))


def long_paths(tally, waypost, folder):
    """Tests directories deeper than the longest path, and the longest file names."""
    root = folder / "site"
    make_site(root, 1)
    (root / ("n" * 250 + ".html")).write_text(PAGE)
    here = os.open(root, os.O_DIRECTORY)
    levels = 60
    for level in range(levels):
        os.mkdir("d" * 200, dir_fd=here)
        below = os.open("d" * 200, os.O_DIRECTORY, dir_fd=here)
        os.close(here)
        here = below
        with os.fdopen(os.open("index.html", os.O_CREAT | os.O_WRONLY, dir_fd=here), "w") as file:
            file.write(PAGE)
    os.close(here)
    code, printed = build(waypost, root)
    tally.equal(code, 1, f"long paths: {printed[-600:]}")
    tally.check("[directory-unreadable]" in printed and "[url-too-long]" in printed,
                f"long paths: {printed[:900]}")
    longest = max(map(len, read_sitemaps(root, BASE)))
    tally.check(1800 < longest < 2048, f"long paths: the longest URL has {longest} characters")
    subprocess.run(["rm", "-rf", str(root)], check=True)


def wrong_clocks(tally, waypost, folder):
    """Tests that the clock makes no date.

    In 2100 the set is the same as today. In 1970 every date is in the future, so the set has none.
    """
    faketime = shutil.which("faketime")
    if not faketime:
        skipped("wrong system clock: `faketime` is not installed; using SOURCE_DATE_EPOCH instead")
    root = folder / "site"
    make_site(root, 3, '[lastmod]\nfrom = ["git", "front_matter", "page"]\n')
    (root / "p0.html").write_text('<title>t</title><meta property="article:modified_time" content="2024-05-06">')
    git(root, "init", "--quiet")
    git(root, "add", "p1.html")
    git(root, "commit", "--quiet", "--message", "a", at=COMMITTED)
    dated = {BASE + "p0.html": "2024-05-06", BASE + "p1.html": COMMITTED, BASE + "p2.html": None}
    for year, wanted in (("now", dated), ("1970", dict.fromkeys(dated)), ("2100", dated)):
        seconds = {"1970": "0", "2100": "4102444800"}.get(year)
        before = [faketime, f"{year}-01-01 12:00:00"] if faketime and seconds else []
        environment = {"SOURCE_DATE_EPOCH": seconds} if seconds and not faketime else {}
        code, printed = build(waypost, root, *before, env=environment)
        tally.equal(code, 0, f"clock in {year}: {printed[-400:]}")
        tally.equal(read_sitemaps(root, BASE), wanted, f"clock in {year}")
        tally.equal("[lastmod-omitted]" in printed, year == "1970",
                    f"clock in {year}: future dates are reported")
        (root / "sitemap.xml").unlink()
    shutil.rmtree(root)


@contextlib.contextmanager
def locked(folder):
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def held_lock(tally, waypost, folder, waits_to_the_end):
    """Tests that a run waits for a lock; after two minutes it fails and changes nothing."""
    root = folder / "site"
    make_site(root, 3)
    tally.equal(build(waypost, root)[0], 0, "held lock: the first run")
    command = [waypost, "build", str(root), "--quiet"]
    (root / "p0.html").unlink()
    before = state_of(root)
    with locked(root):
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        time.sleep(5)
        tally.equal(process.poll(), None, "held lock: the run waits")
        tally.check(state_of(root) == before, "held lock: nothing changes while the run waits")
    tally.equal(process.communicate(timeout=60)[1], "", "held lock: output")
    tally.equal(process.returncode, 0, "held lock: the run succeeds when the lock is released")
    tally.equal(sorted(read_sitemaps(root, BASE)), [BASE + "p1.html", BASE + "p2.html"],
                "held lock: the set")
    if waits_to_the_end:
        give_up(tally, root, command)
    shutil.rmtree(root)


def give_up(tally, root, command):
    """Tests a run that waits for a lock that is never released."""
    (root / "p1.html").unlink()
    before = state_of(root)
    with locked(root):
        started = time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        waited = time.monotonic() - started
    tally.equal(done.returncode, 2, f"permanent lock: {done.stderr}")
    explained = "is locked by another program" in done.stderr and " = hint: " in done.stderr
    tally.check(explained, f"permanent lock: {done.stderr}")
    tally.check(110 < waited < 180,
                f"permanent lock: the run waited {waited:.0f} s, not two minutes")
    tally.check(state_of(root) == before, "permanent lock: nothing changes")
    print(f"permanent lock: the run ended after {waited:.0f} s")


# Runs a command, and writes its peak memory to a file.
MEASURE = """
import os, sys
child = os.spawnvp(os.P_NOWAIT, sys.argv[2], sys.argv[2:])
_, status, usage = os.wait4(child, 0)
open(sys.argv[1], "w").write(str(usage.ru_maxrss))
sys.exit(os.waitstatus_to_exitcode(status))
"""


def measured(waypost, root, *before):
    """Runs a build, and returns its exit code, its messages and its peak memory in bytes."""
    peak = root.parent / "peak"
    code, printed = build(waypost, root, sys.executable, "-c", MEASURE, str(peak), *before)
    return code, printed, int(peak.read_text()) << 10


def million_names(tally, waypost, folder):
    """Tests that a million files in one directory are listed, in bounded memory.

    The files are hard links to 16 files, which are faster to create and remove. A file can have
    65,000 links.
    """
    root = folder / "site"
    make_site(root, 16)
    for number in range(16, 1_000_000):
        os.link(root / f"p{number % 16}.html", root / f"p{number}.html")
    code, printed, memory = measured(waypost, root)
    tally.equal(code, 0, f"a million names: {printed[-400:]}")
    tally.equal(len(read_sitemaps(root, BASE)), 1_000_000, "a million names")
    tally.check(memory < 400 << 20, f"a million names: took {memory >> 20} MiB")
    print(f"a million names: {memory >> 20} MiB")
    shutil.rmtree(root)


def no_other_program(tally, waypost, folder):
    """Tests that a run starts no other program, even if the repository configuration names some."""
    if not shutil.which("strace"):
        return skipped("no other program: `strace` is not installed")
    root = folder / "site"
    make_dated_site(root)
    with open(root / ".git/config", "a") as config:
        config.write("[core]\nfsmonitor = touch owned\n[filter \"x\"]\nclean = touch owned\nrequired\n")
    (root / ".gitattributes").write_text("* filter=x\n")
    (root / "p0.html").write_text(PAGE + LINK)
    trace = folder / "trace"
    code, printed = build(waypost, root, "strace", "-f", "-e", "trace=execve,execveat", "-o", str(trace))
    started = [line for line in trace.read_text().splitlines() if "execve" in line]
    tally.check(code == 0 and len(started) == 1,
                f"no other program: {code}, {started}, {printed[-400:]}")
    shutil.rmtree(root)


def flushed_files(tally, waypost, folder):
    """Tests that a few files are flushed before they are moved into place, and then their directory."""
    if not shutil.which("strace"):
        return skipped("flushed files: `strace` is not installed")
    for pages, is_flushed in ((5, True), (40, False)):
        root = folder / "site"
        make_site(root, pages)
        with open(root / "waypost.toml", "a") as settings:
            settings.write("[sitemap]\nmax_urls = 2\n" if pages > 5 else "")
        trace = folder / "trace"
        code, printed = build(waypost, root, "strace", "-f", "-e", "trace=fsync,/rename", "-o", str(trace))
        calls = re.findall(r"\b(fsync|rename)\w*\(", trace.read_text())
        renames = calls.count("rename")
        wanted = ["fsync"] * renames + ["rename"] * renames + ["fsync"] if is_flushed else ["rename"] * renames
        tally.check(code == 0 and renames > 0 and calls == wanted, f"flushed files: {code}, {calls}, {printed[-400:]}")
        shutil.rmtree(root)


def huge_page(tally, waypost, folder):
    """Tests sparse pages of 10 GB.

    Only the first 4 GiB are read, in little memory, and a finding reports it. Findings in such a
    page are shown without the source line, because that would load the whole page.
    """
    root = folder / "site"
    make_site(root, 1)
    for name, head in (("head.html", PAGE + LINK + "<body>"), ("zeros.html", "")):
        (root / name).write_text(head)
        os.truncate(root / name, 10 << 30)
    code, printed, memory = measured(waypost, root, "prlimit", f"--as={2 << 30}")
    tally.equal(code, 0, f"huge page: {printed[-400:]}")
    tally.check(memory < 128 << 20, f"huge page: took {memory >> 20} MiB")
    print(f"huge page: {memory >> 20} MiB")
    tally.check("`head.html` was read only in part: it is longer than 4 GiB" in printed,
                f"huge page: {printed[-800:]}")
    tally.check("`#top` has a fragment" in printed,
                f"huge page, a finding with a place: {printed[-800:]}")
    tally.equal(sorted(read_sitemaps(root, BASE)), [BASE + "head.html", BASE + "p0.html"],
                "huge page")
    shutil.rmtree(root)
