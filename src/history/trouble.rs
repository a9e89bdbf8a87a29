//! What can keep a repository from answering: reported beside the answers, never a fault of the run.

use thiserror::Error;

use super::ObjectId;

/// Why some or all sources of a repository have no answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Trouble {
    /// There is a repository, but it cannot be opened.
    #[error("the repository cannot be opened: {0}")]
    Unopened(String),
    /// The commit that is checked out cannot be found out.
    #[error("`HEAD` cannot be read: {0}")]
    Head(String),
    /// The list of boundary commits cannot be read, and without it no date of a shallow clone can be trusted.
    #[error("the list of boundary commits (`shallow`) cannot be read: {0}")]
    Boundary(String),
    /// An object that the history names is not there.
    #[error("object `{0}` is missing")]
    Missing(ObjectId),
    /// An object is there, but is not what it should be.
    #[error("object `{id}` is damaged: {reason}")]
    Damaged {
        /// The object.
        id: ObjectId,
        /// What is wrong with it.
        reason: String,
    },
}

impl Trouble {
    /// What the user can do.
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::Unopened(_) | Self::Head(_) => "see what `git status` says in that folder",
            Self::Boundary(_) => "fetch the whole history: `git fetch --unshallow`",
            Self::Missing(_) | Self::Damaged { .. } => "run `git fsck`, or clone the repository anew",
        }
    }
}
