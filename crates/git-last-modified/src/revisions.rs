//! Resolves the commits to ignore, from the settings and a file, in each repository.
//!
//! The file has the format of Git's `blame.ignoreRevsFile`: one hash per line, comments start with
//! `#`. Unlike Git, it also accepts unique prefixes.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::ObjectId;
use super::error::HistoryError;
use super::limits::{self, MAX_FILE_BYTES};
use super::listed_revision::ListedRevision;
use super::query::IgnoredRevisions;
use super::repository::{HashPrefix, Repository};

/// All commits to ignore.
#[derive(Debug, Default)]
pub(super) struct Revisions {
    /// Each with whether a repository contains it.
    listed: Vec<(ListedRevision, FoundRevision)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FoundRevision {
    Nowhere,
    Somewhere,
}

impl Revisions {
    /// Reads the file and checks that all entries look like hashes.
    pub(super) fn read(ignored: &IgnoredRevisions<'_>) -> Result<Self, HistoryError> {
        let mut revisions = Self::default();
        for text in ignored.revisions {
            revisions.add(text, None)?;
        }
        if let Some(file) = ignored.file {
            let unreadable = |source| HistoryError::UnreadableList {
                path: file.to_path_buf(),
                source,
            };
            let bytes = limits::read(file, MAX_FILE_BYTES).map_err(unreadable)?;
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
        if !(4..=64).contains(&text.len()) || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(HistoryError::InvalidHash { revision });
        }
        self.listed.push((revision, FoundRevision::Nowhere));
        Ok(())
    }

    /// Resolves the commits in a repository; those it lacks may belong to another.
    pub(super) fn resolve(
        &mut self,
        repository: &Repository,
        root: &Path,
    ) -> Result<HashSet<ObjectId>, HistoryError> {
        let mut ids = HashSet::new();
        for (revision, found) in &mut self.listed {
            match repository.commit_with_prefix(&revision.text) {
                HashPrefix::Unknown => {}
                HashPrefix::Commit(id) => {
                    *found = FoundRevision::Somewhere;
                    ids.insert(id);
                }
                HashPrefix::Ambiguous => {
                    return Err(HistoryError::AmbiguousHash {
                        revision: revision.clone(),
                        root: root.to_path_buf(),
                    });
                }
            }
        }
        Ok(ids)
    }

    /// Returns the commits that no repository contains.
    pub(super) fn unknown(self) -> Vec<ListedRevision> {
        let unknown = self
            .listed
            .into_iter()
            .filter(|(_, found)| *found == FoundRevision::Nowhere);
        unknown.map(|(revision, _)| revision).collect()
    }
}
