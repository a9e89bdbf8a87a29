//! Looks up the subject of the commit that dated a page, on request.

use std::path::Path;

use git_last_modified::{GivenRepository, LastChange, RepositoryError, subject_of};

/// Returns the subject of the commit that changed a file; `None` if it is empty.
pub(crate) fn commit_subject(
    change: &LastChange,
    file: &Path,
    given: Option<&GivenRepository>,
) -> Result<Option<String>, RepositoryError> {
    subject_of(file, given, &change.commit)
}
