//! Two root trees + a set of paths → which of these paths differ between them.

use std::cmp::Ordering;
use std::ops::Range;

use super::path_set::PathSet;
use super::tree::{MalformedTree, TreeEntries, TreeEntry};
use super::trees::TreeCache;
use super::trie::{NodeId, PathTrie};
use super::{ObjectId, RepositoryError};

/// Where two trees differ, as ranges of path numbers.
#[derive(Debug, Default)]
pub(super) struct TreeDifference {
    /// Paths of the first tree that are not the same, or not there, in the second.
    pub(super) changed: Vec<Range<u32>>,
    /// Paths of which nothing can be said, because a tree on the way to them cannot be read.
    pub(super) unknown: Vec<(Range<u32>, RepositoryError)>,
}

/// A comparison under way.
pub(super) struct TreeComparison<'a, 'b> {
    pub(super) trees: &'a mut TreeCache<'b>,
    pub(super) trie: &'a PathTrie,
    /// Only differences of these paths are looked for; each is a file, link or submodule in the first tree.
    pub(super) paths: &'a PathSet,
}

impl TreeComparison<'_, '_> {
    /// Compares two root trees.
    pub(super) fn run(mut self, ours: &ObjectId, theirs: &ObjectId) -> TreeDifference {
        let mut found = TreeDifference::default();
        if ours != theirs {
            self.folder(PathTrie::ROOT, ours, theirs, &mut found);
        }
        found
    }

    fn folder(
        &mut self,
        folder: NodeId,
        ours: &ObjectId,
        theirs: &ObjectId,
        found: &mut TreeDifference,
    ) {
        let read = self
            .trees
            .read(folder, ours)
            .and_then(|tree| Ok((tree, self.trees.read(folder, theirs)?)));
        let trouble = match read {
            Ok((our_tree, their_tree)) => {
                let (ours_left, theirs_left) = (
                    TreeEntries::new(&our_tree, ours),
                    TreeEntries::new(&their_tree, theirs),
                );
                match self.entries(folder, ours_left, theirs_left, found) {
                    Ok(()) => return,
                    Err(MalformedTree) => RepositoryError::no_tree(ours),
                }
            }
            Err(trouble) => trouble,
        };
        found
            .unknown
            .push((self.trie.node(folder).paths.clone(), trouble));
    }

    /// Both are in git's order, so that one look ahead in each is enough.
    fn entries(
        &mut self,
        folder: NodeId,
        mut ours: TreeEntries<'_>,
        mut theirs: TreeEntries<'_>,
        found: &mut TreeDifference,
    ) -> Result<(), MalformedTree> {
        loop {
            ours.skip_common(&mut theirs);
            let Some(entry) = ours.first()? else {
                return Ok(());
            };
            let other = theirs.first()?;
            match other.map_or(Ordering::Greater, |other| other.order(&entry)) {
                Ordering::Less => {
                    theirs.next()?; // gone from our tree; that changes nothing of what is in it
                    continue;
                }
                Ordering::Equal => {
                    theirs.next()?;
                    self.differing(folder, &entry, other, found);
                }
                Ordering::Greater => self.differing(folder, &entry, None, found),
            }
            ours.next()?;
        }
    }

    fn differing(
        &mut self,
        folder: NodeId,
        ours: &TreeEntry<'_>,
        theirs: Option<TreeEntry<'_>>,
        found: &mut TreeDifference,
    ) {
        if theirs.as_ref() == Some(ours) {
            return; // the same but for how its mode is written
        }
        let Some(node) = self.trie.child(folder, ours.name) else {
            return;
        };
        let paths = &self.trie.node(node).paths;
        if !self.paths.any_in(paths) {
            return;
        }
        match theirs {
            Some(theirs) if ours.is_folder() && self.trie.is_folder(node) => {
                self.folder(node, &ours.id(), &theirs.id(), found);
            }
            _ => found.changed.push(paths.clone()),
        }
    }
}
