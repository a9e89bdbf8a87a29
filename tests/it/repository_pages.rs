//! Tests when a repository counts as published on GitHub Pages or GitLab Pages: by what is in it, never by a
//! name alone. A false host is worse than a refusal.

use crate::site_test::{SiteTest, page};
use crate::table::unescaped;

const GITHUB: &str = "https://github.com/acme/book.git";
const AT_GITHUB: &str = "https://acme.github.io/book/";
const HEAD_DATE: &str = "2025-02-20T00:00:00Z";
const RECENT: &str = "2025-02-02T00:00:00Z";
const BEFORE_STEPS: &str =
    "on: [push]\njobs:\n  site:\n    steps:\n      - run: mdbook build\n      ";
const HOME: (&str, &str) = ("index.html", "<!DOCTYPE html><title>Book</title><p>Text");

/// A repository whose book is built.
struct Repository {
    site: SiteTest,
}

impl Repository {
    fn of(remote: &str) -> Self {
        let site = SiteTest::with(&[
            ("book.toml", "[book]\ntitle = \"B\"\n"),
            (".gitignore", "book/\n"),
            ("book/index.html", &page("")),
        ]);
        site.git(&["init", "-q"]);
        site.git(&["remote", "add", "origin", remote]);
        Self { site }
    }

    /// Commits files to the branch that GitHub publishes, as a clone knows it.
    fn with_branch(self, files: &[(&str, &str)], date: &str) -> Self {
        for (name, text) in files {
            self.site.write(name, text);
        }
        self.site.commit(date);
        let tip = self.site.git(&["rev-parse", "HEAD"]);
        self.site
            .git(&["update-ref", "refs/remotes/origin/gh-pages", tip.trim()]);
        self.site.git(&["update-ref", "-d", "HEAD"]);
        for (name, _) in files {
            self.site.remove(name);
        }
        self
    }

    /// The base URL that a run finds; empty if it is refused. A refusal writes nothing.
    fn base_url(&self) -> String {
        self.site.commit(HEAD_DATE);
        let outcome = self.site.waypost(&[]);
        let written = self.site.root().join("book/sitemap.xml").exists();
        assert_eq!(written, outcome.code == 0, "{}", outcome.stderr);
        let line = outcome
            .stderr
            .lines()
            .find(|line| line.trim_start().starts_with("site "));
        let url = line.and_then(|line| line.split_whitespace().nth(1));
        url.filter(|_| written).unwrap_or_default().to_owned()
    }
}

#[test]
fn what_publishes_a_repository_names_its_pages_and_a_word_does_not() {
    let mut remote = "";
    for line in include_str!("../cases/repository-pages.txt").lines() {
        let cells: Vec<&str> = line.split(" | ").collect();
        if let Some(section) = line.strip_prefix('[') {
            remote = section.trim_end_matches(']');
        } else if let [file, text, expected] = cells[..] {
            let (file, prefix) = match file {
                "steps" => (".github/workflows/a.yml", BEFORE_STEPS),
                _ => (file, ""),
            };
            let repository = Repository::of(remote);
            let text = format!("{prefix}{}\n", unescaped(text));
            repository.site.write(file, text);
            let expected = expected.trim_start_matches('-');
            assert_eq!(repository.base_url(), expected, "{remote}: {line}");
        }
    }
}

#[test]
fn a_branch_counts_by_the_page_at_its_tip() {
    let check = |files: &[(&str, &str)], date: &str, beside: &str, expected: &str| {
        let repository = Repository::of(GITHUB).with_branch(files, date);
        if !beside.is_empty() {
            repository.site.write(beside, "");
        }
        assert_eq!(repository.base_url(), expected, "{files:?} {date} {beside}");
    };
    check(&[HOME], RECENT, "", AT_GITHUB);
    check(&[HOME], "2024-02-21T00:00:00Z", "", AT_GITHUB);
    check(
        &[HOME, ("CNAME", "Book.acme.dev\n")],
        RECENT,
        "",
        "https://book.acme.dev/",
    );
    // Charts, coverage and benchmarks.
    check(&[("index.yaml", "apiVersion: v1")], RECENT, "", "");
    check(&[("coverage/index.html", HOME.1)], RECENT, "", "");
    // Retired, also with a domain that the project has dropped.
    check(&[HOME], "2024-02-19T00:00:00Z", "", "");
    check(
        &[HOME, ("CNAME", "old.acme.dev\n")],
        "2021-07-13T00:00:00Z",
        "",
        "",
    );
    // Moved to another host.
    let refresh =
        "<title>Moved</title><meta http-equiv=refresh content='1; URL=https://book.acme.dev/'>";
    let script = "<title>Moved</title><script>location.replace('https://book.acme.dev/')</script>";
    check(&[("index.html", refresh)], RECENT, "", "");
    check(&[("index.html", script)], RECENT, "", "");
    let within = "<title>Book</title><meta http-equiv=refresh content='0; URL=en/'>";
    check(&[("index.html", within)], RECENT, "", AT_GITHUB);
    // Another host builds this repository.
    for file in [
        "netlify.toml",
        "vercel.json",
        "firebase.json",
        ".readthedocs.yaml",
    ] {
        check(&[HOME], RECENT, file, "");
    }
}

/// GitHub serves a branch without any step that a clone could show. The report is jekyll-now, issue 1178.
#[test]
fn the_top_of_a_repository_is_served_only_below_its_own_path() {
    let check = |remote: &str, more: (&str, &str), arguments: &[&str], expected: i32| {
        let site = SiteTest::with(&[
            ("_config.yml", "url: https://acme.github.io\nbaseurl: ''\n"),
            ("index.html", &page("<link rel=stylesheet href=/style.css>")),
            ("about.html", &page("")),
            more,
        ]);
        site.git(&["init", "-q"]);
        site.git(&["remote", "add", "origin", remote]);
        site.commit(HEAD_DATE);
        let outcome = site.waypost(arguments);
        assert_eq!(outcome.code, expected, "{remote} {}", outcome.stderr);
        outcome
    };
    let (none, top) = (("a.txt", ""), &["-o", "."][..]);
    check(GITHUB, none, top, 1)
        .says("but this repository is served from its top by GitHub Pages only at `https://acme.github.io/book/`");
    check("https://github.com/acme/acme.github.io", none, top, 0);
    check("https://git.acme.dev/acme/book", none, top, 0);
    // A build may be pushed to another repository, and another host serves the top elsewhere.
    check(GITHUB, ("_site/index.html", "<title>Home</title>"), &[], 0);
    check(GITHUB, ("netlify.toml", "[build]\n"), top, 0);
    let given = ["-o", ".", "--base-url", "https://acme.github.io/"];
    check(GITHUB, none, &given, 0);
    let canonical = "<title>x</title><link rel=canonical href=https://acme.github.io/x.html>";
    check(GITHUB, ("x.html", canonical), top, 0);
}
