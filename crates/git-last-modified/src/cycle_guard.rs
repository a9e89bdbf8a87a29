//! Detects cycles in a history while it is walked.

use rustc_hash::FxHashMap;

use super::lineage::Cycles;
use super::object_id::ObjectId;
use super::walk_task::WalkTask;

/// Visits before the guard counts them in a repository without grafts and replacements, where only
/// a manipulated pack can contain a cycle. Most walks end earlier.
const UNCOUNTED_VISITS: usize = 1 << 18;

/// Detects that a walk goes round a cycle: each path reaches a commit once, so the visits to a
/// commit cannot outnumber the paths.
#[derive(Debug)]
pub(super) struct CycleGuard {
    visits: FxHashMap<ObjectId, usize>,
    uncounted: usize,
    paths: usize,
}

impl CycleGuard {
    /// Creates a guard for a walk that starts now.
    pub(super) fn new(task: &WalkTask<'_>) -> Self {
        Self {
            visits: FxHashMap::default(),
            uncounted: match task.lineage.cycles {
                Cycles::Expected => 0,
                Cycles::Unlikely => UNCOUNTED_VISITS,
            },
            paths: task.trie.len(),
        }
    }

    /// Counts a visit to a commit; whether it is one too many.
    pub(super) fn is_in_cycle(&mut self, id: ObjectId) -> bool {
        if let Some(left) = self.uncounted.checked_sub(1) {
            self.uncounted = left;
            return false;
        }
        let count = self.visits.entry(id).or_default();
        *count += 1;
        *count > self.paths
    }
}
