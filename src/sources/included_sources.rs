//! The included files that date pages.

use std::cmp::Reverse;

use super::date_origin::DatingInclude;
use git_last_modified::FileHistory;
use page_sources::generator::IncludedFiles;
use sitemaps::site_paths::SitePath;

/// Returns the file that dates a page among those that its source includes; `answers` has one for each
/// of the included files.
pub(super) fn dating_include<'h>(
    included: &'h IncludedFiles,
    page: usize,
    answers: &'h [FileHistory],
) -> Option<DatingInclude<'h>> {
    let files = included.of_pages.get(&page)?.iter();
    let candidates = files.map(|&at| DatingInclude {
        file: &included.files[at],
        history: &answers[at],
    });
    // A file without a date may be the one that changed last, so it comes first.
    candidates.min_by_key(|include| match include.history {
        FileHistory::Changed(change) => (true, Reverse(change.seconds), include.file),
        _ => (false, Reverse(0), include.file),
    })
}

/// Returns the files that the source of a page includes, in the order of their paths.
pub(super) fn included_by(included: &IncludedFiles, page: usize) -> Vec<SitePath> {
    let files = included.of_pages.get(&page).into_iter().flatten();
    let mut files: Vec<SitePath> = files.map(|&at| included.files[at].clone()).collect();
    files.sort_unstable();
    files
}
