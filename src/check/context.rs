//! The input that all checks of a site share.

use super::existing::ExistingSitemaps;
use super::known_pages::KnownPages;
use crate::settings::Settings;
use crate::site::RobotsFile;
use sitemaps::{Now, SitemapChanges};

/// Input shared by all checks.
pub(super) struct CheckContext<'a> {
    pub(super) settings: &'a Settings,
    pub(super) now: Now,
    pub(super) robots: &'a RobotsFile,
    pub(super) pages: &'a KnownPages<'a>,
    pub(super) existing: &'a ExistingSitemaps,
    pub(super) changes: &'a SitemapChanges,
}
