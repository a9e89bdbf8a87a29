//! Reads the subject line of a commit.

use std::path::Path;

use super::commit_text::CommitText;
use super::repository::{Repository, WorkTreePath};
use super::{GivenRepository, ObjectId, RepositoryError, open_given, source_files};

/// Returns the subject of the commit that dated a source, like `git log --format=%s`.
///
/// `None` if the source is not in a repository or the commit has no message.
pub fn subject_of(
    source: &Path,
    given: Option<&GivenRepository>,
    commit: &ObjectId,
) -> Result<Option<String>, RepositoryError> {
    // A `GIT_DIR` that cannot be opened has already failed the run.
    let given = given.and_then(|given| open_given(given).ok());
    let files = [source.to_owned()];
    let groups = source_files::group(&files, given.as_ref().map(Repository::work_tree), None);
    let groups = groups.map_err(|error| RepositoryError::Unreadable(error.to_string()))?;
    let Some(root) = groups.into_keys().next() else {
        return Ok(None);
    };
    let repository = match given.filter(|given| given.work_tree() == root) {
        Some(given) => given,
        None => Repository::open(&root.join(".git"), WorkTreePath::Default)?,
    };
    let mut objects = repository.objects();
    let text = CommitText::decode(objects.raw_commit(commit)?);
    Ok(text.and_then(|text| text.subject()))
}
