//! Tests of the walk, and of the rules for children.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::Path;
use std::sync::Mutex;

use tempfile::TempDir;

use super::*;
use crate::files::tree::Tree;
use sitemaps::site_paths::BaseUrl;
use sitemaps::{EntryExtent, SitemapListing};

fn urls(paths: &[&str]) -> String {
    let entry = |path: &&str| format!("<url><loc>https://example.com/{path}</loc></url>");
    let entries: String = paths.iter().map(entry).collect();
    format!("<urlset>{entries}</urlset>")
}

fn index(locs: &[&str]) -> String {
    let entry = |loc: &&str| format!("<sitemap><loc>{loc}</loc></sitemap>");
    let entries: String = locs.iter().map(entry).collect();
    format!("<sitemapindex>{entries}</sitemapindex>")
}

fn dir_of(files: &[(&str, &str)]) -> TempDir {
    let dir = TempDir::new().expect("a temporary directory");
    for (name, text) in files {
        let file = dir.path().join(name);
        fs::create_dir_all(file.parent().expect("a directory")).expect("a directory");
        fs::write(file, text).expect("a file");
    }
    dir
}

/// The files that a walk reads, the pages in them, and the last error.
struct Seen {
    files: Vec<String>,
    pages: Vec<String>,
    error: Option<String>,
}

/// Walks from `sitemap.xml` in one thread, so that the pages have one order.
fn walk(dir: &Path, walk: SetWalk<'_>) -> Seen {
    let (files, pages) = (Mutex::new(Vec::new()), Mutex::new(Vec::new()));
    let read = |walk: &SetWalk<'_>, file: &SetFile| -> ((), FileRead) {
        let name = file.place.below().expect("it is in the directory");
        files.lock().expect("no panic").push(name.to_string());
        let opened = File::open(name.below_dir(dir));
        let read = walk.read(file, opened, EntryExtent::All, &mut |listing, listed| {
            if listing == SitemapListing::Pages {
                let page = listed.loc.replace("https://example.com/", "");
                pages.lock().expect("no panic").push(page);
            }
        });
        ((), read)
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let walked = pool
        .expect("a thread")
        .install(|| walk.in_parallel([below("sitemap.xml")], read));
    let errors = walked.iter().filter_map(|file| file.read.error.as_ref());
    let error = errors.map(ToString::to_string).next_back();
    Seen {
        files: files.into_inner().expect("no panic"),
        pages: pages.into_inner().expect("no panic"),
        error,
    }
}

fn below(name: &str) -> SetPlace {
    SetPlace::Below(SitePath::from(name))
}

fn web(name: &str) -> SetPlace {
    SetPlace::Url(format!("https://example.com/{name}"))
}

#[test]
fn roots_are_what_a_crawler_finds() {
    let dir = dir_of(&[
        ("sitemap.xml", &urls(&[])),
        ("sitemap.xml.gz", &urls(&[])),
        ("map.xml", &urls(&[])),
        ("wp-sitemap.xml", &urls(&[])),
        ("list.xml", &urls(&[])),
        ("map.txt", ""),
        ("text.txt", ""),
    ]);
    let output = Tree::new(dir.path());
    let in_robots_txt = BTreeSet::from([SitePath::from("list.xml")]);
    let names =
        |files: Vec<SitePath>| -> Vec<String> { files.iter().map(ToString::to_string).collect() };
    let texts = names(text_files_in(&output, "text.xml"));
    assert_eq!(texts, ["text.txt"]);
    assert_eq!(
        names(roots_for_crawlers(&output, "map.xml", &in_robots_txt)),
        ["list.xml", "map.xml", "sitemap.xml", "wp-sitemap.xml"]
    );
}

#[test]
fn a_child_is_below_the_base_or_must_exist_or_is_in_the_directory_or_on_its_host() {
    let dir = dir_of(&[("maps/1.xml", ""), ("2.xml", "")]);
    let path = dir.path();
    let check = |rule: ChildRule<'_>, loc: &str, expected: Option<SetPlace>| {
        let index = match rule {
            ChildRule::OnHostOfIndex => web("sitemap.xml"),
            _ => below("sitemap.xml"),
        };
        let found = child::place_of_child(rule, &index, loc);
        assert_eq!(found, expected, "{rule:?} {loc}");
    };
    let (there, elsewhere) = (
        "https://example.com/maps/1.xml",
        "https://example.org/a/2.xml",
    );
    let (missing, escaping) = (
        "https://example.com/gone.xml",
        "https://example.com/../x.xml",
    );

    let rule = ChildRule::Nearest(path);
    check(rule, there, Some(below("maps/1.xml")));
    check(
        rule,
        "https://example.com/docs/maps/1.xml",
        Some(below("maps/1.xml")),
    );
    check(rule, elsewhere, Some(below("2.xml")));
    check(rule, missing, Some(below("gone.xml")));
    check(rule, escaping, Some(below("x.xml")));

    let base = BaseUrl::parse("https://example.com/").expect("a base URL");
    let rule = ChildRule::Existing(&base, path);
    check(rule, there, Some(below("maps/1.xml")));
    check(rule, elsewhere, Some(below("2.xml")));
    check(rule, missing, None);

    let rule = ChildRule::InDirectory(path);
    check(rule, there, Some(below("maps/1.xml")));
    check(rule, elsewhere, Some(below("2.xml")));
    check(rule, missing, None);
    check(rule, "/2.xml", None);

    let rule = ChildRule::OnHostOfIndex;
    check(rule, there, Some(web("maps/1.xml")));
    check(rule, "/2.xml", Some(web("2.xml")));
    check(rule, missing, Some(web("gone.xml")));
    check(rule, elsewhere, None);
}

#[test]
fn a_limit_that_is_exceeded_is_reported() {
    let children = ["1.xml", "2.xml", "3.xml"].map(|name| format!("https://example.com/{name}"));
    let children = index(&children.each_ref().map(String::as_str));
    let dir = dir_of(&[
        ("sitemap.xml", &children),
        ("1.xml", &urls(&["a", "b"])),
        ("2.xml", &urls(&["c", "d"])),
        ("3.xml", &urls(&["e"])),
    ]);
    let limited = |max_children: usize, max_pages: usize| {
        let mut limited = SetWalk::new(ChildRule::Nearest(dir.path()));
        (limited.max_children, limited.max_pages) = (max_children, max_pages);
        limited
    };
    let walked = |max_children, max_pages| walk(dir.path(), limited(max_children, max_pages));
    let seen = walked(2, 9);
    assert_eq!(seen.files, ["sitemap.xml", "1.xml", "2.xml"]);
    assert_eq!(seen.pages, ["a", "b", "c", "d"]);
    let seen = walked(3, 3);
    assert_eq!(seen.pages, ["a", "b", "c"]);
    let error = "the set lists more URLs than can be compared";
    assert_eq!(seen.error.as_deref(), Some(error));

    let file = SetFile {
        place: below("sitemap.xml"),
        parent: None,
    };
    let read = limited(2, 9).read(
        &file,
        Ok(children.as_bytes()),
        EntryExtent::Index,
        &mut |_, _| {},
    );
    assert_eq!(
        (read.entries, read.children.len(), read.unread_children),
        (3, 2, 1)
    );
    let note = read.limit_note().expect("one child is not read");
    assert!(
        note.starts_with("names 1 sitemaps more than the 50000"),
        "{note}"
    );
}

#[test]
#[cfg(unix)]
fn a_child_is_read_once_whatever_its_url() {
    let locs = [
        "https://example.com/a.xml",
        "https://example.com/a.xml?again",
        "https://example.com/link.xml",
        "https://example.com/a.xml",
    ];
    let dir = dir_of(&[("sitemap.xml", &index(&locs)), ("a.xml", &urls(&["a"]))]);
    std::os::unix::fs::symlink("a.xml", dir.path().join("link.xml")).expect("a link");
    let rule = ChildRule::InDirectory(dir.path());
    let seen = walk(dir.path(), SetWalk::new(rule));
    assert_eq!(seen.files[1..], ["a.xml", "link.xml"]);
}
