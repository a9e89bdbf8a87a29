//! Runs the sample site as the README describes: from its bundled history, with fixed dates.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use walkdir::WalkDir;

use crate::contracts::readme;
use crate::expected::is_to_be_rewritten;
use crate::loopback::{Reply, Server};
use crate::site_test::SiteTest;

/// The files next to the sample site that are not part of it.
const NOT_OF_THE_SITE: &[&str] = &["README.md", "rebuild", "history.bundle"];

/// Clones the bundle of the sample site with the `git clone` command of the README.
fn cloned() -> SiteTest {
    let readme = readme();
    let command = readme
        .lines()
        .find_map(|line| {
            line.split_once(" && cargo run -- demo")?
                .0
                .strip_prefix("rm -rf demo && git ")
        })
        .expect("the README clones the bundle");
    let site = SiteTest::empty();
    let arguments = command.replace(
        "sample-site/",
        concat!(env!("CARGO_MANIFEST_DIR"), "/sample-site/"),
    );
    site.git(&arguments.split(' ').collect::<Vec<_>>());
    site
}

/// The files below a directory, without `.git`.
fn files(top: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = WalkDir::new(top)
        .into_iter()
        .filter_entry(|entry| entry.file_name() != ".git");
    let entries = entries.map(|entry| entry.expect("the entry can be read"));
    let files = entries.filter(|entry| entry.file_type().is_file());
    let files = files.map(|file| {
        let path = file
            .path()
            .strip_prefix(top)
            .expect("the file is below the top");
        let bytes = fs::read(file.path()).expect("the file can be read");
        (path.to_string_lossy().replace('\\', "/"), bytes)
    });
    files.collect()
}

/// Checks that a document shows a command with its output, in a block `text`.
fn assert_shown(document: &str, command: &str, output: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(document);
    let text = fs::read_to_string(&file).expect("the document exists");
    let start = format!("\n```text\n$ {command}\n");
    let (before, rest) = text.split_once(&start).expect("it shows the command");
    let (_, after) = rest.split_once("```\n").expect("the block ends");
    let expected = format!("{before}{start}{}\n```\n{after}", output.trim_matches('\n'));
    if is_to_be_rewritten() {
        fs::write(&file, &expected).expect("the document can be written");
    }
    let shown = fs::read_to_string(&file).expect("the document exists");
    assert_eq!(shown, expected, "set UPDATE_EXPECTED=1 to rewrite it");
}

#[test]
fn the_readme_and_the_landing_page_show_the_first_run() {
    let site = cloned();
    let run = site.waypost(&["demo"]).succeeded();
    assert!(run.stderr.lines().count() <= 30, "{}", run.stderr);
    let output = run.stderr.replace("demo/public", "public");
    for document in ["README.md", "docs/src/index.md"] {
        assert_shown(document, "zola build && waypost", &output);
    }
}

#[test]
fn the_readme_and_the_landing_page_show_the_check_of_zolas_sitemap_where_it_is_published() {
    const PUBLISHED: &str = "https://example.org";
    let public = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-site/public");
    let server = Server::start_with_url(move |url, path| {
        let path = public.join(&path[1..]);
        let file = if path.is_dir() {
            path.join("index.html")
        } else {
            path
        };
        let text = fs::read_to_string(&file).ok()?.replace(PUBLISHED, url);
        let is_page = file
            .extension()
            .is_some_and(|extension| extension == "html");
        let kind = if is_page { "text/html" } else { "text/plain" };
        Some(Reply::of(200, &[&format!("Content-Type: {kind}")], text))
    });
    let site = SiteTest::of_pages(&[]);
    let url = server.url("");
    let checked = site.waypost(&["check", "--live=all", &format!("{url}/")]);
    // The excerpt underlines the URL, whose host has another length.
    let output = checked.ended_with(1).stderr.replace(&url, PUBLISHED);
    let marks = |url: &str| "^".repeat(format!("{url}/thanks/").len());
    let output = output.replace(&marks(&url), &marks(PUBLISHED));
    for document in ["README.md", "docs/src/index.md"] {
        assert_shown(document, "waypost check https://example.org/", &output);
    }
}

#[test]
fn a_second_run_changes_nothing_and_check_finds_nothing() {
    let site = cloned();
    site.waypost(&["demo"]).succeeded();
    let written = site.read("demo/public/sitemap.xml");
    site.waypost(&["demo"]).succeeded();
    assert_eq!(site.read("demo/public/sitemap.xml"), written);
    let checked = site.waypost(&["check", "demo", "--strict"]).succeeded();
    assert!(!checked.stderr.contains("warning["), "{}", checked.stderr);
}

#[test]
fn its_pages_have_the_dates_that_git_prints() {
    let site = cloned();
    let pages = site
        .waypost(&["explain", "demo", "--json"])
        .succeeded()
        .stdout;
    let pages = pages.lines().map(|line| {
        serde_json::from_str::<serde_json::Value>(line).expect("explain prints JSON Lines")
    });
    let mut dates: Vec<String> = Vec::new();
    for page in pages.filter(|page| page["lastmod_from"] == "git") {
        let source = page["source"]
            .as_str()
            .expect("a page dated by Git has a source");
        let date = site.git(&["-C", "demo", "log", "-1", "--format=%cI", "--", source]);
        assert_eq!(page["lastmod"].as_str(), Some(date.as_str()), "{source}");
        dates.push(date);
    }
    dates.sort();
    dates.dedup();
    assert!(dates.len() >= 7, "{dates:?}");
}

#[test]
fn the_files_next_to_the_bundle_are_those_of_its_last_commit() {
    let site = cloned();
    let mut here = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-site"));
    here.retain(|path, _| !NOT_OF_THE_SITE.contains(&path.as_str()));
    let there = files(&site.root().join("demo"));
    assert_eq!(
        here.keys().collect::<Vec<_>>(),
        there.keys().collect::<Vec<_>>()
    );
    assert!(here == there, "a file differs: run sample-site/rebuild");
}
