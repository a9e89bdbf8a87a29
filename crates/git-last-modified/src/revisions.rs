//! Reads the commits to ignore, from the settings and a file.
//!
//! The file has the format of Git's `blame.ignoreRevsFile`: one hash per line, comments start with
//! `#`.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use super::ObjectId;
use super::error::HistoryError;
use super::limits::{self, MAX_FILE_BYTES};
use super::query::{IgnoredRevisions, ListedRevision};
use super::repository::Repository;

/// All commits to ignore, each with the place that lists it first.
#[derive(Debug, Default)]
pub(super) struct Revisions {
    pub(super) ids: HashSet<ObjectId>,
    /// Those that no repository has contained so far.
    unknown: HashMap<ObjectId, ListedRevision>,
}

impl Revisions {
    /// Reads the setting and the file.
    pub(super) fn read(ignored: &IgnoredRevisions<'_>) -> Result<Self, HistoryError> {
        let mut revisions = Self::default();
        for text in ignored.revisions {
            revisions.add(text, None)?;
        }
        if let Some(file) = ignored.file {
            let bytes = limits::read(file, MAX_FILE_BYTES).map_err(|source| {
                let path = file.to_path_buf();
                HistoryError::UnreadableList { path, source }
            })?;
            for (line, number) in String::from_utf8_lossy(&bytes).lines().zip(1..) {
                let text = line.split('#').next().unwrap_or_default().trim();
                if !text.is_empty() {
                    revisions.add(text, Some((file.to_path_buf(), number)))?;
                }
            }
        }
        Ok(revisions)
    }

    fn add(&mut self, text: &str, place: Option<(PathBuf, usize)>) -> Result<(), HistoryError> {
        let revision = ListedRevision {
            text: text.to_owned(),
            place,
        };
        let Ok(id) = ObjectId::from_hex(text.to_ascii_lowercase().as_bytes()) else {
            return Err(HistoryError::InvalidHash { revision });
        };
        self.ids.insert(id);
        self.unknown.entry(id).or_insert(revision);
        Ok(())
    }

    /// Notes which of the commits a repository contains; those it lacks may belong to another.
    pub(super) fn note_known(&mut self, repository: &Repository) {
        self.unknown.retain(|id, _| !repository.has_commit(id));
    }

    /// Returns the commits that no repository contains.
    pub(super) fn unknown(self) -> Vec<ListedRevision> {
        let mut unknown: Vec<ListedRevision> = self.unknown.into_values().collect();
        unknown.sort_by(|one, other| (&one.place, &one.text).cmp(&(&other.place, &other.text)));
        unknown
    }
}
