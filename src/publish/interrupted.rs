//! Tests of what a reader sees when a run is killed or a write fails: after every single step, with
//! sets of every kind.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use proptest::prelude::*;
use tempfile::TempDir;

use super::disk::{LockedOutputDir, WriteMode};
use super::disk_error::DiskError;
use super::inject_fault::{FaultDuration, disable_hard_links, failing};
use super::place::{SurroundingFiles, prepare, publish};
use site_paths::Hint;
use site_paths::containment::SitemapDir;
use sitemaps::fixture::{at_most, base, entry, grouped, plan};
use sitemaps::index::index_over;
use sitemaps::names::SetFileNames;
use sitemaps::previous::{PreviousSet, file_has_mark, read_pages};
use sitemaps::{GzipMode, SitemapFormat, SitemapSettings};
use sitemaps::{Plan, SitemapEntry};

const ALONE: SurroundingFiles<'_> = SurroundingFiles {
    robots_txt: None,
    key: None,
    is_generators_sitemap: &|_| false,
};

/// The URLs that a reader finds from the root. Every file on the way must exist and be complete.
fn seen(dir: &Path) -> BTreeSet<String> {
    let dir = &SitemapDir::named_by_user(dir);
    let previous = PreviousSet::find(
        dir,
        &base(),
        SetFileNames {
            root: "sitemap.xml",
        },
    );
    let mut urls = BTreeSet::new();
    for file in previous.page_files() {
        let note = read_pages(dir, &file, &mut |listed| {
            urls.insert(listed.loc.clone());
        });
        assert_eq!(note, None);
    }
    assert_eq!(previous.notes, [""; 0]);
    urls
}

fn robots_of(dir: &Path) -> Option<Vec<u8>> {
    fs::read(dir.join("robots.txt")).ok()
}

/// All files in a directory, except staged ones.
fn published(dir: &Path) -> BTreeMap<OsString, Vec<u8>> {
    let items = fs::read_dir(dir)
        .expect("the directory exists")
        .map(|item| item.expect("an item"));
    let files = items.filter(|item| item.path().is_file());
    files
        .map(|file| (file.file_name(), fs::read(file.path()).expect("it exists")))
        .collect()
}

fn addresses(plan: &Plan) -> BTreeSet<String> {
    plan.entries()
        .iter()
        .map(|entry| entry.loc.to_string())
        .collect()
}

/// Takes the steps one by one, and checks the directory after each.
fn check_every_step(dir: &Path, new: &Plan) {
    let (old, new_urls) = (seen(dir), addresses(new));
    let both: BTreeSet<_> = old.intersection(&new_urls).cloned().collect();
    let either: BTreeSet<_> = old.union(&new_urls).cloned().collect();
    let output = LockedOutputDir::open(dir, WriteMode::Write).expect("the directory exists");
    let robots = robots_of(dir);
    let surroundings = SurroundingFiles {
        robots_txt: Some(b"new"),
        ..ALONE
    };
    let (steps, _) = prepare(new, &output, surroundings).expect("the set can be staged");
    for step in &steps {
        output.perform_step(step).expect("the step succeeds");
        assert!(
            [robots.as_deref(), Some(b"new")].contains(&robots_of(dir).as_deref()),
            "torn after {step:?}"
        );
        let now = seen(dir);
        assert!(
            now.is_superset(&both),
            "lost after {step:?}: {:?}",
            both.difference(&now)
        );
        assert!(now.is_subset(&either), "unknown URL after {step:?}");
    }
    output
        .close()
        .expect("the staging directory can be removed");
    assert_eq!(seen(dir), new_urls);
    assert_eq!(robots_of(dir).as_deref(), Some(&b"new"[..]));
    assert_eq!(strays(dir, new), [""; 0], "only the set remains");
}

/// Files with waypost's mark that are not in the set, and remaining staged files.
fn strays(dir: &Path, set: &Plan) -> Vec<String> {
    let items = fs::read_dir(dir)
        .expect("the directory exists")
        .map(|item| item.expect("an item").file_name());
    let names = items.map(|name| name.into_string().expect("UTF-8"));
    let outputs: BTreeSet<_> = set
        .files()
        .iter()
        .flat_map(|file| set.disk_names(file))
        .collect();
    let is_stray =
        |name: &String| !outputs.contains(name) && file_has_mark(&dir.join(name), set.root());
    names
        .filter(|name| is_stray(name) || name.starts_with('.'))
        .collect()
}

/// Writes the first set, some steps of the second, then the third.
fn check_after_a_killed_run([old, killed, new]: [Plan; 3], killed_after: usize) {
    let dir = TempDir::new().expect("a temporary directory");
    publish(&old, dir.path(), ALONE).expect("the old set");
    let output = LockedOutputDir::open(dir.path(), WriteMode::Write).expect("the directory exists");
    let (steps, _) = prepare(&killed, &output, ALONE).expect("the set can be staged");
    steps
        .iter()
        .take(killed_after)
        .for_each(|step| output.perform_step(step).expect("the step succeeds"));
    drop(output);
    check_every_step(dir.path(), &new);
}

#[test]
fn indexes_left_by_a_killed_run_do_not_reappear_later() {
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

/// Pages of a small site, so that two sets share many; some have a group.
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

/// Writes the index and the children of another tool, which splits its pages differently.
fn write_foreign_set(dir: &Path, pages: &[SitemapEntry]) {
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
            dir.join(child),
            format!("<urlset>{}</urlset>", lines.concat()),
        )
        .expect("a file");
    }
    let locs = children.map(|child| format!("https://example.com/{child}"));
    let index = index_over("other.xml", locs.iter().map(String::as_str));
    fs::write(dir.join("sitemap.xml"), index).expect("a file");
}

/// Two sets whose pages move between groups and parts, so that publishing the second one over the
/// first builds a bridge.
fn two_sets(max_urls: usize) -> [Plan; 2] {
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
        ..at_most(max_urls)
    };
    [plan(before, &settings), plan(after, &settings)]
}

/// Makes the write or flush with this number fail; returns whether the run got that far.
fn check_failed_write(
    sets: &[Plan; 2],
    number: usize,
    kind: ErrorKind,
    lasts: FaultDuration,
) -> bool {
    let dir = TempDir::new().expect("a temporary directory");
    let [old, new] = sets;
    let robots = |text| SurroundingFiles {
        robots_txt: Some(text),
        ..ALONE
    };
    publish(old, dir.path(), robots(b"old")).expect("the old set");
    let before = published(dir.path());
    let result = failing(dir.path(), number, kind, lasts, || {
        publish(new, dir.path(), robots(b"new"))
    });
    let Err(error) = result else { return false };
    assert!(error.hint().is_some(), "{error}");
    if lasts == FaultDuration::Once {
        let mut left = fs::read_dir(dir.path()).expect("it exists").flatten();
        let staged = |name: OsString| name.to_string_lossy().starts_with(".waypost-staging");
        assert!(
            !left.any(|entry| staged(entry.file_name())),
            "after {error}"
        );
    }
    if let DiskError::Write { .. } = error {
        assert!(
            published(dir.path()) == before,
            "something changed: {error}"
        );
    }
    let (now, [old, both_new]) = (seen(dir.path()), [old, new].map(addresses));
    assert!(
        now.is_superset(&old.intersection(&both_new).cloned().collect()),
        "lost after {error}"
    );
    assert!(
        now.is_subset(&old.union(&both_new).cloned().collect()),
        "unknown URL after {error}"
    );
    let robots_txt = robots_of(dir.path()).expect("robots.txt still exists");
    assert!([b"old", b"new"].contains(&&robots_txt[..].try_into().expect("three letters")));
    publish(new, dir.path(), robots(b"new")).expect("the next run");
    assert_eq!(
        (seen(dir.path()), strays(dir.path(), new)),
        (both_new, vec![])
    );
    true
}

#[test]
fn a_write_that_fails_at_any_step_loses_no_page() {
    // The second set has few files, which are flushed.
    for (max_urls, least) in [(6, 50), (40, 20)] {
        let sets = two_sets(max_urls);
        for (kind, lasts) in [
            (ErrorKind::StorageFull, FaultDuration::Once),
            (ErrorKind::PermissionDenied, FaultDuration::FromNowOn),
        ] {
            let writes = (0..1_000)
                .take_while(|&number| check_failed_write(&sets, number, kind, lasts))
                .count();
            assert!(writes > least, "only {writes} writes could fail");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn a_killed_run_loses_no_page(
        old in pages(), new in pages(),
        before in settings(), after in settings(), has_links: bool
    ) {
        let dir = TempDir::new().expect("a temporary directory");
        if !has_links {
            disable_hard_links(dir.path());
        }
        publish(&plan(old, &before), dir.path(), ALONE).expect("the old set");
        check_every_step(dir.path(), &plan(new, &after));
    }

    #[test]
    fn a_run_after_a_killed_run_loses_no_page(
        sets in (pages(), pages(), pages()),
        settings in (settings(), settings()),
        killed_after in 0_usize..40
    ) {
        let after = SitemapSettings { gzip: settings.0.gzip, ..settings.1 };
        let old = plan(sets.0, &settings.0);
        let killed = plan(sets.1, &settings.0);
        check_after_a_killed_run([old, killed, plan(sets.2, &after)], killed_after);
    }

    #[test]
    fn a_killed_run_loses_no_page_of_another_tool(
        old in pages(), new in pages(), after in settings()
    ) {
        let dir = TempDir::new().expect("a temporary directory");
        write_foreign_set(dir.path(), &old);
        check_every_step(dir.path(), &plan(new, &after));
    }
}
