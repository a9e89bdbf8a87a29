"""The small site that every installed package writes a sitemap for, and the sitemap that is true for it."""
import shutil

from stage import git

BASE = "https://example.com/"
FILES = {
    "config.toml": f'base_url = "{BASE}"\n',
    "waypost.toml": "sitemap.stylesheet = false\n",
    "content/_index.md": "+++\n+++\nHome\n",
    "content/about.md": "+++\n+++\nAbout\n",
    "public/index.html": '<title>Home</title><a href="/about/">About</a>\n',
    "public/about/index.html": "<title>About</title><p>About\n",
    "public/draft/index.html": '<title>Draft</title><meta name="robots" content="noindex">\n',
}
SITEMAP = f"""<?xml version="1.0" encoding="UTF-8"?>
<!-- waypost: sitemap.xml -->
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>{BASE}</loc><lastmod>2024-05-06T07:08:09Z</lastmod></url>
<url><loc>{BASE}about/</loc><lastmod>2024-05-06T07:08:09Z</lastmod></url>
</urlset>
"""


def make(folder, files=FILES):
    """Makes the site in a repository with one commit."""
    shutil.rmtree(folder, ignore_errors=True)
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    git(folder.parent, "init", "--quiet", "--initial-branch=main", folder)
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "the site")
    return folder


def sitemap_of(folder, output="public"):
    path = folder / output / "sitemap.xml"
    return path.read_text(encoding="utf-8") if path.exists() else f"no {path}"
