//! Describes the checked-out commit for a later query: its files with their dates, and the
//! repository that it belongs to.

use std::collections::HashSet;
use std::path::Path;

use super::commit::Commit;
use super::history::{FileHistory, RepositoryReport};
use super::known_dates::{
    FileEntry, HeadFile, HeadSnapshot, KnownDates, KnownFile, RepositoryDates,
};
use super::lineage::{Cycles, Lineage};
use super::object_id::ObjectId;
use super::objects::ObjectReader;
use super::repository_error::RepositoryError;
use super::source_files::path_in;
use super::tree::{EntryKind, TreeEntries};
use super::trie::PathTrie;
use super::{HistoryError, HistoryQuery};

/// The entry of each wanted path in the checked-out commit, by number.
pub(super) type HeadEntries = Vec<(u32, FileEntry)>;

/// The known dates for one repository, checked to belong to it.
#[derive(Clone, Copy)]
pub(super) struct KnownRepository<'a> {
    pub(super) dates: KnownDates<'a>,
    /// `None` if the repository is not among them.
    pub(super) repository: Option<&'a RepositoryDates>,
}

impl<'a> KnownRepository<'a> {
    /// Finds the known dates of a repository; `None` if the query has none, or they cannot be used.
    ///
    /// A complete clone contains the first commit of its own dates, unless its whole history was
    /// rewritten. A shallow clone that does not contain the commit of a snapshot makes no use of it.
    pub(super) fn find(
        query: &HistoryQuery<'a>,
        root: &Path,
        lineage: &Lineage,
        objects: &mut ObjectReader,
    ) -> Result<Option<Self>, HistoryError> {
        let Some(dates) = query.known.filter(|_| lineage.cycles == Cycles::Unlikely) else {
            return Ok(None);
        };
        let mut all = dates.repositories.iter();
        let repository = all.find(|repository| repository.root == root);
        let first_commit = repository.and_then(|repository| repository.first_commit);
        if let Some(first_commit) = first_commit.filter(|_| lineage.boundary.is_empty())
            && matches!(
                objects.commit(&first_commit),
                Err(RepositoryError::Missing(_))
            )
        {
            return Err(HistoryError::ForeignDates {
                file: dates.file.to_owned(),
                root: root.to_owned(),
                first_commit,
            });
        }
        Ok(Some(Self { dates, repository }))
    }
}

/// The checked-out commit of a repository.
pub(super) struct HeadCommit<'a> {
    pub(super) id: ObjectId,
    pub(super) known: KnownRepository<'a>,
    pub(super) lineage: &'a Lineage,
    /// The directory of the checked-out files.
    pub(super) work_tree: &'a Path,
}

impl HeadCommit<'_> {
    /// Takes the snapshot, unless a date may depend on what this clone lacks.
    ///
    /// `answers` has the history of each path by its number, and `source_of` returns the index of a
    /// path's source in the query.
    pub(super) fn snapshot(
        &self,
        objects: &mut ObjectReader,
        trie: &PathTrie,
        entries: &HeadEntries,
        answers: &[FileHistory],
        report: &RepositoryReport,
        source_of: impl Fn(usize) -> usize,
    ) -> Option<HeadSnapshot> {
        if report.error.is_some() || report.uncompared_commits > 0 {
            return None;
        }
        let files = entries.iter().map(|&(number, entry)| {
            let change = match &answers[number as usize] {
                FileHistory::Changed(change) => Some(**change),
                _ => None,
            };
            HeadFile {
                source: source_of(trie.place(number)),
                path: trie.path(number).to_vec(),
                file: KnownFile { entry, change },
            }
        });
        Some(HeadSnapshot {
            commit: self.id,
            first_commit: self.first_commit(objects),
            same_as: self.same_as(objects),
            files: files.collect(),
        })
    }

    /// Follows the first parents to their end, unless an earlier query has done so in this very
    /// repository, as the commit of a snapshot proves.
    fn first_commit(&self, objects: &mut ObjectReader) -> Option<ObjectId> {
        if let Some(known) = self.known.repository
            && known.first_commit.is_some()
            && known
                .snapshots
                .iter()
                .any(|snapshot| objects.commit(&snapshot.commit).is_ok())
        {
            return known.first_commit;
        }
        let mut seen = HashSet::new();
        let mut id = self.id;
        while seen.insert(id) {
            let commit = objects.commit(&id).ok()?;
            if self.lineage.is_cut_off(&id, &commit) {
                return None;
            }
            match self.lineage.parents(&id, &commit).first() {
                Some(parent) => id = *parent,
                None => return Some(id),
            }
        }
        None
    }

    fn same_as(&self, objects: &mut ObjectReader) -> Option<ObjectId> {
        let file = path_in(self.work_tree, self.known.dates.file);
        let head = objects.commit(&self.id).ok()?;
        let snapshots = &self.known.repository?.snapshots;
        let mut commits = snapshots.iter().map(|snapshot| snapshot.commit);
        commits.find(|id| {
            let commit = objects.commit(id);
            commit.is_ok_and(|commit| differ_only_in(objects, &file, &commit, &head))
        })
    }
}

/// Whether two commits have the same files, except for one path.
fn differ_only_in(objects: &mut ObjectReader, path: &[u8], one: &Commit, other: &Commit) -> bool {
    let mut trees = [Some(one.tree), Some(other.tree)];
    for name in path.split(|byte| *byte == b'/') {
        if trees[0] == trees[1] {
            return true;
        }
        let [Some((ours, our_rest)), Some((theirs, their_rest))] =
            trees.map(|tree| entry_and_rest(objects, tree, name))
        else {
            return false;
        };
        if our_rest != their_rest {
            return false;
        }
        // A directory that only one of them has may contain nothing but the file.
        let dir = |entry: Option<NamedEntry>| {
            let dir = entry.filter(|(kind, _)| *kind == EntryKind::Directory);
            dir.map(|(_, id)| id)
        };
        match [dir(ours), dir(theirs)] {
            [None, None] => return true,
            dirs => trees = dirs,
        }
    }
    false
}

type NamedEntry = (EntryKind, ObjectId);

/// The entry of one name, and all others.
type SplitTree = (Option<NamedEntry>, Vec<(Vec<u8>, NamedEntry)>);

/// Splits a tree into the entry of a name and all others; `None` if it cannot be read.
fn entry_and_rest(
    objects: &mut ObjectReader,
    tree: Option<ObjectId>,
    name: &[u8],
) -> Option<SplitTree> {
    let (mut named, mut rest) = (None, Vec::new());
    let Some(id) = tree else {
        return Some((named, rest));
    };
    let raw = objects.tree(&id).ok()?;
    let mut entries = TreeEntries::new(&raw, &id);
    while let Some(entry) = entries.next().ok()? {
        let kind_and_id = (entry.kind, entry.id());
        if entry.name == name {
            named = Some(kind_and_id);
        } else {
            rest.push((entry.name.to_vec(), kind_and_id));
        }
    }
    Some((named, rest))
}
