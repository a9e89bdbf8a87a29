//! Reads files at the tip of a branch that is not checked out, and the branch that is.

use std::path::Path;

use super::RepositoryError;
use super::repository::Repository;
use super::tree::EntryKind;

/// The newest commit of a branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BranchTip {
    /// When it was committed, in seconds since 1970 UTC.
    pub committed: i64,
    /// When the checked-out commit was; `None` on a branch without commits.
    pub head_committed: Option<i64>,
    /// The contents of the requested files, in their order; `None` for one that it does not have.
    pub files: Vec<Option<Vec<u8>>>,
}

/// Reads files at a reference, such as `refs/remotes/origin/gh-pages`, of the repository whose work
/// tree is at `root`. `None` if there is no such reference.
///
/// It is an error if the clone lacks the commit or one of the files.
pub fn branch_tip(
    root: &Path,
    reference: &str,
    files: &[&str],
) -> Result<Option<BranchTip>, RepositoryError> {
    let repository = Repository::open(root)?;
    let Some(tip) = repository.commit_of(reference)? else {
        return Ok(None);
    };
    let mut objects = repository.objects();
    let commit = objects.commit(&tip)?;
    let head = repository
        .head()?
        .map(|head| objects.commit(&head))
        .transpose()?;
    let mut contents = Vec::with_capacity(files.len());
    for file in files {
        let entry = objects.entry_at(&commit.tree, file.as_bytes())?;
        let blob =
            entry.filter(|(kind, _)| matches!(kind, EntryKind::Blob | EntryKind::BlobExecutable));
        contents.push(blob.map(|(_, id)| objects.blob(&id)).transpose()?);
    }
    Ok(Some(BranchTip {
        committed: commit.times.committer.seconds,
        head_committed: head.map(|head| head.times.committer.seconds),
        files: contents,
    }))
}

/// Returns the name of the branch that is checked out at `root`; `None` for a detached `HEAD`.
pub fn checked_out_branch(root: &Path) -> Result<Option<String>, RepositoryError> {
    Repository::open(root)?.head_branch()
}
