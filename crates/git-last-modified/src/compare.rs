//! Compares two root trees and returns which of the wanted paths differ.

use std::ops::Range;

use super::objects::ObjectReader;
use super::path_set::PathSet;
use super::tree::{EntryRef, MalformedTree, TreeEntries, is_same};
use super::trie::{NodeId, PathTrie};
use super::{ObjectId, RepositoryError};

/// The differences between two trees, as ranges of path numbers.
#[derive(Debug, Default)]
pub(super) struct TreeDifference {
    /// Paths of the first tree that differ from the second or are missing there.
    pub(super) changed: Vec<Range<u32>>,
    /// Paths that cannot be compared because a tree above them cannot be read.
    pub(super) unknown: Vec<(Range<u32>, RepositoryError)>,
}

/// A tree comparison in progress.
pub(super) struct TreeComparison<'a> {
    pub(super) objects: &'a mut ObjectReader,
    pub(super) trie: &'a PathTrie,
    /// The paths to compare; each is a file, link or submodule in the first tree.
    pub(super) paths: &'a PathSet,
}

impl TreeComparison<'_> {
    pub(super) fn run(mut self, ours: &ObjectId, theirs: &ObjectId) -> TreeDifference {
        let mut found = TreeDifference::default();
        if ours != theirs {
            self.compare_dirs(PathTrie::ROOT, ours, theirs, &mut found);
        }
        found
    }

    fn compare_dirs(
        &mut self,
        dir: NodeId,
        ours: &ObjectId,
        theirs: &ObjectId,
        found: &mut TreeDifference,
    ) {
        let read = self.objects.tree(ours);
        let read = read.and_then(|tree| Ok((tree, self.objects.tree(theirs)?)));
        let error = match read {
            Ok((our_tree, their_tree)) => {
                match self.entries(dir, our_tree.entries(), their_tree.entries(), found) {
                    Ok(()) => return,
                    Err(MalformedTree) => RepositoryError::invalid_tree(ours),
                }
            }
            Err(error) => error,
        };
        found
            .unknown
            .push((self.trie.node(dir).paths.clone(), error));
    }

    /// Compares two entry lists in one pass; both are in Git's order.
    fn entries(
        &mut self,
        dir: NodeId,
        mut ours: TreeEntries<'_>,
        mut theirs: TreeEntries<'_>,
        found: &mut TreeDifference,
    ) -> Result<(), MalformedTree> {
        loop {
            ours.skip_common(&mut theirs);
            let Some(entry) = ours.next()? else {
                return Ok(());
            };
            // Entries only in their tree do not affect our paths.
            let other = theirs.take_same(&entry)?;
            self.differing(dir, &entry, other, found);
        }
    }

    fn differing(
        &mut self,
        dir: NodeId,
        ours: &EntryRef<'_>,
        theirs: Option<EntryRef<'_>>,
        found: &mut TreeDifference,
    ) {
        if theirs.is_some_and(|theirs| is_same(&theirs, ours)) {
            return; // only the notation of the mode differs
        }
        let Some(node) = self.trie.child(dir, ours.filename) else {
            return;
        };
        let paths = &self.trie.node(node).paths;
        if !self.paths.any_in(paths) {
            return;
        }
        match theirs {
            Some(theirs) if ours.mode.is_tree() && self.trie.has_children(node) => {
                self.compare_dirs(node, &ours.oid.into(), &theirs.oid.into(), found);
            }
            _ => found.changed.push(paths.clone()),
        }
    }
}
