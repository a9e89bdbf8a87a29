//! Reads trees by id and caches the last two trees of each directory.

use super::object_bytes::ObjectBytes;
use super::objects::ObjectReader;
use super::trie::NodeId;
use super::{ObjectId, RepositoryError};

/// Size limit of the cache; beyond it, all cached trees are dropped.
const KEPT_BYTES: usize = 16 << 20;

/// A tree cache: the parent's tree in one step of the walk is the child's tree in the next.
pub(super) struct TreeCache<'a> {
    objects: &'a mut ObjectReader,
    /// By node; grows to the highest node read.
    kept: Vec<Option<Box<LastTwo>>>,
    kept_bytes: usize,
}

type KeptTree = (ObjectId, ObjectBytes);

type LastTwo = [Option<KeptTree>; 2];

impl<'a> TreeCache<'a> {
    pub(super) fn new(objects: &'a mut ObjectReader) -> Self {
        Self {
            objects,
            kept: Vec::new(),
            kept_bytes: 0,
        }
    }

    pub(super) fn objects(&mut self) -> &mut ObjectReader {
        self.objects
    }

    /// The size of all cached trees, in bytes.
    pub(super) fn cached_bytes(&self) -> usize {
        self.kept_bytes
    }

    /// Returns the tree that a directory had in some commit.
    pub(super) fn read(
        &mut self,
        dir: NodeId,
        id: &ObjectId,
    ) -> Result<ObjectBytes, RepositoryError> {
        let place = dir.index();
        if let Some(Some(kept)) = self.kept.get(place)
            && let Some((_, tree)) = kept.iter().flatten().find(|(kept_id, _)| kept_id == id)
        {
            return Ok(tree.clone());
        }
        let tree = self.objects.tree(id)?;
        self.keep(place, (*id, tree.clone()));
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
