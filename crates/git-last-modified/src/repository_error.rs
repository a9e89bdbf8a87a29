//! Errors that prevent a repository from dating its files.
//!
//! They are part of the repository's report and never stop the run.

use std::error::Error as StdError;

use thiserror::Error;

use super::io_failure::IoFailure;
use super::limits::DEEPEST;
use super::object_id::ObjectId;

/// Reason why some or all sources of a repository have no date.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RepositoryError {
    /// The machine failed while the repository was read, so nothing is known about its history.
    #[error("cannot read the repository: {0}")]
    Machine(String),
    /// The user may not read a file of the repository.
    #[error("cannot read the repository: {0}")]
    Denied(String),
    /// The repository cannot be opened.
    #[error("cannot open the repository: {0}")]
    Unopened(String),
    /// The repository's format has an extension that this crate does not know.
    #[error("the repository has the unknown extension `{0}`")]
    UnknownExtension(String),
    /// The checked-out commit cannot be determined.
    #[error("cannot read `HEAD`: {0}")]
    Head(String),
    /// The list of boundary commits cannot be read, so no date in a shallow clone can be trusted.
    #[error("cannot read the list of boundary commits (`.git/shallow`): {0}")]
    Boundary(String),
    /// An object of the history does not exist.
    #[error("object `{0}` is missing")]
    Missing(ObjectId),
    /// A partial clone omitted an object of the history; this crate never fetches objects.
    #[error("tree `{0}` was not fetched: this is a treeless clone")]
    NotFetched(ObjectId),
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

    /// Returns the failure of the machine or the missing permission behind an error, or else
    /// `damage`; `text` describes the error.
    pub(super) fn of(
        error: &(dyn StdError + 'static),
        text: String,
        damage: impl FnOnce(String) -> Self,
    ) -> Self {
        match IoFailure::behind(error) {
            Some(IoFailure::Machine) => Self::Machine(text),
            Some(IoFailure::Denied) => Self::Denied(text),
            None => damage(text),
        }
    }

    /// Whether the error says nothing about the repository itself.
    pub(super) fn is_io_failure(&self) -> bool {
        matches!(self, Self::Machine(_) | Self::Denied(_))
    }

    /// Whether another attempt may succeed: the machine failed, or another program may have changed
    /// the repository while it was read.
    pub(super) fn may_pass(&self) -> bool {
        match self {
            Self::Machine(_)
            | Self::Unopened(_)
            | Self::Head(_)
            | Self::Boundary(_)
            | Self::Missing(_)
            | Self::Damaged { .. } => true,
            Self::Denied(_)
            | Self::UnknownExtension(_)
            | Self::NotFetched(_)
            | Self::TooDeep(_) => false,
        }
    }

    /// A hint on how to fix the error.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Machine(_) => "check the disk and its connection, then try again",
            Self::Denied(_) => "make the repository readable for the user who runs this program",
            Self::Unopened(_) | Self::Head(_) => "run `git status` in that directory for details",
            Self::UnknownExtension(_) => {
                "check `extensions` in the repository's configuration; a newer version may know it"
            }
            Self::Boundary(_) => "fetch the complete history: `git fetch --depth=2147483647`",
            Self::NotFetched(_) => "fetch the trees: `git fetch --refetch --filter=blob:none`",
            Self::TooDeep(_) => {
                "turn off `lastmod.follow_renames`, which searches all directories for old names"
            }
            Self::Missing(_) | Self::Damaged { .. } => {
                "run `git fsck`, or clone the repository again"
            }
        }
    }
}
