//! Finds the old path of files that a commit renamed without changing them.
//!
//! Only exact renames count: the parent has the same content under a name that the commit lacks. A
//! path with the same file name is preferred, then the first path in Git's order, as in Git's own
//! rename detection (`find_identical_files` in diffcore-rename.c).

use std::collections::{HashMap, HashSet};

use super::limits::DEEPEST;
use super::objects::ObjectReader;
use super::tree::{EntryKind, EntryRef, MalformedTree, Tree, is_same};
use super::{ObjectId, RepositoryError};

/// Names that the parent has and the commit lacks, by content.
pub(super) type RemovedNames = HashMap<MovedContent, ContentNames>;

/// The identity of an entry across a rename: its object id and whether it is a file, link or
/// submodule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct MovedContent(EntryKind, ObjectId);

/// The names of one content that can be preferred: the first in Git's order, and the first for each
/// file name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ContentNames {
    first: Option<Vec<u8>>,
    by_last_name: HashMap<Vec<u8>, Vec<u8>>,
}

impl MovedContent {
    /// Creates the identity of an entry; a change of the executable bit still counts as a rename.
    pub(super) fn new(kind: EntryKind, id: ObjectId) -> Self {
        Self(
            if kind == EntryKind::BlobExecutable {
                EntryKind::Blob
            } else {
                kind
            },
            id,
        )
    }
}

impl ContentNames {
    fn insert(&mut self, last_name: &[u8], path: Vec<u8>) {
        if self.first.as_ref().is_none_or(|first| path < *first) {
            self.first = Some(path.clone());
        }
        match self.by_last_name.get_mut(last_name) {
            Some(known) if *known <= path => {}
            Some(known) => *known = path,
            None => drop(self.by_last_name.insert(last_name.to_vec(), path)),
        }
    }

    /// Returns the most likely old path of `path`.
    pub(super) fn origin(&self, path: &[u8]) -> Option<&[u8]> {
        let last_name = path.rsplit(|byte| *byte == b'/').next()?;
        self.by_last_name
            .get(last_name)
            .or(self.first.as_ref())
            .map(Vec::as_slice)
    }
}

/// Compares two root trees and returns the removed names of the wanted contents.
///
/// Each pair of trees is searched once, at its first path: a few trees that contain each other
/// repeatedly can describe billions of directories.
pub(super) fn removed_names(
    objects: &mut ObjectReader,
    wanted: &HashSet<MovedContent>,
    ours: &ObjectId,
    theirs: &ObjectId,
) -> Result<RemovedNames, RepositoryError> {
    let mut found = RemovedNames::new();
    let mut searched = HashSet::new();
    let mut dirs = vec![(0, Vec::new(), Some(*ours), *theirs)];
    while let Some((depth, path, ours, theirs)) = dirs.pop() {
        if !searched.insert((ours, theirs)) {
            continue;
        }
        if depth > DEEPEST {
            return Err(RepositoryError::TooDeep(theirs));
        }
        let their_tree = objects.tree(&theirs)?;
        let our_tree = ours.map(|id| objects.tree(&id)).transpose()?;
        let malformed = |MalformedTree| RepositoryError::invalid_tree(&theirs);
        let kept = our_tree.as_ref().map(by_name).transpose();
        let kept = kept.map_err(malformed)?.unwrap_or_default();
        let (mut entries, mut below) = (their_tree.entries(), Vec::new());
        while let Some(entry) = entries.next().map_err(malformed)? {
            let is_dir = entry.mode.is_tree();
            let kept = kept.get::<[u8]>(entry.filename);
            let kept = kept.filter(|kept| kept.mode.is_tree() == is_dir);
            let name = [&path, &**entry.filename].concat();
            let content = MovedContent::new(entry.mode.kind(), entry.oid.into());
            if is_dir && !kept.is_some_and(|kept| is_same(kept, &entry)) {
                let ours = kept.map(|kept| kept.oid.into());
                let path = [&name, &b"/"[..]].concat();
                below.push((depth + 1, path, ours, entry.oid.into()));
            } else if kept.is_none() && wanted.contains(&content) {
                let names = found.entry(content).or_default();
                names.insert(entry.filename, name);
            }
        }
        dirs.extend(below.into_iter().rev());
    }
    Ok(found)
}

fn by_name(tree: &Tree) -> Result<HashMap<&[u8], EntryRef<'_>>, MalformedTree> {
    let (mut entries, mut names) = (tree.entries(), HashMap::<&[u8], _>::new());
    while let Some(entry) = entries.next()? {
        names.insert(entry.filename, entry);
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_with_the_same_file_name_is_preferred() {
        let check = |path: &str, candidates: &[&str], expected: Option<&str>| {
            let mut names = ContentNames::default();
            for candidate in candidates {
                let last_name = candidate.rsplit('/').next().expect("a file name");
                names.insert(last_name.as_bytes(), candidate.as_bytes().to_vec());
            }
            assert_eq!(
                names.origin(path.as_bytes()),
                expected.map(str::as_bytes),
                "{path}"
            );
        };
        check(
            "new/a.md",
            &["b.md", "older/a.md", "old/a.md"],
            Some("old/a.md"),
        );
        check("new/c.md", &["old/a.md", "b.md"], Some("b.md"));
        check("a.md", &["old/xa.md", "old/a.md"], Some("old/a.md"));
        check("a.md", &[], None);
    }
}
