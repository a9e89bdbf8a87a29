//! A starting commit + wanted paths → the commit that last changed each, in one walk for all of them.
//!
//! What `git log -1 -- PATH` answers has a local definition. Its default history simplification follows, at every
//! commit, the first parent in which the path is the same (`try_to_simplify_commit` in revision.c). So the answer for a
//! path is found from any commit alone: go to the first parent whose entry for the path equals this commit's; if there
//! is none, this commit is the answer. Neither dates nor the order of visits take part in it. The walk therefore carries
//! a set of paths from commit to commit; should paths arrive at a commit that was already left (skewed clocks), the
//! commit is visited once more.

use std::collections::HashMap;
use std::sync::Arc;

use super::commit::Commit;
use super::compare::{TreeComparison, TreeDifference};
use super::lineage::{Circles, Lineage};
use super::lookup::{PresentEntry, TreeLookup};
use super::objects::ObjectReader;
use super::path_set::PathSet;
use super::prefetch::{Prefetch, PrefetchHelper, PrefetchedStep};
use super::queue::CommitQueue;
use super::renames::{self, MovedContent};
use super::trees::TreeCache;
use super::trie::PathTrie;
use super::{FileHistory, LastChange, ObjectId, RenamePolicy, RepositoryError, WalkThreads};
use crate::config::CommitTime;

/// After so many commits a second thread is worth its start.
const LONG_HISTORY: usize = 256;

/// What the walk is to find, and under which circumstances.
pub(super) struct WalkTask<'a> {
    /// The wanted paths.
    pub(super) trie: &'a PathTrie,
    /// Which of a commit's dates to tell.
    pub(super) time: CommitTime,
    /// What a move counts as.
    pub(super) moves: RenamePolicy,
    /// How many threads may work on it.
    pub(super) threads: WalkThreads,
    /// Who comes before whom.
    pub(super) lineage: &'a Lineage,
}

/// What the walk found.
#[derive(Debug)]
pub(super) struct WalkResult {
    /// An answer for each path of the trie, by its number.
    pub(super) answers: Vec<FileHistory>,
    /// Paths that were somewhere else before: their answers are only found by another walk from there.
    pub(super) moved: Vec<MovedPath>,
    /// How many times a commit was visited.
    pub(super) commits_visited: usize,
    /// The first thing that kept a path from being answered.
    pub(super) trouble: Option<RepositoryError>,
}

/// Where a path was before it was moved.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct MovedPath {
    /// The number of the path.
    pub(super) number: u32,
    /// The parent of the commit that moved it.
    pub(super) commit: ObjectId,
    /// Its path there.
    pub(super) path: Vec<u8>,
}

/// Answers wanted paths, each as of a commit that has it.
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
        trouble: None,
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
        walk.pass(&id, paths);
    }
    std::thread::scope(|scope| {
        let _until_the_walk_is_over = ahead.until_dropped();
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
            if walk.is_circling(id) {
                walk.give_up(&paths, &RepositoryError::Circle(id));
            } else {
                walk.visit(id, &commit, paths);
            }
        }
    });
    walk.found
}

/// A walk under way.
struct HistoryWalk<'a> {
    task: &'a WalkTask<'a>,
    trees: TreeCache<'a>,
    queue: CommitQueue,
    found: WalkResult,
    helper: Option<PrefetchHelper<'a>>,
    /// Counted only where history can lead in a circle.
    visits: HashMap<ObjectId, usize>,
}

impl HistoryWalk<'_> {
    /// Hands every path to the first parent that has it unchanged; what no parent has unchanged, this commit changed.
    fn visit(&mut self, id: ObjectId, commit: &Commit, mut here: PathSet) {
        let lineage = self.task.lineage;
        let parents = lineage.parents(&id, commit);
        for (nth, parent_id) in parents.iter().enumerate() {
            if here.is_empty() {
                return;
            }
            let helped = if nth == 0 {
                self.helpers_step(&id, parent_id, &here)
            } else {
                None
            };
            let (parent, difference) = match self.compare(commit, parent_id, helped, &here) {
                Ok(compared) => compared,
                Err(trouble) => return self.give_up(&here, &trouble),
            };
            for (range, trouble) in difference.unknown {
                let lost = here.take(&[range]);
                self.give_up(&lost, &trouble);
            }
            let stay = here.take(&difference.changed);
            self.queue.push(*parent_id, parent, here);
            here = stay;
        }
        if lineage.ignored.contains(&id) {
            here = self.pass_over(parents, here);
        }
        if self.task.moves == RenamePolicy::Follow && !here.is_empty() {
            here = self.follow_moves(commit, parents, here);
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

    fn helpers_step(
        &mut self,
        id: &ObjectId,
        first_parent: &ObjectId,
        here: &PathSet,
    ) -> Option<PrefetchedStep> {
        self.helper
            .as_mut()?
            .step(id, first_parent, || self.queue.paths_with(here))
    }

    /// The parent, and where the commit differs from it; of `helped` what is there already.
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

    /// Hands paths to the first parent that has them in whatever form; gives those that none has.
    fn pass_over(&mut self, parents: &[ObjectId], mut here: PathSet) -> PathSet {
        for parent in parents {
            let (present, rest) = self.present_in(parent, here);
            self.pass(parent, present);
            here = rest;
        }
        here
    }

    /// Notes where paths were before this commit moved them; gives those that it did not move.
    fn follow_moves(
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
            if let Err(trouble) = self.note_moves(commit, parent, &entries, &mut here) {
                self.give_up(&here, &trouble);
                return PathSet::default();
            }
        }
        here
    }

    fn note_moves(
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
        let vanished = renames::vanished(objects, &wanted, &commit.tree, &tree)?;
        for entry in arrived {
            let Some(names) = vanished.get(&MovedContent::new(entry.kind, entry.id)) else {
                continue;
            };
            for number in here.take(std::slice::from_ref(&entry.paths)).iter() {
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

    /// Parts paths into those that a commit has in whatever form, and the rest.
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
            let lost = paths.take(std::slice::from_ref(range));
            self.give_up(&lost, trouble);
        }
        (paths.take(&present.ranges()), paths)
    }

    fn pass(&mut self, id: &ObjectId, paths: PathSet) {
        match self.trees.objects().commit(id) {
            Ok(commit) => self.queue.push(*id, commit, paths),
            Err(trouble) => self.give_up(&paths, &trouble),
        }
    }

    /// A path comes by a commit once, so more visits than there are paths are a circle.
    fn is_circling(&mut self, id: ObjectId) -> bool {
        if self.task.lineage.circles == Circles::Impossible {
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
            self.found.trouble.get_or_insert_with(|| trouble.clone());
        }
    }
}
