//! Reads the subject line of a commit, and what it changed in files.

use std::path::{Path, PathBuf};

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
    Ok(subject(objects.raw_commit(commit)?))
}

/// Joins the lines of the first paragraph of a raw commit's message with spaces, like `%s` of `git log`.
fn subject(raw: &[u8]) -> Option<String> {
    let (header, message) = raw.split_at(memchr::memmem::find(raw, b"\n\n")?);
    let mut fields = header.split(|&byte| byte == b'\n');
    let encoding = fields
        .find_map(|line| line.strip_prefix(b"encoding "))
        .and_then(encoding_rs::Encoding::for_label)
        .unwrap_or(encoding_rs::UTF_8);
    let message = encoding.decode_without_bom_handling(message).0;
    let lines = message.lines().map(str::trim);
    let paragraph = lines
        .skip_while(|line| line.is_empty())
        .take_while(|line| !line.is_empty());
    let subject = paragraph.collect::<Vec<_>>().join(" ");
    (!subject.is_empty()).then_some(subject)
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

#[cfg(test)]
mod tests {
    use super::subject;

    #[test]
    fn the_subject_is_the_first_paragraph() {
        let check = |raw: &[u8], expected: Option<&str>| {
            assert_eq!(subject(raw).as_deref(), expected, "{raw:?}");
        };
        check(b"tree a\n\nAdd a page\n", Some("Add a page"));
        check(
            b"tree a\n\n\n  Add a\npage \n\nand say why\n",
            Some("Add a page"),
        );
        check(
            b"tree a\nencoding ISO-8859-1\n\nCaf\xe9\n",
            Some("Caf\u{e9}"),
        );
        check(b"tree a\n\n", None);
        check(b"tree a\n", None);
    }
}
