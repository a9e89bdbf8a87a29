//! The input of a walk.

use super::lineage::Lineage;
use super::query::{CommitTime, RenamePolicy, WalkThreads};
use super::trie::PathTrie;

/// The input and options of a walk.
pub(super) struct WalkTask<'a> {
    /// The wanted paths.
    pub(super) trie: &'a PathTrie,
    /// Which of a commit's dates to return.
    pub(super) time: CommitTime,
    /// Whether a rename counts as a change.
    pub(super) renames: RenamePolicy,
    /// How many threads to use.
    pub(super) threads: WalkThreads,
    /// Parents, up to the shallow boundary.
    pub(super) lineage: &'a Lineage,
}
