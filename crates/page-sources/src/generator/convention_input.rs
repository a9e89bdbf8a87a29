//! The parts of a content file that determine its URL.

use super::content_dirs::ContentDirs;
use super::content_name::ContentName;
use super::content_root::ContentRoot;
use super::front_matter::FrontMatter;
use sitemaps::site_paths::SitePath;

/// The parts of a content file that determine its URL.
pub(super) struct ConventionInput<'c> {
    /// Its path below the site root.
    pub(super) path: &'c SitePath,
    pub(super) name: &'c ContentName<'c>,
    pub(super) root: &'c ContentRoot<'c>,
    pub(super) front_matter: &'c FrontMatter,
    pub(super) dirs: &'c ContentDirs<'c>,
}
