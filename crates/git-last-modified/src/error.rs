//! Errors: in the options of a history query, which stop the run, and those that prevent a repository from
//! dating its files.

use std::error::Error as StdError;
use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::ObjectId;
use super::query::ListedRevision;

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

/// Reason why some or all sources of a repository have no date.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RepositoryError {
    /// A file of the repository exists and cannot be read, so nothing is known about its history.
    #[error("cannot read the repository: {0}")]
    Unreadable(String),
    /// An object exists but is invalid.
    #[error("object `{id}` is damaged: {reason}")]
    Damaged {
        /// The object.
        id: ObjectId,
        /// The reason.
        reason: String,
    },
    /// `.git` is neither a repository nor the name of one.
    #[error("`.git` is not a repository: {0}")]
    NotARepository(String),
    /// This crate has no reader for the repository's format.
    #[error("the format of the repository is unknown: {0}")]
    Unsupported(String),
    /// An object of the history does not exist, or is in a pack that cannot be read.
    #[error("object `{0}` is missing, or its pack cannot be read")]
    Missing(ObjectId),
    /// The repository borrows objects from another one, which is not there.
    #[error("`objects/info/alternates` names `{}`, which does not exist", .0.display())]
    MissingAlternate(PathBuf),
    /// The repository borrows objects from more repositories than are read.
    #[error("`objects/info/alternates` has {0} lines, more than the 1,000 that are read")]
    TooManyAlternates(usize),
    /// A partial clone omitted a tree of the history; this crate never fetches objects.
    #[error("tree `{0}` was not fetched: this is a treeless clone")]
    NotFetched(ObjectId),
    /// A partial clone omitted the content of a file to compare.
    #[error("the content `{0}` of a file was not fetched: this is a clone without contents")]
    ContentNotFetched(ObjectId),
}

impl From<io::Error> for RepositoryError {
    fn from(error: io::Error) -> Self {
        Self::Unreadable(error.to_string())
    }
}

impl RepositoryError {
    pub(super) fn invalid_tree(id: &ObjectId) -> Self {
        Self::Damaged {
            id: *id,
            reason: "it is not a valid tree".to_owned(),
        }
    }

    /// Whether a part of the repository exists and cannot be read: then no date is known. What a
    /// clone does not have concerns only the files that need it.
    pub(super) fn is_failure(&self) -> bool {
        matches!(
            self,
            Self::Unreadable(_)
                | Self::Damaged { .. }
                | Self::Missing(_)
                | Self::MissingAlternate(_)
                | Self::TooManyAlternates(_)
        )
    }

    /// Notes this error, unless a worse one or an equal one is known.
    pub(super) fn note_in(self, known: &mut Option<Self>) {
        if known
            .as_ref()
            .is_none_or(|known| self.is_failure() && !known.is_failure())
        {
            *known = Some(self);
        }
    }

    /// A hint on how to fix the error.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Unreadable(_) => {
                "check the disk, and that the user who runs this program may read the repository; \
                 `git fsck` shows details"
            }
            Self::NotARepository(_) => "run `git status` in that directory for details",
            Self::Unsupported(_) => {
                "check `extensions` in the repository's configuration; a newer version may know it"
            }
            Self::NotFetched(_) => "fetch the trees: `git fetch --refetch --filter=blob:none`",
            Self::ContentNotFetched(_) => {
                "fetch the contents: `git fetch --refetch --no-filter`, or remove \
                 `lastmod.ignore.changes`"
            }
            Self::MissingAlternate(_) => {
                "make that repository available here, or clone without `--shared` and `--reference`"
            }
            Self::TooManyAlternates(_) => {
                "copy the borrowed objects with `git repack -a -d`, then delete that file"
            }
            Self::Missing(_) | Self::Damaged { .. } => {
                "run `git fsck`, or clone the repository again"
            }
        }
    }
}

/// Joins an error's message with those of its causes.
pub(super) fn error_chain(error: &(dyn StdError + 'static)) -> String {
    let causes = std::iter::successors(Some(error), |&error| error.source());
    causes
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(": ")
}
