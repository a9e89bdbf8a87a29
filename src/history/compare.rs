//! Two root trees + a set of paths → which of these paths differ between them.

use std::cmp::Ordering;
use std::ops::Range;

use super::paths::Paths;
use super::tree::{Entries, Entry, Malformed};
use super::trees::Trees;
use super::trie::{NodeId, Trie};
use super::{ObjectId, Trouble};

/// Where two trees differ, as ranges of path numbers.
#[derive(Debug, Default)]
pub(super) struct Difference {
    /// Paths of the first tree that are not the same, or not there, in the second.
    pub(super) changed: Vec<Range<u32>>,
    /// Paths of which nothing can be said, because a tree on the way to them cannot be read.
    pub(super) unknown: Vec<(Range<u32>, Trouble)>,
}

/// A comparison under way.
pub(super) struct Comparison<'a, 'b> {
    pub(super) trees: &'a mut Trees<'b>,
    pub(super) trie: &'a Trie,
    /// Only differences of these paths are looked for; each is a file, link or submodule in the first tree.
    pub(super) paths: &'a Paths,
}

impl Comparison<'_, '_> {
    /// Compares two root trees.
    pub(super) fn run(mut self, ours: &ObjectId, theirs: &ObjectId) -> Difference {
        let mut found = Difference::default();
        if ours != theirs {
            self.folder(Trie::ROOT, ours, theirs, &mut found);
        }
        found
    }

    fn folder(
        &mut self,
        folder: NodeId,
        ours: &ObjectId,
        theirs: &ObjectId,
        found: &mut Difference,
    ) {
        let read = self
            .trees
            .read(folder, ours)
            .and_then(|tree| Ok((tree, self.trees.read(folder, theirs)?)));
        let trouble = match read {
            Ok((our_tree, their_tree)) => {
                let (ours_left, theirs_left) = (
                    Entries::new(&our_tree, ours),
                    Entries::new(&their_tree, theirs),
                );
                match self.entries(folder, ours_left, theirs_left, found) {
                    Ok(()) => return,
                    Err(Malformed) => Trouble::no_tree(ours),
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
        mut ours: Entries<'_>,
        mut theirs: Entries<'_>,
        found: &mut Difference,
    ) -> Result<(), Malformed> {
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
        ours: &Entry<'_>,
        theirs: Option<Entry<'_>>,
        found: &mut Difference,
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
