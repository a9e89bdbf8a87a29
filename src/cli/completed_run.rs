//! The results of the commands that make or check sitemaps, as the outputs show them.

use crate::check::CheckReport;
use crate::index::ListedChild;
use crate::inventory::Inventory;
use crate::pipeline::PublishedSite;
use crate::publish::WriteMode;
use crate::site::FoundBaseUrl;
use sitemaps::Plan;
use sitemaps::site_paths::finding::Finding;

/// A completed build.
pub(super) struct BuildRun {
    pub(super) base: FoundBaseUrl,
    pub(super) inventory: Inventory,
    /// The findings of all steps.
    pub(super) findings: Vec<Finding>,
    pub(super) published: PublishedSite,
}

/// A completed check.
pub(super) struct CheckRun {
    pub(super) base: FoundBaseUrl,
    pub(super) inventory: Inventory,
    /// The findings of all steps.
    pub(super) findings: Vec<Finding>,
    pub(super) plan: Plan,
    pub(super) report: CheckReport,
}

/// A completed `waypost index`.
pub(super) struct IndexRun {
    pub(super) base: FoundBaseUrl,
    pub(super) children: Vec<ListedChild>,
    pub(super) findings: Vec<Finding>,
    pub(super) effect: WriteMode,
    /// What was written; `None` if a finding fails the run.
    pub(super) published: Option<PublishedSite>,
}
