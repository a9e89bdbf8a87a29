//! Dates that an earlier query found, so that this one needs no older history.
//!
//! The last change of a path as of a commit depends on nothing but that commit's ancestors. A walk
//! that carries a path to the commit of a snapshot can therefore stop there: the result is the one
//! that the snapshot has, however much of the history before it was fetched.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use super::last_change::LastChange;
use super::object_id::ObjectId;
use super::tree::EntryKind;

/// Dates of an earlier query with equal options, in any number of repositories.
#[derive(Debug, Clone, Copy)]
pub struct KnownDates<'a> {
    /// The repositories, each at most once.
    pub repositories: &'a [RepositoryDates],
    /// The absolute path of the file in which they are kept. A commit that changes only this file
    /// needs no new snapshot.
    pub file: &'a Path,
}

/// Dates of the files of one repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepositoryDates {
    /// The absolute path of the directory that contains its `.git`.
    pub root: PathBuf,
    /// The end of the first-parent line, which identifies the repository; `None` if it was never
    /// fetched.
    pub first_commit: Option<ObjectId>,
    /// What was found, as of one or more commits, newest first.
    pub snapshots: Vec<Snapshot>,
}

/// Files as of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The commit.
    pub commit: ObjectId,
    /// The files, by their paths in the repository.
    pub files: BTreeMap<Vec<u8>, KnownFile>,
}

/// A file as of a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownFile {
    /// Its entry in the commit's tree.
    pub entry: FileEntry,
    /// Its last change; `None` if that is unknown.
    pub change: Option<LastChange>,
}

/// The entry of a file in a tree: its mode and the id of its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileEntry {
    kind: EntryKind,
    id: ObjectId,
}

/// The modes of files in Git's notation.
const MODES: [(EntryKind, &str); 4] = [
    (EntryKind::File, "100644"),
    (EntryKind::Executable, "100755"),
    (EntryKind::Link, "120000"),
    (EntryKind::Submodule, "160000"),
];

impl FileEntry {
    /// Parses a mode and an id: `100644 4b825dc642cb6eb9a060e54bf8d69288fbee4904`.
    pub fn parse(text: &str) -> Option<Self> {
        let (mode, id) = text.split_once(' ')?;
        let (kind, _) = MODES.into_iter().find(|(_, known)| *known == mode)?;
        let id = ObjectId::from_hex(id.as_bytes())?;
        Some(Self { kind, id })
    }

    pub(super) fn new(kind: EntryKind, id: ObjectId) -> Self {
        Self { kind, id }
    }
}

impl fmt::Display for FileEntry {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mode = MODES.into_iter().find(|(kind, _)| *kind == self.kind);
        write!(
            out,
            "{} {}",
            mode.map_or("040000", |(_, mode)| mode),
            self.id
        )
    }
}

/// The files of a query as of the checked-out commit, from which a later query can continue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeadSnapshot {
    /// The checked-out commit.
    pub commit: ObjectId,
    /// The end of its first-parent line; `None` if that was not fetched.
    pub first_commit: Option<ObjectId>,
    /// A known commit from which this one differs at most by the file of known dates.
    pub same_as: Option<ObjectId>,
    /// The committed files among the sources and those that they link to.
    pub files: Vec<HeadFile>,
}

/// A committed file of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeadFile {
    /// The index in the query of the source that it is, or that links to it.
    pub source: usize,
    /// Its path in the repository.
    pub path: Vec<u8>,
    /// Its entry and last change.
    pub file: KnownFile,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_read_as_it_is_written() {
        let check = |text: &str, expected: bool| {
            let entry = FileEntry::parse(text);
            assert_eq!(entry.is_some(), expected, "{text}");
            if let Some(entry) = entry {
                assert_eq!(entry.to_string(), text);
            }
        };
        for mode in ["100644", "100755", "120000", "160000"] {
            check(&format!("{mode} {}", "4b".repeat(20)), true);
            check(&format!("{mode} {}", "4b".repeat(32)), true);
        }
        check(&format!("040000 {}", "4b".repeat(20)), false);
        check(&format!("100644 {}", "4b".repeat(19)), false);
        check("100644", false);
    }
}
