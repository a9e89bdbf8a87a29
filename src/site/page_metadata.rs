//! Reads the metadata of single pages, for the few steps that need more than the facts of all pages.

use page_signals::{Metadata, MetadataRequest, metadata_of};
use site_paths::SitePath;
use site_paths::containment::SitemapDir;
use site_paths::io_failure::retried;

/// Reads the metadata of a page. A page that cannot be read has none; a failure of the machine is
/// remembered.
pub(crate) fn page_metadata(
    output: &SitemapDir,
    page: &SitePath,
    request: MetadataRequest,
) -> Metadata {
    let failures = output.containment().failures();
    let path = page.below_dir(output.path());
    let read = retried(|| metadata_of(&output.tree().regular_file(page)?, request));
    failures.note(&path, read).unwrap_or_default()
}
