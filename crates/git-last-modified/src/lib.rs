//! Finds the commit that last changed each source file, in one walk over the Git history.
//!
//! Inside: `source_files` finds the repository of each file, `repository` opens it,
//! `repository_group` looks up the files in the checked-out commit, and `walk` carries the paths
//! from commit to commit, using `compare` to detect which of them changed.

#![doc = include_str!("../README.md")]
#![cfg_attr(
    test,
    allow(
        clippy::disallowed_methods,
        clippy::disallowed_types,
        reason = "tests set up files and compare with the system"
    )
)]

mod attributes;
mod commit;
mod commit_subject;
mod committed_spelling;
mod compare;
mod error;
mod git_files;
mod limits;
mod lineage;
mod lookup;
mod object_id;
mod objects;
mod pack_file;
mod packs;
mod path_set;
mod prefetch;
mod queue;
mod quick_hash;
mod renames;
mod repository;
mod repository_error;
mod repository_group;
mod repository_state;
mod revisions;
mod search;
mod source_files;
mod tree;
mod trees;
mod trie;
mod walk;
mod worktree;

use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use commit_subject::subject_of;
pub use error::HistoryError;
pub use object_id::ObjectId;
pub use repository_error::RepositoryError;
pub use repository_state::{HistoryDepth, RepositoryState};
pub use revisions::ListedRevision;
pub use source_files::enclosing_repository;

use repository::Repository;
use repository_group::RepositoryGroup;
use revisions::Revisions;
use source_files::SourceFile;

/// Options for a history query.
#[derive(Debug, Clone, Copy, Default)]
pub struct HistoryQuery<'a> {
    /// Absolute paths of the source files.
    pub sources: &'a [PathBuf],
    /// Which of a commit's two dates to return.
    pub time: CommitTime,
    /// Whether a rename counts as a change.
    pub renames: RenamePolicy,
    /// Commits to ignore.
    pub ignored: IgnoredRevisions<'a>,
    /// The repository that `GIT_DIR` names; without it, the one that contains each source.
    pub given: Option<&'a GivenRepository>,
    /// How many threads to use; the result is the same.
    pub threads: WalkThreads,
}

/// Which of a commit's two dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CommitTime {
    /// When the commit was made: what `%cI` of `git log` shows.
    #[default]
    Committer,
    /// When its author wrote it: `%aI`.
    Author,
}

/// The number of threads for the walk; more than two would be idle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WalkThreads {
    /// Only the caller's thread.
    One,
    /// A second thread if the history is long enough.
    #[default]
    Two,
}

/// Whether a pure rename, which leaves a file's content unchanged, counts as a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RenamePolicy {
    /// The file gets the date of the rename, as in `git log`.
    #[default]
    Change,
    /// The file keeps the date it had under its old name.
    Follow,
}

/// Commits to ignore, such as those that only reformat: an earlier commit dates the file instead.
///
/// A file that such a commit added still gets that commit's date.
#[derive(Debug, Clone, Copy, Default)]
pub struct IgnoredRevisions<'a> {
    /// A file in the format of Git's `blame.ignoreRevsFile`.
    pub file: Option<&'a Path>,
    /// Commit hashes, or unique prefixes of at least 4 digits.
    pub revisions: &'a [String],
}

/// A repository named by `GIT_DIR` and `GIT_WORK_TREE`.
#[derive(Debug, Clone)]
pub struct GivenRepository {
    /// Absolute path of the `.git` directory.
    pub git_dir: PathBuf,
    /// Absolute path of the work tree; without it, the one in the repository's configuration, else
    /// the parent directory of `git_dir`.
    pub work_tree: Option<PathBuf>,
}

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
    /// The commit that last changed it, but the file on disk differs from the committed one.
    Edited(Arc<LastChange>),
    /// The last change is at or beyond the boundary of a shallow clone, so its date is unknown.
    BeyondBoundary,
    /// The checked-out commit does not contain the file.
    Untracked,
    /// The history cannot be read far enough; the repository's report has the reason.
    Incomplete,
    /// The file is not in a repository.
    NoRepository,
}

/// A commit that changed a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LastChange {
    /// The commit hash.
    pub commit: ObjectId,
    /// Its date in seconds since 1970 UTC; 0 if the date is unreadable.
    pub seconds: i64,
    /// The UTC offset of the date, in minutes.
    pub offset_minutes: i16,
}

/// Facts about one repository of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepositoryReport {
    /// The directory that contains its `.git`.
    pub root: PathBuf,
    /// Whether it is a shallow clone.
    pub shallow: bool,
    /// How many times a commit was visited; a commit can be visited more than once.
    pub commits_visited: usize,
    /// The reason some of its sources have no date, if any.
    pub error: Option<RepositoryError>,
}

/// Finds the commit that last changed each source file.
///
/// Returns an error only for invalid options. If a repository cannot be read, its report has the
/// reason and its sources are [`FileHistory::Incomplete`].
pub fn date_sources(query: &HistoryQuery<'_>) -> Result<History, HistoryError> {
    let mut revisions = Revisions::read(&query.ignored)?;
    let mut given = query.given.map(open_given).transpose()?;
    let given_root = given
        .as_ref()
        .map(|repository| repository.work_tree().to_path_buf());
    let mut history = History {
        files: vec![FileHistory::NoRepository; query.sources.len()],
        ..History::default()
    };
    for (root, sources) in source_files::group(query.sources, given_root.as_deref()) {
        let mut report = RepositoryReport {
            root,
            shallow: false,
            commits_visited: 0,
            error: None,
        };
        let repository = match given.take_if(|given| given.work_tree() == report.root) {
            Some(given) => Ok(given),
            None => Repository::open(&report.root.join(".git"), None),
        };
        let answers = date_group(query, repository, &sources, &mut revisions, &mut report)?;
        for (source, answer) in sources.iter().zip(answers) {
            history.files[source.place] = answer;
        }
        history.repositories.push(report);
    }
    history.unknown_revisions = revisions.unknown();
    Ok(history)
}

fn open_given(given: &GivenRepository) -> Result<Repository, HistoryError> {
    let unusable = |trouble| HistoryError::UnusableGitDir {
        path: given.git_dir.clone(),
        trouble,
    };
    Repository::open(&given.git_dir, given.work_tree.as_deref()).map_err(unusable)
}

fn date_group(
    query: &HistoryQuery<'_>,
    repository: Result<Repository, RepositoryError>,
    sources: &[SourceFile<'_>],
    revisions: &mut Revisions,
    report: &mut RepositoryReport,
) -> Result<Vec<FileHistory>, HistoryError> {
    let opened = repository.and_then(|repository| Ok((repository.lineage()?, repository)));
    let answers = match opened {
        Ok((mut lineage, repository)) => {
            lineage.ignored = revisions.resolve(&repository, &report.root)?;
            report.shallow = !lineage.boundary.is_empty();
            RepositoryGroup {
                query,
                repository: &repository,
                lineage: &lineage,
                sources,
            }
            .date(report)
        }
        Err(trouble) => Err(trouble),
    };
    Ok(answers.unwrap_or_else(|trouble| {
        report.error = Some(trouble);
        vec![FileHistory::Incomplete; sources.len()]
    }))
}
