//! Finds the old path of files that a commit renamed without changing them.
//!
//! Only exact renames count: the parent has the same content under a name that the commit lacks. A
//! path with the same file name is preferred, then the first path in Git's order, as in Git's own
//! rename detection (`find_identical_files` in diffcore-rename.c).

use std::collections::{HashMap, HashSet};

use super::limits::DEEPEST;
use super::objects::ObjectReader;
use super::tree::{EntryKind, MalformedTree, TreeEntries, TreeEntry};
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
            if kind == EntryKind::Executable {
                EntryKind::File
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
/// Each pair of trees is searched once: a few trees that contain each other repeatedly can describe
/// billions of directories.
pub(super) fn removed_names(
    objects: &mut ObjectReader,
    wanted: &HashSet<MovedContent>,
    ours: &ObjectId,
    theirs: &ObjectId,
) -> Result<RemovedNames, RepositoryError> {
    let root = TreePair {
        ours: Some(*ours),
        theirs: *theirs,
    };
    let mut searched: HashMap<TreePair, RemovedNames> = HashMap::new();
    let mut stack = vec![SearchedTree::read(root, objects, wanted)?];
    while let Some(dir) = stack.last_mut() {
        let Some((name, pair)) = dir.below.pop() else {
            searched.insert(dir.pair, std::mem::take(&mut dir.found));
            stack.pop();
            continue;
        };
        if let Some(found) = searched.get(&pair) {
            dir.add_from_subdirectory(&name, found);
            continue;
        }
        dir.below.push((name, pair)); // visited again once it is searched
        if stack.len() > DEEPEST {
            return Err(RepositoryError::TooDeep(pair.theirs));
        }
        stack.push(SearchedTree::read(pair, objects, wanted)?);
    }
    Ok(searched.remove(&root).unwrap_or_default())
}

/// A directory of the parent, and the same directory of the commit if it exists.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct TreePair {
    ours: Option<ObjectId>,
    theirs: ObjectId,
}

/// A directory being searched.
struct SearchedTree {
    pair: TreePair,
    /// Removed names, relative to this directory.
    found: RemovedNames,
    /// Subdirectories still to search, with their names.
    below: Vec<(Vec<u8>, TreePair)>,
}

impl SearchedTree {
    fn read(
        pair: TreePair,
        objects: &mut ObjectReader,
        wanted: &HashSet<MovedContent>,
    ) -> Result<Self, RepositoryError> {
        let their_tree = objects.tree(&pair.theirs)?;
        let our_tree = pair
            .ours
            .map(|id| objects.tree(&id))
            .transpose()?
            .unwrap_or_default();
        let malformed = |MalformedTree| RepositoryError::invalid_tree(&pair.theirs);
        let kept = by_name(TreeEntries::new(&our_tree, &pair.theirs)).map_err(malformed)?;
        let mut entries = TreeEntries::new(&their_tree, &pair.theirs);
        let mut dir = Self {
            pair,
            found: RemovedNames::new(),
            below: Vec::new(),
        };
        while let Some(entry) = entries.next().map_err(malformed)? {
            let kept = kept
                .get(entry.name)
                .filter(|kept| kept.is_dir() == entry.is_dir());
            let content = MovedContent::new(entry.kind, entry.id());
            if entry.is_dir() && kept != Some(&entry) {
                dir.below.push((
                    entry.name.to_vec(),
                    TreePair {
                        ours: kept.map(TreeEntry::id),
                        theirs: entry.id(),
                    },
                ));
            } else if kept.is_none() && wanted.contains(&content) {
                dir.found
                    .entry(content)
                    .or_default()
                    .insert(entry.name, entry.name.to_vec());
            }
        }
        Ok(dir)
    }

    /// Adds the removed names of a subdirectory.
    fn add_from_subdirectory(&mut self, name: &[u8], found: &RemovedNames) {
        for (content, names) in found {
            let here = self.found.entry(*content).or_default();
            names
                .by_last_name
                .iter()
                .for_each(|(last, path)| here.insert(last, [name, b"/", path].concat()));
        }
    }
}

fn by_name(mut entries: TreeEntries<'_>) -> Result<HashMap<&[u8], TreeEntry<'_>>, MalformedTree> {
    let mut names = HashMap::new();
    while let Some(entry) = entries.next()? {
        names.insert(entry.name, entry);
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
