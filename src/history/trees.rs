//! Trees by id, the last two of each folder kept.

use std::rc::Rc;

use super::objects::ObjectReader;
use super::trie::NodeId;
use super::{ObjectId, RepositoryError};

/// Trees that are kept are dropped when they hold more bytes than this.
const KEPT_BYTES: usize = 16 << 20;

/// Reads trees, and keeps the last two of every folder: the parent's tree of one step is the child's of the next.
pub(super) struct TreeCache<'a> {
    objects: &'a mut ObjectReader,
    /// By node; grows to the highest that was read.
    kept: Vec<Option<Box<LastTwo>>>,
    kept_bytes: usize,
}

type KeptTree = (ObjectId, Rc<[u8]>);

type LastTwo = [Option<KeptTree>; 2];

impl<'a> TreeCache<'a> {
    /// Reads through a reader of objects.
    pub(super) fn new(objects: &'a mut ObjectReader) -> Self {
        Self {
            objects,
            kept: Vec::new(),
            kept_bytes: 0,
        }
    }

    /// The reader of objects.
    pub(super) fn objects(&mut self) -> &mut ObjectReader {
        self.objects
    }

    /// The tree that a folder had in some commit.
    pub(super) fn read(
        &mut self,
        folder: NodeId,
        id: &ObjectId,
    ) -> Result<Rc<[u8]>, RepositoryError> {
        let place = folder.index();
        if let Some(Some(kept)) = self.kept.get(place)
            && let Some((_, tree)) = kept.iter().flatten().find(|(kept_id, _)| kept_id == id)
        {
            return Ok(Rc::clone(tree));
        }
        let tree = self.objects.tree(id)?;
        self.keep(place, (*id, Rc::clone(&tree)));
        Ok(tree)
    }

    fn keep(&mut self, place: usize, tree: KeptTree) {
        if self.kept_bytes > KEPT_BYTES {
            self.kept.clear();
            self.kept_bytes = 0;
        }
        if self.kept.len() <= place {
            self.kept.resize_with(place + 1, Default::default);
        }
        let [older, newer] = &mut **self.kept[place].get_or_insert_default();
        self.kept_bytes += tree.1.len();
        if let Some((_, dropped)) = std::mem::replace(older, newer.replace(tree)) {
            self.kept_bytes -= dropped.len();
        }
    }
}
