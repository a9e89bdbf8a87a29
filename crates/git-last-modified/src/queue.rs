//! The queue of commits that the walk has yet to visit.

use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::ObjectId;
use super::commit::Commit;
use super::path_set::PathSet;

/// Commits to visit, newest first.
///
/// Where two lines of history meet, both are then usually walked before the commit where they meet,
/// so that it is visited once for both. The order affects only speed.
#[derive(Default)]
pub(super) struct CommitQueue {
    order: BinaryHeap<(i64, ObjectId)>,
    waiting: FxHashMap<ObjectId, (Commit, PathSet)>,
}

impl CommitQueue {
    /// Adds paths to a commit, and the commit to the queue.
    pub(super) fn push(&mut self, id: ObjectId, commit: Commit, paths: PathSet) {
        if paths.is_empty() {
            return;
        }
        if let Some((_, waiting)) = self.waiting.get_mut(&id) {
            waiting.union_with(&paths);
        } else {
            self.order.push((commit.times.committer.seconds, id));
            self.waiting.insert(id, (commit, paths));
        }
    }

    /// Removes the newest commit, with all paths that have reached it.
    pub(super) fn next(&mut self) -> Option<(ObjectId, Commit, PathSet)> {
        let (_, id) = self.order.pop()?;
        let (commit, paths) = self
            .waiting
            .remove(&id)
            .expect("every queued commit has waiting paths");
        Some((id, commit, paths))
    }
}
