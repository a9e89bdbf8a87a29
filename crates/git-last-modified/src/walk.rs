//! Finds the commit that last changed each wanted path, in one walk for all of them.
//!
//! The result of `git log -1 -- PATH` has a local definition. Git's default history simplification
//! follows, at every commit, the first parent in which the path is the same
//! (`try_to_simplify_commit` in revision.c). So the result for a path can be found from any commit:
//! go to the first parent whose entry for the path equals this commit's; if there is none, this
//! commit is the result. Neither dates nor the order of visits matter. The walk therefore carries a
//! set of paths from commit to commit. If paths reach a commit that was already visited (clock
//! skew), it is visited again.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::commit::{Commit, CommitTimes};
use super::compare::{TreeComparison, TreeDifference};
use super::history::FileHistory;
use super::last_change::LastChange;
use super::lookup::{PresentEntry, TreeLookup};
use super::object_id::ObjectId;
use super::objects::ObjectReader;
use super::path_set::PathSet;
use super::prefetch::{Prefetch, PrefetchHelper, PrefetchedStep};
use super::query::{CommitTime, RenamePolicy, WalkThreads};
use super::queue::CommitQueue;
use super::renames::{self, MovedContent};
use super::repository_error::RepositoryError;
use super::skip_rules::{SkipReason, SkipRules, SkippedCommits};
use super::trees::TreeCache;
use super::walk_task::WalkTask;

/// The number of visits after which a second thread is worth starting.
const LONG_HISTORY: usize = 256;

/// The result of a walk.
#[derive(Debug)]
pub(super) struct WalkResult {
    /// The last change of each path, by its number.
    pub(super) answers: Vec<FileHistory>,
    /// Paths that had another name before; another walk must date them from there.
    pub(super) moved: Vec<MovedPath>,
    /// How many times a commit was visited.
    pub(super) commits_visited: usize,
    /// The first error that prevented dating a path.
    pub(super) error: Option<RepositoryError>,
    /// The commits that were skipped for each path.
    pub(super) skipped: HashMap<u32, SkippedCommits>,
}

/// The old name of a renamed path.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct MovedPath {
    /// The number of the path.
    pub(super) number: u32,
    /// The parent of the commit that renamed it.
    pub(super) commit: ObjectId,
    /// The old path.
    pub(super) path: Vec<u8>,
}

/// Dates the wanted paths, each starting at a commit that contains it.
pub(super) fn walk(
    task: &WalkTask<'_>,
    objects: &mut ObjectReader,
    rules: &mut SkipRules<'_>,
    starts: Vec<(ObjectId, PathSet)>,
) -> WalkResult {
    let store = objects.share();
    let ahead = Prefetch::default();
    let mut walk = HistoryWalk::new(task, objects, rules);
    for (id, paths) in starts {
        walk.enqueue(&id, paths);
    }
    std::thread::scope(|scope| {
        let _until_the_walk_is_over = ahead.stop_on_drop();
        let mut store = Some(store).filter(|_| task.threads == WalkThreads::Two);
        while let Some((id, commit, paths)) = walk.queue.next() {
            if walk.found.commits_visited == LONG_HISTORY
                && let Some(store) = store.take()
            {
                walk.helper = Some(PrefetchHelper::new(
                    &ahead,
                    id,
                    walk.queue.paths_with(&paths),
                ));
                let start = (id, commit.clone());
                let ahead = &ahead;
                scope.spawn(move || ahead.run(task.trie, task.lineage, store.reader(), start));
            }
            walk.visit(id, &commit, paths);
        }
    });
    walk.found
}

/// A walk in progress.
pub(super) struct HistoryWalk<'a, 'r> {
    pub(super) task: &'a WalkTask<'a>,
    pub(super) trees: TreeCache<'a>,
    queue: CommitQueue,
    pub(super) found: WalkResult,
    pub(super) rules: &'a mut SkipRules<'r>,
    helper: Option<PrefetchHelper<'a>>,
}

impl<'a, 'r> HistoryWalk<'a, 'r> {
    fn new(
        task: &'a WalkTask<'a>,
        objects: &'a mut ObjectReader,
        rules: &'a mut SkipRules<'r>,
    ) -> Self {
        let found = WalkResult {
            answers: vec![FileHistory::Untracked; task.trie.len()],
            moved: Vec::new(),
            commits_visited: 0,
            error: None,
            skipped: HashMap::new(),
        };
        Self {
            task,
            trees: TreeCache::new(objects),
            queue: CommitQueue::default(),
            found,
            rules,
            helper: None,
        }
    }
}

impl HistoryWalk<'_, '_> {
    /// Passes each path to the first parent that has it unchanged; this commit dates the rest.
    fn visit(&mut self, id: ObjectId, commit: &Commit, mut here: PathSet) {
        self.found.commits_visited += 1;
        let lineage = self.task.lineage;
        let mut parents = lineage.parents(&id, commit);
        if self.task.time == CommitTime::Landed {
            parents = &parents[..parents.len().min(1)];
        }
        self.pass_to_parents(&id, commit, parents, &mut here);
        for passed in self.skip(&id, commit, parents, &mut here) {
            self.enqueue(&passed.parent, passed.paths);
        }
        if self.task.time == CommitTime::Landed && !self.rules.is_empty() {
            here = self.skip_unlanded(&id, commit, here);
        }
        if self.task.renames == RenamePolicy::Follow && !here.is_empty() {
            here = self.follow_renames(commit, parents, here);
        }
        if !here.is_empty() {
            self.date(&id, commit, &here);
        }
    }

    /// Passes each path to the first of the parents that has it unchanged; leaves the others.
    fn pass_to_parents(
        &mut self,
        id: &ObjectId,
        commit: &Commit,
        parents: &[ObjectId],
        here: &mut PathSet,
    ) {
        for (nth, parent_id) in parents.iter().enumerate() {
            if here.is_empty() {
                return;
            }
            let helped = if nth == 0 {
                self.prefetched_step(id, parent_id, here)
            } else {
                None
            };
            if let Some((parent, unchanged)) = self.take_unchanged(commit, parent_id, helped, here)
            {
                self.queue.push(*parent_id, parent, unchanged);
            }
        }
    }

    /// Dates paths by a commit, unless its parents are unknown.
    fn date(&mut self, id: &ObjectId, commit: &Commit, paths: &PathSet) {
        if self.task.lineage.is_cut_off(id, commit) {
            self.answer(paths, &FileHistory::BeyondBoundary);
            return;
        }
        match self.times(id, commit) {
            Ok(times) => self.answer(paths, &self.change(*id, times)),
            Err(trouble) => self.give_up(paths, &trouble),
        }
    }

    pub(super) fn times(
        &mut self,
        id: &ObjectId,
        commit: &Commit,
    ) -> Result<CommitTimes, RepositoryError> {
        self.trees.objects().times(id, commit)
    }

    /// Returns a parent and the paths that it has unchanged, and leaves the others in `here`.
    pub(super) fn take_unchanged(
        &mut self,
        commit: &Commit,
        parent_id: &ObjectId,
        helped: Option<PrefetchedStep>,
        here: &mut PathSet,
    ) -> Option<(Commit, PathSet)> {
        let (parent, difference) = match self.compare(commit, parent_id, helped, here) {
            Ok(compared) => compared,
            Err(trouble) => {
                self.give_up(&std::mem::take(here), &trouble);
                return None;
            }
        };
        for (range, trouble) in difference.unknown {
            let lost = here.remove_ranges(&[range]);
            self.give_up(&lost, &trouble);
        }
        let changed = here.remove_ranges(&difference.changed);
        Some((parent, std::mem::replace(here, changed)))
    }

    fn prefetched_step(
        &mut self,
        id: &ObjectId,
        first_parent: &ObjectId,
        here: &PathSet,
    ) -> Option<PrefetchedStep> {
        self.helper
            .as_mut()?
            .step(id, first_parent, || self.queue.paths_with(here))
    }

    /// Returns the parent and the commit's difference from it, reusing the helper's result.
    fn compare(
        &mut self,
        commit: &Commit,
        parent_id: &ObjectId,
        helped: Option<PrefetchedStep>,
        paths: &PathSet,
    ) -> Result<(Commit, TreeDifference), RepositoryError> {
        let (parent, difference) = match helped {
            Some(step) => (step.parent, step.difference),
            None => (self.trees.objects().commit(parent_id)?, None),
        };
        let difference = difference.unwrap_or_else(|| {
            let comparison = TreeComparison {
                trees: &mut self.trees,
                trie: self.task.trie,
                paths,
            };
            comparison.run(&commit.tree, &parent.tree)
        });
        Ok((parent, difference))
    }

    /// Records the old names of paths that this commit renamed; returns the rest.
    fn follow_renames(
        &mut self,
        commit: &Commit,
        parents: &[ObjectId],
        mut here: PathSet,
    ) -> PathSet {
        let mut arrived = here.clone();
        for parent in parents {
            arrived = self.present_in(parent, arrived).1;
        }
        if arrived.is_empty() {
            return here;
        }
        let entries = TreeLookup {
            trees: &mut self.trees,
            trie: self.task.trie,
            paths: &arrived,
        }
        .run(&commit.tree)
        .entries;
        for parent in parents {
            if let Err(trouble) = self.record_renames(commit, parent, &entries, &mut here) {
                self.give_up(&here, &trouble);
                return PathSet::default();
            }
        }
        here
    }

    fn record_renames(
        &mut self,
        commit: &Commit,
        parent: &ObjectId,
        arrived: &[PresentEntry],
        here: &mut PathSet,
    ) -> Result<(), RepositoryError> {
        let objects = self.trees.objects();
        let wanted: HashSet<MovedContent> = arrived
            .iter()
            .map(|entry| MovedContent::new(entry.kind, entry.id))
            .collect();
        let tree = objects.commit(parent)?.tree;
        let vanished = renames::removed_names(objects, &wanted, &commit.tree, &tree)?;
        for entry in arrived {
            let Some(names) = vanished.get(&MovedContent::new(entry.kind, entry.id)) else {
                continue;
            };
            for number in here
                .remove_ranges(std::slice::from_ref(&entry.paths))
                .iter()
            {
                let Some(path) = names.origin(self.task.trie.path(number)) else {
                    continue;
                };
                self.found.moved.push(MovedPath {
                    number,
                    commit: *parent,
                    path: path.to_vec(),
                });
            }
        }
        Ok(())
    }

    /// Splits paths into those that a commit has in any form, and the rest.
    pub(super) fn present_in(
        &mut self,
        commit: &ObjectId,
        mut paths: PathSet,
    ) -> (PathSet, PathSet) {
        let tree = match self.trees.objects().commit(commit) {
            Ok(commit) => commit.tree,
            Err(trouble) => {
                self.give_up(&paths, &trouble);
                return Default::default();
            }
        };
        let present = TreeLookup {
            trees: &mut self.trees,
            trie: self.task.trie,
            paths: &paths,
        }
        .run(&tree);
        for (range, trouble) in &present.unknown {
            let lost = paths.remove_ranges(std::slice::from_ref(range));
            self.give_up(&lost, trouble);
        }
        (paths.remove_ranges(&present.ranges()), paths)
    }

    pub(super) fn enqueue(&mut self, id: &ObjectId, paths: PathSet) {
        match self.trees.objects().commit(id) {
            Ok(commit) => self.queue.push(*id, commit, paths),
            Err(trouble) => self.give_up(&paths, &trouble),
        }
    }

    pub(super) fn change(&self, commit_id: ObjectId, times: CommitTimes) -> FileHistory {
        let moment = self.task.time.of(times);
        let (seconds, offset_minutes) = (moment.seconds, moment.offset_minutes);
        FileHistory::Changed(Arc::new(LastChange {
            commit: commit_id,
            seconds,
            offset_minutes,
        }))
    }

    pub(super) fn answer(&mut self, paths: &PathSet, answer: &FileHistory) {
        for path in paths.iter() {
            self.found.answers[path as usize] = answer.clone();
        }
    }

    /// Records that a commit was skipped for paths.
    pub(super) fn note_skip(&mut self, paths: &PathSet, reason: SkipReason) {
        for path in paths.iter() {
            self.found.skipped.entry(path).or_default().add(reason);
        }
    }

    pub(super) fn give_up(&mut self, paths: &PathSet, trouble: &RepositoryError) {
        if !paths.is_empty() {
            self.answer(paths, &FileHistory::Incomplete);
            self.found.error.get_or_insert_with(|| trouble.clone());
        }
    }
}
