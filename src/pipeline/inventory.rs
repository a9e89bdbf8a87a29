//! The ledger: exactly one line a page, sorted by file.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::dates::{DatedBy, LastMod};
use crate::decide::Verdict;
use crate::finding::{Finding, Place};
use crate::site_paths::{BaseUrl, PageUrl, SitePath};
use crate::sitemaps::{EntryLinks, SitemapEntry};

use super::dated::{Dated, Undated};
use super::list_dates::is_pager;
use super::rule_outcome::RuleOutcome;
use super::sources::PageSource;

/// All that became of one page.
#[derive(Debug, Clone)]
pub struct InventoryPage {
    /// Its file below the output folder.
    pub file: SitePath,
    /// The address under which it is or would be listed.
    pub url: PageUrl,
    /// Whether it is listed.
    pub verdict: Verdict,
    /// When it last changed.
    pub lastmod: Option<LastMod>,
    /// What dated it, or why nothing did.
    pub dated: Dated,
    /// Its source.
    pub source: Option<PageSource>,
    /// What the rules say of it; shared by all pages that the same rules match.
    pub treatment: Arc<RuleOutcome>,
    /// Its language versions and images, where it has any.
    pub links: Option<Arc<EntryLinks>>,
}

/// Every page of a site with what became of it, and what was found wrong on the way.
#[derive(Debug)]
pub struct Inventory {
    /// One line a page, sorted by file.
    pub lines: Vec<InventoryPage>,
    /// What is wrong with the site: with its pages, in the order of files and places, then what later steps have found.
    pub findings: Vec<Finding>,
    /// The address of the output folder.
    pub base: BaseUrl,
    /// The feeds that pages name, each with the first page that does, and the tag; only where they were looked for.
    pub feeds: BTreeMap<PageUrl, (SitePath, Place)>,
    /// When the sources of pages that are news by a rule say that they were published.
    pub published: BTreeMap<SitePath, String>,
}

impl InventoryPage {
    /// Whether it is a further page of a list, which has no date of its own.
    pub fn is_pager(&self) -> bool {
        is_pager(&self.file)
    }
}

impl Inventory {
    /// A ledger of no page yet.
    pub fn of_no_page(base: BaseUrl) -> Self {
        Self {
            lines: Vec::new(),
            findings: Vec::new(),
            base,
            feeds: BTreeMap::new(),
            published: BTreeMap::new(),
        }
    }

    /// The line of a file.
    pub fn line_of(&self, file: &SitePath) -> Option<&InventoryPage> {
        self.number_of(file).map(|number| &self.lines[number])
    }

    /// The number of a file's line.
    pub fn number_of(&self, file: &SitePath) -> Option<usize> {
        self.lines.binary_search_by(|line| line.file.cmp(file)).ok()
    }

    /// How many pages are listed.
    pub fn listed(&self) -> usize {
        self.lines
            .iter()
            .filter(|line| line.verdict == Verdict::Listed)
            .count()
    }

    /// How many pages are left out, by reason code.
    pub fn exclusion_counts(&self) -> BTreeMap<&'static str, usize> {
        let mut counts = BTreeMap::new();
        for line in &self.lines {
            if let Verdict::Excluded(exclusion) = &line.verdict {
                *counts.entry(exclusion.reason.code.name).or_insert(0) += 1;
            }
        }
        counts
    }

    /// How many listed pages have a date from where; `none` for those without.
    pub fn dates(&self) -> BTreeMap<&'static str, usize> {
        let mut counts = BTreeMap::new();
        for line in self
            .lines
            .iter()
            .filter(|line| line.verdict == Verdict::Listed)
        {
            *counts
                .entry(line.dated.by().map_or("none", DatedBy::as_str))
                .or_insert(0) += 1;
        }
        counts
    }

    /// How many listed pages have no date, by why.
    pub fn undated(&self) -> BTreeMap<Undated, usize> {
        let mut counts = BTreeMap::new();
        let listed = self
            .lines
            .iter()
            .filter(|line| line.verdict == Verdict::Listed);
        for why in listed.filter_map(|line| line.dated.undated()) {
            *counts.entry(why).or_insert(0) += 1;
        }
        counts
    }

    /// What the sitemaps list.
    pub fn entries(&self) -> Vec<SitemapEntry> {
        let listed = self
            .lines
            .iter()
            .filter(|line| line.verdict == Verdict::Listed);
        let entry = |line: &InventoryPage| SitemapEntry {
            loc: line.url.clone(),
            lastmod: line.lastmod,
            by_rule: Arc::clone(&line.treatment.entry),
            links: line.links.clone(),
        };
        // Known beforehand how many there are, they take no more memory than they need.
        let mut entries = Vec::with_capacity(self.listed());
        entries.extend(listed.map(entry));
        entries
    }
}
