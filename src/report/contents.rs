//! The values that a report is rendered from.

use crate::inventory::Inventory;
use crate::site::LoadedSite;
use site_paths::finding::Finding;
use sitemaps::{Plan, SitemapChanges};

/// The inputs of a report.
#[derive(Debug, Clone, Copy)]
pub struct Report<'a> {
    /// The site and its settings.
    pub loaded: &'a LoadedSite<'a>,
    /// All pages.
    pub inventory: &'a Inventory,
    /// All problems of the site.
    pub findings: &'a [Finding],
    /// The sitemaps that a build would write.
    pub plan: &'a Plan,
    /// The differences between the plan and the existing sitemaps.
    pub changes: &'a SitemapChanges,
}
