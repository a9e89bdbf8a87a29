//! Looks up wanted paths in a root tree.

use std::ops::Range;

use super::objects::ObjectReader;
use super::path_set::PathSet;
use super::tree::EntryKind;
use super::trie::{NodeId, PathTrie};
use super::{ObjectId, RepositoryError};

/// The entries of a tree for the wanted paths.
#[derive(Debug, Default)]
pub(super) struct PresentPaths {
    /// Files, links and submodules; a directory does not match a wanted file.
    pub(super) entries: Vec<PresentEntry>,
    /// The paths that mean the members of directories.
    pub(super) members: Vec<Range<u32>>,
    /// Paths that cannot be looked up because a tree above them cannot be read.
    pub(super) unknown: Vec<(Range<u32>, RepositoryError)>,
}

/// An entry found in a tree.
#[derive(Debug, Clone)]
pub(super) struct PresentEntry {
    /// The numbers of its path; several if the path is wanted more than once.
    pub(super) paths: Range<u32>,
    pub(super) kind: EntryKind,
    pub(super) id: ObjectId,
}

/// A tree lookup in progress.
struct TreeLookup<'a> {
    objects: &'a mut ObjectReader,
    trie: &'a PathTrie,
    paths: &'a PathSet,
    present: PresentPaths,
}

/// Looks up these paths of a trie in a root tree.
pub(super) fn look_up(
    objects: &mut ObjectReader,
    trie: &PathTrie,
    paths: &PathSet,
    root: &ObjectId,
) -> PresentPaths {
    let mut lookup = TreeLookup {
        objects,
        trie,
        paths,
        present: PresentPaths::default(),
    };
    lookup.look_up_in_dir(PathTrie::ROOT, root);
    lookup.present
}

impl PresentPaths {
    /// The path ranges of all entries found.
    pub(super) fn ranges(&self) -> Vec<Range<u32>> {
        self.entries
            .iter()
            .map(|entry| entry.paths.clone())
            .chain(self.members.iter().cloned())
            .collect()
    }
}

impl TreeLookup<'_> {
    fn look_up_in_dir(&mut self, dir: NodeId, id: &ObjectId) {
        if let Err(error) = self.entries(dir, id) {
            let lost = self.trie.paths_below(dir);
            self.present.unknown.push((lost, error));
        }
    }

    fn entries(&mut self, dir: NodeId, id: &ObjectId) -> Result<(), RepositoryError> {
        let tree = self.objects.tree(id)?;
        let members = self.trie.members_of(dir);
        self.present
            .members
            .extend(members.filter(|members| self.paths.any_in(members)));
        let mut entries = tree.entries();
        while let Some(entry) = entries.next()? {
            let Some(node) = self.trie.child(dir, entry.filename) else {
                continue;
            };
            if entry.mode.is_tree() {
                if self.trie.has_children(node) && self.paths.any_in(&self.trie.paths_below(node)) {
                    self.look_up_in_dir(node, &entry.oid.into());
                }
                continue;
            }
            let paths = self.trie.paths_at(node);
            if self.paths.any_in(&paths) {
                self.present.entries.push(PresentEntry {
                    paths,
                    kind: entry.mode.kind(),
                    id: entry.oid.into(),
                });
            }
        }
        Ok(())
    }
}
