//! `lastmod.memory`: dates that an earlier build has found count in a shallow clone, if they cannot
//! be wrong.

use std::fs;

use crate::dates::every_page_has_gits_date;
use crate::site_test::{Outcome, SiteTest, pair};

/// A repository, and the file of dates that its builds share.
struct SharedDates {
    origin: SiteTest,
    cache: SiteTest,
}

impl SharedDates {
    /// Creates a repository with two pages, of January and February.
    fn new() -> Self {
        let origin = SiteTest::of_pages(&["a.html"]);
        origin.commit("2024-01-01T00:00:00Z");
        origin
            .page("b.html", "")
            .commit("2024-02-02T00:00:00+01:00");
        let cache = SiteTest::empty();
        Self { origin, cache }
    }

    /// Clones the repository; without a depth, completely.
    fn clone(&self, depth: Option<u32>) -> SiteTest {
        let site = SiteTest::empty();
        let url = format!("file://{}", self.origin.root().display());
        let depth = depth.map(|depth| format!("--depth={depth}"));
        let mut arguments = vec!["clone", "--quiet"];
        arguments.extend(depth.as_deref());
        site.git(&[&arguments[..], &[&url, "."]].concat());
        site
    }

    fn file(&self) -> String {
        self.cache.root().join("dates").display().to_string()
    }

    /// Builds with the file.
    fn run(&self, site: &SiteTest) -> Outcome {
        site.waypost(&["--dates", &self.file()])
    }

    /// The JSON of a build with the file.
    fn json(&self, site: &SiteTest) -> serde_json::Value {
        let outcome = site
            .waypost(&["--json", "--dates", &self.file()])
            .succeeded();
        serde_json::from_str(&outcome.stdout).expect("the result is JSON")
    }

    /// Builds in a new clone, and returns it.
    fn build(&self, depth: Option<u32>) -> SiteTest {
        let site = self.clone(depth);
        self.run(&site).succeeded();
        site
    }

    fn text(&self) -> String {
        self.cache.read("dates")
    }
}

/// The dates of both pages, as git gives them in the complete repository.
fn both() -> [(String, Option<String>); 2] {
    [
        pair("/a.html", "2024-01-01T00:00:00Z"),
        pair("/b.html", "2024-02-02T00:00:00+01:00"),
    ]
}

#[test]
fn a_shallow_clone_has_the_dates_of_an_earlier_build() {
    let dates = SharedDates::new();
    let complete = dates.build(None);
    every_page_has_gits_date(&complete);
    assert_eq!(complete.dates(), both());
    dates
        .origin
        .write("other", "")
        .commit("2024-03-03T00:00:00Z");
    dates
        .origin
        .page("c.html", "")
        .commit("2024-04-04T00:00:00Z");
    let shallow = dates.clone(Some(3));
    let outcome = dates.run(&shallow).succeeded();
    outcome
        .says("2 dates from")
        .says_nothing_of("history-shallow");
    let [a, b] = both();
    assert_eq!(
        shallow.dates(),
        [a, b, pair("/c.html", "2024-04-04T00:00:00Z")]
    );
}

#[test]
fn a_sha256_repository_has_the_dates_of_an_earlier_build() {
    let mut dates = SharedDates::new();
    dates.origin = SiteTest::empty();
    dates
        .origin
        .git(&["init", "-q", "-b", "main", "--object-format=sha256"]);
    dates.origin.settings("");
    dates
        .origin
        .page("a.html", "")
        .commit("2024-01-01T00:00:00Z");
    dates
        .origin
        .page("b.html", "")
        .commit("2024-02-02T00:00:00+01:00");
    every_page_has_gits_date(&dates.build(None));
    assert!(
        dates
            .text()
            .contains(&dates.origin.git(&["rev-parse", "HEAD"]))
    );
    dates
        .origin
        .write("other", "")
        .commit("2024-03-03T00:00:00Z");
    assert_eq!(dates.build(Some(2)).dates(), both());
}

#[test]
fn the_json_of_a_build_counts_remembered_dates() {
    let dates = SharedDates::new();
    let count = |site: &SiteTest| {
        let outcome = dates.json(site);
        outcome["remembered"].clone()
    };
    assert_eq!(count(&dates.clone(None)), 0);
    dates
        .origin
        .page("b.html", "<meta name=x>")
        .commit("2024-03-03T00:00:00Z");
    assert_eq!(count(&dates.clone(Some(1))), 1);
    let without = dates.clone(None).build_json();
    assert!(without.get("remembered").is_none(), "{without}");
}

#[test]
fn one_commit_since_the_earlier_build_needs_no_depth() {
    let dates = SharedDates::new();
    dates.build(None);
    dates
        .origin
        .page("b.html", "<meta name=x>")
        .commit("2024-03-03T00:00:00Z");
    let expected = [both()[0].clone(), pair("/b.html", "2024-03-03T00:00:00Z")];
    assert_eq!(dates.build(Some(1)).dates(), expected);
}

#[test]
fn a_file_that_was_changed_and_changed_back_has_no_date() {
    let dates = SharedDates::new();
    dates.build(None);
    let text = dates.origin.bytes("a.html");
    dates
        .origin
        .page("a.html", "<meta name=x>")
        .commit("2024-03-03T00:00:00Z");
    dates
        .origin
        .write("a.html", text)
        .commit("2024-04-04T00:00:00Z");
    let undated = [pair("/a.html", None), pair("/b.html", None)];
    assert_eq!(dates.build(Some(1)).dates(), undated);
    let [_, b] = both();
    let expected = [pair("/a.html", "2024-04-04T00:00:00Z"), b];
    assert_eq!(dates.build(Some(3)).dates(), expected);
}

#[test]
fn a_build_that_does_not_reach_the_earlier_one_keeps_its_dates() {
    let dates = SharedDates::new();
    dates.build(None);
    for day in 1..=4 {
        dates.origin.commit(&format!("2024-05-0{day}T00:00:00Z"));
    }
    let lost = dates.build(Some(1));
    assert_eq!(lost.dates(), [pair("/a.html", None), pair("/b.html", None)]);
    assert_eq!(dates.build(Some(5)).dates(), both());
    assert_eq!(dates.text().matches("\ncommit ").count(), 1);
}

#[test]
fn a_force_push_leaves_no_date_of_a_commit_that_is_gone() {
    let dates = SharedDates::new();
    dates.build(None);
    dates.origin.git(&["reset", "--quiet", "--soft", "HEAD~1"]);
    dates.origin.commit("2024-06-06T00:00:00Z");
    let undated = [pair("/a.html", None), pair("/b.html", None)];
    assert_eq!(dates.build(Some(1)).dates(), undated);
    let [a, _] = both();
    let expected = [a, pair("/b.html", "2024-06-06T00:00:00Z")];
    assert_eq!(dates.build(None).dates(), expected);
}

#[test]
fn explain_names_the_commit_that_a_date_is_remembered_from() {
    let dates = SharedDates::new();
    let commit = dates.build(None).git(&["rev-parse", "HEAD"]);
    dates.origin.commit("2024-03-03T00:00:00Z");
    let site = dates.clone(Some(2));
    let file = dates.file();
    let explained = |page| site.waypost(&["explain", ".", page, "--dates", &file]);
    let text = explained("a.html").succeeded().stdout;
    assert!(text.contains("(git)"), "{text}");
    let from = format!("from {}", commit.trim());
    let row = text.lines().find(|line| line.contains("remembered"));
    assert!(row.is_some_and(|row| row.ends_with(&from)), "{text}");
}

#[test]
fn a_file_that_build_has_not_written_is_refused_and_kept() {
    let dates = SharedDates::new();
    let site = dates.build(None);
    let text = dates.text();
    let last = text.lines().count();
    let check = |changed: String, line: usize, problem: &str| {
        fs::remove_file(site.root().join("sitemap.xml")).ok();
        dates.cache.write("dates", &changed);
        let outcome = dates.run(&site).ended_with(2);
        let message = format!("line {line}: {problem}");
        outcome.says("dates`, ").says(&message).says("hint: ");
        assert_eq!(dates.text(), changed);
        assert!(!site.files().contains(&"sitemap.xml".to_owned()));
    };
    let changed = "the file was changed after `build` wrote it";
    check(text.replace("+0100", "+0200"), last, changed);
    check(format!("{text}\n"), last + 1, "the file ends early");
    check(
        text[..text.len() / 2].to_owned(),
        text[..text.len() / 2].lines().count(),
        "the file ends early",
    );
    check(String::new(), 1, "not a file of dates");
    check("\u{0}\u{1}".to_owned(), 1, "not a file of dates");
    check(
        text.replace("dates 1", "dates 2"),
        1,
        "version 2 of the format is newer",
    );
    let conflict = text.replacen("commit ", "<<<<<<< ours\ncommit ", 1);
    let line = text
        .lines()
        .take_while(|line| !line.starts_with("commit "))
        .count()
        + 1;
    check(conflict, line, "a merge has left a conflict here");
    dates.cache.write("dates", text.replace('\n', "\r\n"));
    dates.run(&site).succeeded();
}

#[test]
fn dates_of_another_repository_are_refused() {
    let (dates, other) = (
        SharedDates::new(),
        SiteTest::of_pages(&["a.html", "b.html"]),
    );
    dates.build(None);
    other.commit("2024-09-09T00:00:00Z");
    dates
        .run(&other)
        .ended_with(2)
        .says("has the dates of another repository")
        .says("hint: remove the file");
}

#[test]
fn dates_of_other_settings_do_not_count() {
    let dates = SharedDates::new();
    let site = dates.build(None);
    site.settings("[lastmod]\ndate = \"author\"\n");
    let before = dates.text();
    dates
        .run(&site)
        .succeeded()
        .says("warning[memory-outdated]");
    assert_ne!(dates.text(), before);
    dates
        .run(&site)
        .succeeded()
        .says_nothing_of("memory-outdated");
}

#[test]
fn only_a_build_that_writes_changes_the_file() {
    let dates = SharedDates::new();
    let site = dates.clone(None);
    let file = dates.file();
    for arguments in [
        &["build", "--dry-run"][..],
        &["explain"],
        &["check"],
        &["report"],
    ] {
        site.waypost(&[arguments, &["--dates", &file]].concat());
        assert!(dates.cache.files().is_empty(), "{arguments:?}");
    }
    dates.run(&site).succeeded().says("(written)");
    let text = dates.text();
    dates.run(&site).succeeded().says("(unchanged)");
    assert_eq!(dates.text(), text);
}

#[test]
fn a_commit_of_only_the_file_does_not_change_it() {
    let site = SiteTest::of_pages(&["a.html"]);
    site.settings("[lastmod]\nmemory = \"data/dates\"\n");
    site.write(".gitignore", "sitemap.xml\nrobots.txt\n");
    site.commit("2024-01-01T00:00:00Z");
    site.build();
    site.commit("2024-02-02T00:00:00Z");
    let text = site.bytes("data/dates");
    site.build().says("(unchanged)");
    assert_eq!(site.bytes("data/dates"), text);
    site.page("b.html", "").commit("2024-03-03T00:00:00Z");
    site.build().says("(written)");
}

#[test]
fn only_sources_of_listed_pages_are_kept() {
    let dates = SharedDates::new();
    dates
        .origin
        .page("hidden.html", "<meta name=robots content=noindex>")
        .commit("2024-03-03T00:00:00Z");
    dates.build(None);
    let text = dates.text();
    assert!(
        text.contains(" a.html\n") && !text.contains("hidden"),
        "{text}"
    );
}

#[cfg(unix)] // links
#[test]
fn the_file_is_not_written_through_a_link_out_of_the_site() {
    let (site, elsewhere) = (SiteTest::of_pages(&["a.html"]), SiteTest::empty());
    site.settings("[lastmod]\nmemory = \"data/dates\"\n");
    site.commit("2024-01-01T00:00:00Z");
    site.link("data", &elsewhere.root().display().to_string());
    site.waypost(&[]).ended_with(2).says("is outside the site");
    assert!(elsewhere.files().is_empty());
}

#[test]
fn sources_in_a_shallow_submodule_have_the_dates_of_an_earlier_build() {
    let library = SiteTest::empty();
    for (page, date) in [("a", "2023-01-01T00:00:00Z"), ("b", "2023-02-02T00:00:00Z")] {
        library.write(format!("{page}.md"), page).commit(date);
    }
    let mut dates = SharedDates::new();
    dates.origin = SiteTest::of_pages(&["a.html", "b.html"]);
    let origin = &dates.origin;
    let map = "a.html,docs/a.md\nb.html,docs/b.md\n";
    origin.write("sources.csv", map);
    origin.commit("2023-12-01T00:00:00Z");
    let url = format!("file://{}", library.root().display());
    let submodule = ["-c", "protocol.file.allow=always", "submodule", "--quiet"];
    origin.git(&[&submodule[..], &["add", &url, "docs"]].concat());
    origin.commit("2024-01-01T00:00:00Z");

    let build = |depth: &[&str]| {
        let site = dates.clone(None);
        site.git(&[&submodule[..], &["update", "--init"], depth].concat());
        let arguments = ["--dates", &dates.file(), "--source-map", "sources.csv"];
        let outcome = site.waypost(&arguments).succeeded();
        (site, outcome)
    };
    let (complete, _) = build(&[]);
    let by_git = ["a", "b"].map(|page| {
        let log = ["-C", "docs", "log", "-1", "--format=%cI", "--"];
        let date = complete.git(&[&log[..], &[&format!("{page}.md")]].concat());
        (format!("/{page}.html"), Some(date.replace("+00:00", "Z")))
    });
    assert_eq!(complete.dates(), by_git);

    // The next version of the submodule changes one page.
    library.write("b.md", "c").commit("2023-03-03T00:00:00Z");
    library.write("c", "").commit("2023-04-04T00:00:00Z");
    origin.git(&["-C", "docs", "pull", "--quiet"]);
    origin.commit("2024-02-02T00:00:00Z");
    let (shallow, outcome) = build(&["--depth=3"]);
    outcome
        .says("1 date from")
        .says_nothing_of("history-shallow");
    let expected = [
        pair("/a.html", "2023-01-01T00:00:00Z"),
        pair("/b.html", "2023-03-03T00:00:00Z"),
    ];
    assert_eq!(shallow.dates(), expected);

    // Without the memory, the shallow submodule has only the date of the page that changed.
    shallow
        .waypost(&["--source-map", "sources.csv"])
        .succeeded()
        .says("history-shallow");
    let [(a, _), b] = expected;
    assert_eq!(shallow.dates(), [(a, None), b]);
}
