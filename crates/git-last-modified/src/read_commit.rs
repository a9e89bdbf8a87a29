//! Reads the subject line of a commit, and what it changed in files.

use std::path::{Path, PathBuf};

use super::commit_text::CommitText;
use super::query::Source;
use super::repository::Repository;
use super::source_files;
use super::tree::EntryKind;
use super::trie::WantedPath;
use super::{ObjectId, RepositoryError};

/// Receives the index of a file, its content before a commit, and that after it.
pub type CompareContents<'c> = dyn FnMut(usize, Option<&[u8]>, &[u8]) -> bool + 'c;

/// Returns the subject of the commit that dated a source, like `git log --format=%s`.
///
/// `None` if the source is not in a repository or the commit has no message.
pub fn subject_of(source: &Path, commit: &ObjectId) -> Result<Option<String>, RepositoryError> {
    let Some((repository, _)) = repository_of(&[source.to_owned()])? else {
        return Ok(None);
    };
    let mut objects = repository.objects();
    let text = CommitText::decode(objects.raw_commit(commit)?);
    Ok(text.and_then(|text| text.subject()))
}

/// Passes the contents of files before and after a commit to `compare`, with the index of each, until
/// it returns `false`. Before is the first parent that has the file; a file that the commit added has
/// no content before.
///
/// The files are in one repository. It is an error if the clone lacks a content.
pub fn compare_contents(
    files: &[PathBuf],
    commit: &ObjectId,
    compare: &mut CompareContents<'_>,
) -> Result<(), RepositoryError> {
    let Some((repository, wanted)) = repository_of(files)? else {
        return Ok(());
    };
    let mut objects = repository.objects();
    let commit = objects.commit(commit)?;
    let mut parents = Vec::new();
    for parent in &commit.parents {
        parents.push(objects.commit(parent)?.tree);
    }
    let is_file = |kind| matches!(kind, EntryKind::Blob | EntryKind::BlobExecutable);
    for WantedPath { path, place, .. } in wanted {
        let Some((kind, after)) = objects.entry_at(&commit.tree, &path)? else {
            continue;
        };
        if !is_file(kind) {
            continue;
        }
        let mut before = None;
        for parent in &parents {
            let entry = objects.entry_at(parent, &path)?;
            before = before.or(entry.filter(|(kind, _)| is_file(*kind)));
        }
        let before = before.map(|(_, id)| objects.blob(&id)).transpose()?;
        let after = objects.blob(&after)?;
        if !compare(place as usize, before.as_deref(), &after) {
            break;
        }
    }
    Ok(())
}

/// Opens the repository of the first of some files that is in one, and returns the paths of those in
/// it.
fn repository_of(
    files: &[PathBuf],
) -> Result<Option<(Repository, Vec<WantedPath>)>, RepositoryError> {
    let sources = files.iter().cloned().map(Source::File);
    let groups = source_files::group(sources, None)
        .map_err(|error| RepositoryError::Unreadable(error.to_string()))?;
    let Some((root, wanted)) = groups.by_root.into_iter().next() else {
        return Ok(None);
    };
    Ok(Some((Repository::open(&root)?, wanted)))
}
