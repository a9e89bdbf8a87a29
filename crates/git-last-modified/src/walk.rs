//! Finds the commit that last changed each wanted path, in one walk for all of them.
//!
//! The result of `git log -1 -- PATH` has a local definition. Git's default history simplification
//! follows, at every commit, the first parent in which the path is the same
//! (`try_to_simplify_commit` in revision.c). So the result for a path can be found from any commit:
//! go to the first parent whose entry for the path equals this commit's; if there is none, this
//! commit is the result. Neither dates nor the order of visits matter. The walk therefore carries a
//! set of paths from commit to commit. If paths reach a commit that was already visited (clock
//! skew), it is visited again.

use std::collections::{BinaryHeap, HashSet};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::ObjectId;
use super::commit::{Commit, Lineage};
use super::compare::compare;
use super::error::RepositoryError;
use super::history::{FileHistory, LastChange};
use super::lookup::{PresentPaths, look_up};
use super::objects::ObjectReader;
use super::path_set::PathSet;
use super::query::{CommitTime, IsMember, MinorChange};
use super::trie::PathTrie;

/// The input and options of a walk.
pub(super) struct WalkTask<'a> {
    /// The wanted paths.
    pub(super) trie: &'a PathTrie,
    /// Decides which files are members of directories.
    pub(super) is_member: &'a IsMember<'a>,
    /// Which of a commit's dates to return.
    pub(super) time: CommitTime,
    /// Parents, up to the shallow boundary.
    pub(super) lineage: &'a Lineage,
    /// Commits that do not count.
    pub(super) ignored: &'a HashSet<ObjectId>,
    /// Kinds of changes that do not count in any commit.
    pub(super) minor: &'a [MinorChange],
}

impl WalkTask<'_> {
    /// Whether every commit that changes a file counts.
    fn counts_all(&self) -> bool {
        self.ignored.is_empty() && self.minor.is_empty()
    }
}

/// The result of a walk.
#[derive(Debug)]
pub(super) struct WalkResult {
    /// The last change of each path, by its number.
    pub(super) answers: Vec<FileHistory>,
    /// How many times a commit was visited.
    pub(super) commits_visited: usize,
    /// The first error that prevented dating a path.
    pub(super) error: Option<RepositoryError>,
}

/// Dates the wanted paths, from a commit that contains them all.
pub(super) fn walk(
    task: &WalkTask<'_>,
    objects: &mut ObjectReader,
    head: ObjectId,
    paths: PathSet,
) -> WalkResult {
    let mut walk = HistoryWalk {
        task,
        objects,
        queue: CommitQueue::default(),
        found: WalkResult {
            answers: vec![FileHistory::Untracked; task.trie.all().len()],
            commits_visited: 0,
            error: None,
        },
    };
    walk.enqueue(&head, paths);
    while let Some((id, commit, paths)) = walk.queue.next() {
        walk.visit(id, &commit, paths);
    }
    walk.found
}

/// A walk in progress.
pub(super) struct HistoryWalk<'a> {
    pub(super) task: &'a WalkTask<'a>,
    pub(super) objects: &'a mut ObjectReader,
    queue: CommitQueue,
    pub(super) found: WalkResult,
}

impl HistoryWalk<'_> {
    /// Passes each path to the first parent that has it unchanged; this commit dates the rest.
    fn visit(&mut self, id: ObjectId, commit: &Commit, mut here: PathSet) {
        self.found.commits_visited += 1;
        let lineage = self.task.lineage;
        let mut parents = lineage.parents(&id, commit);
        if self.task.time == CommitTime::Landed {
            parents = &parents[..parents.len().min(1)];
        }
        let mut queue = std::mem::take(&mut self.queue);
        self.queue_unchanged(&mut queue, commit, parents, &mut here);
        self.queue = queue;
        if !self.task.counts_all() {
            for (parent, passed) in self.skip(&id, commit, parents, &mut here) {
                self.enqueue(&parent, passed);
            }
            if self.task.time == CommitTime::Landed {
                here = self.skip_unlanded(&id, commit, here);
            }
        }
        if !here.is_empty() {
            self.date(&id, commit, &here);
        }
    }

    /// Dates paths by a commit, unless its parents are unknown.
    fn date(&mut self, id: &ObjectId, commit: &Commit, paths: &PathSet) {
        if self.task.lineage.is_cut_off(id, commit) {
            self.answer(paths, &FileHistory::BeyondBoundary);
            return;
        }
        let change = LastChange::of(id, commit.times, self.task.time);
        self.answer(paths, &FileHistory::Changed(Arc::new(change)));
    }

    /// Returns a parent and the paths that it has unchanged, and leaves the others in `here`.
    pub(super) fn take_unchanged(
        &mut self,
        commit: &Commit,
        parent_id: &ObjectId,
        here: &mut PathSet,
    ) -> Option<(Commit, PathSet)> {
        let parent = match self.objects.commit(parent_id) {
            Ok(parent) => parent,
            Err(error) => {
                self.give_up(&std::mem::take(here), &error);
                return None;
            }
        };
        let difference = compare(
            self.objects,
            self.task.trie,
            here,
            self.task.is_member,
            &commit.tree,
            &parent.tree,
        );
        for (range, error) in difference.unknown {
            let lost = here.remove_ranges(&[range]);
            self.give_up(&lost, &error);
        }
        let changed = here.remove_ranges(&difference.changed);
        Some((parent, std::mem::replace(here, changed)))
    }

    pub(super) fn look_up(&mut self, tree: &ObjectId, paths: &PathSet) -> PresentPaths {
        look_up(self.objects, self.task.trie, paths, tree)
    }

    /// Returns those of the paths that a commit has in any form.
    pub(super) fn present_in(&mut self, commit: &ObjectId, mut paths: PathSet) -> PathSet {
        let tree = match self.objects.commit(commit) {
            Ok(commit) => commit.tree,
            Err(error) => {
                self.give_up(&paths, &error);
                return PathSet::default();
            }
        };
        let present = self.look_up(&tree, &paths);
        for (range, error) in &present.unknown {
            let lost = paths.remove_ranges(std::slice::from_ref(range));
            self.give_up(&lost, error);
        }
        paths.remove_ranges(&present.ranges())
    }

    pub(super) fn enqueue(&mut self, id: &ObjectId, paths: PathSet) {
        match self.objects.commit(id) {
            Ok(commit) => self.queue.push(*id, commit, paths),
            Err(error) => self.give_up(&paths, &error),
        }
    }

    pub(super) fn answer(&mut self, paths: &PathSet, answer: &FileHistory) {
        for path in paths.iter() {
            let known = &mut self.found.answers[path as usize];
            *known = known.combined_with(answer);
        }
    }

    pub(super) fn give_up(&mut self, paths: &PathSet, error: &RepositoryError) {
        if !paths.is_empty() {
            self.answer(paths, &FileHistory::Incomplete);
            error.clone().note_in(&mut self.found.error);
        }
    }
}

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
