//! The result of a history query.

use std::path::PathBuf;
use std::sync::Arc;

use super::ObjectId;
use super::commit::CommitTimes;
use super::error::RepositoryError;
use super::query::{CommitTime, ListedRevision};

/// The result of a history query.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct History {
    /// One entry for each source, in the order of the query.
    pub files: Vec<FileHistory>,
    /// The repositories that were read, sorted by path.
    pub repositories: Vec<RepositoryReport>,
    /// Commits to ignore that no repository contains.
    pub unknown_revisions: Vec<ListedRevision>,
}

/// The last change of one file, or the reason it is unknown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileHistory {
    /// The commit that last changed it; files last changed by the same commit share it.
    Changed(Arc<LastChange>),
    /// The file on disk differs from the committed one. The commit that last changed that, if it is known.
    Edited(Option<Arc<LastChange>>),
    /// The last change is at or beyond the boundary of a shallow clone, so its date is unknown.
    BeyondBoundary,
    /// The checked-out commit does not contain the file.
    Untracked,
    /// The history cannot be read far enough; the repository's report has the reason.
    Incomplete,
    /// The file is not in a repository.
    NoRepository,
}

impl FileHistory {
    /// Whether Git tracks the file, also if its history cannot be read.
    pub fn is_tracked(&self) -> bool {
        !matches!(self, Self::Untracked | Self::NoRepository)
    }

    /// Whether the file is as the checked-out commit has it.
    pub fn is_at_head(&self) -> bool {
        matches!(
            self,
            Self::Changed(_) | Self::BeyondBoundary | Self::Incomplete
        )
    }

    /// Returns the newer of two results for a file, unless one has no date: it may be the newer one. A
    /// file that is untracked has no result yet.
    pub(super) fn combined_with(&self, other: &Self) -> Self {
        let later = |a: &Arc<LastChange>, b: &Arc<LastChange>| {
            let is_older = (a.seconds, a.commit) < (b.seconds, b.commit);
            Arc::clone(if is_older { b } else { a })
        };
        match (self, other) {
            (Self::Untracked, one) | (one, Self::Untracked) => one.clone(),
            (Self::Changed(one), Self::Changed(other)) => Self::Changed(later(one, other)),
            (Self::Changed(one), Self::Edited(Some(other)))
            | (Self::Edited(Some(one)), Self::Changed(other) | Self::Edited(Some(other))) => {
                Self::Edited(Some(later(one, other)))
            }
            (Self::Edited(_), _) | (_, Self::Edited(_)) => Self::Edited(None),
            (Self::Changed(_), undated) | (undated, _) => undated.clone(),
        }
    }
}

/// A commit that changed a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LastChange {
    /// The commit hash.
    pub commit: ObjectId,
    /// Its date in seconds since 1970 UTC; 0 if the date is unreadable.
    pub seconds: i64,
    /// The UTC offset of the date, in minutes.
    pub offset_minutes: i16,
    /// The other date of the commit: its author's if the first is its committer's, and the reverse.
    pub other_seconds: i64,
    /// The UTC offset of the other date, in minutes.
    pub other_offset_minutes: i16,
}

impl LastChange {
    /// The change in a commit, at one of its two dates.
    pub(super) fn of(commit: &ObjectId, times: CommitTimes, wanted: CommitTime) -> Self {
        let CommitTimes { author, committer } = times;
        let (moment, other) = match wanted {
            CommitTime::Committer | CommitTime::Landed => (committer, author),
            CommitTime::Author => (author, committer),
        };
        Self {
            commit: *commit,
            seconds: moment.seconds,
            offset_minutes: moment.offset_minutes,
            other_seconds: other.seconds,
            other_offset_minutes: other.offset_minutes,
        }
    }
}

/// Facts about one repository of a query.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RepositoryReport {
    /// The directory that contains its `.git`.
    pub root: PathBuf,
    /// Whether it is a shallow clone.
    pub shallow: bool,
    /// The commits at the boundary of a shallow clone, with both dates: Git states them for all files
    /// that last changed before.
    pub boundary: Vec<LastChange>,
    /// The checked-out commit, with its committer's date; `None` if there is none or it cannot be
    /// read.
    pub head: Option<LastChange>,
    /// Whether the checked-out commit has no parents.
    pub head_is_root: bool,
    /// How many times a commit was visited; a commit can be visited more than once.
    pub commits_visited: usize,
    /// The reason some of its sources have no date, if any.
    pub error: Option<RepositoryError>,
}
