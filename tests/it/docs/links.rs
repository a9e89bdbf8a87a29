//! Links between the pages, and the table of contents.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path};

use super::generated_parts::{all_pages, page_text};
use crate::contracts::readme;

#[test]
fn links_between_pages_name_pages_and_headings_that_exist() {
    let anchors: BTreeMap<String, BTreeSet<String>> = all_pages()
        .into_iter()
        .map(|page| (page.clone(), anchors_of(&page_text(&page))))
        .collect();
    let mut broken = Vec::new();
    let mut count = 0;
    let mut check = |from: &str, page: String, anchor: &str| {
        count += 1;
        let exists = anchors
            .get(&page)
            .is_some_and(|known| anchor.is_empty() || known.contains(anchor));
        if !exists {
            broken.push(format!("{from}: {page}#{anchor}"));
        }
    };
    for from in anchors.keys() {
        for link in links_of(&page_text(from)) {
            let (path, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let page = if path.is_empty() {
                from.clone()
            } else {
                joined(from, path)
            };
            check(from, page, anchor);
        }
    }
    for link in links_of(&readme()) {
        // `contracts::documents` checks links to other files, such as pictures.
        let page = link.strip_prefix("docs/src/");
        if let Some(link) = page.filter(|link| link.contains(".md")) {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            check("the README", path.to_owned(), anchor);
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
    assert!(count > 300, "{count}");
}

#[test]
fn the_table_of_contents_lists_every_page_once() {
    let mut listed = links_of(&page_text("SUMMARY.md"));
    listed.sort();
    let pages = all_pages().into_iter();
    let pages: Vec<String> = pages.filter(|page| page != "SUMMARY.md").collect();
    assert_eq!(listed, pages);
}

/// Files that `docs/build` publishes with the pages.
const PUBLISHED: [&str; 3] = ["sitemap.xml", "check.json", "report.html"];

/// The targets of links that are not URLs.
fn links_of(text: &str) -> Vec<String> {
    let prose = lines_of_prose(text).collect::<Vec<_>>().join("\n");
    let targets = prose.split("](").skip(1);
    let targets = targets.filter_map(|rest| rest.split_once(')').map(|(target, _)| target));
    targets
        .filter(|target| !target.contains(':') && !PUBLISHED.contains(target))
        .map(str::to_owned)
        .collect()
}

/// The identifiers that mdBook gives to headings.
fn anchors_of(text: &str) -> BTreeSet<String> {
    let headings = lines_of_prose(text).filter(|line| line.starts_with('#'));
    let ids = headings.map(|line| {
        let heading = line.trim_start_matches('#').trim().to_lowercase();
        let id = heading.chars().filter_map(|char| match char {
            char if char.is_whitespace() => Some('-'),
            char if char.is_alphanumeric() || matches!(char, '-' | '_') => Some(char),
            _ => None,
        });
        id.collect()
    });
    ids.collect()
}

fn lines_of_prose(text: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    text.lines().filter(move |line| {
        is_code ^= line.starts_with("```");
        !is_code
    })
}

/// The page at a path relative to another page.
fn joined(from: &str, path: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in Path::new(path).components() {
        match part {
            Component::ParentDir => {
                parts.pop();
            }
            other => parts.extend(other.as_os_str().to_str()),
        }
    }
    parts.join("/")
}
