//! Reads the subject line of a commit, what it changed in files, and files at the tip of a branch that is
//! not checked out.

use std::path::{Path, PathBuf};

use super::query::Source;
use super::repository::Repository;
use super::trie::WantedPath;
use super::{ObjectId, RepositoryError, source_files};

/// Receives the index of a file and its contents before and after a commit; `None` if that added it.
pub type CompareContents<'c> = dyn FnMut(usize, Option<(&[u8], &[u8])>) -> bool + 'c;

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
/// it returns `false`. Before is the first parent that has the file. Of a file that the commit added,
/// neither is read.
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
    for WantedPath { path, place, .. } in wanted {
        let Some(after) = objects.file_at(&commit.tree, &path)? else {
            continue;
        };
        let mut before = None;
        for parent in &parents {
            before = before.or(objects.file_at(parent, &path)?);
        }
        let goes_on = match before {
            Some(before) => {
                let (before, after) = (objects.blob(&before)?, objects.blob(&after)?);
                compare(place as usize, Some((&before, &after)))
            }
            None => compare(place as usize, None),
        };
        if !goes_on {
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
/// tree is at `root`. `None` if the reference does not exist.
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
        let blob = objects.file_at(&commit.tree, file.as_bytes())?;
        contents.push(blob.map(|id| objects.blob(&id)).transpose()?);
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
