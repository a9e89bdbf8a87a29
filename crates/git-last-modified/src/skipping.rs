//! Passes paths over commits that are not a change, in the walk.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::commit::Commit;
use super::lookup::{PresentEntry, TreeLookup};
use super::minor_changes::are_similar;
use super::path_set::PathSet;
use super::renames::{MovedContent, RemovedNames, removed_names};
use super::skip_rules::SkipReason;
use super::tree::EntryKind;
use super::walk::{HistoryWalk, MovedPath};
use super::{ObjectId, RepositoryError};

/// How many removed files with the same name to compare with a moved one.
const MAX_ORIGINS: usize = 4;

/// The number of removed files up to which a moved file is compared with all of them.
const FEW_REMOVED: usize = 50;

/// The score from which the only removed file with the same name is not compared with others: three
/// quarters (`find_basename_matches` in diffcore-rename.c).
const SURE_SCORE: usize = 45_000;

/// Paths that skip a commit, and the parent in which they continue.
pub(super) struct SkippingPaths {
    pub(super) parent: ObjectId,
    pub(super) paths: PathSet,
}

impl HistoryWalk<'_, '_> {
    /// Takes the paths that a commit changed without that counting as a change.
    ///
    /// They continue in the first parent that has them in any form, or for minor changes, that has
    /// the same but for these.
    pub(super) fn skip(
        &mut self,
        id: &ObjectId,
        commit: &Commit,
        parents: &[ObjectId],
        here: &mut PathSet,
    ) -> Vec<SkippingPaths> {
        if here.is_empty() || self.rules.is_empty() {
            return Vec::new();
        }
        let (reason, take): (_, TakePresent) = match self.rules.reason(self.trees.objects(), id) {
            Ok(Some(reason)) => (reason, TakePresent::InAnyForm),
            Ok(None) if self.rules.minor.is_empty() => return Vec::new(),
            Ok(None) => (SkipReason::Minor, TakePresent::ButForMinorChanges),
            Err(trouble) => {
                self.give_up(&std::mem::take(here), &trouble);
                return Vec::new();
            }
        };
        let mut skipping = Vec::new();
        for parent in parents {
            if here.is_empty() {
                break;
            }
            let paths = match take {
                TakePresent::InAnyForm => {
                    let (present, rest) = self.present_in(parent, std::mem::take(here));
                    *here = rest;
                    present
                }
                TakePresent::ButForMinorChanges => self.take_minor(id, commit, parent, here),
            };
            self.note_skip(&paths, reason);
            skipping.push(SkippingPaths {
                parent: *parent,
                paths,
            });
        }
        skipping
    }

    /// Takes the paths that differ from a parent only in ways that do not count.
    fn take_minor(
        &mut self,
        id: &ObjectId,
        commit: &Commit,
        parent: &ObjectId,
        here: &mut PathSet,
    ) -> PathSet {
        // The parent was read to compare it.
        let Ok(parent) = self.trees.objects().commit(parent) else {
            return PathSet::default();
        };
        let theirs: HashMap<u32, PresentEntry> = self
            .entries(&parent.tree, here)
            .into_iter()
            .map(|entry| (entry.paths.start, entry))
            .collect();
        let mut minor = Vec::new();
        for entry in self.entries(&commit.tree, here) {
            let Some(their) = theirs.get(&entry.paths.start) else {
                continue;
            };
            let is_text = matches!(entry.kind, EntryKind::File | EntryKind::Executable);
            let versions = [&entry.id, &their.id];
            let objects = self.trees.objects();
            if is_text
                && entry.kind == their.kind
                && self.rules.minor.is_minor(objects, id, versions)
            {
                minor.push(entry.paths);
            }
        }
        here.remove_ranges(&minor)
    }

    fn entries(&mut self, tree: &ObjectId, paths: &PathSet) -> Vec<PresentEntry> {
        TreeLookup {
            trees: &mut self.trees,
            trie: self.task.trie,
            paths,
        }
        .run(tree)
        .entries
    }

    /// Records the old names of files that a commit moved and edited, if that is not a change.
    ///
    /// The old file has the same name, in a directory that the commit removed it from, or, if it
    /// removed few files, any name. A skipped commit may have changed up to half of it, as Git measures
    /// it for renames; any other only what does not count.
    pub(super) fn record_edited_renames(
        &mut self,
        id: &ObjectId,
        commit: &Commit,
        parent: &ObjectId,
        arrived: &[PresentEntry],
        here: &mut PathSet,
    ) -> Result<(), RepositoryError> {
        if self.rules.is_empty() {
            return Ok(());
        }
        let reason = self.rules.reason(self.trees.objects(), id)?;
        if reason.is_none() && self.rules.minor.is_empty() {
            return Ok(());
        }
        let is_file = |entry: &&PresentEntry| {
            here.any_in(&entry.paths) && MovedContent::new(entry.kind, entry.id).is_file()
        };
        let files: Vec<&PresentEntry> = arrived.iter().filter(is_file).collect();
        let is_wanted = |content: &MovedContent, _: &[u8]| content.is_file();
        let objects = self.trees.objects();
        let parent_tree = objects.commit(parent)?.tree;
        let removed = removed_names(objects, &is_wanted, &commit.tree, &parent_tree)?;
        for entry in files {
            let Some(path) = self.edited_origin(id, reason, entry, &removed) else {
                continue;
            };
            let moved = here.remove_ranges(std::slice::from_ref(&entry.paths));
            self.note_skip(&moved, reason.unwrap_or(SkipReason::Minor));
            self.found
                .moved
                .extend(moved.iter().map(|number| MovedPath {
                    number,
                    commit: *parent,
                    path: path.clone(),
                }));
        }
        Ok(())
    }

    /// Returns the removed file that is most like a moved one; of equal ones, the one with the same
    /// name, then the one that shares most of the path.
    fn edited_origin(
        &mut self,
        id: &ObjectId,
        reason: Option<SkipReason>,
        moved: &PresentEntry,
        removed: &RemovedNames,
    ) -> Option<Vec<u8>> {
        let path = self.task.trie.path(moved.paths.start);
        let mut best: Option<(usize, &[u8])> = None;
        let same_name = same_named_origins(path, removed);
        for (origin, content) in &same_name {
            if let Some(score) = self.origin_score(id, reason, moved, content)
                && best.is_none_or(|(best, _)| score > best)
            {
                best = Some((score, origin));
            }
        }
        let is_sure = same_name.len() == 1 && best.is_some_and(|(score, _)| score >= SURE_SCORE);
        if !is_sure && removed.len() <= FEW_REMOVED {
            for (origin, content) in other_origins(path, removed) {
                if let Some(score) = self.origin_score(id, reason, moved, &content)
                    && best.is_none_or(|(best, _)| score > best)
                {
                    best = Some((score, origin));
                }
            }
        }
        best.map(|(_, origin)| origin.to_vec())
    }

    /// Returns how similar a moved file is to a removed one; `None` if it cannot come from there.
    fn origin_score(
        &mut self,
        id: &ObjectId,
        reason: Option<SkipReason>,
        moved: &PresentEntry,
        origin: &ObjectId,
    ) -> Option<usize> {
        let (objects, versions) = (self.trees.objects(), [&moved.id, origin]);
        if reason.is_some() {
            return are_similar(objects, versions);
        }
        let is_minor = self.rules.minor.is_minor(objects, id, versions);
        is_minor.then_some(0)
    }
}

/// Returns the removed files with the name of a moved one, those that share most of its path first.
fn same_named_origins<'r>(path: &[u8], removed: &'r RemovedNames) -> Vec<(&'r [u8], ObjectId)> {
    let name = last_name(path);
    let mut origins: Vec<(&[u8], ObjectId)> = removed
        .iter()
        .filter_map(|(content, names)| Some((names.with_last_name(name)?, content.id())))
        .collect();
    origins.sort_by_key(|(origin, _)| (Reverse(shared_end(origin, path)), *origin));
    origins.truncate(MAX_ORIGINS);
    origins
}

/// Returns the removed files with another name, in the order of their paths.
fn other_origins<'r>(path: &[u8], removed: &'r RemovedNames) -> Vec<(&'r [u8], ObjectId)> {
    let name = last_name(path);
    let contents = removed
        .iter()
        .filter(|(_, names)| names.with_last_name(name).is_none());
    let mut origins: Vec<(&[u8], ObjectId)> = contents
        .filter_map(|(content, names)| Some((names.first()?, content.id())))
        .collect();
    origins.sort_unstable();
    origins
}

/// Which paths of a parent continue there.
#[derive(Clone, Copy)]
enum TakePresent {
    InAnyForm,
    ButForMinorChanges,
}

fn last_name(path: &[u8]) -> &[u8] {
    path.rsplit(|byte| *byte == b'/').next().unwrap_or_default()
}

/// Counts the names that two paths share at their ends.
fn shared_end(one: &[u8], other: &[u8]) -> usize {
    let names = |path| <[u8]>::rsplit(path, |byte: &u8| *byte == b'/');
    names(one)
        .zip(names(other))
        .take_while(|(one, other)| one == other)
        .count()
}
