//! The inventory: exactly one record per page, sorted by file.

mod findings_by_level;

pub(crate) use findings_by_level::findings_by_level;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::decide::Verdict;
use crate::hosts::candidate_files;
use page_sources::generator::Site;
use sitemaps::findings::Place;
use sitemaps::site_paths::{BaseUrl, PageUrl, SitePath};
use sitemaps::{EntryLinks, LastMod, Plan, SitemapEntry};

use crate::rules::RuleOutcome;
use crate::sources::{DateOrigin, PageSource};
use crate::survey::ReplacedSet;

/// The outcome for one page.
#[derive(Debug, Clone)]
pub struct InventoryPage {
    /// The file, relative to the output directory.
    pub file: SitePath,
    /// The URL under which the page is or would be listed.
    pub url: PageUrl,
    /// Whether the page is listed.
    pub verdict: Verdict,
    /// The date of its last change.
    pub lastmod: Option<LastMod>,
    /// The origin of the date, or the reason for its absence.
    pub dated: DateOrigin,
    /// The source of the page.
    pub source: Option<PageSource>,
    /// Values that rules set for it; shared by all pages that match the same rules.
    pub rule_outcome: Arc<RuleOutcome>,
    /// Its language versions and images, if any.
    pub links: Option<Arc<EntryLinks>>,
}

/// Every page of a site with its outcome.
#[derive(Debug)]
pub struct Inventory {
    /// One record per page, sorted by file.
    pub pages: Vec<InventoryPage>,
    /// The URL of the output directory.
    pub base: BaseUrl,
    /// Feeds that pages link to, each with the first such page and the place of the tag. Empty
    /// unless feeds were requested.
    pub feeds: BTreeMap<PageUrl, (SitePath, Place)>,
    /// The sitemaps in the output directory that the new set replaces.
    pub replaced: ReplacedSet,
    /// The pages that are excluded because the generator's own sitemap omits them, as hashes.
    pub omitted: Vec<u64>,
    /// Pages that lose their date because the texts of most pages change in each build.
    pub restless: BTreeSet<PageUrl>,
    /// The memory of contents to write, with the path of its file.
    pub memory: Option<(PathBuf, Vec<u8>)>,
}

impl InventoryPage {
    /// Whether the sitemap lists the page.
    pub fn is_listed(&self) -> bool {
        self.verdict == Verdict::Listed
    }

    /// Returns the file whose commit dates the page, relative to the site root.
    pub fn dated_by(&self, site: &Site<'_>, output_dir: &Path) -> Option<SitePath> {
        match &self.dated {
            DateOrigin::CommitOfInclude(other) | DateOrigin::Members(other) => {
                Some(other.path.clone())
            }
            dated => {
                dated.commit()?;
                self.source_path(site, output_dir)
            }
        }
    }

    /// Returns the source of the page, relative to the site root; `None` if it is outside.
    pub fn source_path(&self, site: &Site<'_>, output_dir: &Path) -> Option<SitePath> {
        match self.source.as_ref()? {
            PageSource::File(path, _) => Some(path.clone()),
            PageSource::Itself => SitePath::below(&site.root, &self.file.below_dir(output_dir)),
        }
    }
}

impl Inventory {
    /// Creates an inventory without pages.
    pub fn empty(base: BaseUrl) -> Self {
        Self {
            pages: Vec::new(),
            base,
            feeds: BTreeMap::new(),
            replaced: ReplacedSet::default(),
            omitted: Vec::new(),
            restless: BTreeSet::new(),
            memory: None,
        }
    }

    /// Returns the record of a file.
    pub fn page_of(&self, file: &SitePath) -> Option<&InventoryPage> {
        let index = self.pages.binary_search_by(|line| line.file.cmp(file));
        index.ok().map(|index| &self.pages[index])
    }

    /// Returns the page that a host serves for a URL.
    pub fn page_at(&self, url: &PageUrl) -> Option<&InventoryPage> {
        let files = candidate_files(&self.base, url);
        files.iter().find_map(|file| self.page_of(file))
    }

    /// Returns the number of the plan's entry for the page that a host serves for a URL.
    pub fn number_at(&self, plan: &Plan, url: &str) -> Option<usize> {
        let url = self.base.resolve(url).ok()?;
        plan.number_of(self.page_at(&url)?.url.as_str())
    }

    /// Returns the listed pages.
    pub fn listed(&self) -> impl Iterator<Item = &InventoryPage> + Clone {
        self.pages.iter().filter(|line| line.is_listed())
    }

    /// Counts the excluded pages by reason code.
    pub fn exclusion_counts(&self) -> BTreeMap<&'static str, usize> {
        let excluded = self
            .pages
            .iter()
            .filter_map(|line| line.verdict.exclusion());
        counts_of(excluded.map(|exclusion| exclusion.reason.code.name))
    }

    /// Counts the listed pages by the origin of their date; `none` counts those without a date.
    pub fn dates(&self) -> BTreeMap<&'static str, usize> {
        counts_of(
            self.listed()
                .map(|line| line.dated.name().unwrap_or("none")),
        )
    }

    /// Counts the listed pages without a date by the reason.
    pub fn undated(&self) -> BTreeMap<&'static str, usize> {
        counts_of(self.listed().filter_map(|line| line.dated.absence()))
    }

    /// Returns the sitemap entries.
    pub fn entries(&self) -> Vec<SitemapEntry> {
        let entry = |line: &InventoryPage| SitemapEntry {
            loc: line.url.clone(),
            lastmod: line.lastmod,
            by_rule: Arc::clone(&line.rule_outcome.entry),
            links: line.links.clone(),
        };
        // Reserving the exact capacity avoids unused memory.
        let mut entries = Vec::with_capacity(self.listed().count());
        entries.extend(self.listed().map(entry));
        entries
    }
}

fn counts_of(names: impl Iterator<Item = &'static str>) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for name in names {
        *counts.entry(name).or_insert(0) += 1;
    }
    counts
}
