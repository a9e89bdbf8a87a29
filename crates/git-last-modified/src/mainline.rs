//! The first-parent line of a branch, and when paths landed on it.

use super::commit::CommitDate;
use super::object_id::ObjectId;
use super::path_set::PathSet;
use super::trie::PathTrie;

/// The seconds from a change to its landing that make a difference to a crawler.
const A_DAY: i64 = 86_400;

/// The first-parent line, as far as the walk has followed it.
pub(super) struct Mainline {
    /// The next commit of the line.
    next: Option<ObjectId>,
    /// When each path landed in a merge, if it has.
    landed: Vec<Option<i64>>,
}

impl Mainline {
    pub(super) fn new(head: ObjectId, trie: &PathTrie) -> Self {
        Self {
            next: Some(head),
            landed: vec![None; trie.len()],
        }
    }

    /// Whether a commit is the next of the line, which it then moves to the first parent.
    ///
    /// Paths can come back to a commit of the line from a side branch. They have landed by then.
    pub(super) fn reach(&mut self, id: &ObjectId, parents: &[ObjectId]) -> bool {
        let is_next = self.next.as_ref() == Some(id);
        if is_next {
            self.next = parents.first().copied();
        }
        is_next
    }

    /// Records that a commit of the line brought changes of these paths.
    pub(super) fn note_landing(&mut self, committed: CommitDate, paths: &PathSet) {
        for path in paths.iter() {
            self.landed[path as usize].get_or_insert(committed.seconds);
        }
    }

    /// Counts the paths that landed more than a day after the commit that dates them.
    pub(super) fn landed_later(&self, committed: CommitDate, paths: &PathSet) -> usize {
        let is_later = |path: &u32| {
            self.landed[*path as usize]
                .is_some_and(|landed| landed.saturating_sub(committed.seconds) > A_DAY)
        };
        paths.iter().filter(is_later).count()
    }
}
