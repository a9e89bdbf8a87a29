//! The content that a run takes from the sitemaps that it replaces: the pages that they omit.

use std::collections::BTreeSet;

use crate::files::tree::Tree;
use crate::hosts::candidate_files;
use crate::pages::{GeneratorSitemap, Pages};
use crate::settings::OmittedPages;
use crate::site::LoadedSite;
use crate::survey::ReplacedEntry;
use sitemaps::site_paths::{BaseUrl, SitePath};

/// Returns which pages the generator's own sitemap omits, if the settings follow it. Where that
/// sitemap has been replaced, waypost's own set says so.
pub(super) fn generator_sitemap(
    loaded: &LoadedSite<'_>,
    base: &BaseUrl,
) -> Option<GeneratorSitemap> {
    let replaced = &loaded.replaced;
    if loaded.settings().sitemap.omitted != OmittedPages::Exclude {
        return None;
    }
    if replaced.foreign.is_empty() {
        return Some(GeneratorSitemap::Omits(replaced.omitted.clone()));
    }
    let mut listed = BTreeSet::new();
    for file in loaded.replaced_files() {
        for entry in file.entries.iter() {
            let url = base.resolve(&entry.loc).ok();
            listed.extend(url.into_iter().flat_map(|url| candidate_files(base, &url)));
        }
    }
    // A sitemap for another base URL says nothing about these pages.
    (!listed.is_empty()).then_some(GeneratorSitemap::Lists(listed))
}

/// The sitemaps in directories at the top of the output directory: Docusaurus writes one for each
/// further language.
pub(super) fn sitemaps_of_dirs(output: &Tree, name: &str) -> Vec<SitePath> {
    let mut files = Vec::new();
    for entry in output.entries(output.path()) {
        let file = entry.path().join(name);
        if output.is_file(&file) {
            files.extend(SitePath::below(output.path(), &file));
        }
    }
    files
}

/// Counts the language links of sitemaps of other programs that no page can have: those of a page that
/// is not listed, those to such a page, and what then remains if a page has only a link to itself.
pub(super) fn dropped_links(
    loaded: &LoadedSite<'_>,
    base: &BaseUrl,
    replaced: &[ReplacedEntry],
    pages: &Pages,
) -> usize {
    if loaded.replaced.foreign.is_empty() {
        return 0;
    }
    let listed_at = |url: &str| {
        let index = pages.index_at(base, &base.resolve(url).ok()?)?;
        pages[index].is_listed().then_some(index)
    };
    let mut dropped = 0;
    for entry in replaced {
        let Some(own) = listed_at(&entry.loc) else {
            dropped += entry.alternates.len();
            continue;
        };
        let targets: Vec<usize> = entry
            .alternates
            .iter()
            .filter_map(|(_, url)| listed_at(url))
            .collect();
        let is_alone = targets.iter().all(|target| *target == own);
        let kept = if is_alone { 0 } else { targets.len() };
        dropped += entry.alternates.len() - kept;
    }
    dropped
}
