//! Commits that paths have reached and that the walk has yet to visit.

use std::collections::BinaryHeap;

use super::ObjectId;
use super::commit::Commit;
use super::path_set::PathSet;
use super::quick_hash::QuickMap;

/// Commits to visit, newest first: where two lines of history meet again, both are then mostly walked before the commit
/// in which they meet, and it is visited once for both. Only speed depends on that.
#[derive(Default)]
pub(super) struct CommitQueue {
    order: BinaryHeap<(i64, ObjectId)>,
    waiting: QuickMap<ObjectId, (Commit, PathSet)>,
}

impl CommitQueue {
    /// Lets paths arrive at a commit.
    pub(super) fn push(&mut self, id: ObjectId, commit: Commit, paths: PathSet) {
        if paths.is_empty() {
            return;
        }
        if let Some((_, waiting)) = self.waiting.get_mut(&id) {
            waiting.join(&paths);
        } else {
            self.order.push((commit.committer.seconds, id));
            self.waiting.insert(id, (commit, paths));
        }
    }

    /// All paths that wait, and some more.
    pub(super) fn paths_with(&self, more: &PathSet) -> PathSet {
        let mut all = more.clone();
        for (_, paths) in self.waiting.values() {
            all.join(paths);
        }
        all
    }

    /// Takes the newest commit with all paths that have arrived at it.
    pub(super) fn next(&mut self) -> Option<(ObjectId, Commit, PathSet)> {
        let (_, id) = self.order.pop()?;
        let (commit, paths) = self
            .waiting
            .remove(&id)
            .expect("every commit in the order has paths waiting");
        Some((id, commit, paths))
    }
}
