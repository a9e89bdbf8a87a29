//! Describes how complete the history of a repository is, without walking it.

use std::path::Path;

use super::RepositoryError;
use super::repository::Repository;

/// Returns in words how complete the history of the repository at a root is.
pub fn describe_history(root: &Path) -> Result<&'static str, RepositoryError> {
    let repository = Repository::open(root)?;
    let is_shallow = !repository.lineage()?.boundary.is_empty();
    Ok(match (is_shallow, repository.is_partial()) {
        (false, false) => "complete history",
        (true, false) => "shallow clone",
        (false, true) => "complete history, some objects not fetched",
        (true, true) => "shallow clone, some objects not fetched",
    })
}
