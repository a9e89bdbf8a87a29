//! Trees by id, the last two of each folder kept.

use std::rc::Rc;

use super::objects::Objects;
use super::quick_hash::QuickMap;
use super::trie::NodeId;
use super::{ObjectId, Trouble};

/// Trees that are kept are dropped when they hold more bytes than this.
const KEPT_BYTES: usize = 16 << 20;

/// Reads trees, and keeps the last two of every folder: the parent's tree of one step is the child's of the next.
pub(super) struct Trees<'a> {
    objects: &'a mut Objects,
    kept: QuickMap<NodeId, Vec<KeptTree>>,
    kept_bytes: usize,
}

type KeptTree = (ObjectId, Rc<[u8]>);

impl<'a> Trees<'a> {
    /// Reads through a reader of objects.
    pub(super) fn new(objects: &'a mut Objects) -> Self {
        Self { objects, kept: QuickMap::default(), kept_bytes: 0 }
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
