//! Compares everything that the edge-case site produces, run as its README describes, with committed
//! outputs.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use walkdir::WalkDir;
use waypost::internals::REASONS;

use crate::expected::is_as_expected;
use crate::site_test::SiteTest;

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
fn it_has_an_excluded_page_for_every_reason() {
    let (site, _) = edge_site();
    let result = site.build_json();
    let left_out = result["pages"]["excluded"].as_object().expect("an object");
    // Zola does not write drafts, and they are excluded only on request.
    let reasons: BTreeSet<&str> = REASONS
        .iter()
        .map(|reason| reason.code.name)
        .filter(|name| *name != "draft")
        .collect();
    assert_eq!(
        left_out.keys().map(String::as_str).collect::<BTreeSet<_>>(),
        reasons
    );
}

#[test]
fn its_dates_match_git() {
    let (site, _) = edge_site();
    let mut count = 0;
    for page in site
        .explain()
        .into_values()
        .filter(|page| page["lastmod_from"] == "git")
    {
        let source = page["source"]
            .as_str()
            .expect("a page dated by Git has a source");
        let date = site.date_by_git(source);
        assert_eq!(page["lastmod"].as_str(), Some(date.as_str()), "{source}");
        count += 1;
    }
    assert!(count > 20, "{count}");
}

#[test]
fn its_readme_gives_the_reason_for_every_excluded_page() {
    let readme =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/edge-site/README.md"))
            .expect("the README can be read");
    let (site, _) = edge_site();
    for (file, page) in site.explain() {
        if let Some(reason) = page["reason"].as_str() {
            let file = if file.starts_with("routes/") {
                "routes/…/index.html"
            } else {
                &file
            };
            let row = readme
                .lines()
                .find(|line| line.contains(&format!("`{file}`")));
            assert!(
                row.is_some_and(|row| row.contains(&format!("| `{reason}` |"))),
                "{file}: {reason}: {row:?}"
            );
        }
    }
}
