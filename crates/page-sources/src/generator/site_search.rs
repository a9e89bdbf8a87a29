//! The inputs that all steps of a search for a site share.

use sitemaps::site_paths::io_failure::FailureLog;

use super::manifest::Manifest;

/// The known generators, and the failures of the machine so far. A directory that cannot be read may
/// have contained the site, so a search with a failure has no result.
#[derive(Debug)]
pub(crate) struct SiteSearch<'m> {
    /// The known generators and output directories.
    pub(crate) manifest: &'m Manifest,
    /// Remembers the first failure.
    pub(crate) failures: FailureLog,
}
