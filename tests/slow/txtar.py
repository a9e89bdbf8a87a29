#!/usr/bin/env -S python3 -B
"""Reads and writes the archives of tests/generators; README.md there describes them.

usage: txtar.py pack DIR FILE
       txtar.py unpack FILE DIR

`pack` keeps the comment of FILE if that exists, and replaces its members by the files of DIR.
`unpack` writes the members into DIR.
"""
import base64
import pathlib
import re
import sys

# git's words for the same thing in a diff.
NO_NEWLINE = "\\ No newline at end of file\n"
MEMBER = re.compile("^-- (.*) --$", re.MULTILINE)


class SiteArchive:
    """A comment, and files by their names."""

    def __init__(self, comment="", files=None):
        self.comment = comment
        self.files = files or {}

    @classmethod
    def read(cls, path):
        return cls.parse(path.read_bytes().decode())

    @classmethod
    def parse(cls, text):
        comment, *members = MEMBER.split(text)
        # Each name is followed by the rest of its line, which is a newline, and the content.
        named = zip(members[::2], (content[1:] for content in members[1::2]))
        return cls(comment, dict(decoded(name, content) for name, content in named))

    def text(self):
        """The archive as text: sources first, then the output, each in the order of their paths."""
        outputs = tuple(f"{output}/" for output in re.findall(r"^# (\S+)", self.comment, re.MULTILINE))
        names = sorted(self.files, key=lambda name: (name.startswith(outputs), name))
        return self.comment + "".join(encoded(name, self.files[name]) for name in names)

    def write(self, path):
        path.write_bytes(self.text().encode())

    def pack(self, directory):
        self.files = {}
        for path in directory.rglob("*"):
            if path.is_symlink():
                sys.exit(f"error: `{path}` is a symbolic link, which an archive cannot contain")
            if path.is_file():
                self.files[path.relative_to(directory).as_posix()] = path.read_bytes()

    def unpack(self, directory):
        for name, data in self.files.items():
            path = directory / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


def encoded(name, data):
    """Returns a file as a member of an archive."""
    if name != name.strip() or "\n" in name:
        sys.exit(f"error: an archive cannot contain a file named {name!r}")
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = None
    # Editors show or change these unnoticed, or the reader would take them for something else.
    if text is None or re.search("[\r\0]", text) or MEMBER.search(text) or text.endswith(NO_NEWLINE) \
            or name.endswith(".base64"):
        return f"-- {name}.base64 --\n{base64.encodebytes(data).decode()}"
    if text and not text.endswith("\n"):
        text += "\n" + NO_NEWLINE
    return f"-- {name} --\n{text}"


def decoded(name, text):
    """Returns the file that a member of an archive contains."""
    if name.endswith(".base64"):
        return name.removesuffix(".base64"), base64.b64decode(text)
    return name, text.removesuffix("\n" + NO_NEWLINE).encode()


def main():
    match sys.argv[1:]:
        case ["pack", directory, file]:
            path = pathlib.Path(file)
            archive = SiteArchive.read(path) if path.exists() else SiteArchive()
            archive.pack(pathlib.Path(directory))
            archive.write(path)
        case ["unpack", file, directory]:
            SiteArchive.read(pathlib.Path(file)).unpack(pathlib.Path(directory))
        case _:
            sys.exit(__doc__.strip())


if __name__ == "__main__":
    main()
