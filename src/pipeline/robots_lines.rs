//! Edits robots.txt: adds the sitemaps of a plan, and removes those that no longer exist.

use std::collections::BTreeSet;

use super::foreign_sitemaps::GeneratorSitemaps;
use crate::feeds::{self, SiteFeeds};
use crate::inventory::Inventory;
use crate::publish::{DiskError, LockedOutputDir, leftovers, sitemaps_of_old_base_url};
use crate::site::{LoadedSite, RobotsFile};
use sitemaps::Plan;
use sitemaps::robots_txt::{RobotsChange, add_sitemaps};
use sitemaps::site_paths::PageUrl;
use sitemaps::site_paths::finding::WithFindings;

/// Number of `Sitemap` lines that robots.txt gains and loses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RobotsLines {
    /// Lines for sitemaps that it did not name before.
    pub added: usize,
    /// Lines for sitemaps that no longer exist.
    pub removed: usize,
}

/// A new robots.txt; unchanged by default.
#[derive(Default)]
pub(super) struct EditedRobots {
    /// Its new text, if it changes.
    pub(super) text: Option<Vec<u8>>,
    pub(super) lines: RobotsLines,
}

/// The input of an edit of robots.txt.
pub(super) struct RobotsEdit<'a> {
    pub(super) loaded: &'a LoadedSite<'a>,
    pub(super) inventory: &'a Inventory,
    pub(super) plan: &'a Plan,
    pub(super) dir: &'a LockedOutputDir<'a>,
    pub(super) generators: &'a GeneratorSitemaps<'a>,
}

impl RobotsEdit<'_> {
    /// Adds the sitemaps of the plan and removes those that no longer exist, if the settings allow
    /// it.
    pub(super) fn run(&self, robots: &RobotsFile) -> Result<WithFindings<EditedRobots>, DiskError> {
        let base = &self.inventory.base;
        let mut sitemaps: Vec<PageUrl> = self.plan.roots().collect();
        let is_wanted = self.loaded.settings().robots_txt.update;
        if sitemaps.is_empty() || !robots.is_readable() || !is_wanted {
            return Ok(WithFindings::default());
        }
        if robots.bytes().is_none() && !base.is_host_root() {
            return Ok(WithFindings::default());
        }
        let named = robots.sitemaps();
        let feeds = self.feeds(&named);
        let mut findings = feeds.findings;
        sitemaps.extend(feeds.named);
        let others: Vec<&PageUrl> = named.iter().filter(|url| !sitemaps.contains(url)).collect();
        // Generators that join URLs name `https://example.com//sitemap.xml`.
        let is_misspelt = |url: &&&PageUrl| {
            let path = url.path_and_query();
            let path = format!("/{}", path.trim_start_matches('/'));
            let is_own =
                |own: &PageUrl| own.origin() == url.origin() && own.path_and_query() == path;
            sitemaps.iter().any(is_own)
        };
        let misspelt = others.iter().filter(is_misspelt).map(|url| (*url).clone());
        let stale = self.gone(&others)?.into_iter().chain(feeds.gone);
        let stale: Vec<PageUrl> = stale.chain(misspelt).collect();
        let edit = add_sitemaps(robots.bytes(), &sitemaps, &stale);
        findings.extend(edit.findings(&robots.path));
        let edited = match edit.change {
            RobotsChange::Changed {
                text,
                added,
                removed,
            } => EditedRobots {
                lines: RobotsLines { added, removed },
                text: Some(text),
            },
            RobotsChange::Unchanged | RobotsChange::Refused(_) => EditedRobots::default(),
        };
        Ok(WithFindings::new(edited, findings))
    }

    /// Finds the feeds to name besides the sitemaps that robots.txt names.
    fn feeds(&self, named: &BTreeSet<PageUrl>) -> SiteFeeds {
        if !self.loaded.settings().sitemap.feeds {
            return SiteFeeds::default();
        }
        let (output, inventory) = (&self.loaded.output, self.inventory);
        feeds::find(output, &inventory.base, self.plan, &inventory.feeds, named)
    }

    /// Returns those of other sitemaps named in robots.txt that no longer exist after this run.
    fn gone(&self, others: &[&PageUrl]) -> Result<Vec<PageUrl>, DiskError> {
        let base = &self.inventory.base;
        let is_generators_sitemap = |name: &str| self.generators.contains(name);
        let removed = if others.iter().any(|url| base.path_below(url).is_some()) {
            leftovers(self.plan, self.dir, &is_generators_sitemap)?
        } else {
            Vec::new()
        };
        let removed = removed.iter().map(|file| base.of_file(file));
        Ok(removed
            .chain(sitemaps_of_old_base_url(self.plan, self.dir, others))
            .collect())
    }
}
