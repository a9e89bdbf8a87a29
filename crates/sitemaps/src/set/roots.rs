//! Finds the roots of the sets in a directory: the files that a reader begins with.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::Path;

use super::reader::read_any;
use super::tolerances::{FurtherIndexes, RootSearch, Tolerances};
use crate::group_name::INDEX;
use crate::gzip::{ENDING, name_without_gz};
use crate::names::{SetFileNames, text_has_mark};
use crate::xml::{EntryExtent, SitemapListing};
use site_paths::SitePath;
use site_paths::containment::SitemapDir;
use site_paths::io_failure::retried;

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

/// The existing roots of the set with this name of its own root, without duplicates. `in_robots_txt`
/// is only used by [`RootSearch::RobotsTxtAndWellKnownNames`].
pub fn roots_in(
    dir: &SitemapDir,
    own: &str,
    in_robots_txt: &BTreeSet<SitePath>,
    tolerances: &Tolerances<'_>,
) -> io::Result<Vec<SitePath>> {
    let is_there = |file: &SitePath| dir.has_file(file);
    let first = match tolerances.roots {
        RootSearch::RobotsTxtAndWellKnownNames => {
            let names = [own].into_iter().chain(WELL_KNOWN).map(SitePath::from);
            let mut roots: BTreeSet<SitePath> = names.filter(is_there).collect();
            remove_compressed_twins(&mut roots);
            roots.extend(in_robots_txt.iter().cloned());
            return Ok(roots.into_iter().collect());
        }
        RootSearch::AsNamed => own.to_owned(),
        RootSearch::OwnName => {
            let names = [own.to_owned(), format!("{own}{ENDING}")];
            let mut existing = names
                .into_iter()
                .filter(|name| is_there(&SitePath::from(name.as_str())));
            match existing.next() {
                Some(first) => first,
                None => return text_files_in(dir.path(), SetFileNames { root: own }),
            }
        }
    };
    let further = match tolerances.further {
        FurtherIndexes::ByMark => further_indexes(dir, &first),
        FurtherIndexes::IfNamed => Vec::new(),
    };
    let names = [first].into_iter().chain(further);
    Ok(names.map(|name| SitePath::from(name.as_str())).collect())
}

/// The further indexes of a set of ours, by the name of its first one: `sitemap-index-2.xml` and so
/// on. No index names them, only robots.txt does. Next to a root that is not an index, such files
/// are leftovers.
fn further_indexes(dir: &SitemapDir, first: &str) -> Vec<String> {
    let root = name_without_gz(first);
    let (gz, stem) = (&first[root.len()..], SetFileNames { root }.stem());
    let names = (2..).map(|number| format!("{stem}-{INDEX}-{number}.xml{gz}"));
    let names: Vec<String> = names
        .take_while(|name| has_mark_in(dir, &SitePath::from(name.as_str()), root))
        .collect();
    if names.is_empty() || lists_sitemaps(dir, first) {
        names
    } else {
        Vec::new()
    }
}

fn lists_sitemaps(dir: &SitemapDir, file: &str) -> bool {
    let Ok(input) = dir.open(&SitePath::from(file)) else {
        return false;
    };
    let mut found = false;
    // A damaged index has further indexes too, if it names any child before the damage.
    let (_, _) = read_any(input, EntryExtent::Index, &mut |listing, _| {
        found |= listing == SitemapListing::Sitemaps;
    });
    found
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
    for item in retried(|| fs::read_dir(dir))? {
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
