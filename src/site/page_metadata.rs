//! Reads the metadata of single pages, for the few steps that need more than the facts of all pages.

use page_signals::{Metadata, MetadataRequest, metadata_of};
use sitemaps::site_paths::SitePath;
use sitemaps::site_paths::containment::SitemapDir;
use sitemaps::site_paths::io_failure::{IoFailure, MachineFailure};

/// Reads the metadata of a page, if it exists. The page was read before, so an error is a failure of
/// the machine, which is remembered: without it, the page would lose its date.
pub(crate) fn page_metadata(
    output: &SitemapDir,
    page: &SitePath,
    request: MetadataRequest,
) -> Metadata {
    let opened = output.open_page(page);
    let read = opened.and_then(|file| metadata_of(&file, request));
    read.unwrap_or_else(|error| {
        if IoFailure::of(&error) != IoFailure::Gone {
            let path = page.below_dir(output.path());
            output
                .failures()
                .note_failure(&MachineFailure::new(&path, &error));
        }
        Metadata::default()
    })
}
