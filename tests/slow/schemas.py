#!/usr/bin/env python3
"""Compares the strict reader of `waypost check` with a schema validator.

usage: SITEMAP_SCHEMA=FILE tests/slow/schemas.py [COUNT] [SEED]

Makes COUNT mutations of valid sitemaps (core, index, images, language links), and has each judged by
xmllint and by `waypost check`. FILE is the protocol's own schema of `<urlset>`; the schemas of indexes,
images and language links are in tests/schemas. Every file that one of them refuses must be refused by
the other, except for the differences that `argued` names. The last line is 'N passed, M failed'.
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
SCHEMAS = ROOT / "tests/schemas"
OFFICIAL = os.environ.get("SITEMAP_SCHEMA") or sys.exit("SITEMAP_SCHEMA is not set: run tests/slow/schemas.sh")
BATCH = 150

NAMESPACES = (
    'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" '
    'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" '
    'xmlns:xhtml="http://www.w3.org/1999/xhtml"'
)
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'

IMAGE = "<image:image><image:loc>https://example.com/i.png</image:loc><image:caption>c</image:caption><image:title>t</image:title></image:image>"
LINK = '<xhtml:link rel="alternate" hreflang="de" href="https://example.com/de/"/>'
CORE = "<lastmod>2024-05-06</lastmod><changefreq>daily</changefreq><priority>0.5</priority>"


def urlset(*inner):
    urls = "".join(f"<url><loc>https://example.com/{at}</loc>{text}</url>\n" for at, text in enumerate(inner))
    return f"{HEAD}<urlset {NAMESPACES}>\n{urls}</urlset>\n"


SEEDS = [
    urlset(CORE, "<lastmod>2024-05-06T07:08:09+02:00</lastmod>", ""),
    urlset(IMAGE, CORE + IMAGE * 2),
    urlset(LINK * 2, CORE + LINK),
    urlset(CORE + LINK + IMAGE),
    f"{HEAD}<sitemapindex {NAMESPACES}>\n<sitemap><loc>https://example.com/s.xml</loc><lastmod>2024-05-06</lastmod></sitemap>\n"
    "<sitemap><loc>https://example.com/t.xml</loc></sitemap></sitemapindex>\n",
]
VALUES = [
    "", " ", "0", "1", "0.5", "1.1", "-1", "+1", "5e-1", "7", "00", "1.", ".5",
    "daily", "Daily", " daily", "en", "eng", "EN", "zh-cn", "english",
    "2024-05-06", "2024-05", "2024", "2024-13-01", "2023-02-29", "2024-05-06T07:08Z", "2024-05-06T07:08:09",
    "2024-05-06T07:08:09Z", "2024-05-06T07:08:09.5+14:00", "2024-05-06T07:08:09+15:00", "2024-05-06T24:00:00Z",
    "2024-05-06T07:08:60Z", "2024-05-06Z", "soon", "https://example.com/x", "/x.png", "x y", "%zz", "http://a:b/",
    "x" * 101, "x" * 2049, "a&amp;b", "&#65;", "<![CDATA[daily]]>", "a<b/>c", "<!-- c -->1", "https://example.com/%C3%A9",
]
NAMES = [
    "foo", "loc", "url", "sitemap", "lastmod", "priority", "changefreq", "image:image", "image:loc",
    "image:title", "image:license", "xhtml:link", "foo:bar", "image:foo", "xhtml:a", "URL",
]
NOISE = ["<", ">", "&", "]]>", '"', "\x01", "\x00", "é", "x", "</url>", "<url>", "<!--", "--", "&nbsp;", "&#0;", "&#x41;", "\ufffe", "<?p?>"]


def elements(text):
    """The innermost elements and empty tags, as spans."""
    return [match.span() for match in re.finditer(r"<([\w:]+)(?: [^<>]*)?>[^<]*</\1>|<[\w:]+ [^<>]*/>|<([\w:]+)>(?:(?!</?\2>).)*</\2>", text, re.S)]


def mutate(text, choice):
    """Returns the text with one change."""
    spans = elements(text)
    if not spans:
        return text + "x"
    (from_, to), (other, other_end) = choice.choice(spans), choice.choice(spans)
    tags = [match.span() for match in re.finditer(r"<[^<>]*>", text)]
    tag, tag_end = choice.choice(tags)
    values = [match.span(1) for match in re.finditer(r">([^<>]*)</", text)] or [(0, 0)]
    value, value_end = choice.choice(values)
    attributes = [match.span() for match in re.finditer(r' [\w:]+="[^"]*"', text)]
    attribute = choice.choice(attributes) if attributes else (0, 0)
    at = choice.randrange(len(text))
    kind = choice.randrange(13)
    if kind == 0:
        return text[:from_] + text[to:]
    if kind == 1:
        return text[:from_] + text[from_:to] * 2 + text[to:]
    if kind == 2:
        moved = text[:from_] + text[to:]
        place = min(other, len(moved)) if other < from_ else max(other_end - (to - from_), 0)
        return moved[:place] + text[from_:to] + moved[place:]
    if kind in (3, 4):
        return text[:value] + choice.choice(VALUES) + text[value_end:]
    if kind == 5:
        name = choice.choice(NAMES)
        return text[:from_] + re.sub(r"(?<=^<)[\w:]+|(?<=</)[\w:]+(?=>$)", name, text[from_:to]) + text[to:]
    if kind == 6:
        name, place = choice.choice(NAMES), choice.choice([tag, tag_end])
        return f"{text[:place]}<{name}>{choice.choice(VALUES)}</{name}>{text[place:]}"
    if kind == 7:
        extra = choice.choice([' foo="bar"', ' xml:lang="de"', ' xmlns:z="urn:z" z:a="b"', ' rel="alternate"', ' a="1" a="2"', ' href="<"'])
        end = tag_end - (2 if text[tag_end - 2] == "/" else 1)
        return text[:end] + extra + text[end:]
    if kind == 8:
        return text[: attribute[0]] + text[attribute[1] :]
    if kind == 9:
        old = text[attribute[0] : attribute[1]]
        new = re.sub('"[^"]*"', lambda _: '"' + choice.choice(VALUES).replace('"', "") + '"', old)
        return text[: attribute[0]] + new + text[attribute[1] :]
    if kind == 10:
        return text[:tag] + choice.choice(NOISE + ["text", " ", "\n"]) + text[tag:]
    if kind == 11:
        return text[:at] + choice.choice(NOISE) + text[at:]
    return text[:at] + text[at + choice.randrange(1, 4) :]


# What makes a file refused, by code. Other findings compare the sitemap with the site.
DENIED = {"sitemap-invalid", "sitemap-limits", "loc-invalid"}


def argued(text, is_valid, codes):
    """Returns why the two may differ about a file, or None. This is the only place for differences."""
    if is_valid:
        if codes == {"sitemap-invalid"} and re.search(r"<(image:loc|image:license)>\s*</|<image:loc\s*/>", text):
            return "xsd:anyURI may be empty, but an empty URL is of no use"
        if re.search(r"<\?xml[^>]*encoding=(?!\"UTF-8\")", text):
            return "the protocol requires UTF-8, XML does not"
        if re.search(r"<\?xml version=\"(?!1\.\d)", text):
            return "xmllint only warns about an XML version that does not exist"
        if re.search(r"<loc>(?!\s*(<!\[CDATA\[)?https?://)", text):
            return "sitemaps.org: a URL must begin with the protocol, such as http"
        if re.search(r"<loc>\s*https?://[^/<]*[>\"]", text):
            return "sitemaps.org: a URL follows RFC 3986, which has no such host"
        known = "http://www.google.com/schemas/sitemap-image/1.1", "http://www.w3.org/1999/xhtml"
        near = re.findall(r'xmlns:\w+="([^"]*(?:google.com/schemas/sitemap-image|w3.org/1999/xhtml)[^"]*)"', text)
        if set(near) - set(known):
            return "readers ignore elements of a namespace that is nearly a known one"
        if re.search(r"<lastmod>\s*(\d{4}-\d\d-\d\d[Z+-]|[^<]*T[\d:.]*\s*<|[^<]*T24)", text):
            return "sitemaps.org: dates are W3C Datetimes, with a zone for each time and none for a day"
        return None
    if "loc-spelling" in codes:
        return "a <loc> that readers encode themselves is a warning"
    if "<sitemapindex" in text and re.search(r'<loc>[^<]*[^<!-~]|<loc>[^<]*[>"]', text):
        return "a <loc> of an index that readers encode themselves is not reported"
    if "loc-elsewhere" in codes:
        return "a URL on another host is an error, whether or not it is listed twice"
    if "loc-twice" in codes:
        return "a URL that is listed twice is a warning"
    if "hreflang-ignored" in codes:
        return "engines ignore a language link with a wrong code, not the file"
    if re.search(r"<lastmod>(\d{4}(-\d\d)?|[^<]*T\d\d:\d\d(Z|[+-][^<]*))</lastmod>", text):
        return "the protocol's text allows years, months and minutes, its schema does not"
    if set(re.findall(r'xmlns(?::\w+)?="([^"]*)"', text)) - set(re.findall(r'="([^"]*)"', NAMESPACES)):
        return "the protocol allows namespaces of one's own"
    return None


def write_schema(folder):
    """Writes the schemas in which that of `<urlset>` is the official one; returns their entry point."""
    for name in ("all.xsd", "image.xsd", "xhtml-link.xsd"):
        shutil.copy(SCHEMAS / name, folder)
    shutil.copy(OFFICIAL, folder / "core.xsd")
    return folder / "all.xsd"


def judged_by_xmllint(folder, names, schema):
    """The names of the valid files."""
    if not names:
        return set()
    done = subprocess.run(
        ["xmllint", "--nonet", "--noout", "--schema", str(schema), *names], cwd=folder, capture_output=True, check=False
    )
    return {line.removesuffix(" validates") for line in done.stderr.decode("utf-8", "replace").splitlines() if line.endswith(" validates")}


def judged_by_waypost(folder):
    """The codes of the findings by file."""
    done = subprocess.run(
        [WAYPOST, "check", "--json", "-q", "."], cwd=folder, capture_output=True, check=False,
        env={"PATH": os.environ["PATH"], "SOURCE_DATE_EPOCH": "1768478400", "WAYPOST_LEVELS_BASE_URL_PLACEHOLDER": "allow"},
    )
    if done.returncode not in (0, 1):
        sys.exit(f"waypost: {done.stderr.decode()}")
    codes = collections.defaultdict(set)
    for finding in json.loads(done.stdout)["findings"]:
        if finding.get("file"):
            codes[finding["file"].removeprefix("./")].add(finding["code"])
    return codes


def run_batch(texts):
    """Yields the text, the verdict of xmllint and the codes of each file."""
    with tempfile.TemporaryDirectory() as folder:
        site = pathlib.Path(folder)
        (site / "waypost.toml").write_text('base_url = "https://example.com/"\nurl_style = "clean"\n')
        for page in ("index", "0", "1", "2"):
            (site / f"{page}.html").write_text(f"<!DOCTYPE html><title>{page}</title><p>x")
        names = [f"m{at}.xml" for at in range(len(texts))]
        for name, text in zip(names, texts):
            (site / name).write_bytes(text.encode("utf-8", "surrogatepass"))
        (site / "robots.txt").write_text("".join(f"Sitemap: https://example.com/{name}\n" for name in names))
        (site / "schemas").mkdir()
        official = write_schema(site / "schemas")
        indexes = [name for name, text in zip(names, texts) if "<sitemapindex" in text]
        sets = [name for name in names if name not in indexes]
        valid = judged_by_xmllint(folder, sets, official) | judged_by_xmllint(folder, indexes, SCHEMAS / "all.xsd")
        codes = judged_by_waypost(folder)
        for name, text in zip(names, texts):
            yield text, name in valid, codes[name]


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
    choice = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    texts = list(SEEDS)
    while len(texts) < count:
        text = mutate(choice.choice(SEEDS), choice)
        if choice.randrange(4) == 0:
            text = mutate(text, choice)
        texts.append(text)
    agreed, valid, failed, reasons = 0, 0, 0, collections.Counter()
    for start in range(0, count, BATCH):
        for text, is_valid, codes in run_batch(texts[start : start + BATCH]):
            valid += is_valid
            if is_valid == (not codes & DENIED):
                agreed += 1
            elif why := argued(text, is_valid, codes & (DENIED if is_valid else codes)):
                reasons[why] += 1
            else:
                failed += 1
                verdict = "accepts" if is_valid else "refuses"
                print(f"DIFFERS xmllint {verdict}, waypost finds {sorted(codes)}:\n{text}")
    print(f"{count} files, {valid} valid by the schemas; the same verdict on {agreed}")
    for why, times in reasons.most_common():
        print(f"  {times} differ: {why}")
    print(f"{count - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
