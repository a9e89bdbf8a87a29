//! Parents of commits, up to the shallow boundary.
//!
//! Grafts do not count: only a clone of its own has them, and each commit names its real parents.

use std::collections::BTreeSet;

use super::ObjectId;
use super::commit::Commit;

/// Where a history ends.
#[derive(Debug, Default)]
pub(super) struct Lineage {
    /// The boundary commits of a shallow clone, whose parents were not fetched.
    ///
    /// Anyone can write such a list. The hash of an id is its beginning, so ids that begin alike
    /// would make a hash table as slow as a list.
    pub(super) boundary: BTreeSet<ObjectId>,
}

impl Lineage {
    /// Returns the parents of a commit; none at the shallow boundary.
    pub(super) fn parents<'a>(&'a self, id: &ObjectId, commit: &'a Commit) -> &'a [ObjectId] {
        if self.boundary.contains(id) {
            &[]
        } else {
            &commit.parents
        }
    }

    /// Whether a commit has parents that were not fetched.
    ///
    /// A clone that is exactly deep enough also lists its root commit as boundary; a commit without
    /// parents is not cut off.
    pub(super) fn is_cut_off(&self, id: &ObjectId, commit: &Commit) -> bool {
        self.boundary.contains(id) && !commit.parents.is_empty()
    }
}
