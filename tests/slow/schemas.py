#!/usr/bin/env python3
"""Compares `waypost check FILE` with the official schemas, on random documents.

usage: SITEMAP_SCHEMAS=DIR tests/slow/schemas.py [COUNT] [SEED]

Makes random URL sets and indexes, with images, absolute URLs of one host and dates of 1970 to 9999, and
mutations of them, until xmllint has accepted COUNT (1,000) and rejected as many by the schemas in DIR
(`sitemap.xsd`, `siteindex.xsd`, `sitemap-image.xsd`). No document that they accept may be an error but
with a sentence of the protocol (`SENTENCES`), and none that they reject may be right but with `NOTE`. The last line is
'N passed, M failed'.
"""

import collections
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
WAYPOST = os.environ.get("WAYPOST", str(ROOT / "target/debug/waypost"))
SCHEMAS = pathlib.Path(os.environ.get("SITEMAP_SCHEMAS") or sys.exit("SITEMAP_SCHEMAS is not set: run tests/slow/schemas.sh"))
BATCH = 100

CORE = "http://www.sitemaps.org/schemas/sitemap/0.9"
IMAGE = "http://www.google.com/schemas/sitemap-image/1.1"
XSI = "http://www.w3.org/2001/XMLSchema-instance"

# What the protocol says beyond its schemas, by the words of the messages (sitemaps.org/protocol.html).
SENTENCES = {
    "as the schema and W3C Datetime require": '"lastmod … should be in W3C Datetime format", where a time has a zone, and a day none',
    "absolute http or https URL (RFC 3986)": '"This URL must begin with the protocol (such as http)", and URLs "follow the RFC-3986 standard"',
    "the protocol allows 2,047": '"This value must be less than 2,048 characters"',
    "the protocol requires UTF-8": '"The Sitemap must … be UTF-8 encoded"',
    "the host of the first URL": '"all URLs in a Sitemap must be from a single host"',
}
# W3C Datetime has years, months and times without seconds, which the schema has not.
NOTE = "is a date in W3C Datetime, to which the protocol refers, but not in its schema"


class Writer:
    """Makes one document."""

    def __init__(self, choice):
        self.choice = choice
        self.own = choice.choice(["", "", "", "s:"])
        self.image = choice.choice(["image", "i", "img"])
        self.index = choice.random() < 0.25

    def maybe(self, share, text):
        return text if self.choice.random() < share else ""

    def gap(self):
        return self.choice.choice(["", "", "\n", "\n  ", " ", "\t\r\n", "<!-- c -->", "<?p q?>"])

    def text(self, value):
        """A value with the freedom that XML gives to text."""
        kind = self.choice.randrange(8)
        if kind == 0:
            return f"<![CDATA[{value}]]>"
        if kind == 1 and value:
            at = self.choice.randrange(len(value))
            return escape(value[:at]) + f"&#{ord(value[at])};" + escape(value[at + 1 :])
        if kind == 2 and value:
            at = self.choice.randrange(len(value))
            return escape(value[:at]) + "<!-- c -->" + escape(value[at:])
        return escape(value)

    def padded(self, value):
        """A value of a type that XML Schema trims."""
        return self.choice.choice(["", "", "", " ", "\n\t"]) + self.text(value) + self.choice.choice(["", "", " ", "\n"])

    def element(self, name, inner):
        if not inner and self.choice.random() < 0.5:
            return f"<{name}/>"
        return f"<{name}{self.maybe(0.1, ' ')}>{inner}</{name}{self.maybe(0.1, ' ')}>"

    def url(self):
        letters = "abcXYZ019-._~!$&'()*+,;=:@/é中 \"<>^`{}|\\"
        part = lambda most: "".join(self.choice.choice(letters) for _ in range(self.choice.randrange(most)))
        escapes = self.maybe(0.2, self.choice.choice(["%20", "%C3%A9", "%ff"]))
        query = self.maybe(0.3, "?" + part(8))
        return "https://example.com/" + part(12) + escapes + query + self.maybe(0.1, "#" + part(4))

    def date(self):
        year, month, day = self.choice.randrange(1970, 10000), self.choice.randrange(1, 13), self.choice.randrange(1, 29)
        date = f"{year:04}-{month:02}-{day:02}"
        zone = self.choice.choice(["Z", "Z", "+02:00", "-14:00", "+00:00", "-05:30", "+14:00"])
        if self.choice.random() < 0.4:
            return date + self.maybe(0.1, zone)
        time = f"{self.choice.randrange(24):02}:{self.choice.randrange(60):02}:{self.choice.randrange(60):02}"
        time = self.maybe(0.05, "24:00:00") or time
        return f"{date}T{time}{self.maybe(0.3, '.' + str(self.choice.randrange(1, 999999)))}{self.maybe(0.9, zone)}"

    def images(self):
        name = lambda local: f"{self.image}:{local}"
        inner = self.element(name("loc"), self.maybe(0.95, self.padded(self.choice.choice([self.url(), "/i.png", "i.png", "//cdn.example.org/i"]))))
        for optional in ("caption", "geo_location", "title"):
            inner += self.gap() + self.maybe(0.3, self.element(name(optional), self.text(self.choice.choice(["", " ", "Käfer & co", "<b>"]))))
        inner += self.maybe(0.3, self.element(name("license"), self.maybe(0.9, self.padded(self.url()))))
        return f'<{name("image")} xmlns:{self.image}="{IMAGE}">{self.gap()}{inner}{self.gap()}</{name("image")}>'

    def entry(self):
        name = lambda local: self.own + local
        parts = [self.element(name("loc"), self.padded(self.url()))]
        parts.append(self.maybe(0.6, self.element(name("lastmod"), self.padded(self.date()))))
        if not self.index:
            word = self.choice.choice("always hourly daily weekly monthly yearly never".split())
            parts.append(self.maybe(0.4, self.element(name("changefreq"), self.text(word))))
            number = self.choice.choice("0 1 0.0 1.0 0.5 .5 1. +0.7 00.50 -0 0.123456789".split())
            parts.append(self.maybe(0.4, self.element(name("priority"), self.padded(number))))
        parts += [self.images() for _ in range(self.choice.choice([0, 0, 1, 3]))]
        inner = "".join(self.gap() + part for part in parts)
        return f"<{name('sitemap' if self.index else 'url')}>{inner}{self.gap()}</{name('sitemap' if self.index else 'url')}>"

    def document(self):
        head = self.choice.choice(["", '<?xml version="1.0"?>', '<?xml version="1.0" encoding="UTF-8"?>\n', "<?xml version='1.0' encoding='utf-8' standalone='yes'?>"])
        root = self.own + ("sitemapindex" if self.index else "urlset")
        namespaces = f' xmlns{":" + self.own[:-1] if self.own else ""}="{CORE}"'
        namespaces += self.maybe(0.3, f' xmlns:xsi="{XSI}" xsi:schemaLocation="{CORE} {CORE}/sitemap.xsd"')
        entries = "".join(self.gap() + self.entry() for _ in range(self.choice.randrange(1, 4)))
        return f"{self.maybe(0.1, chr(0xFEFF))}{head}{self.maybe(0.2, '<!-- c -->')}<{root}{namespaces}>{self.gap()}{entries}{self.gap()}</{root}>{self.maybe(0.3, chr(10))}"


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


VALUES = [
    "", " ", "0", "1", "0.5", "1.1", "-1", "-0.1", "5e-1", "7", ",5", "NaN", "daily", "Daily", " daily", "sometimes",
    "2024-05-06", "2024-05", "2024", "2024-13-01", "2023-02-29", "2024-00-10", "0000-05-06", "2024-05-06T07:08Z",
    "2024-05-06T07:08:09", "2024-05-06T07:08:09Z", "2024-05-06T07:08:09.5+14:00", "2024-05-06T07:08:09+15:00",
    "2024-05-06T25:00:00Z", "2024-05-06T07:08:60Z", "2024-05-06T07:08:09+0200", "2024-05-06 07:08:09Z", "2024-5-6",
    "2024-05-06Z", "06.05.2024", "soon", "https://example.com/x", "http://a.de", "https://example.com/%zz", "https://example.com/a#b#c",
    "https://example.com/?a[]=1", "/x.png", "x y", "%zz", "http://a:b/", "https://example.com/" + "x" * 2100, "a&amp;b",
    "<![CDATA[daily]]>", "a<b/>c", "<!-- c -->1", "https://example.com/%C3%A9",
]
NAMES = ["foo", "loc", "url", "sitemap", "lastmod", "priority", "changefreq", "image:image", "image:loc", "URL", "news", "s:loc"]
NOISE = ["<", ">", "&", "]]>", '"', "\x01", "\x00", "é", "x", "</url>", "<url>", "<!--", "--", "&nbsp;", "&#0;", "&#x41;", "\ufffe", "<?p?>", "<?xml?>"]
EXTRA = [' foo="bar"', ' xml:lang="de"', ' xmlns:z="urn:z" z:a="b"', ' a="1" a="2"', ' a="<"', ' id="1"', " a=1", " a"]


def mutate(text, choice):
    """Returns the text with one change."""
    leaves = [match.span() for match in re.finditer(r"<([\w:]+)(?: [^<>]*)?>[^<]*</\1 ?>|<[\w:]+ ?/>|<([\w:]+)>(?:(?!</?\2>).)*</\2>", text, re.S)]
    tags = [match.span() for match in re.finditer(r"<[^<>]*>", text)]
    values = [match.span(1) for match in re.finditer(r">([^<>]*)</", text)] or [(0, 0)]
    (start, end), (value, value_end), (tag, tag_end) = (choice.choice(spans) for spans in (leaves or tags, values, tags))
    at, kind = choice.randrange(len(text)), choice.randrange(10)
    if kind == 0:
        return text[:start] + text[end:]
    if kind == 1:
        return text[:start] + text[start:end] * 2 + text[end:]
    if kind == 2:
        other = choice.choice(tags)[1]
        return text[:start] + text[end:other] + text[start:end] + text[other:] if other >= end else text[:other] + text[start:end] + text[other:start] + text[end:]
    if kind in (3, 4):
        return text[:value] + choice.choice(VALUES) + text[value_end:]
    if kind == 5:
        return text[:start] + re.sub(r"(?<=^<)[\w:]+|(?<=</)[\w:]+(?= ?>$)", choice.choice(NAMES), text[start:end]) + text[end:]
    if kind == 6:
        name = choice.choice(NAMES)
        return f"{text[:tag]}<{name}>{choice.choice(VALUES)}</{name}>{text[tag:]}"
    if kind == 7:
        end = tag_end - (2 if text[tag_end - 2] in "/?" else 1)
        return text[:end] + choice.choice(EXTRA) + text[end:]
    if kind == 8:
        return text[:at] + choice.choice(NOISE) + text[at:]
    return text[:at] + text[at + choice.randrange(1, 4) :]


def judged_by_xmllint(folder, names):
    """The names of the valid files."""
    done = subprocess.run(
        ["xmllint", "--nonet", "--noout", "--schema", "all.xsd", *names], cwd=folder, capture_output=True, check=False
    )
    lines = done.stderr.decode("utf-8", "replace").splitlines()
    valid = {line.removesuffix(" validates") for line in lines if line.endswith(" validates")}
    # Each file has a verdict, or it cannot be parsed; a schema that cannot be loaded judges nothing.
    if any("failed to load" in line or "Schemas parser error" in line for line in lines):
        sys.exit("\n".join(lines[:5]))
    return valid


def errors_of_waypost(folder, name):
    """The messages of the errors, and of notes about dates, by file, of a file or of the files that an index names."""
    done = subprocess.run([WAYPOST, "check", "--json", "-q", name], cwd=folder, capture_output=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"waypost: {done.stderr.decode()}")
    messages = collections.defaultdict(list)
    for finding in json.loads(done.stdout)["findings"]:
        if finding["level"] == "deny" or NOTE in finding["message"]:
            messages[finding["file"].removeprefix("./")].append(f"{finding['code']}: {finding['message']}")
    return messages


def write_schema(folder):
    """Writes one schema of all files in `SCHEMAS`: both of the protocol have the same namespace."""
    for name in ("sitemap.xsd", "siteindex.xsd", "sitemap-image.xsd"):
        shutil.copy(SCHEMAS / name, folder)
    core = f'<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="{CORE}">'
    core += '<xs:include schemaLocation="sitemap.xsd"/><xs:include schemaLocation="siteindex.xsd"/></xs:schema>'
    (folder / "core.xsd").write_text(core)
    both = '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">'
    both += f'<xs:import namespace="{CORE}" schemaLocation="core.xsd"/><xs:import namespace="{IMAGE}" schemaLocation="sitemap-image.xsd"/></xs:schema>'
    (folder / "all.xsd").write_text(both)


def run_batch(texts):
    """Yields each text, whether it is valid, and the errors."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_schema(folder)
        names = [f"m{at}.xml" for at in range(len(texts))]
        for name, text in zip(names, texts):
            (folder / name).write_bytes(text.encode("utf-8", "surrogatepass"))
        valid = judged_by_xmllint(folder, names)
        # An index does not name others. Files of one index cannot hide errors of each other.
        indexes = [name for name, text in zip(names, texts) if "sitemapindex" in text]
        listed = "".join(f"<sitemap><loc>https://example.com/{name}</loc></sitemap>" for name in names if name not in indexes)
        (folder / "index.xml").write_text(f'<sitemapindex xmlns="{CORE}">{listed}</sitemapindex>')
        errors = errors_of_waypost(folder, "index.xml")
        for name in indexes:
            errors |= errors_of_waypost(folder, name)
        for name, text in zip(names, texts):
            yield text, name in valid, errors.get(name, [])


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    choice = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    judged, failed, reasons = collections.Counter(), 0, collections.Counter()
    while min(judged[True], judged[False]) < count:
        texts = []
        while len(texts) < BATCH:
            text = Writer(choice).document()
            for _ in range(choice.choice([0, 0, 1, 1, 2])):
                text = mutate(text, choice)
            # The protocol allows namespaces of one's own, of which no schema knows the elements.
            if not set(re.findall(r'xmlns(?::\w+)?="([^"]*)"', text)) - {CORE, IMAGE, XSI, "urn:z"}:
                texts.append(text)
        for text, is_valid, errors in run_batch(texts):
            if judged[is_valid] == count:
                continue
            judged[is_valid] += 1
            why = [next((words for words in SENTENCES if words in error), None) for error in errors]
            if bool(errors) != is_valid:
                reasons["note"] += all(NOTE in error for error in errors) and not is_valid
                continue
            if is_valid and all(why):
                reasons.update(set(why))
                continue
            failed += 1
            print(f"DIFFERS xmllint {'accepts' if is_valid else 'rejects'}, waypost: {errors}\n{text}\n")
    print(f"{judged[True]} documents accepted by the schemas, {judged[False]} rejected; {failed} judged otherwise")
    print(f"  {reasons.pop('note')} not denied although rejected: {NOTE}")
    for words, times in reasons.most_common():
        print(f"  {times} denied although accepted: {SENTENCES[words]}")
    print(f"{2 * count - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
