"""The archive of a program: the program, its completions, documents and licences."""
import gzip
import hashlib
import io
import subprocess
import tarfile

from release import LICENCES, TOP

COMPLETIONS = {"bash": "waypost.bash", "elvish": "waypost.elv", "fish": "waypost.fish",
               "powershell": "_waypost.ps1", "zsh": "_waypost"}


def make(release, target, program, dist):
    """Writes `waypost-TARGET.tar.gz` and its checksum."""
    files = {f"waypost{program.suffix}": program.read_bytes()}
    files |= {name: (TOP / name).read_bytes() for name in ("README.md", "CHANGELOG.md", *LICENCES)}
    files |= generated(program)
    path = dist / f"waypost-{target}.tar.gz"
    path.write_bytes(packed(files, release.time))
    checksum = hashlib.sha256(path.read_bytes()).hexdigest()
    path.with_name(f"{path.name}.sha256").write_text(f"{checksum}  {path.name}\n", encoding="utf-8", newline="\n")


def generated(program):
    """The files that the program prints itself."""
    return {f"completions/{name}": printed(program, "completions", shell) for shell, name in COMPLETIONS.items()}


def printed(program, *arguments):
    return subprocess.run([program, *arguments], check=True, capture_output=True).stdout


def packed(files, time):
    """A compressed archive whose bytes depend on the contents and the time alone."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name, data in sorted(files.items()):
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime = len(data), time
            entry.mode = 0o755 if name.startswith("waypost") else 0o644
            tar.addfile(entry, io.BytesIO(data))
    return gzip.compress(content.getvalue(), mtime=time)
