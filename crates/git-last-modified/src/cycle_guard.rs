//! Detects cycles in a history while it is walked.

use std::collections::HashMap;

use super::lineage::Cycles;
use super::object_id::ObjectId;
use super::walk_task::WalkTask;

/// Detects that a walk goes round a cycle: each path reaches a commit once, so the visits to a
/// commit cannot outnumber the paths.
#[derive(Debug)]
pub(super) struct CycleGuard {
    /// Counted only if the history can contain a cycle.
    visits: Option<HashMap<ObjectId, usize>>,
    paths: usize,
}

impl CycleGuard {
    /// Creates a guard for a walk that starts now.
    pub(super) fn new(task: &WalkTask<'_>) -> Self {
        let can_cycle = task.lineage.cycles == Cycles::Possible;
        Self {
            visits: can_cycle.then(HashMap::new),
            paths: task.trie.len(),
        }
    }

    /// Counts a visit to a commit; whether it is one too many.
    pub(super) fn is_in_cycle(&mut self, id: ObjectId) -> bool {
        let Some(visits) = &mut self.visits else {
            return false;
        };
        let count = visits.entry(id).or_default();
        *count += 1;
        *count > self.paths
    }
}
