//! Tests of what a reader sees if a run ends after any of its changes, and of what its error says.
//!
//! `tests/slow/faults.py` lets the system calls of whole runs fail, and kills them.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use proptest::prelude::*;

use super::fixture::{at_most, entries, entry, grouped, plan};
use super::tests::{ALONE, names_in, temp_dir};
use super::*;
use crate::files::tree::Tree;
use crate::survey::Survey;
use sitemaps::{EntryExtent, GzipMode, SitemapEntry, SitemapSettings};

/// The URLs that a reader finds from the root. Every file on the way must exist and be complete.
fn seen(dir: &Path) -> BTreeSet<String> {
    let dir = &Tree::new(dir);
    let roots = ["sitemap.xml", "sitemap.xml.gz"].map(SitePath::from);
    let sitemaps = Survey::read(dir, roots, EntryExtent::All);
    let mut urls = BTreeSet::new();
    for file in sitemaps.files_of_sets(&sitemaps.roots_of("sitemap.xml")) {
        let file = sitemaps.file(&file).expect("it was read");
        urls.extend(file.entries.iter().map(|entry| entry.loc.into_owned()));
        assert_eq!(file.notes, [""; 0]);
    }
    urls
}

fn old_files(plan: &Plan, dir: &LockedOutputDir<'_>) -> OldFiles {
    OldFiles::find(plan, dir, [], &|_| false).expect("they can be read")
}

fn urls_of(plan: &Plan) -> BTreeSet<String> {
    let entries = plan.entries().iter();
    entries.map(|entry| entry.loc.to_string()).collect()
}

/// Makes the first `count` changes of a run; returns whether there are more.
fn end_after(dir: &Path, plan: &Plan, count: usize) -> bool {
    let tree = Tree::new(dir);
    let output = LockedOutputDir::open(&tree, WriteMode::Write).expect("the directory exists");
    let (mut changes, _) =
        prepare(plan, &output, old_files(plan, &output), ALONE).expect("the set can be staged");
    let all = changes.len();
    changes.truncate(count);
    output.make(changes).expect("the changes can be made");
    drop(output);
    count < all
}

/// Ends a run after each of its changes, and then runs it again.
fn check_every_end(old: &Plan, new: &Plan) {
    let (before, after) = (urls_of(old), urls_of(new));
    for count in 0.. {
        let dir = temp_dir();
        publish(old, dir.path(), ALONE).expect("the old set");
        let has_more = end_after(dir.path(), new, count);
        let now = seen(dir.path());
        let both: BTreeSet<_> = before.intersection(&after).collect();
        let lost: Vec<_> = both.into_iter().filter(|url| !now.contains(*url)).collect();
        assert!(lost.is_empty(), "after {count} changes: {lost:?}");
        assert!(
            now.iter()
                .all(|url| before.contains(url) || after.contains(url))
        );
        publish(new, dir.path(), ALONE).expect("the next run");
        assert_eq!(seen(dir.path()), after);
        let planned = new.files().iter().flat_map(|file| new.disk_names(file));
        assert_eq!(
            names_in(dir.path()),
            planned
                .collect::<BTreeSet<_>>()
                .into_iter()
                .collect::<Vec<_>>()
        );
        if !has_more {
            break;
        }
    }
}

/// Pages of a small site, so that two sets share many. The group of a page is always the same.
fn pages() -> impl Strategy<Value = Vec<SitemapEntry>> {
    prop::collection::btree_set(0_u8..30, 1..30).prop_map(|pages| {
        let page = |number: u8| match number % 3 {
            0 => entry(&format!("p{number}")),
            1 => grouped(&format!("p{number}"), "b"),
            _ => grouped(&format!("p{number}"), "c"),
        };
        pages.into_iter().map(page).collect()
    })
}

fn settings() -> impl Strategy<Value = SitemapSettings> {
    let gzip = prop::sample::select(vec![GzipMode::Off, GzipMode::Also, GzipMode::Only]);
    (1_usize..20, gzip).prop_map(|(max_urls, gzip)| SitemapSettings {
        gzip,
        ..at_most(max_urls)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn a_run_that_ends_after_any_change_loses_no_page_that_keeps_its_group(
        old in pages(), new in pages(), before in settings(), after in settings()
    ) {
        check_every_end(&plan(old, &before), &plan(new, &after));
    }
}

#[test]
fn an_error_names_the_files_that_were_replaced_before_it() {
    let dir = temp_dir();
    let (path, set) = (dir.path(), plan(entries(9), &at_most(5)));
    let tree = Tree::new(path);
    let output = LockedOutputDir::open(&tree, WriteMode::Write).expect("a directory");
    let (changes, _) =
        prepare(&set, &output, old_files(&set, &output), ALONE).expect("the set can be staged");
    // Another program creates a directory of a name that the set needs.
    fs::create_dir(path.join("sitemap.xml")).expect("a directory");
    let error = output
        .make(changes)
        .expect_err("the root cannot be replaced");
    let text = error
        .to_string()
        .replace(&*path.to_string_lossy(), "public");
    let expected = "; already replaced or removed: `public/sitemap-0.xml`, `public/sitemap-1.xml`; \
                    the next run completes the set";
    assert!(
        text.starts_with("`public/sitemap.xml` cannot be replaced: ")
            && text
                .to_lowercase()
                .contains(&ErrorKind::IsADirectory.to_string()),
        "{text}"
    );
    assert!(text.ends_with(expected), "{text}");
    drop(output);
    assert_eq!(
        names_in(path),
        ["sitemap-0.xml", "sitemap-1.xml", "sitemap.xml"]
    );
}
