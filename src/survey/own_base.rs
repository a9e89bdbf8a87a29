//! The base URL of the sitemaps that a run replaces, where it is not that of the site: their entries are
//! compared by their paths below it.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::{ReplacedSet, SiteSurvey};
use crate::hosts::files_for_path;
use sitemaps::files::tree::Tree;
use sitemaps::site_paths::{BaseUrl, PageUrl};

/// How many entries to look at.
const SAMPLE: usize = 64;

impl SiteSurvey {
    /// From now on, the entries of the sitemaps of other programs that are replaced count by their
    /// paths below their own base URL.
    pub(crate) fn rebase(&mut self, replaced: &ReplacedSet, output: &Tree, base: &BaseUrl) {
        let files = replaced.foreign.iter();
        let mut found = Vec::new();
        for path in files {
            let Some(file) = self.sitemaps.file(path) else {
                continue;
            };
            let urls: Vec<PageUrl> = file
                .entries
                .iter()
                .take(SAMPLE)
                .filter_map(|entry| PageUrl::parse(&entry.loc).ok())
                .collect();
            let own = own_base(&urls, output).filter(|own| own != base);
            found.extend(own.map(|own| (path.clone(), own)));
        }
        for (path, own) in found {
            self.sitemaps.rebase(&path, &own, base);
            self.other_base.get_or_insert(own);
        }
    }
}

/// Returns the base URL below which most of some URLs are files of the output directory, of equal ones
/// the shortest; `None` if those are fewer than half.
fn own_base(urls: &[PageUrl], output: &Tree) -> Option<BaseUrl> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for url in urls {
        let path = url.path_and_query();
        for (at, _) in path.match_indices('/') {
            let mut files = files_for_path(&path[at + 1..]).into_iter();
            if files.any(|file| output.has_file(&file)) {
                *counts
                    .entry(format!("{}{}", url.origin(), &path[..=at]))
                    .or_default() += 1;
            }
        }
    }
    let (base, count) = counts
        .into_iter()
        .max_by_key(|(base, count)| (*count, Reverse(base.len())))?;
    (count * 2 >= urls.len())
        .then(|| BaseUrl::parse(&base).ok())
        .flatten()
}
