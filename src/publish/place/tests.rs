//! Tests of `place`.

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

use super::fixture::{at_most, base, entries, plan};
use super::*;
use crate::files::tree::Tree;
use sitemaps::{DateFormat, GzipMode, SitemapFormat, SitemapSettings};

pub(super) const ALONE: SurroundingFiles<'_> = SurroundingFiles {
    robots_txt: None,
    key: None,
    memory: None,
};

pub(super) fn temp_dir() -> TempDir {
    TempDir::new().expect("a directory")
}

fn preview(
    plan: &Plan,
    dir: &Path,
    surroundings: SurroundingFiles<'_>,
) -> Result<PublishReport, HintedError> {
    let tree = Tree::new(dir);
    let dir = LockedOutputDir::open(&tree, WriteMode::DryRun)?;
    let old = OldFiles::find(plan, &dir, [], &|_| false)?;
    dir.place(plan, old, surroundings)
}

/// The names of everything in a directory, sorted.
pub(super) fn names_in(dir: &Path) -> Vec<String> {
    let items = fs::read_dir(dir)
        .expect("a directory")
        .map(|item| item.expect("an item").file_name());
    let mut names: Vec<_> = items
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

fn removed(placed: &PublishReport) -> Vec<String> {
    placed.removed.iter().map(SitePath::to_string).collect()
}

fn write(dir: &Path, name: &str, text: &str) -> PathBuf {
    let path = dir.join(name);
    fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
    fs::write(&path, text).expect("a file");
    path
}

#[test]
fn a_set_is_written_as_planned_and_nothing_else_is_left() {
    let settings = SitemapSettings {
        gzip: GzipMode::Also,
        ..at_most(4)
    };
    let (dir, plan) = (temp_dir(), plan(entries(5), &settings));
    let robots = SurroundingFiles {
        robots_txt: Some(b"Sitemap: x\n"),
        ..ALONE
    };
    let expected = preview(&plan, dir.path(), robots).expect("the set can be compared");
    assert_eq!(names_in(dir.path()), [""; 0]);
    let placed = publish(&plan, dir.path(), robots).expect("the set can be written");
    assert_eq!(placed, expected);
    let mut written: Vec<_> = placed.files.iter().map(|file| file.path.clone()).collect();
    written.push("robots.txt".to_owned());
    written.sort();
    assert_eq!(names_in(dir.path()), written);
    for file in plan.files() {
        let text = plan.render(file);
        let read = |name: &str| fs::read(dir.path().join(name)).expect("it was written");
        assert_eq!(read(&file.name), text.as_bytes());
        assert_eq!(
            read(&format!("{}.gz", file.name)),
            *FileCompression::Gzip.encode(&text)
        );
    }
}

#[test]
#[cfg(unix)]
fn a_second_run_touches_nothing() {
    use std::os::unix::fs::MetadataExt;
    let settings = SitemapSettings {
        gzip: GzipMode::Also,
        ..at_most(7)
    };
    let (dir, plan) = (temp_dir(), plan(entries(50), &settings));
    let robots = SurroundingFiles {
        robots_txt: Some(b"Sitemap: x\n"),
        ..ALONE
    };
    let state = || {
        let files = names_in(dir.path()).into_iter();
        let stamp = |name: String| {
            fs::metadata(dir.path().join(name))
                .map(|it| (it.ino(), it.mtime_nsec(), it.ctime_nsec()))
        };
        files
            .map(|name| stamp(name).expect("it exists"))
            .collect::<Vec<_>>()
    };
    let first = publish(&plan, dir.path(), robots).expect("the set can be written");
    let before = state();
    let second = publish(&plan, dir.path(), robots).expect("the set can be compared");
    assert_eq!(state(), before);
    assert!(
        first.files.iter().all(|file| file.changed)
            && second.files.iter().all(|file| !file.changed)
    );
    assert!(second.robots_txt.is_some_and(|file| !file.changed));
}

#[test]
fn own_leftovers_are_removed_and_files_of_other_tools_stay() {
    let dir = temp_dir();
    let both = |max_urls| SitemapSettings {
        formats: vec![SitemapFormat::Xml, SitemapFormat::Txt],
        ..at_most(max_urls)
    };
    publish(&plan(entries(100), &both(60)), dir.path(), ALONE).expect("split");
    write(
        dir.path(),
        "sitemap-news.xml",
        "<urlset><url><loc>https://example.com/n</loc></url></urlset>",
    );
    write(dir.path(), "sitemap-0.txt.bak", "https://example.com/");
    let placed = publish(&plan(entries(100), &both(100)), dir.path(), ALONE).expect("not split");
    let parts = [
        "sitemap-0.txt",
        "sitemap-0.xml",
        "sitemap-1.txt",
        "sitemap-1.xml",
    ];
    assert_eq!(removed(&placed), parts);
    let left = "sitemap-0.txt.bak sitemap-news.xml sitemap.txt sitemap.xml";
    assert_eq!(names_in(dir.path()).join(" "), left);
}

#[test]
fn the_urls_of_a_text_part_prove_that_waypost_wrote_it() {
    let dir = temp_dir();
    let both = SitemapSettings {
        formats: vec![SitemapFormat::Xml, SitemapFormat::Txt],
        gzip: GzipMode::Also,
        ..at_most(200)
    };
    let texts = || {
        let names = names_in(dir.path()).into_iter();
        names.filter(|name| name.contains(".txt")).count()
    };
    publish(&plan(entries(300), &both), dir.path(), ALONE).expect("two parts");
    assert_eq!(texts(), 4);
    publish(&plan(entries(300), &at_most(400)), dir.path(), ALONE).expect("without text");
    assert_eq!(texts(), 0);
}

#[test]
fn a_text_sitemap_of_unproven_origin_stays() {
    let check = |name: &str, text: &str| {
        let dir = temp_dir();
        publish(&plan(entries(3), &at_most(2)), dir.path(), ALONE).expect("ours");
        let file = write(dir.path(), name, text);
        let new = plan(entries(3), &at_most(5));
        let placed = publish(&new, dir.path(), ALONE).expect("ours again");
        assert_eq!(placed.unproven, [SitePath::from(name)]);
        assert!(file.exists(), "{name}");
    };
    check(
        "sitemap.txt",
        "https://example.com/p0/\nhttps://example.com/p1/\nhttps://example.com/p2/\n",
    );
    check("sitemap-1.txt", "https://example.com/a\n");
    let pages: Vec<_> = (0..90)
        .map(|page| format!("https://example.com/{page}\n"))
        .collect();
    check("sitemap-0.txt", &pages.concat());
}

#[test]
fn the_children_of_another_waypost_set_in_the_directory_stay() {
    let dir = temp_dir();
    let other = SitemapSettings {
        file: "sitemap-docs.xml".to_owned(),
        ..SitemapSettings::default()
    };
    publish(&plan(entries(2), &other), dir.path(), ALONE).expect("one set");
    let second = plan(entries(3), &SitemapSettings::default());
    let placed = publish(&second, dir.path(), ALONE).expect("another");
    assert_eq!(removed(&placed), [""; 0]);
}

#[test]
#[cfg(unix)]
fn a_symbolic_link_is_itself_replaced_or_removed() {
    use std::os::unix::fs::symlink;
    let (dir, elsewhere) = (temp_dir(), temp_dir());
    let target = write(elsewhere.path(), "target.xml", "theirs");
    for name in ["sitemap.xml", "sitemap.xml.gz"] {
        symlink(&target, dir.path().join(name)).expect("a link");
    }
    let placed = publish(&plan(entries(1), &at_most(1)), dir.path(), ALONE);
    assert_eq!(removed(&placed.expect("a set")), ["sitemap.xml.gz"]);
    assert_eq!(fs::read_to_string(target).expect("it exists"), "theirs");
    let placed = fs::symlink_metadata(dir.path().join("sitemap.xml"));
    assert!(placed.expect("it exists").is_file());
}

#[test]
fn sitemaps_of_other_tools_stay_when_an_index_names_them() {
    let dir = temp_dir();
    publish(&plan(entries(9), &at_most(5)), dir.path(), ALONE).expect("a set");
    let locs = [
        "https://example.com/sitemap-0.xml",
        "https://docs.example.com/sitemap.xml",
    ];
    let urls = locs.map(|loc| (base().path_url(b"").resolve(loc).expect("a URL"), None));
    let index = Plan::index_over(&urls, &at_most(5), DateFormat::Datetime, &base());
    let placed = publish(&index, dir.path(), ALONE).expect("an index");
    assert_eq!(removed(&placed), ["sitemap-1.xml"]);
    let text = fs::read_to_string(dir.path().join("sitemap.xml")).expect("it was written");
    assert!(locs.iter().all(|loc| text.contains(loc)));
}

#[test]
fn a_compressed_copy_of_a_text_part_does_not_stay_beside_the_new_part() {
    let dir = temp_dir();
    let texts = |gzip| SitemapSettings {
        gzip,
        formats: vec![SitemapFormat::Xml, SitemapFormat::Txt],
        ..at_most(3)
    };
    let old = plan(entries(6), &texts(GzipMode::Only));
    publish(&old, dir.path(), ALONE).expect("the old set");
    let old = names_in(dir.path());
    assert!(old.contains(&"sitemap-0.txt.gz".to_owned()), "{old:?}");
    // A part has too few URLs to be proven ours, and another program's name is as good.
    let new = plan(entries(5), &texts(GzipMode::Off));
    publish(&new, dir.path(), ALONE).expect("the new set");
    let left = names_in(dir.path()).into_iter();
    let copies: Vec<String> = left.filter(|name| name_without_gz(name) != *name).collect();
    assert_eq!(copies, Vec::<String>::new());
}
