//! Finds the commit that last changed each wanted path, in one walk for all of them.
//!
//! The result of `git log -1 -- PATH` has a local definition. Git's default history simplification
//! follows, at every commit, the first parent in which the path is the same
//! (`try_to_simplify_commit` in revision.c). So the result for a path can be found from any commit:
//! go to the first parent whose entry for the path equals this commit's; if there is none, this
//! commit is the result. Neither dates nor the order of visits matter. The walk therefore carries a
//! set of paths from commit to commit. If paths reach a commit that was already visited (clock
//! skew), it is visited again.

use std::collections::HashMap;
use std::sync::Arc;

use super::CommitTime;
use super::commit::Commit;
use super::compare::{TreeComparison, TreeDifference};
use super::lineage::{Cycles, Lineage};
use super::lookup::{PresentEntry, TreeLookup};
use super::objects::ObjectReader;
use super::path_set::PathSet;
use super::prefetch::{Prefetch, PrefetchHelper, PrefetchedStep};
use super::queue::CommitQueue;
use super::renames::{self, MovedContent};
use super::trees::TreeCache;
use super::trie::PathTrie;
use super::{FileHistory, LastChange, ObjectId, RenamePolicy, RepositoryError, WalkThreads};

/// The number of visits after which a second thread is worth starting.
const LONG_HISTORY: usize = 256;

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
    /// Parents, after grafts and the shallow boundary.
    pub(super) lineage: &'a Lineage,
}

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
    starts: Vec<(ObjectId, PathSet)>,
) -> WalkResult {
    let store = objects.share();
    let ahead = Prefetch::default();
    let answers = vec![FileHistory::Untracked; task.trie.len()];
    let found = WalkResult {
        answers,
        moved: Vec::new(),
        commits_visited: 0,
        error: None,
    };
    let (trees, queue) = (TreeCache::new(objects), CommitQueue::default());
    let mut walk = HistoryWalk {
        task,
        trees,
        queue,
        found,
        helper: None,
        visits: HashMap::new(),
    };
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
            walk.found.commits_visited += 1;
            if walk.is_in_cycle(id) {
                walk.give_up(&paths, &RepositoryError::Cycle(id));
            } else {
                walk.visit(id, &commit, paths);
            }
        }
    });
    walk.found
}

/// A walk in progress.
struct HistoryWalk<'a> {
    task: &'a WalkTask<'a>,
    trees: TreeCache<'a>,
    queue: CommitQueue,
    found: WalkResult,
    helper: Option<PrefetchHelper<'a>>,
    /// Counted only if history can contain a cycle.
    visits: HashMap<ObjectId, usize>,
}

impl HistoryWalk<'_> {
    /// Passes each path to the first parent that has it unchanged; this commit dates the rest.
    fn visit(&mut self, id: ObjectId, commit: &Commit, mut here: PathSet) {
        let lineage = self.task.lineage;
        let parents = lineage.parents(&id, commit);
        for (nth, parent_id) in parents.iter().enumerate() {
            if here.is_empty() {
                return;
            }
            let helped = if nth == 0 {
                self.prefetched_step(&id, parent_id, &here)
            } else {
                None
            };
            let (parent, difference) = match self.compare(commit, parent_id, helped, &here) {
                Ok(compared) => compared,
                Err(trouble) => return self.give_up(&here, &trouble),
            };
            for (range, trouble) in difference.unknown {
                let lost = here.remove_ranges(&[range]);
                self.give_up(&lost, &trouble);
            }
            let stay = here.remove_ranges(&difference.changed);
            self.queue.push(*parent_id, parent, here);
            here = stay;
        }
        if lineage.ignored.contains(&id) {
            here = self.skip_commit(parents, here);
        }
        if self.task.renames == RenamePolicy::Follow && !here.is_empty() {
            here = self.follow_renames(commit, parents, here);
        }
        let cut_off = lineage.is_cut_off(&id, commit);
        if !here.is_empty() {
            self.answer(
                &here,
                &if cut_off {
                    FileHistory::BeyondBoundary
                } else {
                    self.change(id, commit)
                },
            );
        }
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

    /// Passes paths to the first parent that has them in any form; returns the rest.
    fn skip_commit(&mut self, parents: &[ObjectId], mut here: PathSet) -> PathSet {
        for parent in parents {
            let (present, rest) = self.present_in(parent, here);
            self.enqueue(parent, present);
            here = rest;
        }
        here
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
        let wanted = arrived
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
    fn present_in(&mut self, commit: &ObjectId, mut paths: PathSet) -> (PathSet, PathSet) {
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

    fn enqueue(&mut self, id: &ObjectId, paths: PathSet) {
        match self.trees.objects().commit(id) {
            Ok(commit) => self.queue.push(*id, commit, paths),
            Err(trouble) => self.give_up(&paths, &trouble),
        }
    }

    /// Detects a cycle: each path reaches a commit once, so visits cannot outnumber the paths.
    fn is_in_cycle(&mut self, id: ObjectId) -> bool {
        if self.task.lineage.cycles == Cycles::Impossible {
            return false;
        }
        let visits = self.visits.entry(id).or_default();
        *visits += 1;
        *visits > self.task.trie.len()
    }

    fn change(&self, commit_id: ObjectId, commit: &Commit) -> FileHistory {
        let moment = match self.task.time {
            CommitTime::Committer => commit.committer,
            CommitTime::Author => commit.author,
        };
        let (seconds, offset_minutes) = (moment.seconds, moment.offset_minutes);
        FileHistory::Changed(Arc::new(LastChange {
            commit: commit_id,
            seconds,
            offset_minutes,
        }))
    }

    fn answer(&mut self, paths: &PathSet, answer: &FileHistory) {
        for path in paths.iter() {
            self.found.answers[path as usize] = answer.clone();
        }
    }

    fn give_up(&mut self, paths: &PathSet, trouble: &RepositoryError) {
        if !paths.is_empty() {
            self.answer(paths, &FileHistory::Incomplete);
            self.found.error.get_or_insert_with(|| trouble.clone());
        }
    }
}
