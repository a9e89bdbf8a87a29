//! Compares everything that the edge-case site produces, run as its README describes, with committed
//! outputs.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;
use walkdir::WalkDir;
use waypost::internals::REASONS;

use crate::expected::is_as_expected;
use crate::site_test::{SiteTest, text_at};

/// Copies the edge site into a repository with three commits; returns the site and the commit
/// names.
fn edge_site() -> (SiteTest, Vec<String>) {
    let original = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/edge-site");
    let site = SiteTest::empty();
    for entry in WalkDir::new(&original).min_depth(1) {
        let entry = entry.expect("the edge site can be listed");
        let path = entry
            .path()
            .strip_prefix(&original)
            .expect("the entry is below the edge site");
        if entry.file_type().is_file() {
            site.write(path, fs::read(entry.path()).expect("the file can be read"));
        }
    }
    let touch = |file: &str| {
        let text = site.read(file);
        site.write(file, text + "\n");
    };
    let mut commits = vec![site.commit("2024-03-01T08:00:00+01:00")];
    touch("content/blog/2024-02-18-mud.md");
    touch("content/marks/blazes.fr.md");
    commits.push(site.commit("2025-06-15T21:30:00+02:00"));
    touch("content/glossary.md");
    commits.push(site.commit("2025-11-11T11:11:11-05:00"));
    (site, commits)
}

#[test]
fn the_output_for_the_edge_site_matches_the_committed_files() {
    let (site, commits) = edge_site();
    let numbered = |text: String| {
        commits.iter().enumerate().fold(text, |text, (at, commit)| {
            text.replace(commit, &format!("commit {}", at + 1))
        })
    };
    let explained = site.waypost(&["explain", "--json"]).succeeded().stdout;
    is_as_expected("edge-site.explain.jsonl", &numbered(explained));
    let said = site.build().stderr;
    is_as_expected("edge-site.said.txt", &said);
    is_as_expected("edge-site.sitemap.xml", &site.read("public/sitemap.xml"));
}

#[test]
fn it_has_an_excluded_page_for_every_reason_and_each_page_has_one() {
    let (site, _) = edge_site();
    let pages = &site.build_json()["pages"];
    let excluded = pages["excluded"].as_object().expect("an object");
    // Zola does not write drafts, and they are excluded only on request.
    let reasons = REASONS.iter().map(|reason| reason.code.name);
    let reasons: BTreeSet<&str> = reasons.filter(|name| *name != "draft").collect();
    let found: BTreeSet<&str> = excluded.keys().map(String::as_str).collect();
    assert_eq!(found, reasons);
    let counts = excluded.values().chain([&pages["listed"]]);
    let count: u64 = counts.filter_map(Value::as_u64).sum();
    assert_eq!(pages["found"], count);
    assert_eq!(pages["found"], site.explain().len());
}

#[test]
fn its_dates_match_git() {
    let (site, _) = edge_site();
    let pages = site.explain().into_values();
    let dated: Vec<Value> = pages.filter(|page| page["lastmod_from"] == "git").collect();
    assert!(dated.len() > 20, "{}", dated.len());
    for page in dated {
        let source = text_at(&page, "source").expect("a page dated by Git has a source");
        assert_eq!(page["lastmod"], site.date_by_git(&source), "{source}");
    }
}

#[test]
fn its_readme_gives_the_reason_for_every_excluded_page() {
    let readme = include_str!("../edge-site/README.md");
    let (site, _) = edge_site();
    for (file, page) in site.explain() {
        let Some(reason) = page["reason"].as_str() else {
            continue;
        };
        let is_route = file.starts_with("routes/");
        let file = if is_route {
            "routes/…/index.html"
        } else {
            &file
        };
        let is_row = |line: &str| line.contains(&format!("`{file}`"));
        let row = readme.lines().find(|line| is_row(line));
        let is_given = row.is_some_and(|row| row.contains(&format!("| `{reason}` |")));
        assert!(is_given, "{file}: {reason}: {row:?}");
    }
}
