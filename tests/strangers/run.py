#!/usr/bin/env -S python3 -B
"""Builds the public sites of sites.toml by their generators, and compares waypost with git and with these generators.

usage: run.py WAYPOST FROM DIRECTORY [NAME...]

FROM is the URL or the path of the repositories, with `{owner}` and `{name}`: `https://github.com/{owner}/{name}`. DIRECTORY gets
the clones and the logs of the builds. A site that is built there already is only compared.

No run gets a base URL: it finds `url` of sites.toml, or must refuse where the site names none. Prints what is wrong or missing, then the
table of docs/src/tested-with.md. Exit code 1 if anything is wrong.
"""
import collections
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import tomllib

import truth

HERE = pathlib.Path(__file__).resolve().parent
TOOLS = HERE.parent / "slow" / "tools.sh"
ENVIRONMENT = {key: os.environ[key] for key in ("PATH", "HOME", "TMPDIR") if key in os.environ} | {
    "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C.UTF-8", "CI": "1"}


class Site:
    """A site of sites.toml, with the defaults of its generator."""

    def __init__(self, facts, generators, directory):
        facts = generators[facts["generator"]] | facts
        self.facts = facts
        self.name = facts["name"]
        self.clone = directory / self.name
        self.root = self.clone / facts.get("root", ".")
        self.output = self.root / facts["output"]
        self.truth = directory / f"{self.name}.truth"
        self.log = directory / f"{self.name}.log"
        self.dates = {}

    def git(self, *arguments):
        return subprocess.run(["git", "-C", self.clone, *arguments], env=ENVIRONMENT, check=True, capture_output=True,
                              encoding="utf-8").stdout.strip()

    def fetch(self, pattern):
        if not (self.clone / ".git" / "HEAD").exists():
            owner, name = self.facts["repository"].split("/")
            origin = pattern.format(owner=owner, name=name)
            subprocess.run(["git", "clone", "--quiet", "--no-checkout", origin, self.clone], env=ENVIRONMENT, check=True)
        # The remote that the pages link to, whatever was cloned.
        self.git("remote", "set-url", "origin", f"https://github.com/{self.facts['repository']}.git")
        self.git("update-ref", "--no-deref", "HEAD", self.facts["commit"])
        self.git("read-tree", "HEAD")
        # A mirror may lack large images: the other files are checked out.
        subprocess.run(["git", "-C", self.clone, "checkout-index", "--all", "--force"], env=ENVIRONMENT, capture_output=True)

    def build(self):
        """Runs the stubs and the generator, unless they have run before."""
        complete = self.log.with_suffix(".complete")
        if complete.exists():
            return
        script = "\n".join(["set -euo pipefail", f"source '{TOOLS}'", f"cd '{self.root}'", self.facts.get("stubs", ""),
                            self.facts["build"]])
        self.truth.unlink(missing_ok=True)
        variables = {"truth": str(self.truth), "hooks": str(HERE / "hooks"), "repository": str(self.clone)}
        with open(self.log, "w", encoding="utf-8") as log:
            done = subprocess.run(["nice", "bash", "-c", script], env=ENVIRONMENT | variables, stdout=log,
                                  stderr=subprocess.STDOUT, timeout=1800)
        if done.returncode or not self.output.is_dir():
            sys.exit(f"{self.name}: the build failed, see {self.log}")
        complete.touch()

    def run(self, *command):
        return subprocess.run(command, cwd=self.root, env=ENVIRONMENT, capture_output=True, encoding="utf-8")

    def explained(self, waypost):
        """The listed pages at the URL of the site. Where nothing names one, they are read at another after the refusal."""
        url, arguments = self.facts.get("url"), []
        if url is None:
            if not self.run(waypost, "--dry-run", "--quiet").returncode:
                sys.exit(f"{self.name}: it is not refused, but nothing names its URL")
            url = "https://example.com/"
            arguments = ["--base-url", url]
        done = self.run(waypost, "explain", "--json", "--quiet", *arguments)
        if done.returncode:
            sys.exit(f"{self.name}: {done.stderr}")
        rows = [row for row in map(json.loads, done.stdout.splitlines()) if row["listed"]]
        elsewhere = [row["url"] for row in rows if not row["url"].startswith(url)]
        if elsewhere or not rows:
            sys.exit(f"{self.name}: {len(elsewhere)} of {len(rows)} URLs are not below {url}, such as {elsewhere[:1]}")
        return rows

    def date(self, source):
        """The last commit that changed a file, or that added, removed or renamed one below a directory."""
        if source not in self.dates:
            path = self.root / source
            changes = ["--diff-filter=ADR"] if path.is_dir() else []
            self.dates[source] = self.git("log", "-1", "--format=%cI", *changes, "--", str(path)).replace("+00:00", "Z")
        return self.dates[source]


def moment(date):
    return datetime.datetime.fromisoformat(date.replace("Z", "+00:00"))


class Result:
    """The figures of a site: each listed page with a source is right, wrong or missing."""

    def __init__(self, site, rows):
        self.site = site
        self.rows = rows
        self.right = self.by_included = 0
        self.wrong = []
        self.missing = collections.defaultdict(list)
        sources = getattr(truth, site.facts["truth"])(site)
        for row in rows:
            self.judge(row, sources.get(row["file"]))

    def judge(self, row, wanted):
        found, file = row["source"], row["file"]
        if wanted is None and found and is_copy(self.site.root / found, self.site.output / file):
            wanted = found
        if found != wanted and found is not None:
            self.wrong.append(f"{file}: source {found}, wanted {wanted}")
        elif found is None and wanted is None:
            if row["lastmod_from"] in ("git", "pages_below") and row["lastmod"] not in self.dates_below("/"):
                self.wrong.append(f"{file}: {row['lastmod']} is the date of no page")
        elif found is None:
            self.missing[self.site.facts.get("reason", "without a known source")].append(f"{file}: {wanted}")
        elif row["lastmod"] is None:
            self.missing[row["undated"]].append(f"{file}: {wanted}")
        elif trouble := self.trouble_with_date(row):
            self.wrong.append(f"{file}: {trouble}")
        else:
            self.right += 1

    def trouble_with_date(self, row):
        """Compares a date with git's date of the source, or of a newer file that the source includes."""
        own, date, dated_by = self.site.date(row["source"]), row["lastmod"], row["dated_by"]
        if date == own:
            return None
        if moment(date) < moment(own):
            return f"lastmod {date} is older than git's {own}"
        if row["lastmod_from"] == "pages_below":
            return None if date in self.dates_below(row["url"]) else f"lastmod {date} is of no page below"
        if dated_by is None or date != self.site.date(dated_by):
            return f"lastmod {date} by {dated_by}, but git has {own}"
        self.by_included += 1
        if not self.names(row["source"], dated_by):
            return f"{row['source']} does not name {dated_by}"
        return None

    def dates_below(self, url):
        return {self.site.date(page["source"]) for page in self.rows if page["source"] and url in page["url"]}

    def names(self, source, included):
        """Whether a file names another, or names a file that does."""
        text = (self.site.root / source).read_text("utf-8")
        if ".. auto" not in text:
            text = text.replace("currentmodule::", "")  # it shows nothing alone
        module = re.sub(r"^(\.\./)*(src/)?", "", included).removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        if pathlib.Path(included).name in text or re.search(rf":: ?{re.escape(module)}(?![\w-])", text):
            return True
        named = re.findall(r"[\w./-]+\.\w+", text)
        files = {(self.site.root / source).parent / name for name in named}
        return any(pathlib.Path(included).name in file.read_text("utf-8", "replace") for file in files if file.is_file())

    def with_source(self):
        return self.right + len(self.wrong) + sum(map(len, self.missing.values()))

    def line(self):
        facts = self.site.facts
        missing = "; ".join(f"{len(pages)} {why}" for why, pages in self.missing.items())
        commit = f"[`{facts['commit'][:9]}`](https://github.com/{facts['repository']}/tree/{facts['commit']})"
        dated = sum(row["lastmod"] is not None for row in self.rows)
        figures = [len(self.rows), dated, self.with_source(), self.right, len(self.wrong), missing or "0"]
        cells = [self.site.name, facts.get("languages", 1), commit, facts["version"], *figures]
        return "| " + " | ".join(map(str, cells)) + " |"


def is_copy(source, page):
    return source.is_file() and source.read_bytes() == page.read_bytes()


def main():
    waypost, pattern, directory, *names = sys.argv[1:]
    waypost, directory = pathlib.Path(waypost).resolve(), pathlib.Path(directory).resolve()
    directory.mkdir(parents=True, exist_ok=True)
    table = tomllib.loads((HERE / "sites.toml").read_text("utf-8"))
    results = []
    for facts in table["site"]:
        if names and facts["name"] not in names:
            continue
        site = Site(facts, table["generator"], directory)
        site.fetch(pattern)
        site.build()
        result = Result(site, site.explained(waypost))
        results.append(result)
        for line in result.wrong:
            print(f"WRONG {site.name}: {line}")
        print(f"{site.name}: {result.by_included} pages are dated by an included file")
        for why, pages in result.missing.items():
            for line in pages:
                print(f"missing {site.name}: {line} ({why})")
    print("| site | languages | commit | generator | pages | dated | with a source | right | wrong | missing |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for result in results:
        print(result.line())
    sys.exit(any(result.wrong for result in results))


if __name__ == "__main__":
    main()
