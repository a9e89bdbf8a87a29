"""Debian roots without waypost, in which a package is installed and runs."""
import shlex
import shutil
import subprocess

from publishing import npm_package
from small_site import SITEMAP, make, sitemap_of
from stage import NODE, TOOLS, WORK, Stopwatch, check, download, environment, record

DEBIAN = TOOLS / "root-bookworm-1"
NODE_LAYER = WORK / "root-node"
UV_LAYER = WORK / "root-uv"
# Layers of an overlay, so that a root is made in no time and what it writes is separate.
ENTER = r"""
mount -t overlay overlay -o "lowerdir=$LOWER,upperdir=$ROOT/upper,workdir=$ROOT/work" "$ROOT/merged"
mount --rbind /dev "$ROOT/merged/dev"
mount -t proc proc "$ROOT/merged/proc"
cd "$ROOT/merged"
exec chroot . /usr/bin/env -i HOME=/root LC_ALL=C.UTF-8 NO_COLOR=1 CI=1 WAYPOST_LEVELS_BASE_URL_PLACEHOLDER=allow \
    PATH=/usr/local/bin:/usr/bin:/bin sh -ec "cd /site; $SCRIPT"
"""


def prepare():
    """Makes the layers: Debian with Python and curl, but without Git; Node.js with npm; uv."""
    complete = DEBIAN.with_name(f"{DEBIAN.name}.complete")
    if not complete.exists():
        shutil.rmtree(DEBIAN, ignore_errors=True)
        download("debootstrap", "--variant=minbase", "--include=ca-certificates,curl,python3,python3-venv", "bookworm", DEBIAN)
        complete.touch()
    npm = TOOLS / "npm-11"
    npm_package(npm, "npm@11")
    programs = NODE_LAYER / "usr/local/bin"
    programs.mkdir(parents=True)
    shutil.copy(NODE, programs)
    shutil.copytree(npm / "node_modules/npm", NODE_LAYER / "usr/local/lib/npm", symlinks=True)
    for name in ("npm", "npx"):
        (programs / name).symlink_to(f"../lib/npm/bin/{name}-cli.js")
    (UV_LAYER / "usr/local/bin").mkdir(parents=True)
    for name in ("uv", "uvx"):
        shutil.copy(TOOLS / f"rehearsal-python-1/bin/{name}", UV_LAYER / "usr/local/bin")


def install_and_run(way, shown, script, layers=(), contents="Debian 12"):
    """Runs a script in a new root, next to the small site, and checks the sitemap that it leaves."""
    root = WORK / "roots" / way.replace(" ", "-")
    for part in ("upper", "work", "merged"):
        (root / part).mkdir(parents=True)
    site = make(root / "upper/site")
    lower = ":".join(str(layer) for layer in (*layers, DEBIAN))
    with Stopwatch() as watch:
        done = subprocess.run(["unshare", "--mount", "--propagation", "private", "sh", "-ec", ENTER], text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env=environment(ROOT=root, LOWER=lower, SCRIPT=script))
    written = sitemap_of(site)
    is_true = done.returncode == 0 and written == SITEMAP
    check(f"{way}: the first sitemap is true", is_true, f"{done.stdout}\n{written}")
    record(way, shown, contents, watch.seconds, "true" if is_true else "FAILED")


def quoted(text):
    return shlex.quote(text)
