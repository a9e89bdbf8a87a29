//! When a change landed: the commit of the first-parent line that brought it.
//!
//! The first-parent line of a branch is its own history: a merge is one commit, and what it brought
//! was readable only from then on. `git log --first-parent` follows the same line.

use super::ObjectId;
use super::commit::Commit;
use super::history::FileHistory;
use super::path_set::PathSet;
use super::queue::CommitQueue;
use super::walk::HistoryWalk;

impl HistoryWalk<'_> {
    /// Passes paths to the first parent of a merge if only skipped commits changed them among those
    /// that it merged; returns the rest.
    ///
    /// The merged commits are searched as the walk does it for any other date. A path is passed on
    /// if a skipped commit had found it as the first parent has it.
    pub(super) fn skip_unlanded(
        &mut self,
        id: &ObjectId,
        merge: &Commit,
        mut here: PathSet,
    ) -> PathSet {
        let lineage = self.task.lineage;
        let [first, merged @ ..] = lineage.parents(id, merge) else {
            return here;
        };
        if here.is_empty() || merged.is_empty() {
            return here;
        }
        let mut queue = CommitQueue::default();
        self.queue_unchanged(&mut queue, merge, merged, &mut here);
        let mut unlanded = PathSet::default();
        while let Some((id, commit, mut paths)) = queue.next() {
            self.found.commits_visited += 1;
            let parents = lineage.parents(&id, &commit);
            self.queue_unchanged(&mut queue, &commit, parents, &mut paths);
            for mut skipped in self.skip(&id, &commit, parents, &mut paths) {
                let Ok(parent) = self.objects.commit(&skipped.parent) else {
                    continue; // it was read to find its paths
                };
                if let Some((_, same)) = self.take_unchanged(&parent, first, &mut skipped.paths) {
                    unlanded.union_with(&same);
                    queue.push(skipped.parent, parent, skipped.paths);
                }
            }
            if lineage.is_cut_off(&id, &commit) {
                self.answer(&paths, &FileHistory::BeyondBoundary);
            } else {
                here.union_with(&paths);
            }
        }
        unlanded.remove_all(&here);
        self.enqueue(first, unlanded);
        here
    }

    /// Queues each path at the first of the parents that has it unchanged; leaves the others.
    pub(super) fn queue_unchanged(
        &mut self,
        queue: &mut CommitQueue,
        commit: &Commit,
        parents: &[ObjectId],
        here: &mut PathSet,
    ) {
        for parent_id in parents {
            if here.is_empty() {
                return;
            }
            if let Some((parent, unchanged)) = self.take_unchanged(commit, parent_id, here) {
                queue.push(*parent_id, parent, unchanged);
            }
        }
    }
}
