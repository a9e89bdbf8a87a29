//! Ends the walk where known dates take over.
//!
//! Three cases give the same result as the whole history. A path reaches the commit of a snapshot.
//! Or it reaches a boundary commit whose first parent is that commit: the parent was not fetched, but
//! its entry for the path is known. Or it reaches the boundary commit at which a walk from the
//! snapshot's commit ends for the same path. An equal entry alone proves nothing: the file may have
//! been changed and changed back, or the history rewritten.

use std::sync::Arc;

use super::commit::Commit;
use super::history::FileHistory;
use super::known_dates::FileEntry;
use super::lookup::TreeLookup;
use super::object_id::ObjectId;
use super::path_set::PathSet;
use super::query::CommitTime;
use super::walk::HistoryWalk;

impl HistoryWalk<'_, '_> {
    /// Dates the paths whose last change as of this commit is known; leaves the others.
    pub(super) fn take_known(&mut self, id: &ObjectId, commit: &Commit, here: &mut PathSet) {
        let known = self.task.known.and_then(|known| known.of(id));
        let Some(known) = known.filter(|_| !here.is_empty()) else {
            return;
        };
        for (number, entry) in self.entries_at(commit, here) {
            if let Some(change) = known.change(number, entry) {
                let taken = here.remove_ranges(std::slice::from_ref(&(number..number + 1)));
                self.answer(&taken, &FileHistory::Changed(Arc::clone(change)));
            }
        }
    }

    /// Dates paths that end at a boundary commit whose first parent is the commit of a snapshot;
    /// leaves the others.
    ///
    /// A path with the parent's entry has the parent's date. A path with another entry was changed
    /// by this commit, unless a further parent, whose entry is unknown, has it unchanged, or the
    /// commit may not count as a change.
    pub(super) fn take_known_by_parent(
        &mut self,
        id: &ObjectId,
        commit: &Commit,
        here: &mut PathSet,
    ) {
        let known = self.task.known.zip(commit.parents.first());
        let Some(known) = known.and_then(|(known, parent)| known.of(parent)) else {
            return;
        };
        let follows_one = commit.parents.len() == 1 || self.task.time == CommitTime::Landed;
        let changes_count = follows_one && self.rules.is_empty();
        let times = self.times(id, commit);
        for (number, entry) in self.entries_at(commit, here) {
            let answer = match known.files.get(&number) {
                Some((before, Some(change))) if *before == entry => {
                    FileHistory::Changed(Arc::clone(change))
                }
                Some((before, _)) if *before != entry && changes_count => match times {
                    Ok(times) => self.change(*id, times),
                    Err(_) => continue, // without a date as well
                },
                _ => continue,
            };
            let taken = here.remove_ranges(std::slice::from_ref(&(number..number + 1)));
            self.answer(&taken, &answer);
        }
    }

    /// Returns the entries of paths in a commit; those that cannot be read are missing.
    fn entries_at(&mut self, commit: &Commit, paths: &PathSet) -> Vec<(u32, FileEntry)> {
        let lookup = TreeLookup {
            trees: &mut self.trees,
            trie: self.task.trie,
            paths,
        };
        let present = lookup.run(&commit.tree);
        let entries = present.entries.into_iter().flat_map(|entry| {
            let file = FileEntry::new(entry.kind, entry.id);
            entry.paths.map(move |number| (number, file))
        });
        entries
            .filter(|(number, _)| paths.contains(*number))
            .collect()
    }
}
