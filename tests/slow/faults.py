"""What a system can do to a run: a full disk, missing rights, limits of paths, clocks that are wrong, a held lock.

In comes the program. Each trial says what must be printed and what must stand afterwards. Rights do not bind root, so
those runs are made as an unprivileged user.
"""
import contextlib
import fcntl
import os
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
NOBODY = 65534


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
    """A file system of its own in memory; gives None where mounting is not allowed."""
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], capture_output=True)
    try:
        yield folder if mounted.returncode == 0 else None
    finally:
        if mounted.returncode == 0:
            subprocess.run(["umount", str(folder)], check=True)
        folder.rmdir()


def full_disk(tally, waypost, folder):
    """The old set fits, the new one does not: by every amount of free space from nothing up, and with no inode left."""
    with small_disk(folder / "disk", "size=4m,mode=755") as disk:
        if not disk:
            return skipped("full disk: no right to mount")
        root = disk / "site"
        make_site(root, 400, "[sitemap]\nmax_urls = 30\n")
        tally.equal(build(waypost, root)[0], 0, "full disk: the first run")
        failed = 0
        for pages_free in range(0, 60):
            failed += run_out(tally, waypost, disk, root, pages_free)
        tally.check(failed > 20, f"full disk: only {failed} runs met it")
        print(f"full disk: {failed} runs met it")
    with small_disk(folder / "disk", "size=8m,nr_inodes=450,mode=755") as disk:
        root = disk / "site"
        make_site(root, 400, "[sitemap]\nmax_urls = 30\n")
        tally.equal(build(waypost, root)[0], 0, "no inodes: the first run")
        count = 0
        with contextlib.suppress(OSError):
            while True:
                (disk / f"filler{count}").touch()
                count += 1
        tally.check(expect_no_space(tally, waypost, root, "no inodes"), "no inodes: the run found one")


def run_out(tally, waypost, disk, root, pages_free):
    """Fills the disk up to some free pages, then asks for another set; says whether it did not fit."""
    filler = disk / "filler"
    free = os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize
    filler.write_bytes(b"x" * max(0, free - pages_free * 4096))
    failed = expect_no_space(tally, waypost, root, f"full disk, {pages_free} pages free")
    filler.unlink()
    return failed


def expect_no_space(tally, waypost, root, what):
    before = {path.name: path.read_bytes() for path in root.iterdir()}
    (root / "waypost.toml").write_text((root / "waypost.toml").read_text().replace("30", "20"))
    code, said = build(waypost, root)
    (root / "waypost.toml").write_bytes(before["waypost.toml"])
    after = {path.name: path.is_file() and path.read_bytes() for path in root.iterdir()}
    if code == 0:
        tally.equal(build(waypost, root)[0], 0, f"{what}: back again")
        return False
    tally.check("No space left on device" in said and "hint: free some space" in said, f"{what}: {said}")
    tally.check(after == before, f"{what}: the old set has changed")
    return True


def missing_rights(tally, waypost, folder):
    """As a user whom modes bind: what cannot be read is said and the rest listed, what cannot be written leaves
    everything as it was, with a remedy."""
    if os.geteuid() != 0 or not shutil.which("setpriv"):
        return skipped("missing rights: they are tried by root, as another user")
    os.chmod(folder, 0o755)
    program = folder / "waypost"
    shutil.copy(waypost, program)
    as_nobody = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    root = folder / "site"

    def attempt(what, path, mode, code, *said):
        pages = make_dated_site(root)
        subprocess.run(["chown", "-R", str(NOBODY), str(root)], check=True)
        tally.equal(build(str(program), root, *as_nobody)[0], 0, f"{what}: the first run")
        tally.equal(read_sitemaps(root, BASE), {BASE + page: COMMITTED for page in pages}, f"{what}: the first set")
        (root / "p0.html").unlink()
        (root / "robots.txt").write_text(ROBOTS)
        before = state_of(root)
        os.chmod(root / path, mode)
        got, printed = build(str(program), root, *as_nobody)
        tally.equal(got, code, f"{what}: {printed[-600:]}")
        for text in said:
            tally.check(text in printed, f"{what}: `{text}` is not said: {printed[-600:]}")
        if code == 2:
            tally.check(state_of(root) == before, f"{what}: something has changed")
            tally.check(" = hint: " in printed, f"{what}: no remedy is said: {printed[-600:]}")
        else:
            rest = [page for page in pages if page != "p0.html" and path not in (page, page.split("/")[0])]
            date = None if path.startswith(".git") else COMMITTED
            tally.equal(read_sitemaps(root, BASE), {BASE + page: date for page in rest}, f"{what}: the rest")
            robots = ROBOTS if path == "robots.txt" else f"{ROBOTS}Sitemap: {BASE}sitemap.xml\n"
            tally.equal((root / "robots.txt").read_text(), robots, f"{what}: robots.txt")
        tally.check(not [path for path in root.iterdir() if "staging" in path.name], f"{what}: files are left")
        os.chmod(root / path, 0o755)
        shutil.rmtree(root)

    attempt("a page that may not be read", "p1.html", 0, 0, "[unreadable]", "p1.html", "Permission denied")
    attempt("a folder that may not be listed", "d", 0, 1, "cannot list `d`", "Permission denied", "hint:")
    attempt("an output folder that is read-only", ".", 0o555, 2, "Permission denied", "hint: the output folder has to be")
    attempt("an output folder that may not be listed", ".", 0o300, 2, "Permission denied")
    attempt("an output folder that may not be entered", ".", 0, 2, "Permission denied")
    attempt("settings that may not be read", "waypost.toml", 0, 2, "waypost.toml", "Permission denied")
    attempt("a robots.txt that may not be read", "robots.txt", 0, 0, "[robots-txt-refused]", "Permission denied")
    attempt("a sitemap that may not be read is replaced", "sitemap.xml", 0, 0)
    attempt("a repository that may not be read", ".git", 0, 0, "history-incomplete")
    attempt("objects that may not be read", ".git/objects", 0, 0, "history-incomplete", "Permission denied")
    attempt("a HEAD that may not be read", ".git/HEAD", 0, 0, "history-incomplete")

    make_site(root / "d", 3)
    shutil.move(root / "d/waypost.toml", root / "waypost.toml")
    subprocess.run(["chown", "-R", str(NOBODY), str(root)], check=True)
    os.chmod(root / "d", 0)
    got, printed = build(str(program), root, *as_nobody)
    texts = ("no page found, and `d` cannot be listed: Permission denied", " = hint: build the site first")
    said = all(text in printed for text in texts)
    tally.check(got == 2 and said, f"all pages in a folder that may not be listed: {got}, {printed[-600:]}")
    shutil.rmtree(root)


def make_dated_site(root):
    """A site in a repository that has a commit of every page; gives the pages."""
    make_site(root / "d", 3)
    make_site(root, 3)
    (root / "robots.txt").write_text(ROBOTS)
    git(root.parent, "init", "--quiet", str(root))
    git(root, "add", "*.html")
    git(root, "commit", "--quiet", "--message", "a", at=COMMITTED)
    return sorted(str(page.relative_to(root)) for page in root.rglob("*.html"))


def long_paths(tally, waypost, folder):
    """Folders so deep that no path leads to the end of them, and names as long as a file system takes."""
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
    code, said = build(waypost, root)
    tally.equal(code, 1, f"long paths: {said[-600:]}")
    tally.check("[unreadable-folder]" in said and "[url-too-long]" in said, f"long paths: {said[:900]}")
    longest = max(map(len, read_sitemaps(root, BASE)))
    tally.check(1800 < longest < 2048, f"long paths: the longest address has {longest} letters")
    subprocess.run(["rm", "-rf", str(root)], check=True)


def wrong_clocks(tally, waypost, folder):
    """No clock makes a date: in 2100 the set is that of today, and in 1970, when every date lies ahead, it has none."""
    faketime = shutil.which("faketime")
    if not faketime:
        skipped("the system's own clock: there is no faketime; SOURCE_DATE_EPOCH stands in for it")
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
        code, said = build(waypost, root, *before, env=environment)
        tally.equal(code, 0, f"clock in {year}: {said[-400:]}")
        tally.equal(read_sitemaps(root, BASE), wanted, f"clock in {year}")
        tally.equal("[lastmod-false]" in said, year == "1970", f"clock in {year}: that dates lie ahead is said")
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
    """A lock that is let go is waited for; one that is held ends the run after two minutes, and changes nothing."""
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
        tally.check(state_of(root) == before, "held lock: something changes while the run waits")
    tally.equal(process.communicate(timeout=60)[1], "", "held lock: what is said")
    tally.equal(process.returncode, 0, "held lock: the run goes on when it is free")
    tally.equal(sorted(read_sitemaps(root, BASE)), [BASE + "p1.html", BASE + "p2.html"], "held lock: the set")
    if waits_to_the_end:
        give_up(tally, root, command)
    shutil.rmtree(root)


def give_up(tally, root, command):
    """A run that waits for a lock which is never let go."""
    (root / "p1.html").unlink()
    before = state_of(root)
    with locked(root):
        started = time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        waited = time.monotonic() - started
    tally.equal(done.returncode, 2, f"lock held for ever: {done.stderr}")
    said = "is locked by another program" in done.stderr and " = hint: " in done.stderr
    tally.check(said, f"lock held for ever: {done.stderr}")
    tally.check(110 < waited < 180, f"lock held for ever: the run ended after {waited:.0f} s, not after two minutes")
    tally.check(state_of(root) == before, "lock held for ever: something has changed")
    print(f"lock held for ever: the run ended after {waited:.0f} s")


# Runs a command, and writes the most memory that it took into a file.
MEASURE = """
import os, sys
child = os.spawnvp(os.P_NOWAIT, sys.argv[2], sys.argv[2:])
_, status, usage = os.wait4(child, 0)
open(sys.argv[1], "w").write(str(usage.ru_maxrss))
sys.exit(os.waitstatus_to_exitcode(status))
"""


def measured(waypost, root, *before):
    """A build's exit code, what it printed, and the most memory that it took, in bytes."""
    peak = root.parent / "peak"
    code, said = build(waypost, root, sys.executable, "-c", MEASURE, str(peak), *before)
    return code, said, int(peak.read_text()) << 10


def million_names(tally, waypost, folder):
    """A million files in one folder are all listed, in bounded memory. They are links to few, which are made and removed
    faster; a file may have 65,000."""
    root = folder / "site"
    make_site(root, 16)
    for number in range(16, 1_000_000):
        os.link(root / f"p{number % 16}.html", root / f"p{number}.html")
    code, said, memory = measured(waypost, root)
    tally.equal(code, 0, f"a million names: {said[-400:]}")
    tally.equal(len(read_sitemaps(root, BASE)), 1_000_000, "a million names")
    tally.check(memory < 400 << 20, f"a million names: took {memory >> 20} MiB")
    print(f"a million names: {memory >> 20} MiB")
    shutil.rmtree(root)


def no_other_program(tally, waypost, folder):
    """A run starts no program, whatever the repository's configuration names."""
    if not shutil.which("strace"):
        return skipped("no other program: `strace` is not installed")
    root = folder / "site"
    make_dated_site(root)
    with open(root / ".git/config", "a") as config:
        config.write("[core]\nfsmonitor = touch owned\n[filter \"x\"]\nclean = touch owned\nrequired\n")
    (root / ".gitattributes").write_text("* filter=x\n")
    (root / "p0.html").write_text(PAGE + LINK)
    trace = folder / "trace"
    code, said = build(waypost, root, "strace", "-f", "-e", "trace=execve,execveat", "-o", str(trace))
    started = [line for line in trace.read_text().splitlines() if "execve" in line]
    tally.check(code == 0 and len(started) == 1, f"no other program: {code}, {started}, {said[-400:]}")
    shutil.rmtree(root)


def huge_page(tally, waypost, folder):
    """A page of 10 GB that takes no room on disk: read as far as 4 GiB, in little memory, and said; a finding in it
    is shown without its line, which would take all of it."""
    root = folder / "site"
    make_site(root, 1)
    for name, head in (("head.html", PAGE + LINK + "<body>"), ("zeros.html", "")):
        (root / name).write_text(head)
        os.truncate(root / name, 10 << 30)
    code, said, memory = measured(waypost, root, "prlimit", f"--as={2 << 30}")
    tally.equal(code, 0, f"huge page: {said[-400:]}")
    tally.check(memory < 128 << 20, f"huge page: took {memory >> 20} MiB")
    print(f"huge page: {memory >> 20} MiB")
    tally.check("`head.html` was read only in part: it is longer than 4 GiB" in said, f"huge page: {said[-800:]}")
    tally.check("`#top` has a fragment" in said, f"huge page, a finding with a place: {said[-800:]}")
    tally.equal(sorted(read_sitemaps(root, BASE)), [BASE + "head.html", BASE + "p0.html"], "huge page")
    shutil.rmtree(root)
