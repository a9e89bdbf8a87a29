//! Finds the roots of the sets in a directory: the files that a reader begins with.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::Path;

use crate::gzip::ENDING;
use crate::names::{SetFileNames, text_has_mark};
use crate::site_paths::SitePath;
use crate::site_paths::containment::SitemapDir;

/// Names that readers try by default (sitemaps.org, the defaults of generators and plugins, and
/// `UNPUBLISHED_SITEMAP_PATHS` in ultimate-sitemap-parser).
const WELL_KNOWN: [&str; 16] = [
    "sitemap.xml",
    "sitemap.xml.gz",
    "sitemap_index.xml",
    "sitemap_index.xml.gz",
    "sitemap-index.xml",
    "sitemap-index.xml.gz",
    "sitemapindex.xml",
    "sitemaps.xml",
    "sitemap/sitemap.xml",
    "sitemap/sitemap-index.xml",
    "sitemap/index.xml",
    "wp-sitemap.xml",
    "sitemap-news.xml",
    "sitemap_news.xml",
    "sitemap.txt",
    "sitemap.txt.gz",
];

/// The existing root of the set with this name, plain or compressed; if there is none, its text files.
pub fn own_roots_in(dir: &SitemapDir, own: &str) -> io::Result<Vec<SitePath>> {
    let names = [own.to_owned(), format!("{own}{ENDING}")];
    let mut files = names.iter().map(|name| SitePath::from(name.as_str()));
    match files.find(|file| dir.has_file(file)) {
        Some(root) => Ok(vec![root]),
        None => text_files_in(dir.path(), SetFileNames { root: own }),
    }
}

/// Everything that a crawler finds: the files that robots.txt names, and the existing ones with the
/// name of the set or a well-known one. Without duplicates.
pub fn roots_for_crawlers(
    dir: &SitemapDir,
    own: &str,
    in_robots_txt: &BTreeSet<SitePath>,
) -> Vec<SitePath> {
    let names = [own].into_iter().chain(WELL_KNOWN).map(SitePath::from);
    let mut roots: BTreeSet<SitePath> = names.filter(|file| dir.has_file(file)).collect();
    remove_compressed_twins(&mut roots);
    roots.extend(in_robots_txt.iter().cloned());
    roots.into_iter().collect()
}

/// Removes `sitemap.xml.gz` if `sitemap.xml` is present: both are the same sitemap.
fn remove_compressed_twins(files: &mut BTreeSet<SitePath>) {
    let twins: Vec<SitePath> = files
        .iter()
        .filter(|file| {
            let plain = file.as_bytes().strip_suffix(b".gz");
            plain.is_some_and(|plain| files.contains(&SitePath::new(plain)))
        })
        .cloned()
        .collect();
    for twin in twins {
        files.remove(&twin);
    }
}

/// The text sitemap, or its parts.
pub(crate) fn text_files_in(dir: &Path, names: SetFileNames<'_>) -> io::Result<Vec<SitePath>> {
    let mut found = BTreeSet::new();
    for item in fs::read_dir(dir)? {
        let name = item?.file_name();
        let is_text = |name: &&str| names.is_text(name);
        found.extend(name.to_str().filter(is_text).map(SitePath::from));
    }
    Ok(found.into_iter().collect())
}

/// Whether a file begins like those of the set with this root. Links and pipes do not count.
pub fn file_has_mark(file: &Path, root: &str) -> bool {
    fs::symlink_metadata(file).is_ok_and(|metadata| metadata.is_file())
        && File::open(file).is_ok_and(|text| text_has_mark(text, root))
}

/// Like [`file_has_mark`], for a file of a directory, which remembers failures of the machine.
pub fn has_mark_in(dir: &SitemapDir, file: &SitePath, root: &str) -> bool {
    dir.open_unlinked(file)
        .is_some_and(|text| text_has_mark(text, root))
}
