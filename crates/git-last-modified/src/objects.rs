//! Reads commits, trees and blobs by id through gix's object database, and remembers trees.

use gix_object::{Find as _, Kind};
use gix_odb::pack::cache::lru::MemoryCappedHashmap;
use rustc_hash::FxHashMap;

use super::ObjectId;
use super::commit::Commit;
use super::error::{RepositoryError, error_chain};
use super::repository::Repository;
use super::tree::{EntryKind, Tree};

/// How many bytes of trees to remember before all are forgotten.
///
/// The parent's tree in one step of the walk is the child's in the next, and a merge brings the walk
/// back to those of its other parents. With more, this and [`DELTA_BASES_BYTES`] cost page faults.
const KEPT_BYTES: usize = 4 << 20;

/// Size limit for the objects that gix keeps because it has read others that are deltas against them.
const DELTA_BASES_BYTES: usize = 4 << 20;

/// A reader of objects.
pub(super) struct ObjectReader {
    gix: gix_odb::Handle,
    /// Whether objects may be missing because the clone is partial.
    is_partial: bool,
    buffer: Vec<u8>,
    trees: FxHashMap<ObjectId, Tree>,
    tree_bytes: usize,
}

impl Repository {
    /// Returns a reader of all objects, in any kind of storage.
    pub(super) fn objects(&self) -> ObjectReader {
        let mut gix = self.objects.clone();
        gix.set_pack_cache(|| Box::new(MemoryCappedHashmap::new(DELTA_BASES_BYTES)));
        ObjectReader {
            gix,
            is_partial: self.is_partial(),
            buffer: Vec::new(),
            trees: FxHashMap::default(),
            tree_bytes: 0,
        }
    }
}

impl ObjectReader {
    /// Reads a commit.
    pub(super) fn commit(&mut self, id: &ObjectId) -> Result<Commit, RepositoryError> {
        let raw = self.raw_commit(id)?;
        Commit::parse(raw).ok_or_else(|| damaged(id, "its header cannot be parsed"))
    }

    /// Reads the raw bytes of a commit.
    pub(super) fn raw_commit(&mut self, id: &ObjectId) -> Result<&[u8], RepositoryError> {
        self.read(id, Kind::Commit)
    }

    /// Reads a tree.
    pub(super) fn tree(&mut self, id: &ObjectId) -> Result<Tree, RepositoryError> {
        if let Some(tree) = self.trees.get(id) {
            return Ok(tree.clone());
        }
        let tree = if id.is_empty_tree() {
            Tree::new(&[], *id) // git knows the empty tree without storing it
        } else {
            Tree::new(self.read(id, Kind::Tree)?, *id)
        };
        if self.tree_bytes > KEPT_BYTES {
            self.trees.clear();
            self.tree_bytes = 0;
        }
        self.tree_bytes += tree.size();
        self.trees.insert(*id, tree.clone());
        Ok(tree)
    }

    /// Looks up the entry of a path below a root tree.
    pub(super) fn entry_at(
        &mut self,
        root: &ObjectId,
        path: &[u8],
    ) -> Result<Option<(EntryKind, ObjectId)>, RepositoryError> {
        let mut found = (EntryKind::Tree, *root);
        let names = path.split(|byte| *byte == b'/');
        for name in names.filter(|name| !name.is_empty()) {
            if found.0 != EntryKind::Tree {
                return Ok(None);
            }
            let tree = self.tree(&found.1)?;
            match tree.entry(name)? {
                Some(entry) => found = (entry.mode.kind(), entry.oid.into()),
                None => return Ok(None),
            }
        }
        Ok(Some(found))
    }

    /// Looks up the content of the file at a path below a root tree.
    pub(super) fn file_at(
        &mut self,
        root: &ObjectId,
        path: &[u8],
    ) -> Result<Option<ObjectId>, RepositoryError> {
        Ok(match self.entry_at(root, path)? {
            Some((EntryKind::Blob | EntryKind::BlobExecutable, id)) => Some(id),
            _ => None,
        })
    }

    /// Reads the content of a file.
    pub(super) fn blob(&mut self, id: &ObjectId) -> Result<Vec<u8>, RepositoryError> {
        self.read(id, Kind::Blob).map(<[u8]>::to_vec)
    }

    /// Reads an object and checks its type and hash.
    fn read(&mut self, id: &ObjectId, kind: Kind) -> Result<&[u8], RepositoryError> {
        match self.gix.try_find(id, &mut self.buffer) {
            Ok(Some(object)) if object.kind != kind => {
                Err(damaged(id, "it has the wrong object type"))
            }
            Ok(Some(object)) if object.verify_checksum(id).is_err() => {
                Err(damaged(id, "its content does not match its hash"))
            }
            Ok(Some(object)) => Ok(object.data),
            // gix passes over packs that it cannot read, as if they did not exist.
            Ok(None) if self.is_partial && kind == Kind::Blob => {
                Err(RepositoryError::ContentNotFetched(*id))
            }
            Ok(None) if self.is_partial => Err(RepositoryError::NotFetched(*id)),
            Ok(None) => Err(RepositoryError::Missing(*id)),
            Err(error) => Err(damaged(id, &error_chain(&error))),
        }
    }
}

fn damaged(id: &ObjectId, reason: &str) -> RepositoryError {
    RepositoryError::Damaged {
        id: *id,
        reason: reason.to_owned(),
    }
}
