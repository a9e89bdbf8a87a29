//! A second thread that runs ahead of the walk along the mainline and compares commits for it.
//!
//! The paths that differ between a commit and its first parent do not depend on how the walk
//! reached the commit. So a helper thread reads all commits on the first-parent line, and compares
//! those in every third stretch. The walk uses what is done and does the rest itself; it never
//! waits, and its results are the same without the helper.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

use super::ObjectId;
use super::commit::Commit;
use super::compare::{TreeComparison, TreeDifference};
use super::lineage::Lineage;
use super::objects::ObjectReader;
use super::path_set::PathSet;
use super::trees::TreeCache;
use super::trie::PathTrie;

/// Commits per stretch: enough that the two threads rarely read the same trees.
const STRETCH: usize = 512;

/// The helper compares one stretch in three; with reading every commit, about half of the work.
const HELPER_STRIDE: usize = 3;

/// How many commits the helper may be ahead; this bounds its memory.
const MAX_LEAD: usize = 2048;

/// The state that both threads share.
#[derive(Default)]
pub(super) struct Prefetch {
    shared: Mutex<PrefetchState>,
    moved: Condvar,
}

#[derive(Default)]
struct PrefetchState {
    /// Finished steps, by commit.
    steps: FxHashMap<ObjectId, PrefetchedStep>,
    /// The walk's position on the mainline.
    walk: usize,
    /// A superset of the paths that are still undated.
    wanted: Arc<PathSet>,
    over: bool,
}

/// The thread that compares a commit with its first parent.
enum ComparisonTurn {
    /// The helper, for these paths.
    Helpers(Arc<PathSet>),
    /// The walk.
    Walks,
    /// Neither; the walk is over.
    Over,
}

/// The helper's result for a commit.
#[derive(Debug)]
pub(super) struct PrefetchedStep {
    place: usize,
    /// The commit's first parent.
    pub(super) parent: Commit,
    /// The difference from the first parent, for at least all wanted paths; `None` leaves the
    /// comparison to the walk.
    pub(super) difference: Option<TreeDifference>,
}

impl Prefetch {
    /// Runs the helper: follows the first parents of a commit until the walk is over.
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
            // The walk finds and reports unreadable commits.
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

    /// Waits until a position is near enough to the walk.
    fn turn(&self, place: usize) -> ComparisonTurn {
        let is_far = |shared: &mut PrefetchState| !shared.over && place > shared.walk + MAX_LEAD;
        let shared = self
            .moved
            .wait_while(self.lock(), is_far)
            .unwrap_or_else(PoisonError::into_inner);
        if shared.over {
            ComparisonTurn::Over
        } else if place > shared.walk && place / STRETCH % HELPER_STRIDE == HELPER_STRIDE - 1 {
            ComparisonTurn::Helpers(Arc::clone(&shared.wanted))
        } else {
            ComparisonTurn::Walks
        }
    }

    /// Stops the helper on drop, also during unwinding; otherwise the scope would block on it.
    pub(super) fn stop_on_drop(&self) -> impl Drop + '_ {
        StopOnDrop(self)
    }

    /// Ignores poisoning: a step is complete before it is shared, so a panic leaves valid state.
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

/// The walk's access to the helper's results.
pub(super) struct PrefetchHelper<'a> {
    ahead: &'a Prefetch,
    /// The next commit that the walk expects on the mainline, and its position.
    next: (ObjectId, usize),
}

impl<'a> PrefetchHelper<'a> {
    /// Creates the walk's side; the helper starts at the same commit.
    pub(super) fn new(ahead: &'a Prefetch, start: ObjectId, wanted: PathSet) -> Self {
        ahead.lock().wanted = Arc::new(wanted);
        Self {
            ahead,
            next: (start, 0),
        }
    }

    /// Returns the helper's result for a commit that the walk has reached.
    ///
    /// `wanted` returns the paths that are still undated; it is called once per stretch.
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
            // Not at every step: waking a thread costs more than comparing a commit.
            self.ahead.moved.notify_one();
        }
        step
    }
}
