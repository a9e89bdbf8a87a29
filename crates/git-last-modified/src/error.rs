//! Errors in the options of a history query; they stop the run.

use std::path::PathBuf;

use thiserror::Error;

use super::query::ListedRevision;
use super::repository_error::RepositoryError;

/// Error in a history query that prevents dating any source.
#[derive(Debug, Error)]
pub enum HistoryError {
    /// The file that lists commits to ignore cannot be read.
    #[error("cannot read `{}`, the list of commits to ignore: {source}", path.display())]
    UnreadableList {
        /// The file.
        path: PathBuf,
        /// The I/O error.
        source: std::io::Error,
    },
    /// An entry of the list is not a commit hash.
    #[error("{revision} is not a commit hash")]
    InvalidHash {
        /// The entry.
        revision: ListedRevision,
    },
    /// A part of a repository exists and cannot be read.
    #[error("in `{}`: {failure}", root.display())]
    UnreadableRepository {
        /// The root of the repository.
        root: PathBuf,
        /// The part and the reason.
        failure: RepositoryError,
    },
}

impl HistoryError {
    /// A hint on how to fix the error.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::UnreadableList { .. } => {
                "create the file, or remove `lastmod.ignore.revs_file` from the settings"
            }
            Self::InvalidHash { .. } => "write the full hash; `#` starts a comment",
            Self::UnreadableRepository { failure, .. } => failure.hint(),
        }
    }
}
