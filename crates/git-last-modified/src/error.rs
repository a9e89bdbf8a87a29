//! Errors in the options of a history query; they stop the run.

use std::path::PathBuf;

use thiserror::Error;

use super::git_files::FileError;
use super::listed_revision::ListedRevision;
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
    /// Several commits start with a listed prefix.
    #[error("{revision} is ambiguous: several commits in `{}` start with it", root.display())]
    AmbiguousHash {
        /// The entry.
        revision: ListedRevision,
        /// The root of the repository.
        root: PathBuf,
    },
    /// A repository cannot be read, although it may be undamaged.
    #[error("in `{}`: {failure}", root.display())]
    UnreadableRepository {
        /// The root of the repository.
        root: PathBuf,
        /// The failure of the machine, or the missing permission.
        failure: RepositoryError,
    },
    /// The repository that the environment names cannot be opened.
    #[error("cannot use the repository `{}` that `GIT_DIR` names: {trouble}", path.display())]
    UnusableGitDir {
        /// The path in the environment.
        path: PathBuf,
        /// The reason.
        trouble: RepositoryError,
    },
}

impl HistoryError {
    /// The error for a directory of sources that cannot be looked up.
    pub(super) fn of_dir(error: &FileError) -> Self {
        let root = error.path.clone();
        let failure = RepositoryError::Machine(error.to_string());
        Self::UnreadableRepository { root, failure }
    }

    /// A hint on how to fix the error.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::UnreadableList { .. } => {
                "create the file, or remove `lastmod.ignore.revs_file` from the settings"
            }
            Self::InvalidHash { .. } => {
                "write the full hash, or at least its first 4 digits; `#` starts a comment"
            }
            Self::AmbiguousHash { .. } => "write more digits of the hash",
            Self::UnreadableRepository { failure, .. } => failure.hint(),
            Self::UnusableGitDir { trouble, .. } if trouble.is_io_failure() => trouble.hint(),
            Self::UnusableGitDir { .. } => {
                "unset `GIT_DIR`, or set it to the path of a `.git` directory"
            }
        }
    }
}
