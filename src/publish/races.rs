//! Tests of another program that replaces directories and files by links while a set is written.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::inject_fault::interfered_with;
use super::place::{SurroundingFiles, publish};
use sitemaps::fixture::{at_most, entries, plan};

/// All files in a directory with their contents.
fn contents(dir: &Path) -> BTreeMap<OsString, Vec<u8>> {
    let items = fs::read_dir(dir).expect("a directory");
    let items = items.map(|item| item.expect("an item"));
    items
        .map(|item| (item.file_name(), fs::read(item.path()).expect("a file")))
        .collect()
}

/// Moves a directory away and places a link to `victim` in its stead.
fn replace_by_link(dir: &Path, victim: &Path) {
    // The staging directory may be gone, or not there yet.
    if fs::rename(dir, dir.with_extension("moved")).is_ok() {
        symlink(victim, dir).expect("a link");
    }
}

fn staging_in(dir: &Path) -> Option<PathBuf> {
    let items = fs::read_dir(dir).expect("a directory");
    let mut paths = items.map(|item| item.expect("an item").path());
    paths.find(|path| path.to_string_lossy().contains("/.waypost-staging"))
}

/// Publishes a set of several files while another program acts just before the write with this
/// number; returns whether there was such a write.
fn check_victim(number: usize, act: impl Fn(&Path, &Path) + Send + 'static) -> bool {
    let dir = TempDir::new().expect("a temporary directory");
    let (public, victim) = (dir.path().join("public"), dir.path().join("victim"));
    for below in [&public, &victim] {
        fs::create_dir(below).expect("a directory");
    }
    let set = plan(entries(9), &at_most(2));
    for name in ["robots.txt", "sitemap.xml", "sitemap-0.xml"] {
        fs::write(victim.join(name), "precious").expect("a file");
    }
    let before = contents(&victim);
    let surroundings = SurroundingFiles {
        robots_txt: Some(b"new"),
        key: None,
        is_generators_sitemap: &|_| false,
    };
    let has_acted = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let note = std::sync::Arc::clone(&has_acted);
    let (from, to) = (public.clone(), victim.clone());
    let interfere = move || {
        note.store(true, std::sync::atomic::Ordering::Relaxed);
        act(&from, &to);
    };
    // Whether the run fails does not matter here: its files may have been moved away.
    drop(interfered_with(&public, number, interfere, || {
        publish(&set, &public, surroundings)
    }));
    assert_eq!(contents(&victim), before, "before write {number}");
    has_acted.load(std::sync::atomic::Ordering::Relaxed)
}

#[test]
fn a_staging_directory_that_is_replaced_by_a_link_leads_to_no_other_files() {
    let act = |public: &Path, victim: &Path| {
        if let Some(staging) = staging_in(public) {
            replace_by_link(&staging, victim);
        }
    };
    let writes = (0..1000).take_while(|&number| check_victim(number, act));
    assert!(writes.count() > 10);
}

#[test]
fn an_output_directory_that_is_replaced_by_a_link_leads_to_no_other_files() {
    let act = |public: &Path, victim: &Path| replace_by_link(public, victim);
    let writes = (0..1000).take_while(|&number| check_victim(number, act));
    assert!(writes.count() > 10);
}
