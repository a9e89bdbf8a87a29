//! The known files among the wanted paths, without dates that the clone contradicts.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::known_dates::{FileEntry, KnownFile, RepositoryDates};
use super::last_change::LastChange;
use super::object_id::ObjectId;
use super::objects::ObjectReader;
use super::path_set::PathSet;
use super::query::CommitTime;
use super::repository_error::RepositoryError;
use super::trie::PathTrie;

/// The known files among the wanted paths.
#[derive(Debug, Default)]
pub(super) struct KnownPaths {
    snapshots: BTreeMap<ObjectId, KnownSnapshot>,
}

/// The wanted paths in one snapshot.
#[derive(Debug)]
pub(super) struct KnownSnapshot {
    pub(super) paths: PathSet,
    /// The entry and last change of each.
    pub(super) files: HashMap<u32, (FileEntry, Option<Arc<LastChange>>)>,
}

/// Checks the dates of known changes against the commits that the clone contains.
///
/// The commits of a clone cannot be wrong about their own dates, but a file can that was edited by
/// hand.
pub(super) struct DateCheck {
    time: CommitTime,
    checked: HashMap<ObjectId, CommitDates>,
}

/// The dates of a commit, if the clone contains it.
#[derive(Debug, Clone, Copy)]
enum CommitDates {
    Moment(i64, i16),
    NotFetched,
    Unreadable,
}

impl DateCheck {
    pub(super) fn new(time: CommitTime) -> Self {
        Self {
            time,
            checked: HashMap::new(),
        }
    }

    fn agrees(&mut self, objects: &mut ObjectReader, change: &LastChange) -> bool {
        let time = self.time;
        let dates = self.checked.entry(change.commit).or_insert_with(|| {
            let commit = objects.commit(&change.commit);
            match commit.and_then(|commit| objects.times(&change.commit, &commit)) {
                Ok(times) => {
                    let moment = time.of(times);
                    CommitDates::Moment(moment.seconds, moment.offset_minutes)
                }
                Err(RepositoryError::Missing(_) | RepositoryError::NotFetched(_)) => {
                    CommitDates::NotFetched
                }
                Err(_) => CommitDates::Unreadable,
            }
        });
        match *dates {
            CommitDates::Moment(seconds, offset) => {
                (seconds, offset) == (change.seconds, change.offset_minutes)
            }
            CommitDates::NotFetched => true,
            CommitDates::Unreadable => false,
        }
    }
}

impl KnownPaths {
    /// Finds the wanted paths in the snapshots of a repository, without dates that the clone
    /// contradicts.
    pub(super) fn new(
        known: &RepositoryDates,
        trie: &PathTrie,
        objects: &mut ObjectReader,
        check: &mut DateCheck,
    ) -> Self {
        let mut snapshots = BTreeMap::new();
        let mut shared: HashMap<LastChange, Arc<LastChange>> = HashMap::new();
        for snapshot in &known.snapshots {
            let mut files = HashMap::new();
            let mut paths = PathSet::default();
            for number in trie.all() {
                let Some(KnownFile { entry, change }) = snapshot.files.get(trie.path(number))
                else {
                    continue;
                };
                let change = change.filter(|change| check.agrees(objects, change));
                let change = change.map(|change| {
                    let known_since = Some(snapshot.commit);
                    let change = LastChange {
                        known_since,
                        ..change
                    };
                    Arc::clone(shared.entry(change).or_insert_with(|| Arc::new(change)))
                });
                paths.insert(number);
                files.insert(number, (*entry, change));
            }
            snapshots.insert(snapshot.commit, KnownSnapshot { paths, files });
        }
        Self { snapshots }
    }

    pub(super) fn of(&self, commit: &ObjectId) -> Option<&KnownSnapshot> {
        self.snapshots.get(commit)
    }

    pub(super) fn snapshots(&self) -> impl Iterator<Item = (&ObjectId, &KnownSnapshot)> {
        self.snapshots.iter()
    }
}

impl KnownSnapshot {
    /// The last change of a path with this entry as of the commit, if that is known.
    pub(super) fn change(&self, number: u32, here: FileEntry) -> Option<&Arc<LastChange>> {
        let (entry, change) = self.files.get(&number)?;
        change.as_ref().filter(|_| *entry == here)
    }
}
