//! Passes paths over commits that are not a change, in the walk, and over merges that brought only such.
//!
//! The first-parent line of a branch is its own history: a merge is one commit, and what it brought
//! was readable only from then on. `git log --first-parent` follows the same line.

use std::collections::HashMap;

use super::ObjectId;
use super::commit::Commit;
use super::history::FileHistory;
use super::lookup::PresentEntry;
use super::minor_changes::differ_only_in;
use super::path_set::PathSet;
use super::tree::EntryKind;
use super::walk::{CommitQueue, HistoryWalk};

impl HistoryWalk<'_> {
    /// Takes the paths that a commit changed without that counting as a change, with the parents in which
    /// they continue.
    ///
    /// They continue in each parent that has them in any form: the newest answer dates them. For minor
    /// changes, they continue in the first parent that has the same but for these.
    pub(super) fn skip(
        &mut self,
        id: &ObjectId,
        commit: &Commit,
        parents: &[ObjectId],
        here: &mut PathSet,
    ) -> Vec<(ObjectId, PathSet)> {
        let is_ignored = self.task.ignored.contains(id);
        if here.is_empty() || !is_ignored && self.task.minor.is_empty() {
            return Vec::new();
        }
        let mut skipping = Vec::new();
        let mut continuing = PathSet::default();
        for parent in parents {
            let paths = if is_ignored {
                self.present_in(parent, here.clone())
            } else {
                self.take_minor(commit, parent, here)
            };
            continuing.union_with(&paths);
            skipping.push((*parent, paths));
        }
        here.remove_all(&continuing);
        skipping
    }

    /// Takes the paths that differ from a parent only in ways that do not count. Without the contents
    /// of both versions, a path has no date.
    fn take_minor(&mut self, commit: &Commit, parent: &ObjectId, here: &mut PathSet) -> PathSet {
        // The parent was read to compare it.
        let Ok(parent) = self.objects.commit(parent) else {
            return PathSet::default();
        };
        let theirs: HashMap<u32, PresentEntry> = self
            .look_up(&parent.tree, here)
            .entries
            .into_iter()
            .map(|entry| (entry.paths.start, entry))
            .collect();
        let mut minor = Vec::new();
        for entry in self.look_up(&commit.tree, here).entries {
            let Some(their) = theirs.get(&entry.paths.start) else {
                continue;
            };
            let is_text = matches!(entry.kind, EntryKind::Blob | EntryKind::BlobExecutable);
            if !is_text || entry.kind != their.kind {
                continue;
            }
            let ours = self.objects.blob(&entry.id);
            match ours.and_then(|ours| Ok((ours, self.objects.blob(&their.id)?))) {
                Ok((ours, theirs)) if differ_only_in(self.task.minor, &ours, &theirs) => {
                    minor.push(entry.paths);
                }
                Ok(_) => {}
                Err(error) => {
                    let lost = here.remove_ranges(std::slice::from_ref(&entry.paths));
                    self.give_up(&lost, &error);
                }
            }
        }
        here.remove_ranges(&minor)
    }
}

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
            for (parent_id, mut skipped) in self.skip(&id, &commit, parents, &mut paths) {
                let Ok(parent) = self.objects.commit(&parent_id) else {
                    continue; // it was read to find its paths
                };
                if let Some((_, same)) = self.take_unchanged(&parent, first, &mut skipped) {
                    unlanded.union_with(&same);
                    queue.push(parent_id, parent, skipped);
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
