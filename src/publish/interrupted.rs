//! What a reader sees when a run is killed or a write fails: tested after every single step, between sets of every kind.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use proptest::prelude::*;
use tempfile::TempDir;

use super::disk::{DiskError, LockedOutputDir, WriteMode};
use super::inject_fault::{FaultDuration, failing, take_links_from};
use super::place::{SurroundingFiles, place, prepare};
use crate::bounds::SitemapDir;
use crate::config::{GzipMode, SitemapFormat, SitemapSettings};
use crate::sitemaps::fixture::{at_most, base, entry, grouped, plan};
use crate::sitemaps::index::index_over;
use crate::sitemaps::names::SetFileNames;
use crate::sitemaps::previous::{PreviousSet, carries_mark, read_pages};
use crate::sitemaps::{Plan, SitemapEntry};

const ALONE: SurroundingFiles<'_> = SurroundingFiles {
    robots_txt: None,
    key: None,
    is_generators_sitemap: &|_| false,
};

/// What a reader that starts at the root sees; every file it is led to has to be there, and whole.
fn seen(folder: &Path) -> BTreeSet<String> {
    let folder = &SitemapDir::named(folder);
    let previous = PreviousSet::find(
        folder,
        &base(),
        SetFileNames {
            root: "sitemap.xml",
        },
    );
    let mut urls = BTreeSet::new();
    for file in previous.page_files() {
        let note = read_pages(folder, &file, &mut |listed| {
            urls.insert(listed.loc.clone());
        });
        assert_eq!(note, None);
    }
    assert_eq!(previous.notes, [""; 0]);
    urls
}

fn robots_of(folder: &Path) -> Option<Vec<u8>> {
    fs::read(folder.join("robots.txt")).ok()
}

/// All that lies in a folder and is not staged.
fn published(folder: &Path) -> BTreeMap<OsString, Vec<u8>> {
    let items = fs::read_dir(folder)
        .expect("the folder is there")
        .map(|item| item.expect("an item"));
    let files = items.filter(|item| item.path().is_file());
    files
        .map(|file| {
            (
                file.file_name(),
                fs::read(file.path()).expect("it is there"),
            )
        })
        .collect()
}

fn addresses(plan: &Plan) -> BTreeSet<String> {
    plan.entries()
        .iter()
        .map(|entry| entry.loc.to_string())
        .collect()
}

/// Takes the steps one by one, and looks at the folder after each.
fn check_every_step(folder: &Path, new: &Plan) {
    let (old, new_urls) = (seen(folder), addresses(new));
    let both: BTreeSet<_> = old.intersection(&new_urls).cloned().collect();
    let either: BTreeSet<_> = old.union(&new_urls).cloned().collect();
    let output = LockedOutputDir::open(folder, WriteMode::Write).expect("the folder is there");
    let robots = robots_of(folder);
    let surroundings = SurroundingFiles {
        robots_txt: Some(b"new"),
        ..ALONE
    };
    let (steps, _) = prepare(new, &output, surroundings).expect("it can be staged");
    for step in &steps {
        step.take().expect("it can be taken");
        assert!(
            [robots.as_deref(), Some(b"new")].contains(&robots_of(folder).as_deref()),
            "torn after {step:?}"
        );
        let now = seen(folder);
        assert!(
            now.is_superset(&both),
            "lost after {step:?}: {:?}",
            both.difference(&now)
        );
        assert!(now.is_subset(&either), "from nowhere after {step:?}");
    }
    output.close().expect("it can be cleared");
    assert_eq!(seen(folder), new_urls);
    assert_eq!(robots_of(folder).as_deref(), Some(&b"new"[..]));
    assert_eq!(strays(folder, new), [""; 0], "nothing but the set is left");
}

/// The files of ours that are none of the set's, and what is still staged.
fn strays(folder: &Path, set: &Plan) -> Vec<String> {
    let items = fs::read_dir(folder)
        .expect("the folder is there")
        .map(|item| item.expect("an item").file_name());
    let names = items.map(|name| name.into_string().expect("UTF-8"));
    let outputs: BTreeSet<_> = set
        .files
        .iter()
        .flat_map(|file| set.outputs(file))
        .collect();
    let is_stray =
        |name: &String| !outputs.contains(name) && carries_mark(&folder.join(name), &set.root);
    names
        .filter(|name| is_stray(name) || name.starts_with('.'))
        .collect()
}

/// Writes the first set, some steps of the second, then the third.
fn check_after_a_killed_run([old, killed, new]: [Plan; 3], killed_after: usize) {
    let folder = TempDir::new().expect("a folder");
    place(&old, folder.path(), ALONE).expect("the old set");
    let output =
        LockedOutputDir::open(folder.path(), WriteMode::Write).expect("the folder is there");
    let (steps, _) = prepare(&killed, &output, ALONE).expect("it can be staged");
    steps
        .iter()
        .take(killed_after)
        .for_each(|step| step.take().expect("it can be taken"));
    drop(output);
    check_every_step(folder.path(), &new);
}

#[test]
fn indexes_that_a_killed_run_has_left_do_not_come_to_light_later() {
    let settings = SitemapSettings {
        max_sitemaps: 2,
        ..at_most(1)
    };
    for killed_after in 0..30 {
        // Seven indexes, then two, then eight.
        let sets = [0..14, 0..3, 10..26].map(|pages| {
            plan(
                pages.map(|page| entry(&format!("p{page}"))).collect(),
                &settings,
            )
        });
        check_after_a_killed_run(sets, killed_after);
    }
}

/// Pages of one small site, so that two sets share many; some have a group.
fn pages() -> impl Strategy<Value = Vec<SitemapEntry>> {
    prop::collection::btree_map(0_u8..30, prop::option::of("[bc]"), 1..30).prop_map(|pages| {
        let named = |(number, group): (u8, Option<String>)| match group {
            None => entry(&format!("p{number}")),
            Some(group) => grouped(&format!("p{number}"), &group),
        };
        pages.into_iter().map(named).collect()
    })
}

fn settings() -> impl Strategy<Value = SitemapSettings> {
    let gzip = prop::sample::select(vec![
        GzipMode::Off,
        GzipMode::Off,
        GzipMode::Also,
        GzipMode::Only,
    ]);
    let max_sitemaps = prop::sample::select(vec![2_usize, 5, 50_000]);
    let formats = prop::sample::select(vec![
        vec![SitemapFormat::Xml],
        vec![SitemapFormat::Xml, SitemapFormat::Txt],
    ]);
    (1_usize..20, gzip, max_sitemaps, formats).prop_map(
        |(max_urls, gzip, max_sitemaps, formats)| SitemapSettings {
            formats,
            gzip,
            max_sitemaps,
            ..at_most(max_urls)
        },
    )
}

/// Writes the index and the children of another tool, which divides its pages in its own way.
fn write_foreign_set(folder: &Path, pages: &[SitemapEntry]) {
    let children = [
        "sitemap-0.xml",
        "sitemap-1.xml",
        "sitemap-b.xml",
        "sitemap1.xml",
    ];
    for (at, child) in children.iter().enumerate() {
        let pages = pages.iter().skip(at).step_by(children.len());
        let lines: Vec<_> = pages
            .map(|page| format!("<url><loc>{}</loc></url>", page.loc))
            .collect();
        fs::write(
            folder.join(child),
            format!("<urlset>{}</urlset>", lines.concat()),
        )
        .expect("a file");
    }
    let locs = children.map(|child| format!("https://example.com/{child}"));
    let index = index_over("other.xml", locs.iter().map(String::as_str));
    fs::write(folder.join("sitemap.xml"), index).expect("a file");
}

/// Moves pages between groups and parts, so that the run from one set to the other builds a bridge.
fn two_sets() -> [Plan; 2] {
    let page = |group: &'static str| move |number: u8| grouped(&format!("p{number}"), group);
    let before = (0..20)
        .map(page("b"))
        .chain((20..30).map(page("c")))
        .collect();
    let after = (5..15)
        .map(page("b"))
        .chain((15..35).map(page("c")))
        .collect();
    let settings = SitemapSettings {
        gzip: GzipMode::Also,
        ..at_most(6)
    };
    [plan(before, &settings), plan(after, &settings)]
}

/// Lets the write of a number fail; says whether the run came so far.
fn check_failed_write(number: usize, kind: ErrorKind, lasts: FaultDuration) -> bool {
    let folder = TempDir::new().expect("a folder");
    let [old, new] = two_sets();
    let robots = |text| SurroundingFiles {
        robots_txt: Some(text),
        ..ALONE
    };
    place(&old, folder.path(), robots(b"old")).expect("the old set");
    let before = published(folder.path());
    let result = failing(folder.path(), number, kind, lasts, || {
        place(&new, folder.path(), robots(b"new"))
    });
    let Err(error) = result else { return false };
    assert!(error.hint().is_some(), "{error}");
    if let DiskError::Write { .. } = error {
        assert!(
            published(folder.path()) == before,
            "not all stays as it was: {error}"
        );
    }
    let (now, [old, both_new]) = (seen(folder.path()), [&old, &new].map(addresses));
    assert!(
        now.is_superset(&old.intersection(&both_new).cloned().collect()),
        "lost by {error}"
    );
    assert!(
        now.is_subset(&old.union(&both_new).cloned().collect()),
        "from nowhere by {error}"
    );
    let robots_txt = robots_of(folder.path()).expect("it stays");
    assert!([b"old", b"new"].contains(&&robots_txt[..].try_into().expect("three letters")));
    place(&new, folder.path(), robots(b"new")).expect("the next run");
    assert_eq!(
        (seen(folder.path()), strays(folder.path(), &new)),
        (both_new, vec![])
    );
    true
}

#[test]
fn a_write_that_fails_at_any_step_loses_no_page() {
    for (kind, lasts) in [
        (ErrorKind::StorageFull, FaultDuration::Once),
        (ErrorKind::PermissionDenied, FaultDuration::FromNowOn),
    ] {
        let writes = (0..1_000)
            .take_while(|&number| check_failed_write(number, kind, lasts))
            .count();
        assert!(writes > 50, "only {writes} writes could fail");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn a_killed_run_loses_no_page_of_ours(
        old in pages(), new in pages(), before in settings(), after in settings(), has_links: bool
    ) {
        let folder = TempDir::new().expect("a folder");
        if !has_links {
            take_links_from(folder.path());
        }
        place(&plan(old, &before), folder.path(), ALONE).expect("the old set");
        check_every_step(folder.path(), &plan(new, &after));
    }

    #[test]
    fn a_run_after_a_killed_one_loses_no_page_either(
        sets in (pages(), pages(), pages()), settings in (settings(), settings()), killed_after in 0_usize..40
    ) {
        let after = SitemapSettings { gzip: settings.0.gzip, ..settings.1 };
        check_after_a_killed_run([plan(sets.0, &settings.0), plan(sets.1, &settings.0), plan(sets.2, &after)], killed_after);
    }

    #[test]
    fn a_killed_run_loses_no_page_of_another_tool(old in pages(), new in pages(), after in settings()) {
        let folder = TempDir::new().expect("a folder");
        write_foreign_set(folder.path(), &old);
        check_every_step(folder.path(), &plan(new, &after));
    }
}
