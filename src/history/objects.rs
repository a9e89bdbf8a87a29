//! Commits and trees by id: read straight from the packs, and from gix's database where that gives nothing.

use std::rc::Rc;

use super::commit::Commit;
use super::packs::Packs;
use super::repository::{Database, ObjectKind};
use super::{ObjectId, Trouble};

/// A reader of commits and trees.
pub(super) struct Objects {
    packs: Packs,
    database: Database,
}

impl Objects {
    /// Reads from packs before the database that they belong to.
    pub(super) fn new(packs: Packs, database: Database) -> Self {
        Self { packs, database }
    }

    /// Reads a commit.
    pub(super) fn commit(&mut self, id: &ObjectId) -> Result<Commit, Trouble> {
        let raw = self.read(id, ObjectKind::Commit)?;
        Commit::parse(&raw).ok_or_else(|| Trouble::Damaged { id: *id, reason: "its header is unreadable".into() })
    }

    /// Reads the raw bytes of a tree.
    pub(super) fn tree(&mut self, id: &ObjectId) -> Result<Rc<[u8]>, Trouble> {
        if id.is_empty_tree() {
            return Ok(Rc::new([])); // git knows the empty tree without storing it
        }
        self.read(id, ObjectKind::Tree)
    }

    fn read(&mut self, id: &ObjectId, kind: ObjectKind) -> Result<Rc<[u8]>, Trouble> {
        match self.packs.read(id) {
            Some((found, bytes)) if found == kind => Ok(bytes),
            // Not packed, or damaged, or not of this kind: the database knows what to say of it.
            _ => self.database.read(id, kind),
        }
    }
}
