//! Tests of the walk, and of the rules for children.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::Path;
use std::sync::Mutex;

use tempfile::TempDir;

use super::*;
use crate::feed_form::FeedFormat;
use crate::fixture::base;
use crate::site_paths::containment::SitemapDir;
use crate::xml::{EntryExtent, SitemapListing};

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

/// The result of a walk: the files read, each below its parent, the pages, and the last error.
#[derive(Debug, Default, PartialEq, Eq)]
struct Seen {
    files: Vec<String>,
    pages: Vec<String>,
    error: Option<String>,
}

/// Walks from the roots in order, so that the pages have one order.
fn walk(dir: &Path, walk: SetWalk<'_>, roots: Vec<SetPlace>) -> Seen {
    let (files, pages) = (Mutex::default(), Mutex::default());
    let read = |walk: &SetWalk<'_>, file: &SetFile| -> ((), FileRead) {
        let name = match &file.place {
            SetPlace::Below(path) => path.to_string(),
            SetPlace::Url(url) => url.rsplit('/').next().expect("a name").to_owned(),
        };
        let mut files: std::sync::MutexGuard<'_, Vec<String>> = files.lock().expect("no panic");
        files.push(name.clone());
        let mut pages: std::sync::MutexGuard<'_, Vec<String>> = pages.lock().expect("no panic");
        let opened = File::open(dir.join(name));
        let read = walk.read(file, opened, EntryExtent::All, &mut |listing, listed| {
            if listing == SitemapListing::Pages {
                pages.push(listed.loc.replace("https://example.com/", ""));
            }
        });
        ((), read)
    };
    let walked = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .expect("a thread")
        .install(|| walk.in_parallel(roots, read));
    let errors = walked.iter().filter_map(|file| file.read.error.as_ref());
    Seen {
        files: files.into_inner().expect("no panic"),
        pages: pages.into_inner().expect("no panic"),
        error: errors.map(ToString::to_string).next_back(),
    }
}

fn below(name: &str) -> SetPlace {
    SetPlace::Below(SitePath::from(name))
}

fn web(name: &str) -> SetPlace {
    SetPlace::Url(format!("https://example.com/{name}"))
}

/// Walks from `sitemap.xml`, as a place that the rule for children expects.
fn walk_from_root(dir: &TempDir, children: ChildRule<'_>) -> Seen {
    let root = match children {
        ChildRule::BelowBase(_) | ChildRule::Existing(..) | ChildRule::InDirectory(_) => {
            below("sitemap.xml")
        }
        ChildRule::OnHostOfIndex => web("sitemap.xml"),
    };
    walk(dir.path(), SetWalk::new(children), vec![root])
}

#[test]
fn roots_are_the_own_name_or_what_a_crawler_finds() {
    let dir = dir_of(&[
        ("sitemap.xml", &urls(&[])),
        ("sitemap.xml.gz", &urls(&[])),
        ("map.xml", &urls(&[])),
        ("wp-sitemap.xml", &urls(&[])),
        ("list.xml", &urls(&[])),
        ("map.txt", ""),
        ("text.txt", ""),
    ]);
    let output = SitemapDir::named_by_user(dir.path());
    let in_robots_txt = BTreeSet::from([SitePath::from("list.xml")]);
    let names =
        |files: Vec<SitePath>| -> Vec<String> { files.iter().map(ToString::to_string).collect() };
    let own = |root: &str| names(own_roots_in(&output, root).expect("it can be listed"));
    assert_eq!(own("map.xml"), ["map.xml"]);
    assert_eq!(own("text.xml"), ["text.txt"]);
    assert_eq!(
        names(roots_for_crawlers(&output, "map.xml", &in_robots_txt)),
        ["list.xml", "map.xml", "sitemap.xml", "wp-sitemap.xml"]
    );
}

#[test]
fn the_children_of_a_nested_index_are_named_but_not_read() {
    let base = base();
    let dir = dir_of(&[
        ("sitemap.xml", &index(&["https://example.com/sub.xml"])),
        ("sub.xml", &index(&["https://example.com/pages.xml"])),
        ("pages.xml", &urls(&["a"])),
    ]);
    let rule = ChildRule::BelowBase(&base);
    let seen = walk_from_root(&dir, rule);
    assert_eq!(seen.files, ["sitemap.xml", "sub.xml"]);
    assert_eq!(seen.error, None);
    let file = SetFile {
        place: below("sub.xml"),
        parent: Some(below("sitemap.xml")),
    };
    let opened = File::open(dir.path().join("sub.xml"));
    let read = SetWalk::new(rule).read(&file, opened, EntryExtent::All, &mut |_, _| {});
    assert_eq!(read.children[0].file, Some(below("pages.xml")));
}

#[test]
fn a_child_is_below_the_base_or_must_exist_or_is_in_the_directory_or_on_its_host() {
    let base = base();
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

    let rule = ChildRule::BelowBase(&base);
    check(rule, there, Some(below("maps/1.xml")));
    check(rule, elsewhere, Some(below("2.xml")));
    check(rule, missing, Some(below("gone.xml")));
    check(rule, escaping, None);

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
    let base = base();
    let children = ["1.xml", "2.xml", "3.xml"].map(|name| format!("https://example.com/{name}"));
    let children = index(&children.each_ref().map(String::as_str));
    let dir = dir_of(&[
        ("sitemap.xml", &children),
        ("1.xml", &urls(&["a", "b"])),
        ("2.xml", &urls(&["c", "d"])),
        ("3.xml", &urls(&["e"])),
    ]);
    let walked = |max_children: usize, max_pages: usize| {
        let limited = SetWalk::new(ChildRule::BelowBase(&base));
        let limited = limited.with_limits(max_children, max_pages);
        walk(dir.path(), limited, vec![below("sitemap.xml")])
    };
    let seen = walked(2, 9);
    assert_eq!(seen.pages, ["a", "b", "c", "d"]);
    let seen = walked(3, 3);
    assert_eq!(seen.pages, ["a", "b", "c"]);
    let error = "the set lists more URLs than can be compared";
    assert_eq!(seen.error.as_deref(), Some(error));

    let file = SetFile {
        place: below("sitemap.xml"),
        parent: None,
    };
    let limited = SetWalk::new(ChildRule::BelowBase(&base)).with_limits(2, 9);
    let read = limited.read(
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
fn an_error_is_kept_with_its_file() {
    let base = base();
    let locs = ["cut.xml", "gone.xml", "a.xml"].map(|name| format!("https://example.com/{name}"));
    let dir = dir_of(&[
        ("sitemap.xml", &index(&locs.each_ref().map(String::as_str))),
        (
            "cut.xml",
            "<urlset><url><loc>https://example.com/c</loc></url>",
        ),
        ("a.xml", &urls(&["a"])),
    ]);
    let seen = walk_from_root(&dir, ChildRule::BelowBase(&base));
    assert_eq!(seen.files, ["sitemap.xml", "cut.xml", "gone.xml", "a.xml"]);
    assert_eq!(seen.pages, ["c", "a"]);
    assert!(
        seen.error
            .is_some_and(|error| error.contains("No such file"))
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
    let seen = walk_from_root(&dir, rule);
    assert_eq!(seen.files[1..], ["a.xml", "link.xml"]);
}

#[test]
fn a_file_has_its_kind_its_parent_and_its_error() {
    let base = base();
    let locs = ["p.xml", "t.txt", "r.rss", "f.atom", "h.xml", "cut.rss"]
        .map(|name| format!("https://example.com/{name}"));
    let dir = dir_of(&[
        ("sitemap.xml", &index(&locs.each_ref().map(String::as_str))),
        ("p.xml", &urls(&["p"])),
        ("t.txt", "https://example.com/t\n"),
        (
            "r.rss",
            "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel/></rss>",
        ),
        ("f.atom", "<feed xmlns=\"http://www.w3.org/2005/Atom\"/>"),
        ("h.xml", "<html><urlset/></html>"),
        ("cut.rss", "<rss version=\"2.0\"><channel>"),
    ]);
    let walk = SetWalk::new(ChildRule::BelowBase(&base));
    let walked = walk.in_parallel([below("sitemap.xml")], |walk, file| {
        let path = file.place.below().expect("it is below the directory");
        let opened = File::open(path.below_dir(dir.path()));
        (
            (),
            walk.read(file, opened, EntryExtent::All, &mut |_, _| {}),
        )
    });
    let facts = walked.iter().map(|file| {
        let has_parent = file.file.parent == Some(below("sitemap.xml"));
        (
            file.read.kind,
            has_parent,
            file.read.entries,
            file.read.error.is_some(),
        )
    });
    let expected = [
        (SitemapFileKind::Index, false, 6, false),
        (SitemapFileKind::Pages, true, 1, false),
        (SitemapFileKind::Text, true, 1, false),
        (SitemapFileKind::Feed(FeedFormat::Rss2), true, 0, false),
        (SitemapFileKind::Feed(FeedFormat::Atom1), true, 0, false),
        (SitemapFileKind::OtherXml, true, 0, false),
        (SitemapFileKind::Feed(FeedFormat::Rss2), true, 0, true),
    ];
    assert_eq!(facts.collect::<Vec<_>>(), expected);
}
