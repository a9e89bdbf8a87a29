//! A second thread that walks ahead of the first along the mainline, and compares commits for it.
//!
//! Which paths differ between a commit and its first parent does not depend on how the walk came there. So while the
//! walk does its work, a helper reads all commits on the line of first parents, and compares those of every third
//! stretch. The walk takes what is done and does the rest itself; it never waits, and its answers are the same without.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::ObjectId;
use super::commit::Commit;
use super::compare::{TreeComparison, TreeDifference};
use super::lineage::Lineage;
use super::objects::ObjectReader;
use super::path_set::PathSet;
use super::quick_hash::QuickMap;
use super::trees::TreeCache;
use super::trie::PathTrie;

/// Commits in a stretch: long enough that both threads seldom read the same trees.
const STRETCH: usize = 256;

/// The helper compares one stretch in so many: that is, with reading every commit, about half of the work.
const HELPERS_SHARE: usize = 3;

/// How many commits the helper may be ahead, so that what it holds stays small.
const FURTHEST: usize = 2048;

/// What both threads share.
#[derive(Default)]
pub(super) struct Prefetch {
    shared: Mutex<PrefetchState>,
    moved: Condvar,
}

#[derive(Default)]
struct PrefetchState {
    /// By commit.
    steps: QuickMap<ObjectId, PrefetchedStep>,
    /// Place of the walk on the mainline.
    walk: usize,
    /// A superset of the paths that are not answered yet.
    wanted: Arc<PathSet>,
    over: bool,
}

/// Whose turn it is to compare a commit with its first parent.
enum ComparisonTurn {
    /// The helper's, for these paths.
    Helpers(Arc<PathSet>),
    /// The walk's.
    Walks,
    /// Nobody's, as all is answered.
    Over,
}

/// What the helper found at a commit.
#[derive(Debug)]
pub(super) struct PrefetchedStep {
    place: usize,
    /// The commit's first parent.
    pub(super) parent: Commit,
    /// Compared with the first parent, for all paths that are wanted and perhaps more; `None` is left to the walk.
    pub(super) difference: Option<TreeDifference>,
}

impl Prefetch {
    /// The helper's work: from a commit down the line of first parents, until all is answered.
    pub(super) fn run(
        &self,
        trie: &PathTrie,
        lineage: &Lineage,
        mut objects: ObjectReader,
        start: (ObjectId, Commit),
    ) {
        let mut trees = TreeCache::new(&mut objects);
        let (mut id, mut commit) = start;
        for place in 0.. {
            let Some(parent_id) = lineage.parents(&id, &commit).first().copied() else {
                return;
            };
            // What cannot be read is for the walk to find and to tell.
            let Ok(parent) = trees.objects().commit(&parent_id) else {
                return;
            };
            let difference = match self.turn(place) {
                ComparisonTurn::Over => return,
                ComparisonTurn::Walks => None,
                ComparisonTurn::Helpers(paths) => {
                    let comparison = TreeComparison {
                        trees: &mut trees,
                        trie,
                        paths: &paths,
                    };
                    Some(comparison.run(&commit.tree, &parent.tree))
                }
            };
            self.lock().steps.insert(
                id,
                PrefetchedStep {
                    place,
                    parent: parent.clone(),
                    difference,
                },
            );
            (id, commit) = (parent_id, parent);
        }
    }

    /// Waits until a place is near enough to the walk.
    fn turn(&self, place: usize) -> ComparisonTurn {
        let is_far = |shared: &mut PrefetchState| !shared.over && place > shared.walk + FURTHEST;
        let shared = self
            .moved
            .wait_while(self.lock(), is_far)
            .unwrap_or_else(PoisonError::into_inner);
        if shared.over {
            ComparisonTurn::Over
        } else if place > shared.walk && place / STRETCH % HELPERS_SHARE == HELPERS_SHARE - 1 {
            ComparisonTurn::Helpers(Arc::clone(&shared.wanted))
        } else {
            ComparisonTurn::Walks
        }
    }

    /// Sends the helper home when the walk is over, even if it ends in a panic: it would be waited for.
    pub(super) fn until_dropped(&self) -> impl Drop + '_ {
        StopOnDrop(self)
    }

    /// A helper that panicked has left nothing half done: each step is whole before it is shared.
    fn lock(&self) -> MutexGuard<'_, PrefetchState> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct StopOnDrop<'a>(&'a Prefetch);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.lock().over = true;
        self.0.moved.notify_one();
    }
}

/// The walk's side: takes what the helper found.
pub(super) struct PrefetchHelper<'a> {
    ahead: &'a Prefetch,
    /// The next commit of the mainline, and its place, as far as the walk has followed it.
    next: (ObjectId, usize),
}

impl<'a> PrefetchHelper<'a> {
    /// The helper starts where the walk is.
    pub(super) fn new(ahead: &'a Prefetch, start: ObjectId, wanted: PathSet) -> Self {
        ahead.lock().wanted = Arc::new(wanted);
        Self {
            ahead,
            next: (start, 0),
        }
    }

    /// What the helper found at a commit that the walk has reached; `wanted` gives the paths that are not answered yet,
    /// and is asked now and then.
    pub(super) fn step(
        &mut self,
        id: &ObjectId,
        first_parent: &ObjectId,
        wanted: impl FnOnce() -> PathSet,
    ) -> Option<PrefetchedStep> {
        let mut shared = self.ahead.lock();
        let step = shared.steps.remove(id);
        let place = match &step {
            Some(step) => step.place,
            None if self.next.0 == *id => self.next.1,
            None => return None, // a side branch
        };
        self.next = (*first_parent, place + 1);
        shared.walk = place;
        if place.is_multiple_of(STRETCH) {
            shared.wanted = Arc::new(wanted());
            shared.steps.retain(|_, step| step.place > place);
            self.ahead.moved.notify_one(); // not at every step: waking a thread costs more than comparing a commit
        }
        step
    }
}
