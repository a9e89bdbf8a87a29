//! Passes paths over commits that are not a change, in the walk.

use std::collections::HashMap;

use super::ObjectId;
use super::commit::Commit;
use super::lookup::PresentEntry;
use super::minor_changes::differ_only_in;
use super::path_set::PathSet;
use super::tree::EntryKind;
use super::walk::HistoryWalk;

/// Paths that skip a commit, and the parent in which they continue.
pub(super) struct SkippingPaths {
    pub(super) parent: ObjectId,
    pub(super) paths: PathSet,
}

impl HistoryWalk<'_> {
    /// Takes the paths that a commit changed without that counting as a change.
    ///
    /// They continue in each parent that has them in any form: the newest answer dates them. For minor
    /// changes, they continue in the first parent that has the same but for these.
    pub(super) fn skip(
        &mut self,
        id: &ObjectId,
        commit: &Commit,
        parents: &[ObjectId],
        here: &mut PathSet,
    ) -> Vec<SkippingPaths> {
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
            skipping.push(SkippingPaths {
                parent: *parent,
                paths,
            });
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
