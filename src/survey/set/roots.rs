//! Finds the roots of the sets in a directory: the files that a reader begins with.

use std::collections::BTreeSet;

use crate::files::tree::Tree;
use sitemaps::SetFileNames;
use sitemaps::site_paths::SitePath;

/// Names that readers try by default (sitemaps.org, the defaults of generators and plugins, and
/// `UNPUBLISHED_SITEMAP_PATHS` in ultimate-sitemap-parser).
pub const WELL_KNOWN: [&str; 16] = [
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

/// Everything that a crawler finds: the files that robots.txt names, and the existing ones with the
/// name of the set or a well-known one. Without duplicates.
pub fn roots_for_crawlers(
    dir: &Tree,
    own: &str,
    in_robots_txt: &BTreeSet<SitePath>,
) -> Vec<SitePath> {
    let names = [own].into_iter().chain(WELL_KNOWN).map(SitePath::from);
    let found: BTreeSet<SitePath> = names.filter(|file| dir.has_file(file)).collect();
    // `sitemap.xml.gz` next to `sitemap.xml` is the same sitemap.
    let roots = found.iter().filter(|file| {
        let plain = file.as_bytes().strip_suffix(b".gz");
        !plain.is_some_and(|plain| found.contains(&SitePath::new(plain)))
    });
    let roots: BTreeSet<SitePath> = roots.chain(in_robots_txt).cloned().collect();
    roots.into_iter().collect()
}

/// The text sitemap, or its parts.
pub fn text_files_in(dir: &Tree, root: &str) -> Vec<SitePath> {
    let mut files = Vec::new();
    for entry in dir.entries(dir.path()) {
        if let Ok(name) = entry.file_name().into_string()
            && (SetFileNames { root }.is_text(&name))
        {
            files.push(SitePath::from(&*name));
        }
    }
    files.sort();
    files
}
