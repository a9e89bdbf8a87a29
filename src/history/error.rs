//! Faults: mistakes in what the room was told, which no answer can make up for.

use std::path::PathBuf;

use thiserror::Error;

use super::{ListedRevision, RepositoryError};

/// Why the history was not asked at all.
#[derive(Debug, Error)]
pub enum HistoryError {
    /// The file with commits to pass over cannot be read.
    #[error("`{}`, which lists commits to pass over, cannot be read: {source}", path.display())]
    UnreadableList {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// An entry of the list is not a hash.
    #[error("{revision} is no hash of a commit")]
    NoHash {
        /// The entry.
        revision: ListedRevision,
    },
    /// Several commits begin so.
    #[error("{revision} could mean several commits of `{}`", root.display())]
    AmbiguousHash {
        /// The entry.
        revision: ListedRevision,
        /// The repository.
        root: PathBuf,
    },
    /// The repository that the environment names is none.
    #[error("`{}`, which GIT_DIR names, cannot be used: {trouble}", path.display())]
    NoGivenRepository {
        /// What the environment names.
        path: PathBuf,
        /// What is wrong.
        trouble: RepositoryError,
    },
}

impl HistoryError {
    /// What the user can do.
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::UnreadableList { .. } => {
                "create the file, or take `ignore_revs_file` out of the settings"
            }
            Self::NoHash { .. } => {
                "write the full hash, or at least its first 4 digits; `#` starts a comment"
            }
            Self::AmbiguousHash { .. } => "write more digits of the hash",
            Self::NoGivenRepository { .. } => "unset GIT_DIR, or let it name a `.git` folder",
        }
    }
}
