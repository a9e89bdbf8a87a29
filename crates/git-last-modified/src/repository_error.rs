//! Errors that prevent a repository from dating its files.
//!
//! They are part of the repository's report and never stop the run.

use thiserror::Error;

use super::limits::DEEPEST;
use super::object_id::ObjectId;

/// Reason why some or all sources of a repository have no date.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RepositoryError {
    /// The repository cannot be opened.
    #[error("cannot open the repository: {0}")]
    Unopened(String),
    /// The references are stored as a reftable, which this crate does not read.
    #[error("the references are in the format `reftable`, which is not supported")]
    Reftable,
    /// The repository's format has an extension that this crate does not know.
    #[error("the repository has the unknown extension `{0}`")]
    UnknownExtension(String),
    /// The checked-out commit cannot be determined.
    #[error("cannot read `HEAD`: {0}")]
    Head(String),
    /// The list of boundary commits cannot be read, so no date in a shallow clone can be trusted.
    #[error("cannot read the list of boundary commits (`.git/shallow`): {0}")]
    Boundary(String),
    /// `info/grafts` exists but cannot be read.
    #[error("cannot read the grafts (`.git/info/grafts`): {0}")]
    Grafts(String),
    /// An object of the history does not exist.
    #[error("object `{0}` is missing")]
    Missing(ObjectId),
    /// A partial clone omitted an object of the history; this crate never fetches objects.
    #[error("tree `{0}` was not fetched: this is a treeless clone")]
    NotFetched(ObjectId),
    /// The history contains a cycle, made by `git replace` or by grafts.
    #[error("the history contains a cycle through commit `{0}`")]
    Cycle(ObjectId),
    /// A tree is nested deeper than Git itself allows (`core.maxTreeDepth`).
    #[error("tree `{0}` is nested more than {DEEPEST} directories deep")]
    TooDeep(ObjectId),
    /// An object exists but is invalid.
    #[error("object `{id}` is damaged: {reason}")]
    Damaged {
        /// The object.
        id: ObjectId,
        /// The reason.
        reason: String,
    },
}

impl RepositoryError {
    pub(super) fn invalid_tree(id: &ObjectId) -> Self {
        Self::Damaged {
            id: *id,
            reason: "it, or the tree it was compared with, is not a valid tree".to_owned(),
        }
    }

    /// A hint on how to fix the error.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Unopened(_) | Self::Head(_) | Self::Grafts(_) => {
                "run `git status` in that directory for details"
            }
            Self::Reftable => "convert them: `git refs migrate --ref-format=files`",
            Self::UnknownExtension(_) => {
                "check `extensions` in the repository's configuration; a newer version may know it"
            }
            Self::Boundary(_) => "fetch the complete history: `git fetch --unshallow`",
            Self::NotFetched(_) => "fetch the trees: `git fetch --refetch --filter=blob:none`",
            Self::Cycle(_) => "check `git replace --list` and `.git/info/grafts`",
            Self::TooDeep(_) => {
                "turn off `lastmod.follow_renames`, which searches all directories for old names"
            }
            Self::Missing(_) | Self::Damaged { .. } => {
                "run `git fsck`, or clone the repository again"
            }
        }
    }
}
