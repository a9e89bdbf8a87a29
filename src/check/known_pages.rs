//! What waypost knows of the pages of a site, to check the existing sitemaps against.

use crate::inventory::Inventory;
use git_last_modified::ObjectId;
use site_paths::containment::SitemapDir;
use sitemaps::{Now, Plan};

/// What waypost knows of the pages of a site.
pub(super) struct KnownPages<'a> {
    /// The output directory.
    pub(super) output_dir: &'a SitemapDir,
    pub(super) inventory: &'a Inventory,
    pub(super) plan: &'a Plan,
    pub(super) now: Now,
    /// The commit of a deploy, which does not refute earlier dates.
    pub(super) deploy: Option<ObjectId>,
}
