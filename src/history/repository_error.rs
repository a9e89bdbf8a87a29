//! What can keep a repository from answering: reported beside the answers, never a fault of the run.

use thiserror::Error;

use super::ObjectId;
use super::renames::DEEPEST;

/// Why some or all sources of a repository have no answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RepositoryError {
    /// There is a repository, but it cannot be opened.
    #[error("the repository cannot be opened: {0}")]
    Unopened(String),
    /// The commit that is checked out cannot be found out.
    #[error("`HEAD` cannot be read: {0}")]
    Head(String),
    /// The list of boundary commits cannot be read, and without it no date of a shallow clone can be trusted.
    #[error("the list of boundary commits (`shallow`) cannot be read: {0}")]
    Boundary(String),
    /// `info/grafts` is there but cannot be read.
    #[error("the grafts (`.git/info/grafts`) cannot be read: {0}")]
    Grafts(String),
    /// An object that the history names is not there.
    #[error("object `{0}` is missing")]
    Missing(ObjectId),
    /// An object that the history names was left out when this partial clone was made, and nothing is ever fetched.
    #[error("tree `{0}` was not fetched: this is a clone without trees")]
    NotFetched(ObjectId),
    /// The history leads back to where it came from, by `git replace` or by grafts.
    #[error("the history leads in a circle through commit `{0}`")]
    Circle(ObjectId),
    /// A tree lies deeper than git itself reads trees (`core.maxTreeDepth`).
    #[error("tree `{0}` lies below more than {DEEPEST} folders")]
    TooDeep(ObjectId),
    /// An object is there, but is not what it should be.
    #[error("object `{id}` is damaged: {reason}")]
    Damaged {
        /// The object.
        id: ObjectId,
        /// What is wrong with it.
        reason: String,
    },
}

impl RepositoryError {
    pub(super) fn no_tree(id: &ObjectId) -> Self {
        Self::Damaged {
            id: *id,
            reason: "it, or the tree it was compared with, is no tree".to_owned(),
        }
    }

    /// What the user can do.
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::Unopened(_) | Self::Head(_) | Self::Grafts(_) => {
                "see what `git status` says in that folder"
            }
            Self::Boundary(_) => "fetch the whole history: `git fetch --unshallow`",
            Self::NotFetched(_) => "fetch the trees: `git fetch --refetch --filter=blob:none`",
            Self::Circle(_) => "see `git replace --list` and `.git/info/grafts`",
            Self::TooDeep(_) => {
                "leave `lastmod.follow_renames` off: only for old names are all folders searched"
            }
            Self::Missing(_) | Self::Damaged { .. } => {
                "run `git fsck`, or clone the repository anew"
            }
        }
    }
}
