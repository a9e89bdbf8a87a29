//! Reads single pages again, for the few steps that need more than the facts of all pages.

use std::fs::File;
use std::io;

use crate::files::tree::Tree;
use page_signals::{Metadata, MetadataRequest, metadata_of};
use sitemaps::site_paths::SitePath;

/// Reads a page again, if it still exists. The page was read before, so an error is a failure of the
/// machine, which is remembered: without it, the page would lose its date.
pub(crate) fn read_again<T>(
    output: &Tree,
    page: &SitePath,
    read: impl FnOnce(File) -> io::Result<T>,
) -> Option<T> {
    let read = output.open_page(page).and_then(read);
    output
        .note_unknown(&page.below_dir(output.path()), read)
        .ok()
}

/// Reads the metadata of a page.
pub(crate) fn page_metadata(output: &Tree, page: &SitePath, request: MetadataRequest) -> Metadata {
    read_again(output, page, |file| metadata_of(&file, request)).unwrap_or_default()
}
