//! The base URL of a sitemap, by its own entries: it may be of another build, or at another host than the site.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::{ReplacedSet, SiteSurvey};
use crate::hosts::files_for_path;
use sitemaps::SurveyedFile;
use sitemaps::files::tree::Tree;
use sitemaps::site_paths::{BaseUrl, PageUrl, SitePath};

/// How many entries to look at.
const SAMPLE: usize = 64;

impl SiteSurvey {
    /// From now on, the entries of the sitemaps of other programs that are replaced count by their
    /// paths below their own base URL.
    pub(crate) fn rebase(&mut self, replaced: &ReplacedSet, output: &Tree, base: &BaseUrl) {
        for path in &replaced.foreign {
            let Some(file) = self.sitemaps.file(path) else {
                continue;
            };
            let locs = file.entries.iter().map(|entry| entry.loc).take(SAMPLE);
            let own = own_base(locs, |file| output.has_file(file));
            if let Some(own) = own.filter(|own| own != base) {
                self.sitemaps.rebase(path, &own, base);
                self.other_base.get_or_insert(own);
            }
        }
    }

    /// The first URLs that a file lists; those of an index are of its children and in them.
    pub(crate) fn first_locs(&self, file: &SurveyedFile) -> Vec<String> {
        let children = file
            .child_files()
            .filter_map(|child| self.sitemaps.file(child));
        let locs = file.locs().chain(children.flat_map(SurveyedFile::locs));
        locs.take(SAMPLE).map(Cow::into_owned).collect()
    }
}

/// Returns the base URL below which most of some URLs are files of the output directory, of equal ones
/// the shortest; `None` if those are fewer than half.
pub(crate) fn own_base<'u>(
    locs: impl Iterator<Item = Cow<'u, str>>,
    has_file: impl Fn(&SitePath) -> bool,
) -> Option<BaseUrl> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut all = 0;
    for loc in locs {
        all += 1;
        let Ok(url) = PageUrl::parse(loc.trim()) else {
            continue;
        };
        let path = url.path_and_query();
        for (at, _) in path.match_indices('/') {
            if files_for_path(&path[at + 1..]).iter().any(&has_file) {
                let base = format!("{}{}", url.origin(), &path[..=at]);
                *counts.entry(base).or_default() += 1;
            }
        }
    }
    let (base, count) = counts
        .into_iter()
        .max_by_key(|(base, count)| (*count, Reverse(base.len())))?;
    let is_here = count * 2 >= all;
    is_here.then(|| BaseUrl::parse(&base).ok()).flatten()
}
