//! The inventory: exactly one record per page, sorted by file.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use super::page::{Page, Pages};
use sitemaps::site_paths::{BaseUrl, PageUrl, SitePath};
use sitemaps::{Place, Plan, SitemapEntry};

/// Every page of a site with its outcome.
#[derive(Debug)]
pub struct Inventory {
    /// Its pages.
    pub pages: Pages,
    /// Feeds that pages link to, each with the first such page and the place of the tag. Empty
    /// unless feeds were requested.
    pub feeds: BTreeMap<PageUrl, (SitePath, Place)>,
    /// Entries without a page that are kept from the set that is replaced.
    pub kept: Vec<SitemapEntry>,
    /// The number of language links of that set of or to pages that are not listed.
    pub dropped_links: usize,
    /// The pages that are excluded because the generator's own sitemap omits them, as hashes.
    pub omitted: Vec<u64>,
    /// Whether the host lets browsers apply a stylesheet in the sitemap.
    pub allows_stylesheet: bool,
    /// Pages that lose their date because the texts of most pages change in each build.
    pub restless: BTreeSet<PageUrl>,
    /// The memory of contents to write, with the path of its file.
    pub memory: Option<(PathBuf, Vec<u8>)>,
}

impl Inventory {
    /// Creates an inventory without pages.
    pub fn empty(base: &BaseUrl) -> Self {
        Self {
            pages: Pages::new(&[], base),
            feeds: BTreeMap::new(),
            kept: Vec::new(),
            dropped_links: 0,
            omitted: Vec::new(),
            allows_stylesheet: true,
            restless: BTreeSet::new(),
            memory: None,
        }
    }

    /// Returns the URL of the output directory.
    pub fn base(&self) -> &BaseUrl {
        &self.pages.base
    }

    /// Returns the page that a host serves for a URL.
    pub fn page_at(&self, url: &PageUrl) -> Option<&Page> {
        self.pages.at_url(url)
    }

    /// Returns the number of the plan's entry for the page that a host serves for a URL.
    pub fn number_at(&self, plan: &Plan, url: &str) -> Option<usize> {
        let url = self.pages.base.resolve(url)?;
        plan.number_of(self.page_at(&url)?.url.as_str())
    }

    /// Counts the excluded pages by reason code.
    pub fn exclusion_counts(&self) -> BTreeMap<&'static str, usize> {
        let excluded = self
            .pages
            .iter()
            .filter_map(|page| page.verdict.exclusion());
        counts_of(excluded.map(|exclusion| exclusion.reason.code.name))
    }

    /// Counts the listed pages by the origin of their date; `none` counts those without a date.
    pub fn dates(&self) -> BTreeMap<&'static str, usize> {
        counts_of(
            self.pages
                .listed()
                .map(|page| page.dated.name().unwrap_or("none")),
        )
    }

    /// Counts the listed pages without a date by the reason.
    pub fn undated(&self) -> BTreeMap<&'static str, usize> {
        counts_of(self.pages.listed().filter_map(|page| page.dated.absence()))
    }

    /// Returns the sitemap entries.
    pub fn entries(&self) -> Vec<SitemapEntry> {
        // Reserving the exact capacity avoids unused memory.
        let mut entries = Vec::with_capacity(self.pages.listed().count() + self.kept.len());
        entries.extend(self.pages.listed().map(|page| SitemapEntry {
            loc: page.url.clone(),
            lastmod: page.lastmod,
            by_rule: Arc::clone(&page.rule_outcome.entry),
            links: page.links.clone(),
        }));
        entries.extend_from_slice(&self.kept);
        entries
    }
}

/// The names with their counts, the largest first.
pub fn by_count<N: Ord + Copy>(counts: &BTreeMap<N, usize>) -> Vec<(N, usize)> {
    let mut sorted: Vec<_> = counts.iter().map(|(name, count)| (*name, *count)).collect();
    sorted.sort_by_key(|(name, count)| (Reverse(*count), *name));
    sorted
}

fn counts_of(names: impl Iterator<Item = &'static str>) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for name in names {
        *counts.entry(name).or_insert(0) += 1;
    }
    counts
}
