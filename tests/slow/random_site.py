"""Makes random sites with random settings and host files, each from one number.

The same number makes the same site on every machine. All content is in two directories of the root: `public` is the
output, and `content` has the sources if the site is made by a generator.
"""
import html
import os
import pathlib
import random
import shutil
import subprocess

BASES = ["https://example.com/", "https://example.com/base/", "https://www.example.org:8443/", "https://example.net/a%20b/ü/"]
SECTIONS = ["", "blog", "docs", "docs/deep", "de", "en", "x y", "ü"]
NAMES = ["a", "b", "c", "index", "ü", "a&b", "it's", "x y", "100%", "a+b", "ÄÖ", "q?x", "h#x", "[x]", "tab\tx", "a;b,c", "404",
         "sitemap", "e\u0301", "日本", "a'\"<>", "-x", "a.b", "bad\udcff"]
ENDINGS = [".html", ".html", ".html", "/index.html", "/index.html", ".htm", ".xhtml", ".HTML", ".pdf"]
STYLES = ["host", "keep", "clean", "slash"]
HOSTS = ["cloudflare-pages", "cloudflare-workers", "firebase", "github-pages", "gitlab-pages", "netlify", "readthedocs",
         "render", "static", "vercel"]
ROBOTS = ["", "User-agent: *\nDisallow: /private/\n", "Sitemap: https://example.com/other.xml\n",
          "User-agent: *\r\nDisallow: /*.htm$\r\n", "# no line end", "\ufeffUser-agent: a\nDisallow: /\n",
          "User-agent: *\nDisallow: /docs/deep\n", "User-agent: *\nDisallow:\nSitemap: https://example.com/sitemap.xml\n"]
FIRST_COMMIT = 1_577_836_800


class Dice(random.Random):
    """Random numbers of a site."""

    def one_in(self, number):
        return self.randrange(number) == 0

    def toml(self, *words):
        """One of the words, as a value of TOML."""
        return f'"{self.choice(words)}"'


class RandomSite:
    """A site below `root`, with what its settings say about it."""

    def __init__(self, root, number):
        self.root, self.dice, self.number = pathlib.Path(root), Dice(number), number
        self.output = self.root / "public"
        self.is_hugo = self.dice.one_in(5)
        self.base = self.dice.choice(BASES) if self.dice.one_in(3) else BASES[0]
        self.max_pages = self.dice.choice([3, 8, 20])
        self.pages = []
        # Two sets with different names may be in one directory, so this does not change.
        self.root_name = self.dice.choice(["sitemap.xml"] * 4 + ["map.xml", "sitemap_index.xml"])
        self.history = self.dice.choice(["committed", "committed", "none"])
        self.output.mkdir(parents=True)

    def make(self):
        self.write_pages()
        self.write_host_files()
        self.write_history()
        self.settings = self.random_settings()
        self.write_settings(self.settings)
        self.write_uncommitted()

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape"))

    # Pages

    def write_pages(self):
        dice = self.dice
        for _ in range(dice.randint(1, self.max_pages)):
            section = dice.choice(SECTIONS)
            name = dice.choice(NAMES) + dice.choice(ENDINGS)
            page = f"{section}/{name}".lstrip("/")
            if self.is_hugo:
                page = f"{dice.choice(['blog', 'docs'])}/{dice.choice('abcdefgh')}/index.html"
            # A file and a directory may want the same name.
            above = [self.output / page, *(self.output / page).parents]
            if page in self.pages or (self.output / page).exists() or any(path.is_file() for path in above):
                continue
            self.pages.append(page)
            self.write(f"public/{page}", "")
        for page in self.pages:
            self.write(f"public/{page}", self.page_text(page))
        if self.is_hugo:
            self.write_content()
        if dice.one_in(6):
            self.write_links()
        if dice.one_in(4):
            self.write("public/feed.xml", '<rss version="2.0"><channel><title>t</title><link>https://example.com/</link>'
                       "<description>d</description></channel></rss>")
        html_pages = [page for page in self.pages if page.endswith(".html")]
        if html_pages and dice.one_in(8):
            self.write("public/sitemap.xml", '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
                       f"<url><loc>{self.base}gone.html</loc></url><url><loc>{html.escape(self.url_of(html_pages[0]))}</loc></url></urlset>")
        if dice.one_in(12):
            self.write("public/blog/sitemap.xml", '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></urlset>')

    def write_content(self):
        self.write("hugo.toml", 'baseURL = "https://example.com/"\n')
        for page in self.pages:
            date = self.dice.choice(["", "date: 2023-04-05\n", "lastmod: 2024-02-03T04:05:06+02:00\n"])
            self.write("content/" + page.removesuffix("/index.html") + ".md", f"---\ntitle: t\n{date}---\ntext\n")

    def url_of(self, page):
        """A URL of the page, in one of the forms that pages use."""
        quoted = "".join(chr(byte) if chr(byte).isalnum() and byte < 128 or chr(byte) in "/.-_" else f"%{byte:02X}"
                         for byte in os.fsencode(page))
        if quoted.endswith("index.html") and not self.dice.one_in(4):
            quoted = quoted.removesuffix("index.html")
        elif quoted.endswith(".html") and self.dice.one_in(4):
            quoted = quoted.removesuffix(".html") + self.dice.choice(["", "/"])
        return self.base + quoted

    def page_text(self, page):
        dice = self.dice
        head = [f"<title>{dice.choice(['t', page.encode('utf-8', 'replace').decode(), '&lt;b&gt;', ''])}</title>"]
        choice = dice.randrange(24)
        other = dice.choice(self.pages)
        if choice < 4:
            head.append(f'<link rel="canonical" href="{self.url_of(page)}">')
        elif choice == 4:
            head.append(f'<link rel="canonical" href="{self.url_of(other)}">')
        elif choice == 5:
            head.append('<link rel="canonical" href="https://example.org/elsewhere">')
        elif choice == 6:
            head.append(f'<meta name="{dice.choice(["robots", "googlebot"])}" content="{dice.choice(["noindex", "none, x", "noarchive", "index"])}">')
        elif choice == 7:
            head.append(f'<meta http-equiv="refresh" content="{dice.choice(["0", "5"])}; url={self.url_of(other)}">')
        elif choice in (8, 9):
            head += [f'<link rel="alternate" hreflang="{code}" href="{self.url_of(target)}">'
                     for code, target in (("en", page), ("de", other), ("x-default", page))[: dice.randint(1, 3)]]
        elif choice == 10:
            head.append('<link rel="alternate" type="application/rss+xml" href="/feed.xml">')
        elif choice == 11:
            head.append(f'<meta property="article:modified_time" content="{dice.choice(["2022-03-04T05:06:07Z", "2022-03-04", "junk", "2999-01-01"])}">')
        elif choice == 12:
            head.append('<script type="application/ld+json">{"@type":"Article","headline":"h","dateModified":"2024-06-01T00:00:00Z"}</script>')
        elif choice == 13:
            return dice.choice(["", "text without a tag", "\0\1\2", "<!DOCTYPE html>"])
        body = f'<p>{dice.randrange(10**6)}<img src="/i{dice.randrange(3)}.png"><a href="{self.url_of(other)}">x</a>'
        if dice.one_in(10):
            body += '<meta name="robots" content="noindex">'
        return f"<!DOCTYPE html><html><head>{''.join(head)}</head><body>{body}</body></html>"

    def write_links(self):
        """Adds symbolic links to a page, to a directory, and to nothing."""
        dice = self.dice
        for target in (dice.choice(self.pages).rsplit("/", 1)[-1], "blog", "missing", ".", "../waypost.toml"):
            link = self.output / f"link{dice.randrange(4)}{dice.choice(['', '.html'])}"
            if not os.path.lexists(link):
                link.symlink_to(target)

    # Host files

    def write_host_files(self):
        dice = self.dice
        paths = [f"/{dice.choice(self.pages)}".encode("utf-8", "replace").decode(), "/blog/*", "/docs/:x", "/*", "/a", "/b.html"]
        if dice.one_in(4):
            headers = dice.choice(["X-Robots-Tag: noindex", "X-Robots-Tag: noarchive", 'Link: <https://example.com/a.html>; rel="canonical"'])
            self.write("public/_headers", f"{dice.choice(paths)}\n  {headers}\n")
        if dice.one_in(4):
            self.write("public/_redirects", f"{dice.choice(paths)} {dice.choice(paths)} {dice.choice(['301', '301!', '200', '302!', ''])}\n")
        if dice.one_in(8):
            self.write("vercel.json", '{"cleanUrls": %s, "redirects": [{"source": "/a", "destination": "/b"}]}' % dice.choice(["true", "false"]))
        if dice.one_in(8):
            self.write("netlify.toml", f'[[redirects]]\nfrom = "/blog/*"\nto = "/docs/:splat"\nforce = {dice.choice(["true", "false"])}\n')
        if dice.one_in(8):
            self.write("firebase.json", '{"hosting": {"cleanUrls": true, "trailingSlash": false}}')
        if dice.one_in(8):
            self.write("wrangler.toml", '[assets]\ndirectory = "public"\nhtml_handling = "%s"\n' % dice.choice(
                ["auto-trailing-slash", "drop-trailing-slash", "force-trailing-slash", "none"]))
        robots = dice.choice(ROBOTS)
        if robots:
            self.write("public/robots.txt", robots)

    # Settings

    def random_settings(self):
        """Returns random settings, as the text of waypost.toml. Every key may be set."""
        dice = self.dice
        lines = [f'base_url = "{self.base}"', 'output_dir = "public"']

        def maybe(key, value, one_in=3):
            if dice.one_in(one_in):
                lines.append(f"{key} = {value}")

        maybe("extensions", '["html", "htm", "xhtml", "pdf"]', 6)
        maybe("host", dice.toml(*HOSTS))
        maybe("url_style", dice.toml(*STYLES))
        maybe("drafts", dice.toml("warn", "exclude", "allow"))
        maybe("exclude", f'["{dice.choice(["blog/**", "**/a.html", "/docs/", "*.htm", "nothing/**"])}"]', 4)
        lines.append("levels = { " + ", ".join(f"{code} = \"allow\"" for code in ("base-url-placeholder", "nothing-listed", "set-shrunk", "dates-lost")) + " }")
        lines.append("[lastmod]")
        maybe("from", dice.choice(['["git"]', '["page", "git"]', '["front_matter", "git", "page"]', "[]", '["git", "mtime"]']), 4)
        maybe("date", dice.toml("committer", "author", "landed"), 4)
        maybe("format", dice.toml("datetime", "date"))
        if self.commits and dice.one_in(5):
            lines.append(f'ignore.revs = ["{self.commits[0]}"]')
        maybe("lists", dice.toml("members", "newest-below", "own", "none"))
        lines.append("[sitemap]")
        lines.append(f'file = "{self.root_name}"')
        maybe("formats", dice.choice(['["xml", "txt"]', '["xml", "rss"]', '["xml", "atom", "txt"]', '["txt"]', '["xml", "rss", "atom", "txt"]']))
        maybe("gzip", dice.toml("also", "only", "off"), 2)
        maybe("max_urls", dice.randint(1, 6), 2)
        for key in ("feeds", "stylesheet"):
            maybe(key, "true", 4)
        maybe("hreflang", "false", 4)
        lines.append("[robots_txt]")
        maybe("update", "false", 4)
        maybe("obey", "false", 6)
        if dice.one_in(8):
            lines.append('[submit]\nkey = "0123456789abcdef"')
        lines += self.random_rules()
        return "\n".join(lines) + "\n"

    def random_rules(self):
        dice, lines = self.dice, []
        for glob in ("blog/**", "docs/**", "**/index.html", "**", "*/a.html"):
            if not dice.one_in(4):
                continue
            lines.append(f'[[rule]]\nmatch = "{glob}"')
            if dice.one_in(2):
                lines.append(f'group = "{dice.choice(["blog", "docs", "indexes", "2", "kept2", "a-b"])}"')
            if dice.one_in(3):
                lines.append(f'priority = {dice.randint(0, 10) / 10}\nchangefreq = {dice.toml("daily", "never")}')
            if dice.one_in(8):
                lines.append(f"exclude = {dice.choice(['true', 'false'])}")
            if dice.one_in(8):
                lines.append(dice.choice(['lastmod = "2021-02-03"', 'lastmod_from = ["page"]']))
        return lines

    def write_settings(self, text):
        self.write("waypost.toml", text)

    # History

    def write_history(self):
        """Commits the files of the site, by which git dates them."""
        self.commits = []
        if self.history == "none":
            return
        shutil.copytree(self.template(), self.root / ".git", symlinks=True)
        self.git("add", "--all")
        when = f"{FIRST_COMMIT + 86_400 * self.dice.randrange(60)} {self.dice.choice(['+0000', '+0200', '-0930'])}"
        self.git("-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "--quiet", "--allow-empty", "--message=change",
                 variables={"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when})
        self.commits = self.git("rev-parse", "HEAD").decode().split()

    def template(self):
        """A directory with an empty repository, made once."""
        template = self.root.parent / "template"
        if not template.exists():
            subprocess.run(["git", "init", "--quiet", "--initial-branch=main", str(template)], check=True)
            shutil.rmtree(template / ".git/hooks", ignore_errors=True)
        return template / ".git"

    def git(self, *arguments, variables=None):
        done = subprocess.run(["git", *arguments], cwd=self.root, env=os.environ | (variables or {}), capture_output=True)
        if done.returncode:
            raise RuntimeError(f"git {arguments}: {done.stderr.decode()}")
        return done.stdout

    def write_uncommitted(self):
        """Changes a page, and adds one that is not committed."""
        if self.dice.one_in(5):
            self.write(f"public/{self.dice.choice(self.pages)}", "<!DOCTYPE html><title>changed</title><p>changed")
        if self.dice.one_in(5):
            self.write("public/new.html", "<!DOCTYPE html><title>new</title><p>new")
