#!/usr/bin/env -S python3 -B
"""Checks a site with planted faults as its server publishes it.

usage: [WAYPOST=target/release/waypost] tests/slow/live.py

A server on the loopback serves pages and sitemaps, most of them with one fault each. `waypost check URL
--live=all` must report each fault with its code, and nothing about the pages without one. The server counts
the requests and measures their rate and how many are open at once; strace shows that no other address is
contacted. The last line is 'N passed, M failed'.
"""

import fcntl
import gzip
import json
import os
import pathlib
import re
import shutil
import socket
import socketserver
import struct
import subprocess
import sys
import tempfile
import threading
import time
import http.server

from judge import Tally

ROOT = pathlib.Path(__file__).resolve().parents[2]
WAYPOST = os.environ.get("WAYPOST", str(ROOT / "target/debug/waypost"))
TIMEOUT = 7  # seconds per request: longer than the 5 s from which a response is slow
SCHEMA = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def page(title, head=""):
    return f"<!DOCTYPE html><html><head><title>{title}</title>{head}</head><body><p>{title} has its own text.</body></html>"


def redirect(status, target):
    return lambda handler: handler.answer(status, b"", {"Location": target})


def status(code, headers=None):
    return lambda handler: handler.answer(code, b"no", headers or {})


def html(text, headers=None):
    return lambda handler: handler.answer(200, text.encode(), {"Content-Type": "text/html; charset=utf-8", **(headers or {})})


def missing_page(handler):
    text = f"<!DOCTYPE html><title>Oops</title><p>{handler.path} does not exist, says {handler.path}"
    handler.answer(200, text.encode(), {"Content-Type": "text/html"})


def silent(handler):
    handler.release.wait(30)


def slow_body(handler):
    handler.begin(200, {"Content-Type": "text/html", "Content-Length": "100000"})
    while handler.send(b"<p>") and not handler.release.wait(0.5):
        pass


def endless_body(handler):
    handler.begin(200, {"Content-Type": "text/html"})
    while handler.send(b"<p>" * 20_000):
        pass


def closed(handler):
    handler.close_connection = True


def cut(handler):
    handler.begin(200, {"Content-Type": "text/html", "Content-Length": "5000"})
    handler.send(b"<!DOCTYPE html><p>only the beginning")
    handler.close_connection = True


def garbage(handler):
    handler.wfile.write(b"220 mail.example.com ESMTP\r\n\r\n")
    handler.close_connection = True


def sitemap(entries):
    return lambda handler: handler.answer(200, urlset(handler, entries).encode(), {"Content-Type": "application/xml"})


def urlset(handler, entries):
    base = handler.server.base
    urls = (entry if "://" in entry else base + entry for entry in entries)
    return f"<urlset {SCHEMA}>" + "".join(f"\n<url><loc>{url}</loc></url>" for url in urls) + "</urlset>"


def index(children):
    def answer(handler):
        base = handler.server.base
        urls = (child if "://" in child else base + child for child in children)
        body = "".join(f"\n<sitemap><loc>{url}</loc></sitemap>" for url in urls)
        handler.answer(200, f"<sitemapindex {SCHEMA}>{body}</sitemapindex>".encode(), {"Content-Type": "application/xml"})

    return answer


def raw(body, headers=None):
    return lambda handler: handler.answer(200, body, headers or {"Content-Type": "application/xml"})


def bomb():
    return gzip.compress(f"<urlset {SCHEMA}>".encode() + b" " * (80 << 20))


# Path, what the server does, and the codes of the findings about it.
PAGES = [
    ("/", html(page("home")), []),
    ("/good.html", html(page("good")), []),
    ("/own-canonical.html", html(page("own", '<link rel="canonical" href="/own-canonical.html">')), []),
    ("/nofollow.html", html(page("nofollow"), {"X-Robots-Tag": "nofollow"}), []),
    ("/other-bot.html", html(page("bot"), {"X-Robots-Tag": "otherbot: noindex"}), []),
    ("/file.pdf", lambda handler: handler.answer(200, b"%PDF-1.7", {"Content-Type": "application/pdf"}), []),
    *[(f"/r{code}", redirect(code, "/good.html"), ["loc-contradicted"]) for code in (301, 302, 303, 307, 308)],
    ("/chain", redirect(301, "/r302"), ["loc-contradicted"]),
    ("/loop-a", redirect(302, "/loop-b"), ["loc-contradicted"]),
    ("/long", redirect(302, "/long1"), ["loc-contradicted"]),
    ("/to-404", redirect(301, "/gone.html"), ["loc-contradicted"]),
    ("/to-other-host", redirect(301, "http://example.com/"), ["loc-contradicted"]),
    ("/to-private", redirect(302, "http://10.0.0.1/admin"), ["loc-contradicted"]),
    ("/to-loopback-alias", redirect(302, "http://127.0.0.2:{port}/"), ["loc-contradicted"]),
    ("/to-file", redirect(302, "file:///etc/passwd"), ["loc-contradicted"]),
    ("/refresh.html", html(page("r", '<meta http-equiv="refresh" content="0; url=/good.html">')), ["loc-contradicted"]),
    *[(f"/{code}.gone", status(code), ["live-status"]) for code in (404, 410, 403, 401, 500, 503, 204)],
    ("/302-without-target", status(302), ["live-status"]),
    ("/header-noindex.html", html(page("n"), {"X-Robots-Tag": "noindex"}), ["loc-contradicted"]),
    ("/header-googlebot.html", html(page("n"), {"X-Robots-Tag": "googlebot: none"}), ["loc-contradicted"]),
    ("/meta-noindex.html", html(page("n", '<meta name="robots" content="noindex">')), ["loc-contradicted"]),
    ("/canonical.html", html(page("c", '<link rel="canonical" href="/good.html">')), ["loc-contradicted"]),
    ("/canonical-header.html", html(page("c"), {"Link": '</good.html>; rel="canonical"'}), ["loc-contradicted"]),
    ("/json", lambda handler: handler.answer(200, b"{}", {"Content-Type": "application/json"}), []),
    ("/untyped.html", lambda handler: handler.answer(200, page("u").encode(), {}), []),
    ("/private/a.html", html(page("private")), ["loc-contradicted"]),
    ("/silent.html", silent, ["live-unchecked"]),
    ("/slow-body.html", slow_body, ["live-unchecked"]),
    ("/endless.html", endless_body, []),
    ("/closed.html", closed, ["live-unchecked"]),
    ("/cut.html", cut, ["live-unchecked"]),
    ("/garbage.html", garbage, ["live-unchecked"]),
]

# Sitemaps besides the root, and the codes of the findings about each or about its entry in the index.
SITEMAPS = [
    ("/s/pages.xml", sitemap([path for path, _, _ in PAGES]), []),
    ("/s/elsewhere.xml", sitemap(["http://example.com/a", "http://10.0.0.1/b"]), ["loc-elsewhere", "loc-elsewhere"]),
    ("/s/gone.xml", status(404), ["sitemap-missing"]),
    ("/s/broken.xml", raw(f"<urlset {SCHEMA}><url><loc>".encode()), ["sitemap-invalid"]),
    ("/s/bad.xml.gz", raw(b"\x1f\x8b\x08\x00 this is no gzip stream"), ["sitemap-invalid"]),
    ("/s/bomb.xml.gz", lambda handler: raw(handler.server.bomb)(handler), ["sitemap-invalid"]),
    ("/s/huge.xml", lambda handler: endless_sitemap(handler), ["sitemap-limits"]),
    ("/s/loop.xml", redirect(302, "/s/loop.xml"), ["sitemap-invalid"]),
    ("/s/moved-out.xml", redirect(302, "http://example.com/sitemap.xml"), ["live-unchecked"]),
    ("/s/slow.xml", silent, ["live-unchecked"]),
    ("/s/500.xml", status(500), ["live-unchecked"]),
    ("/s/page.xml", html(page("not a sitemap")), ["sitemap-invalid"]),
]
IN_INDEX = {
    "/sitemap.xml": "sitemap-missing",
    "/s/nested.xml": "sitemap-missing",
    "http://example.com/s.xml": "loc-elsewhere",
    "http://10.0.0.1/s.xml": "loc-elsewhere",
}


def endless_sitemap(handler):
    handler.begin(200, {"Content-Type": "application/xml"})
    while handler.send(b" " * 200_000):
        pass


def robots(handler):
    text = f"User-agent: *\nDisallow: /private/\nSitemap: {handler.server.base}/sitemap.xml\nSitemap: http://example.com/s.xml\n"
    handler.answer(200, text.encode(), {"Content-Type": "text/plain"})


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers as the tables above plan it, and keeps count."""

    protocol_version = "HTTP/1.1"
    release = threading.Event()

    def do_GET(self):
        server = self.server
        with server.lock:
            server.log.append((time.monotonic(), self.path, self.headers.get("User-Agent")))
            server.open += 1
            server.most_open = max(server.most_open, server.open)
        try:
            server.plan.get(self.path, missing_page)(self)
        except OSError:
            self.close_connection = True
        finally:
            with server.lock:
                server.open -= 1

    def begin(self, code, headers):
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name, value.replace("{port}", str(self.server.server_port)))
        self.send_header("Connection", "close")
        self.end_headers()

    def send(self, data):
        try:
            self.wfile.write(data)
            return True
        except OSError:
            return False

    def answer(self, code, body, headers):
        self.begin(code, {**headers, "Content-Length": str(len(body))})
        self.send(body)

    def log_message(self, *_):
        pass


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    """A server on the loopback with the whole plan."""

    daemon_threads = True

    def __init__(self, plan, port=0):
        super().__init__(("127.0.0.1", port), Handler)
        self.plan = plan
        self.base = f"http://127.0.0.1:{self.server_port}"
        self.lock = threading.Lock()
        self.log = []
        self.open = self.most_open = 0
        self.bomb = bomb()
        threading.Thread(target=self.serve_forever, daemon=True).start()


SET = sitemap(["/", "/good.html"])
GOOD = {"/": html(page("home")), "/good.html": html(page("good"))}
NONE = "none of 2 URLs would be rejected"


def cut_sitemap(handler):
    handler.begin(200, {"Content-Type": "application/xml", "Content-Length": "5000"})
    handler.send(urlset(handler, ["/"]).encode()[:-20])


def at_robots(text):
    return lambda handler: handler.answer(200, text.replace("BASE", handler.server.base).encode(), {"Content-Type": "text/plain"})


# A site with one situation each: its name, the path that is checked, what its server does besides its two good
# pages, the exit code and the beginning of a line of the output.
SITES = [
    ("all is well", "/", {"/sitemap.xml": SET}, 0, NONE),
    ("one sitemap", "/sitemap.xml", {"/sitemap.xml": SET}, 0, NONE),
    ("no sitemap", "/", {}, 1, "error[sitemap-missing]: no sitemap found at"),
    ("no such sitemap", "/sitemap.xml", {}, 1, "error[sitemap-missing]: `BASE/sitemap.xml` responds with 404"),
    *[
        (f"sitemap responds with {code}", path, {"/sitemap.xml": status(code)}, 2, f"error: could not check: `BASE/sitemap.xml` responds with {code}")
        for code in (401, 403, 500, 502, 503)
        for path in ("/", "/sitemap.xml")
    ],
    ("a sitemap is too much", "/", {"/sitemap.xml": status(429)}, 2, "error: could not check: `BASE/sitemap.xml` responds with 429"),
    ("one sitemap is too much", "/sitemap.xml", {"/sitemap.xml": status(429)}, 2, "error: could not check: the server responds with 429"),
    ("a sitemap is gone", "/", {"/sitemap.xml": status(410)}, 1, "error[sitemap-missing]"),
    ("a page is gone", "/sitemap.xml", {"/sitemap.xml": SET, "/good.html": status(404)}, 1, "error[live-status]: `BASE/good.html` responds with 404"),
    *[
        (f"robots.txt responds with {code}", "/", {"/robots.txt": status(code), "/sitemap.xml": SET}, end, text)
        for code, end, text in (
            (401, 0, NONE),
            (403, 0, NONE),
            (404, 0, NONE),
            (429, 2, "error: could not check: the server responds with 429"),
            (500, 2, "could not check everything: 2 of 2 URLs would be rejected"),
            (503, 2, "error[live-status]: `BASE/robots.txt` responds with 503"),
        )
    ],
    ("nothing is answered", "/", {"/": silent}, 2, "error: `BASE/` cannot be fetched"),
    ("a sitemap hangs", "/", {"/sitemap.xml": silent}, 2, "could not check: no URL was read"),
    ("a sitemap drips", "/", {"/sitemap.xml": slow_body}, 2, "error: could not check: `BASE/sitemap.xml` is not answered"),
    ("a sitemap is cut off", "/", {"/sitemap.xml": cut_sitemap}, 2, "error: could not check: `BASE/sitemap.xml` is not answered"),
    ("a sitemap is no HTTP", "/", {"/sitemap.xml": garbage}, 2, "error: could not check: `BASE/sitemap.xml` is not answered"),
    ("the connection closes", "/", {"/sitemap.xml": closed}, 2, "error: could not check: `BASE/sitemap.xml` is not answered"),
    ("a sitemap is a page", "/", {"/sitemap.xml": html(page("x"))}, 1, "error[sitemap-invalid]"),
    ("a sitemap is text", "/", {"/sitemap.xml": raw(b"not a sitemap")}, 1, "error[sitemap-invalid]"),
    ("a sitemap is empty", "/", {"/sitemap.xml": raw(b"")}, 1, "error[sitemap-invalid]"),
    ("a sitemap is JSON", "/", {"/sitemap.xml": raw(b"{}")}, 1, "error[sitemap-invalid]"),
    ("a sitemap without a type", "/", {"/sitemap.xml": lambda handler: handler.answer(200, urlset(handler, ["/"]).encode(), {})}, 0, "none of 1 URL"),
    ("a false encoding", "/", {"/sitemap.xml": lambda handler: handler.answer(200, urlset(handler, ["/"]).encode(), {"Content-Encoding": "gzip"})}, 2, "error: could not check"),
    ("a true encoding", "/", {"/sitemap.xml": lambda handler: handler.answer(200, gzip.compress(urlset(handler, ["/"]).encode()), {"Content-Encoding": "gzip"})}, 0, "none of 1 URL"),
    ("a sitemap is moved", "/", {"/sitemap.xml": redirect(301, "/s.xml"), "/s.xml": SET}, 0, NONE),
    ("a sitemap is elsewhere", "/", {"/sitemap.xml": redirect(301, "https://example.org/s.xml")}, 2, "error: could not check: `BASE/sitemap.xml` redirects to `https://example.org/s.xml`"),
    ("a sitemap moves in circles", "/", {"/sitemap.xml": redirect(301, "/sitemap.xml")}, 1, "error[sitemap-invalid]"),
    ("robots.txt names a path", "/", {"/robots.txt": at_robots("Sitemap: /s.xml\n"), "/s.xml": SET}, 0, "warning[robots-txt-line-ignored]: `/s.xml` is not a full URL"),
    ("robots.txt names it twice", "/", {"/robots.txt": at_robots("Sitemap: BASE/s.xml\nSitemap: BASE/s.xml\n"), "/s.xml": SET}, 0, NONE),
    ("robots.txt names none", "/", {"/robots.txt": at_robots("Sitemap: BASE/s.xml\n")}, 1, "error[sitemap-missing]: `BASE/s.xml` responds with 404"),
    ("robots.txt names other hosts", "/", {"/robots.txt": at_robots("Sitemap: https://example.org/s.xml\n")}, 2, "error: could not check: `https://example.org/s.xml` is on another host"),
    ("a feed", "/feed.xml", {"/feed.xml": raw(b'<rss version="2.0"><channel><item><guid>x</guid></item></channel></rss>')}, 1, "error[loc-invalid]"),
    ("a page hangs", "/", {"/sitemap.xml": SET, "/good.html": silent}, 2, "could not check everything: none of 2 URLs would be rejected"),
    ("a page is refused", "/", {"/sitemap.xml": SET, "/good.html": status(403)}, 1, "error[live-status]: `BASE/good.html` responds with 403"),
    ("a page is too much", "/", {"/sitemap.xml": SET, "/good.html": status(429)}, 2, "error: could not check: `BASE/good.html` is not answered: the server responds with 429"),
    ("a page has a false encoding", "/", {"/sitemap.xml": SET, "/good.html": html(page("x"), {"Content-Encoding": "gzip"})}, 2, "error: could not check: `BASE/good.html` is not answered"),
    ("a page moves", "/", {"/sitemap.xml": SET, "/good.html": redirect(302, "/")}, 1, "1 of 2 URLs would be rejected"),
]


def check_site(tally, name, path, plan, code, text):
    server = Server({"/robots.txt": status(404), "/sitemap.xml": status(404), "/feed.xml": status(404), "/s.xml": status(404), **GOOD, **plan})
    Handler.release.clear()
    shown = run([server.base + path, "--timeout=2"])
    Handler.release.set()
    lines = shown.stderr.replace(server.base, "BASE").splitlines()
    found = shown.returncode if any(line.startswith(text) for line in lines) else (shown.returncode, lines)
    tally.equal(found, code, name)
    server.shutdown()


def to_www(handler):
    """Redirects to the same URL of the host with `www.`, and answers there with a set that lists it or the bare host."""
    host = handler.headers["Host"]
    if not host.startswith("www."):
        return handler.answer(301, b"", {"Location": f"http://www.{host}{handler.path}"})
    listed = "bare.example.net" if host == "www.bare.example.net" else host
    body = {"/robots.txt": "", "/": page("home")}.get(handler.path)
    if body is None:
        body = f"<urlset {SCHEMA}><url><loc>http://{listed}/</loc></url></urlset>"
    return handler.answer(200, body.encode(), {"Content-Type": "text/html" if handler.path == "/" else "text/xml"})


def check_www(tally):
    """Hosts that redirect to their name with `www.`: in a network of its own, because only the default port counts."""
    names = ["example.net", "www.example.net", "bare.example.net", "www.bare.example.net"]
    hosts = pathlib.Path(tempfile.mkdtemp()) / "hosts"
    hosts.write_text("".join(f"127.0.0.1 {name}\n" for name in names))
    subprocess.run(["mount", "--bind", hosts, "/etc/hosts"], check=True)
    with socket.socket() as anything:
        fcntl.ioctl(anything, 0x8914, struct.pack("16sh", b"lo", 1))  # SIOCSIFFLAGS, IFF_UP
    Server({path: to_www for path in ("/", "/robots.txt", "/sitemap.xml")}, port=80)
    for name, code, text in (
        ("example.net", 0, "none of 1 URL would be rejected"),
        ("bare.example.net", 1, "1 of 1 URL would be rejected"),
    ):
        shown = run([f"http://{name}/"])
        found = shown.returncode if text in shown.stderr else (shown.returncode, shown.stderr)
        tally.equal(found, code, f"{name} redirects to www")


def run(arguments, trace=None):
    command = [WAYPOST, "check", *arguments]
    if trace and shutil.which("strace"):
        command = ["strace", "-f", "-qq", "-e", "trace=connect,sendto", "-o", str(trace), *command]
    environment = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=900)


def main():
    tally = Tally()
    if sys.argv[1:] == ["--www"]:
        check_www(tally)
        sys.exit(1 if tally.failed else 0)
    www = subprocess.run(["unshare", "--net", "--mount", sys.executable, "-B", __file__, "--www"], capture_output=True, text=True)
    tally.equal((www.returncode, www.stdout + www.stderr), (0, ""), "hosts that redirect to www")
    plan = {path: answer for path, answer, _ in PAGES + SITEMAPS}
    plan |= {"/robots.txt": robots, "/loop-b": redirect(302, "/loop-a"), "/gone.html": status(404)}
    plan |= {f"/long{step}": redirect(302, f"/long{step + 1}") for step in range(1, 9)}
    plan["/sitemap.xml"] = index([path for path, _, _ in SITEMAPS] + list(IN_INDEX))
    plan["/s/nested.xml"] = index(["/s/pages.xml"])
    server = Server(plan)
    with tempfile.TemporaryDirectory() as folder:
        trace = pathlib.Path(folder) / "trace"
        ended = run([server.base + "/", "--live=all", "--json", "--timeout", str(TIMEOUT)], trace)
        traced = trace.read_text() if trace.exists() else None
    Handler.release.set()
    tally.equal(ended.returncode, 2, "exit code")  # sitemaps that cannot be read
    findings = json.loads(ended.stdout)["findings"]
    check_findings(tally, server, findings)
    check_load(tally, server)
    check_connections(tally, server, traced)
    for name, path, plan, code, text in SITES:
        check_site(tally, name, path, plan, code, text)
    tally.end()


def check_findings(tally, server, findings):
    base = server.base
    # Line 1 is the root element.
    text = {number: path for number, (path, _, _) in enumerate(PAGES, 2)}
    by_page = {path: [] for path, _, _ in PAGES}
    by_file, in_index, others = {}, {}, []
    for finding in findings:
        file, line, code = finding["file"], finding["line"], finding["code"]
        if file == base + "/s/pages.xml" and line:
            by_page[text[line]].append(code)
        elif file == base + "/sitemap.xml" and line:
            url = (list(path for path, _, _ in SITEMAPS) + list(IN_INDEX))[line - 2]
            in_index[url] = code
        elif file and file.startswith(base):
            by_file.setdefault(file.removeprefix(base), []).append(code)
        else:
            others.append(code)
    for path, _, codes in PAGES:
        tally.equal(by_page[path], codes, f"page {path}")
    for path, _, codes in SITEMAPS:
        tally.equal(sorted(by_file.pop(path, [])), sorted(codes), f"sitemap {path}")
    tally.equal(in_index, IN_INDEX, "entries of the index")
    tally.equal(by_file, {}, "other files")
    tally.equal(others, [], "findings about the site")


def check_load(tally, server):
    times = [moment for moment, _, _ in server.log]
    paths = [path for _, path, _ in server.log]
    # Nine requests, because a busy machine delays single ones on their way.
    spans = [later - earlier for earlier, later in zip(times, times[8:])]
    print(f"{len(times)} requests, nine of them in {min(spans):.2f} s or more, at most {server.most_open} open at once")
    # A handler ends some time after the client has hung up.
    tally.equal(server.most_open <= 4, True, "one connection at a time")
    tally.equal(min(spans) >= 1.7, True, "four requests per second at most")
    # Pages that others redirect to are requested again.
    repeated = {path for path in paths if paths.count(path) > 1}
    targets = {"/", "/good.html", "/r302", "/gone.html", "/loop-a", "/loop-b"}
    tally.equal(repeated - targets, set(), "requests sent twice")
    tally.equal([path for path in paths if path.startswith("/private/")], [], "disallowed pages")
    agents = {agent for _, _, agent in server.log}
    tally.equal(len(agents) == 1 and re.fullmatch(r"waypost/\d.*", *agents) is not None, True, "the user agent")


def check_connections(tally, server, traced):
    if traced is None:
        print("SKIPPED the trace of connections: strace is not installed")
        return
    to = re.findall(r'sin6?_port=htons\((\d+)\).*?(?:inet_addr\("|inet_pton\(AF_INET6, ")([^"]+)', traced)
    tally.equal(set(to), {(str(server.server_port), "127.0.0.1")}, "connections")


if __name__ == "__main__":
    main()
