//! A commit and its parent + paths that the parent lacks → where each was before, if it was only moved.
//!
//! Only exact moves count, as a pure move is no change: the parent has the same content under a name that the commit
//! lacks. A file of the same last name is preferred, then the first in git's order, as git's own rename detection does
//! (`find_identical_files` in diffcore-rename.c).

use std::collections::{HashMap, HashSet};

use super::objects::ObjectReader;
use super::tree::{EntryKind, MalformedTree, TreeEntries, TreeEntry};
use super::{ObjectId, RepositoryError};

/// Folders below folders, at most: git's own limit (`core.maxTreeDepth`).
pub(super) const DEEPEST: usize = 2048;

/// Names that the parent has and the commit has not, by what stands there.
pub(super) type RemovedNames = HashMap<MovedContent, ContentNames>;

/// What makes an entry the same after a move: its bytes, and whether they are a file's, a link's or a submodule's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct MovedContent(EntryKind, ObjectId);

/// The names of one content: the first in git's order, and the first of each last name. No other is ever preferred.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ContentNames {
    first: Option<Vec<u8>>,
    by_last_name: HashMap<Vec<u8>, Vec<u8>>,
}

impl MovedContent {
    /// Of an entry; a file that becomes executable on the way still only moves.
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

    /// The path that a path most likely comes from.
    pub(super) fn origin(&self, path: &[u8]) -> Option<&[u8]> {
        let last_name = path.rsplit(|byte| *byte == b'/').next()?;
        self.by_last_name
            .get(last_name)
            .or(self.first.as_ref())
            .map(Vec::as_slice)
    }
}

/// Compares two root trees; only the wanted contents are looked for.
///
/// No pair of trees is looked into twice: a few that hold each other again and again can make billions of folders.
pub(super) fn vanished(
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
    let mut way = vec![SearchedTree::read(root, objects, wanted)?];
    while let Some(folder) = way.last_mut() {
        let Some((name, pair)) = folder.below.pop() else {
            searched.insert(folder.pair, std::mem::take(&mut folder.found));
            way.pop();
            continue;
        };
        if let Some(found) = searched.get(&pair) {
            folder.adopt(&name, found);
            continue;
        }
        folder.below.push((name, pair)); // for when it is searched
        if way.len() > DEEPEST {
            return Err(RepositoryError::TooDeep(pair.theirs));
        }
        way.push(SearchedTree::read(pair, objects, wanted)?);
    }
    Ok(searched.remove(&root).unwrap_or_default())
}

/// A folder of the parent, beside the same folder of the commit where there is one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct TreePair {
    ours: Option<ObjectId>,
    theirs: ObjectId,
}

/// A folder under search.
struct SearchedTree {
    pair: TreePair,
    /// As seen from here.
    found: RemovedNames,
    /// Folders that are not searched yet, with their names.
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
        let malformed = |MalformedTree| RepositoryError::no_tree(&pair.theirs);
        let kept = by_name(TreeEntries::new(&our_tree, &pair.theirs)).map_err(malformed)?;
        let mut entries = TreeEntries::new(&their_tree, &pair.theirs);
        let mut folder = Self {
            pair,
            found: RemovedNames::new(),
            below: Vec::new(),
        };
        while let Some(entry) = entries.next().map_err(malformed)? {
            let kept = kept
                .get(entry.name)
                .filter(|kept| kept.is_folder() == entry.is_folder());
            let content = MovedContent::new(entry.kind, entry.id());
            if entry.is_folder() && kept != Some(&entry) {
                folder.below.push((
                    entry.name.to_vec(),
                    TreePair {
                        ours: kept.map(TreeEntry::id),
                        theirs: entry.id(),
                    },
                ));
            } else if kept.is_none() && wanted.contains(&content) {
                folder
                    .found
                    .entry(content)
                    .or_default()
                    .insert(entry.name, entry.name.to_vec());
            }
        }
        Ok(folder)
    }

    /// Takes over what was found in a folder of this one.
    fn adopt(&mut self, name: &[u8], found: &RemovedNames) {
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
    fn a_file_of_the_same_last_name_is_preferred() {
        let check = |path: &str, candidates: &[&str], expected: Option<&str>| {
            let mut names = ContentNames::default();
            for candidate in candidates {
                let last_name = candidate.rsplit('/').next().expect("there is always one");
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
