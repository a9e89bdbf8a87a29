//! Reads trees by id and caches the last versions of each directory.

use super::object_bytes::ObjectBytes;
use super::objects::{ObjectReader, TreeVersion};
use super::trie::NodeId;
use super::{ObjectId, RepositoryError};

/// How many versions of a directory to cache; the oldest gives its buffer to the next one. In a
/// generated history of 100,000 pages, none of the four others is the delta base of 2 % of the trees;
/// with two others, it would be 6 %.
const KEPT_VERSIONS: usize = 5;

/// Size limit of the cache: five versions of 100,000 paths take 20 MiB.
const KEPT_BYTES: usize = 32 << 20;

/// A tree cache: the parent's tree in one step of the walk is the child's tree in the next, and Git
/// stores most trees as a delta against one of the next versions of the same directory.
///
/// Directories do not compete for it: the walk may come back to one after thousands of commits, and
/// would have to follow a delta chain of dozens of trees if its last versions were dropped.
pub(super) struct TreeCache<'a> {
    objects: &'a mut ObjectReader,
    /// By node, oldest read first; grows to the highest node read.
    kept: Vec<Vec<TreeVersion>>,
    kept_bytes: usize,
    /// The node whose versions to drop next.
    next_dropped: usize,
}

impl<'a> TreeCache<'a> {
    pub(super) fn new(objects: &'a mut ObjectReader) -> Self {
        Self {
            objects,
            kept: Vec::new(),
            kept_bytes: 0,
            next_dropped: 0,
        }
    }

    pub(super) fn objects(&mut self) -> &mut ObjectReader {
        self.objects
    }

    /// Returns the tree that a directory had in some commit.
    pub(super) fn read(
        &mut self,
        dir: NodeId,
        id: &ObjectId,
    ) -> Result<ObjectBytes, RepositoryError> {
        let place = dir.index();
        if self.kept.len() <= place {
            self.kept.resize_with(place + 1, Default::default);
        }
        let versions = &mut self.kept[place];
        if let Some(version) = versions.iter().find(|version| version.id == *id) {
            return Ok(version.bytes().clone());
        }
        let mut buffer = Vec::new();
        if versions.len() == KEPT_VERSIONS {
            let oldest = versions.remove(0).into_bytes();
            self.kept_bytes -= oldest.len();
            buffer = oldest.into_buffer();
        }
        let version = self.objects.tree_version(*id, versions, buffer)?;
        let tree = version.bytes().clone();
        versions.push(version);
        self.kept_bytes += tree.len();
        self.limit();
        Ok(tree)
    }

    /// Drops versions of one directory after the other.
    fn limit(&mut self) {
        while self.kept_bytes > KEPT_BYTES {
            for version in self.kept[self.next_dropped].drain(..) {
                self.kept_bytes -= version.bytes().len();
            }
            self.next_dropped = (self.next_dropped + 1) % self.kept.len();
        }
    }
}
