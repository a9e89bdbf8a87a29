"""Writes a sitemap with regular expressions over every page of a directory, a common approach.

usage: regex_scanner.py PUBLISH_DIR
"""

import html
import os
import re
import sys
from datetime import datetime, timezone

BASE_URL = "https://example.com/"
ROBOTS = re.compile(rb"<meta[^>]+name=[\"']?robots[\"']?[^>]+content=[\"']?[^\"'>]*noindex", re.IGNORECASE)
CANONICAL = re.compile(rb"<link[^>]+rel=[\"']?canonical[\"']?[^>]+href=[\"']?([^\"'> ]+)", re.IGNORECASE)


def pages(folder):
    """Yields every page in a directory tree."""
    for parent, folders, files in os.walk(folder):
        folders.sort()
        yield from (os.path.join(parent, name) for name in sorted(files) if name.endswith(".html"))


def entry(folder, path):
    """Returns the entry of a page, or an empty string if the page must not be listed."""
    with open(path, "rb") as file:
        text = file.read()
        changed = datetime.fromtimestamp(os.fstat(file.fileno()).st_mtime, timezone.utc)
    own = BASE_URL + os.path.relpath(path, folder).removesuffix("index.html")
    canonical = CANONICAL.search(text)
    if ROBOTS.search(text) or (canonical and canonical[1].decode() != own):
        return ""
    return f"<url><loc>{html.escape(own)}</loc><lastmod>{changed:%Y-%m-%dT%H:%M:%SZ}</lastmod></url>\n"


def main():
    """Writes the sitemap."""
    folder = sys.argv[1]
    entries = "".join(entry(folder, path) for path in pages(folder))
    with open(os.path.join(folder, "sitemap.xml"), "w") as file:
        file.write(f'<?xml version="1.0" encoding="UTF-8"?>\n'
                   f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{entries}</urlset>\n')


main()
