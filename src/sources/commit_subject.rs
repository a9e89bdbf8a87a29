//! Looks up the subject of the commit that dated a page, on request.

use super::source_finder::{PageSource, SourceDirs};
use git_last_modified::{GivenRepository, LastChange, RepositoryError, subject_of};
use site_paths::SitePath;

/// Returns the subject of the commit that changed a source of `page`; `None` if it is empty.
pub(crate) fn commit_subject(
    change: &LastChange,
    source: &PageSource,
    page: &SitePath,
    dirs: &SourceDirs,
    given: Option<&GivenRepository>,
) -> Result<Option<String>, RepositoryError> {
    subject_of(&source.on_disk(dirs, page), given, &change.commit)
}
