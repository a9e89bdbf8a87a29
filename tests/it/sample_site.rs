//! Compares everything that the sample site produces, run as its README describes, with committed
//! outputs.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use walkdir::WalkDir;
use waypost::internals::REASONS;

use crate::contracts::readme;
use crate::expected::is_as_expected;
use crate::site_test::SiteTest;

/// Copies the sample site into a repository with three commits; returns the site and the commit
/// names.
fn sample_site() -> (SiteTest, Vec<String>) {
    let original = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-site");
    let site = SiteTest::empty();
    for entry in WalkDir::new(&original).min_depth(1) {
        let entry = entry.expect("the sample site can be listed");
        let path = entry
            .path()
            .strip_prefix(&original)
            .expect("the entry is below the sample site");
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
    touch("data/glossary.toml");
    commits.push(site.commit("2025-11-11T11:11:11-05:00"));
    (site, commits)
}

#[test]
fn the_output_for_the_sample_site_matches_the_committed_files() {
    let (site, commits) = sample_site();
    let numbered = |text: String| {
        commits.iter().enumerate().fold(text, |text, (at, commit)| {
            text.replace(commit, &format!("commit {}", at + 1))
        })
    };
    let explained = site.waypost(&["explain", "--json"]).succeeded().stdout;
    is_as_expected("sample-site.explain.jsonl", &numbered(explained));
    let said = site.build().stderr;
    let timeless: Vec<&str> = said
        .lines()
        .filter(|line| !line.trim_start().starts_with("took  "))
        .collect();
    is_as_expected("sample-site.said.txt", &(timeless.join("\n") + "\n"));
    is_as_expected("sample-site.sitemap.xml", &site.read("public/sitemap.xml"));
}

#[test]
fn it_has_an_excluded_page_for_every_reason() {
    let (site, _) = sample_site();
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
    let (site, _) = sample_site();
    let mut count = 0;
    for page in site
        .explain()
        .into_values()
        .filter(|page| page["lastmod_from"] == "git")
    {
        let source = page["source"]
            .as_str()
            .expect("a page dated by Git has a source");
        let sources = if page["file"] == "glossary/index.html" {
            vec![source, "data/glossary.toml"]
        } else {
            vec![source]
        };
        let dates = sources.iter().map(|source| site.date_by_git(source));
        assert_eq!(page["lastmod"].as_str(), dates.max().as_deref(), "{source}");
        count += 1;
    }
    assert!(count > 20, "{count}");
}

#[test]
fn its_readme_gives_the_reason_for_every_excluded_page() {
    let readme =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-site/README.md"))
            .expect("the README can be read");
    let (site, _) = sample_site();
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

#[test]
fn the_run_shown_in_the_readme_matches_a_real_run() {
    let readme = readme();
    let (site, _) = sample_site();
    let said = site.build().stderr;
    // Commits, the repository and its path differ here.
    let differs = |line: &str| {
        ["output  ", " git", "pages_below", " kB ", "took  ", "…"]
            .iter()
            .any(|it| line.contains(it))
    };
    let shown = readme
        .lines()
        .skip_while(|line| !line.starts_with("       site  "));
    let shown: Vec<&str> = shown
        .take_while(|line| *line != "```")
        .filter(|line| !differs(line))
        .collect();
    assert!(shown.len() > 15, "{shown:#?}");
    let wrong: Vec<&&str> = shown
        .iter()
        .filter(|line| !said.lines().any(|own| own == **line))
        .collect();
    assert!(
        wrong.is_empty(),
        "lines not in the output: {wrong:#?}\n{said}"
    );
}
