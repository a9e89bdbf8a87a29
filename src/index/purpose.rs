//! The purpose of an index.

use std::path::Path;

use crate::settings::Settings;
use sitemaps::Now;
use sitemaps::site_paths::BaseUrl;

/// The purpose of an index.
pub struct IndexPurpose<'a> {
    /// The URL of the output directory.
    pub base: &'a BaseUrl,
    /// The directory of the index.
    pub output_dir: &'a Path,
    /// Settings for the index.
    pub settings: &'a Settings,
    /// The current time.
    pub now: Now,
}
