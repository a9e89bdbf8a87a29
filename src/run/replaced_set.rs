//! The content that a run takes from the sitemaps that it replaces: the pages that they omit, and images.

use std::collections::{BTreeSet, HashSet};

use crate::hosts::candidate_files;
use crate::pages::{OwnSitemap, Pages, is_missing, missing_image};
use crate::settings::OmittedPages;
use crate::site::LoadedSite;
use crate::survey::ReplacedSet;
use sitemaps::files::tree::Tree;
use sitemaps::findings::Finding;
use sitemaps::site_paths::{BaseUrl, SitePath};
use sitemaps::{KeptContent, MAX_IMAGES, ReplacedEntry};

/// Returns which pages the generator's own sitemap omits, if the settings follow it. Where that
/// sitemap has been replaced, waypost's own set says so.
pub(super) fn own_sitemap(
    loaded: &LoadedSite<'_>,
    base: &BaseUrl,
    replaced: &ReplacedSet,
) -> Option<OwnSitemap> {
    if loaded.settings().sitemap.omitted != OmittedPages::Exclude {
        return None;
    }
    if replaced.foreign.is_empty() {
        return Some(OwnSitemap::Omits(replaced.omitted.clone()));
    }
    let mut listed = BTreeSet::new();
    for file in replaced
        .foreign
        .iter()
        .filter_map(|path| loaded.survey.sitemaps.file(path))
    {
        for entry in file.entries.iter() {
            let url = base.resolve(&entry.loc).ok();
            listed.extend(url.into_iter().flat_map(|url| candidate_files(base, &url)));
        }
    }
    // A sitemap for another base URL says nothing about these pages.
    (!listed.is_empty()).then_some(OwnSitemap::Lists(listed))
}

/// The sitemaps in directories at the top of the output directory: Docusaurus writes one for each
/// further language.
pub(super) fn sitemaps_of_dirs(output: &Tree, name: &str) -> Vec<SitePath> {
    let tree = output;
    let entries = tree.entries(output.path()).into_iter();
    let files = entries.map(|entry| entry.path().join(name));
    let files = files.filter(|file| tree.is_file(file));
    files
        .filter_map(|file| SitePath::below(output.path(), &file))
        .collect()
}

/// Gives the listed pages without images those that the replaced sitemap states. Images that the
/// build did not write are reported.
pub(super) fn keep_images(
    output: &Tree,
    base: &BaseUrl,
    replaced: &[ReplacedEntry],
    pages: &mut Pages,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for entry in replaced.iter().filter(|entry| !entry.images.is_empty()) {
        let Ok(url) = base.resolve(&entry.loc) else {
            continue;
        };
        let Some(index) = pages.index_at(base, &url) else {
            continue;
        };
        let page = &mut pages[index];
        let mut links = page.links.as_deref().cloned().unwrap_or_default();
        if !page.is_listed() || !links.images.is_empty() {
            continue;
        }
        let mut seen = HashSet::new();
        let images = entry.images.iter();
        let images = images.filter_map(|image| base.resolve(image).ok());
        let images = images.filter(|url| seen.insert(url.clone()));
        let (missing, images): (Vec<_>, Vec<_>) =
            images.partition(|url| is_missing(output, base, url));
        findings.extend(missing.iter().map(|url| missing_image(&page.file, url)));
        links.images = images.into_iter().take(MAX_IMAGES).collect();
        links.kept = KeptContent {
            images: !links.images.is_empty(),
            ..links.kept
        };
        page.links = links.shared();
    }
    findings
}

/// Counts the language links of sitemaps of other programs that no page can have: those of a page that
/// is not listed, those to such a page, and what then remains if a page has only a link to itself.
pub(super) fn dropped_links(base: &BaseUrl, replaced: &[ReplacedEntry], pages: &Pages) -> usize {
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
        let targets = entry
            .alternates
            .iter()
            .filter_map(|(_, url)| listed_at(url));
        let targets: Vec<usize> = targets.collect();
        let is_alone = targets.iter().all(|target| *target == own);
        let kept = if is_alone { 0 } else { targets.len() };
        dropped += entry.alternates.len() - kept;
    }
    dropped
}
