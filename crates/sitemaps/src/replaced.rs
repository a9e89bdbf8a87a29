//! The sitemaps that a run replaces, as evidence: which files they are, and the language links and
//! images that they state.
//!
//! Read once, before the pages are judged. Of waypost's own earlier set, only the links count that
//! it kept from another program's sitemap, and only while no sitemap of another program is there:
//! so a second run writes the same files, and a link that a page no longer states does not stay.

use std::collections::BTreeSet;
use std::io::Read;

use rayon::prelude::*;

use super::gzip::decompressed;
use super::mark::{COMMENT_END, KEPT_MARK, OMITTED_MARK, opening_of};
use super::previous::PreviousSet;
use super::set::{has_mark_in, read_sitemap_file};
use crate::files::tree::Tree;
use crate::site_paths::{BaseUrl, SitePath};

/// Maximum number of bytes of the lines after the mark.
const MAX_MARKS: u64 = 1 << 20;

/// The sitemaps in an output directory before a run.
#[derive(Debug, Default)]
pub struct ReplacedSet {
    /// The set with the name of the new one, or else the sitemaps of the site's generator.
    pub previous: PreviousSet,
    /// The files of other programs among those that are replaced, sorted.
    pub foreign: BTreeSet<SitePath>,
    /// The entries with links to language versions or images that may be kept.
    pub entries: Vec<ReplacedEntry>,
    /// The pages that waypost's own earlier set omits because the sitemap that it replaced did, as
    /// hashes.
    pub omitted: BTreeSet<u64>,
}

/// An entry of a sitemap that is replaced.
#[derive(Debug, Clone)]
pub struct ReplacedEntry {
    /// The URL of the page, as written.
    pub loc: String,
    /// Language and URL of each language version, as written.
    pub alternates: Vec<(String, String)>,
    /// The images, as written.
    pub images: Vec<String>,
    /// The sitemap.
    pub file: SitePath,
}

impl ReplacedSet {
    /// Reads the set in `dir` that has the root of the new one, and the sitemaps `of_generator`.
    pub fn read(dir: &Tree, base: &BaseUrl, root: &str, of_generator: &[SitePath]) -> Self {
        let mut previous = PreviousSet::find(dir, base, root);
        let own = previous.page_files();
        let further = of_generator.iter().filter(|file| !own.contains(file));
        let further = PreviousSet::of_roots(dir, base, further.cloned());
        let unmarked = own.iter().filter(|file| !has_mark_in(dir, file, root));
        let mut foreign = further.page_files();
        foreign.extend(unmarked.cloned());
        foreign.retain(|file| dir.has_file(file));
        if previous.roots.is_empty() {
            previous = further;
        }
        let marks = previous.roots.first();
        let marks = marks.map_or_else(OwnMarks::default, |file| OwnMarks::read(dir, file, root));
        let is_own = foreign.is_empty();
        let read = |file: &SitePath| {
            let mut found = Vec::new();
            // A sitemap that ends early has entries before that; the comparison of sets reports it.
            drop(read_sitemap_file(dir, file, &mut |_, listed| {
                let mut entry = ReplacedEntry {
                    loc: listed.loc.clone(),
                    alternates: listed.alternates.clone(),
                    images: listed.images.clone(),
                    file: file.clone(),
                };
                // Of waypost's own earlier set, what it kept from another program's sitemap counts.
                if is_own && !listed.has_kept_links {
                    entry.alternates.clear();
                }
                if is_own && !listed.has_kept_images {
                    entry.images.clear();
                }
                if !(entry.alternates.is_empty() && entry.images.is_empty()) {
                    found.push(entry);
                }
            }));
            found
        };
        let files = if is_own && marks.has_kept {
            &own
        } else {
            &foreign
        };
        Self {
            entries: files.par_iter().flat_map_iter(read).collect(),
            previous,
            foreign,
            omitted: marks.omitted,
        }
    }
}

/// The lines after the mark of waypost's own earlier set.
#[derive(Default)]
struct OwnMarks {
    has_kept: bool,
    omitted: BTreeSet<u64>,
}

impl OwnMarks {
    fn read(dir: &Tree, file: &SitePath, root: &str) -> Self {
        let mut beginning = Vec::new();
        let text = dir.open_unlinked(file).map(decompressed);
        if let Some(Ok(text)) = text
            && text.take(MAX_MARKS).read_to_end(&mut beginning).is_err()
        {
            return Self::default();
        }
        let beginning = String::from_utf8_lossy(&beginning);
        let Some(lines) = beginning.strip_prefix(&*opening_of(root)) else {
            return Self::default();
        };
        let after_kept = lines.strip_prefix(KEPT_MARK);
        let hashes = after_kept.unwrap_or(lines).strip_prefix(OMITTED_MARK);
        let hashes = hashes.and_then(|line| line.split_once(COMMENT_END));
        let hashes = hashes.into_iter().flat_map(|(hashes, _)| hashes.split(' '));
        Self {
            has_kept: after_kept.is_some(),
            omitted: hashes
                .filter_map(|hash| u64::from_str_radix(hash, 16).ok())
                .collect(),
        }
    }
}
