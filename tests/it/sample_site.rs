//! Runs the sample site as the README describes: from its bundled history, with fixed dates.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use walkdir::WalkDir;

use crate::contracts::readme;
use crate::expected::is_to_be_rewritten;
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

/// Draws a run in a terminal as an SVG image.
fn picture(lines: &[&str]) -> String {
    let (width, height) = (760, 20 * lines.len() + 40);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#10232b\"/>\n\
         <g font-family=\"ui-monospace, Menlo, Consolas, monospace\" font-size=\"14\" fill=\"#dcebea\">\n"
    );
    for (at, line) in lines.iter().enumerate() {
        let line = line.replace('&', "&amp;").replace('<', "&lt;");
        // Browsers collapse other spaces.
        let line = line.replace(' ', "\u{a0}");
        let y = 20 * at + 35;
        writeln!(svg, "<text x=\"20\" y=\"{y}\">{line}</text>").expect("a string can grow");
    }
    svg + "</g>\n</svg>\n"
}

#[test]
fn the_picture_in_the_readme_shows_the_first_run() {
    let site = cloned();
    let run = site.waypost(&["demo"]).succeeded();
    assert!(run.stderr.lines().count() <= 30, "{}", run.stderr);
    let lines: Vec<&str> = std::iter::once("$ zola build && waypost")
        .chain(run.stderr.lines().filter(|line| !line.is_empty()))
        .collect();
    let expected = picture(&lines).replace("demo/public", "public");
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/src/images/run.svg");
    if is_to_be_rewritten() {
        fs::write(file, &expected).expect("the picture can be written");
    }
    let shown = fs::read_to_string(file).expect("the picture exists");
    assert_eq!(shown, expected, "set UPDATE_EXPECTED=1 to rewrite it");
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
