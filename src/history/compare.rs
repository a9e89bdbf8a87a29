//! Two root trees + a set of paths → which of these paths differ between them.

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use super::paths::Paths;
use super::repository::Objects;
use super::tree::{Entries, Entry, Malformed};
use super::trie::{NodeId, Trie};
use super::{ObjectId, Trouble};

/// Trees that are kept are dropped when they hold more bytes than this.
const KEPT_BYTES: usize = 16 << 20;

/// Reads trees, and keeps the last two of every folder: the parent's tree of one step is the child's of the next.
pub(super) struct Trees<'a> {
    objects: &'a mut Objects,
    kept: HashMap<NodeId, Vec<KeptTree>>,
    kept_bytes: usize,
}

type KeptTree = (ObjectId, Rc<[u8]>);

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
    /// Only differences of these paths are looked for.
    pub(super) paths: &'a Paths,
}

impl<'a> Trees<'a> {
    /// Reads through a reader of objects.
    pub(super) fn new(objects: &'a mut Objects) -> Self {
        Self { objects, kept: HashMap::new(), kept_bytes: 0 }
    }

    /// The reader of objects.
    pub(super) fn objects(&mut self) -> &mut Objects {
        self.objects
    }

    /// The tree that a folder had in some commit.
    pub(super) fn read(&mut self, folder: NodeId, id: &ObjectId) -> Result<Rc<[u8]>, Trouble> {
        let kept = self.kept.get(&folder).and_then(|kept| kept.iter().find(|(kept_id, _)| kept_id == id));
        if let Some((_, tree)) = kept {
            return Ok(Rc::clone(tree));
        }
        let tree = self.objects.tree(id)?;
        self.keep(folder, *id, Rc::clone(&tree));
        Ok(tree)
    }

    fn keep(&mut self, folder: NodeId, id: ObjectId, tree: Rc<[u8]>) {
        if self.kept_bytes > KEPT_BYTES {
            self.kept.clear();
            self.kept_bytes = 0;
        }
        let kept = self.kept.entry(folder).or_default();
        if kept.len() == 2 {
            let (_, oldest) = kept.remove(0);
            self.kept_bytes -= oldest.len();
        }
        self.kept_bytes += tree.len();
        kept.push((id, tree));
    }
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

    fn folder(&mut self, folder: NodeId, ours: &ObjectId, theirs: &ObjectId, found: &mut Difference) {
        let read = self.trees.read(folder, ours).and_then(|tree| Ok((tree, self.trees.read(folder, theirs)?)));
        let trouble = match read {
            Ok((our_tree, their_tree)) => {
                let (ours_left, theirs_left) = (Entries::new(&our_tree, ours), Entries::new(&their_tree, theirs));
                match self.entries(folder, ours_left, theirs_left, found) {
                    Ok(()) => return,
                    Err(Malformed) => Trouble::Damaged { id: *ours, reason: "it or its predecessor is no tree".into() },
                }
            }
            Err(trouble) => trouble,
        };
        found.unknown.push((self.trie.node(folder).paths.clone(), trouble));
    }

    /// Both are in git's order, so that one look ahead in the other tree is enough.
    fn entries(
        &mut self,
        folder: NodeId,
        mut ours: Entries<'_>,
        mut theirs: Entries<'_>,
        found: &mut Difference,
    ) -> Result<(), Malformed> {
        let mut other = theirs.next()?;
        while let Some(entry) = ours.next()? {
            while other.is_some_and(|other| other.order(&entry).is_lt()) {
                other = theirs.next()?;
            }
            let counterpart = other.filter(|other| other.order(&entry).is_eq());
            if counterpart != Some(entry) {
                self.differing(folder, &entry, counterpart, found);
            }
        }
        Ok(())
    }

    fn differing(&mut self, folder: NodeId, ours: &Entry<'_>, theirs: Option<Entry<'_>>, found: &mut Difference) {
        let Some(node) = self.trie.child(folder, ours.name) else { return };
        let paths = &self.trie.node(node).paths;
        if !self.paths.any_in(paths) {
            return;
        }
        match theirs {
            Some(theirs) if ours.is_folder() && self.trie.is_folder(node) => {
                found.changed.extend(self.trie.path_at(node).map(|own| own..own + 1));
                self.folder(node, &ours.id(), &theirs.id(), found);
            }
            _ => found.changed.push(paths.clone()),
        }
    }
}
