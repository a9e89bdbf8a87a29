//! A starting commit + wanted paths → the commit that last changed each, in one walk for all of them.
//!
//! What `git log -1 -- PATH` answers has a local definition. Its default history simplification follows, at every
//! commit, the first parent in which the path is the same (`try_to_simplify_commit` in revision.c). So the answer for a
//! path is found from any commit alone: go to the first parent whose entry for the path equals this commit's; if there
//! is none, this commit is the answer. Neither dates nor the order of visits take part in it. The walk therefore carries
//! a set of paths from commit to commit; should paths arrive at a commit that was already left (skewed clocks), the
//! commit is visited once more.

use std::collections::{BinaryHeap, HashMap, HashSet};

use super::commit::Commit;
use super::compare::{Comparison, Difference, Trees};
use super::paths::Paths;
use super::repository::Objects;
use super::tree::{Entries, Malformed};
use super::trie::{NodeId, Trie};
use super::{Answer, Change, ObjectId, Trouble};
use crate::config::CommitTime;

/// What the walk is to find, and under which circumstances.
pub(super) struct Task<'a> {
    /// The wanted paths.
    pub(super) trie: &'a Trie,
    /// Which of a commit's dates to tell.
    pub(super) time: CommitTime,
    /// Commits whose parents are cut off.
    pub(super) boundary: &'a HashSet<ObjectId>,
}

/// What the walk found.
#[derive(Debug)]
pub(super) struct Walked {
    /// An answer for each path of the trie, by its number.
    pub(super) answers: Vec<Answer>,
    /// How many times a commit was visited.
    pub(super) commits_visited: usize,
    /// The first thing that kept a path from being answered.
    pub(super) trouble: Option<Trouble>,
}

/// Answers every wanted path as of a commit; paths that this commit does not have are untracked.
pub(super) fn walk(task: &Task<'_>, objects: &mut Objects, start: &ObjectId) -> Walked {
    let found = Walked { answers: vec![Answer::Untracked; task.trie.len()], commits_visited: 0, trouble: None };
    let mut walk = Walk { task, trees: Trees::new(objects), queue: Queue::default(), found };
    match walk.trees.objects().commit(start) {
        Ok(commit) => {
            let mut tracked = Paths::default();
            walk.track(Trie::ROOT, &commit.tree, &mut tracked);
            walk.queue.pass(*start, commit, tracked);
        }
        Err(trouble) => walk.found.give_up(task.trie.node(Trie::ROOT).paths.clone(), &trouble),
    }
    while let Some((id, commit, paths)) = walk.queue.next() {
        walk.found.commits_visited += 1;
        walk.visit(id, &commit, paths);
    }
    walk.found
}

/// A walk under way.
struct Walk<'a> {
    task: &'a Task<'a>,
    trees: Trees<'a>,
    queue: Queue,
    found: Walked,
}

/// Commits that paths have reached, newest first: of two lines of history that meet again, both are then mostly walked
/// before the commit where they meet.
#[derive(Default)]
struct Queue {
    order: BinaryHeap<(i64, ObjectId)>,
    waiting: HashMap<ObjectId, (Commit, Paths)>,
}

impl Walk<'_> {
    /// Finds which of the paths below a folder a tree has.
    fn track(&mut self, folder: NodeId, id: &ObjectId, tracked: &mut Paths) {
        let trouble = match self.trees.read(folder, id) {
            Ok(tree) => match self.track_entries(folder, Entries::new(&tree, id), tracked) {
                Ok(()) => return,
                Err(Malformed) => Trouble::Damaged { id: *id, reason: "it is no tree".into() },
            },
            Err(trouble) => trouble,
        };
        let below = self.task.trie.node(folder).paths.clone();
        tracked.take(std::slice::from_ref(&below));
        self.found.give_up(below, &trouble);
    }

    fn track_entries(
        &mut self,
        folder: NodeId,
        mut entries: Entries<'_>,
        tracked: &mut Paths,
    ) -> Result<(), Malformed> {
        while let Some(entry) = entries.next()? {
            let Some(node) = self.task.trie.child(folder, entry.name) else { continue };
            if let Some(path) = self.task.trie.path_at(node) {
                tracked.insert(path);
            }
            if entry.is_folder() && self.task.trie.is_folder(node) {
                self.track(node, &entry.id(), tracked);
            }
        }
        Ok(())
    }

    /// Hands every path to the first parent that has it unchanged; what no parent has unchanged, this commit changed.
    fn visit(&mut self, id: ObjectId, commit: &Commit, mut here: Paths) {
        // A clone of just the right depth lists its root as boundary too; a commit that never had parents is not cut off.
        let cut_off = self.task.boundary.contains(&id) && !commit.parents.is_empty();
        let parents = if cut_off { &[][..] } else { &commit.parents[..] };
        for parent_id in parents {
            if here.is_empty() {
                return;
            }
            let parent = match self.trees.objects().commit(parent_id) {
                Ok(parent) => parent,
                Err(trouble) => return self.found.give_up(here.iter(), &trouble),
            };
            let comparison = Comparison { trees: &mut self.trees, trie: self.task.trie, paths: &here };
            let Difference { changed, unknown } = comparison.run(&commit.tree, &parent.tree);
            for (range, trouble) in unknown {
                self.found.give_up(here.take(std::slice::from_ref(&range)).iter(), &trouble);
            }
            let stay = here.take(&changed);
            self.queue.pass(*parent_id, parent, here);
            here = stay;
        }
        let answer = if cut_off { Answer::BeyondBoundary } else { Answer::Changed(self.change(id, commit)) };
        for path in here.iter() {
            self.found.answers[path as usize] = answer;
        }
    }

    fn change(&self, id: ObjectId, commit: &Commit) -> Change {
        let moment = match self.task.time {
            CommitTime::Committer => commit.committer,
            CommitTime::Author => commit.author,
        };
        Change { commit: id, seconds: moment.seconds, offset_minutes: moment.offset_minutes }
    }
}

impl Walked {
    fn give_up(&mut self, paths: impl IntoIterator<Item = u32>, trouble: &Trouble) {
        for path in paths {
            self.answers[path as usize] = Answer::Incomplete;
            self.trouble.get_or_insert_with(|| trouble.clone());
        }
    }
}

impl Queue {
    /// Lets paths arrive at a commit.
    fn pass(&mut self, id: ObjectId, commit: Commit, paths: Paths) {
        if paths.is_empty() {
            return;
        }
        if let Some((_, waiting)) = self.waiting.get_mut(&id) {
            waiting.join(&paths);
        } else {
            self.order.push((commit.committer.seconds, id));
            self.waiting.insert(id, (commit, paths));
        }
    }

    fn next(&mut self) -> Option<(ObjectId, Commit, Paths)> {
        let (_, id) = self.order.pop()?;
        let (commit, paths) = self.waiting.remove(&id).expect("every commit in the order has paths waiting");
        Some((id, commit, paths))
    }
}
