//! Finds judged pages by URL or file.

use super::judged_page::JudgedPage;
use crate::hosts::candidate_files;
use sitemaps::site_paths::{BaseUrl, PageUrl, SitePath};

/// Returns the page that a host serves for a URL.
pub(super) fn answering(pages: &[JudgedPage], base: &BaseUrl, url: &PageUrl) -> Option<usize> {
    candidate_files(base, url)
        .iter()
        .find_map(|file| position_of(pages, file))
}

/// Returns the index of a file's page.
pub(super) fn position_of(pages: &[JudgedPage], file: &SitePath) -> Option<usize> {
    pages.binary_search_by(|page| page.file.cmp(file)).ok()
}
