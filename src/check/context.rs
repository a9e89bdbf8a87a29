//! The input that all checks share.

use super::existing::ExistingSitemaps;
use crate::inventory::Inventory;
use crate::settings::Settings;
use crate::site::RobotsFile;
use git_last_modified::ObjectId;
use site_paths::containment::SitemapDir;
use sitemaps::{Now, Plan, SitemapChanges};

/// Input shared by all checks.
pub(super) struct CheckContext<'a> {
    pub(super) settings: &'a Settings,
    pub(super) now: Now,
    /// The output directory.
    pub(super) output_dir: &'a SitemapDir,
    pub(super) robots: &'a RobotsFile,
    pub(super) inventory: &'a Inventory,
    pub(super) plan: &'a Plan,
    pub(super) existing: &'a ExistingSitemaps,
    pub(super) changes: &'a SitemapChanges,
    /// The commit of a deploy, which does not refute earlier dates.
    pub(super) deploy: Option<ObjectId>,
}
