//! Repository + source files → the commit that last changed each: one walk over the history, no blob read, no git run.
//!
//! The room knows of files and commits, not of pages, and not of what a sitemap can hold. It answers exactly what
//! `git log -1 -- PATH` does, or says why there is no answer; a date that is not known to be true is never given.
//!
//! Road: `sources` finds the repository of each file, `repository` opens it, `group` looks up what is checked out, and
//! `walk` carries the paths from commit to commit, with `compare` telling which of them changed in between.

mod attributes;
mod commit;
mod commit_subject;
mod committed_spelling;
mod compare;
mod error;
mod git_files;
mod lineage;
mod lookup;
mod object_id;
mod objects;
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
pub use source_files::repository_around;

use crate::config::CommitTime;
use repository::Repository;
use repository_group::RepositoryGroup;
use revisions::Revisions;
use source_files::SourceFile;

/// What is asked of the history.
#[derive(Debug, Clone, Copy, Default)]
pub struct HistoryQuery<'a> {
    /// Absolute paths of files.
    pub sources: &'a [PathBuf],
    /// Which of a commit's two dates.
    pub time: CommitTime,
    /// What a move counts as.
    pub moves: RenamePolicy,
    /// Commits to pass over.
    pub ignored: IgnoredRevisions<'a>,
    /// The repository that git names in the environment of its hooks; without it, the one around each source is taken.
    pub given: Option<&'a GivenRepository>,
    /// How many threads may work on it; the answers are the same.
    pub threads: WalkThreads,
}

/// Threads that walk the history; more than two have nothing to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WalkThreads {
    /// The caller's own.
    One,
    /// One more where the history is long enough.
    #[default]
    Two,
}

/// Whether a pure move, which changes a file's name and nothing in it, counts as a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RenamePolicy {
    /// The file has the date of the move, as `git log` has it.
    #[default]
    Change,
    /// The file keeps the date that it had under its old name.
    Follow,
}

/// Commits to pass over, such as those that only reformat: what they changed was last changed by an earlier commit.
///
/// A file that such a commit added keeps that commit's date.
#[derive(Debug, Clone, Copy, Default)]
pub struct IgnoredRevisions<'a> {
    /// A file in the form of git's `blame.ignoreRevsFile`.
    pub file: Option<&'a Path>,
    /// Hashes, or unique beginnings of at least 4 digits.
    pub revisions: &'a [String],
}

/// A repository named by `GIT_DIR` and `GIT_WORK_TREE`.
#[derive(Debug, Clone)]
pub struct GivenRepository {
    /// Absolute path of the `.git` folder.
    pub git_dir: PathBuf,
    /// Absolute path of the folder of its files; without it, what the repository's own configuration says, else the
    /// folder around `git_dir`.
    pub work_tree: Option<PathBuf>,
}

/// What the history says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct History {
    /// One for each source, in the order of the question.
    pub answers: Vec<FileHistory>,
    /// The repositories that were looked into, sorted by their folder.
    pub repositories: Vec<RepositoryReport>,
    /// Commits to pass over that no repository has.
    pub unknown_revisions: Vec<ListedRevision>,
}

/// What the history says of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileHistory {
    /// This commit last changed it; all files that it was the last to change share it.
    Changed(Arc<LastChange>),
    /// This commit last changed it, but the file on disk has other bytes than the one that is checked out.
    Edited(Arc<LastChange>),
    /// Its last change lies at or beyond the boundary of a shallow clone, so that nobody can tell when it was.
    BeyondBoundary,
    /// The commit that is checked out does not have it.
    Untracked,
    /// The history could not be read as far as needed; the repository's report says why.
    Incomplete,
    /// It lies in no repository.
    NoRepository,
}

/// A commit that changed a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LastChange {
    /// The commit.
    pub commit: ObjectId,
    /// Its date in seconds since 1970 UTC; 0 where the commit holds no readable date.
    pub seconds: i64,
    /// The offset from UTC that its writer's clock had, in minutes.
    pub offset_minutes: i16,
}

/// What is to be said of one repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepositoryReport {
    /// The folder that holds its `.git`.
    pub root: PathBuf,
    /// Whether its history is cut off.
    pub shallow: bool,
    /// How many times a commit was visited.
    pub commits_visited: usize,
    /// Why some of its sources have no answer, if so.
    pub trouble: Option<RepositoryError>,
}

/// Finds the commit that last changed each source file.
///
/// Only mistakes in the question are errors. What keeps a repository from answering stands in its report, and its
/// sources are [`Answer::Incomplete`].
pub fn date_sources(question: &HistoryQuery<'_>) -> Result<History, HistoryError> {
    let mut revisions = Revisions::read(&question.ignored)?;
    let mut given = question.given.map(open_given).transpose()?;
    let given_root = given
        .as_ref()
        .map(|repository| repository.work_tree().to_path_buf());
    let mut history = History {
        answers: vec![FileHistory::NoRepository; question.sources.len()],
        ..History::default()
    };
    for (root, sources) in source_files::group(question.sources, given_root.as_deref()) {
        let mut report = RepositoryReport {
            root,
            shallow: false,
            commits_visited: 0,
            trouble: None,
        };
        let repository = match given.take_if(|given| given.work_tree() == report.root) {
            Some(given) => Ok(given),
            None => Repository::open(&report.root.join(".git"), None),
        };
        let answers = date_group(question, repository, &sources, &mut revisions, &mut report)?;
        for (source, answer) in sources.iter().zip(answers) {
            history.answers[source.place] = answer;
        }
        history.repositories.push(report);
    }
    history.unknown_revisions = revisions.unknown();
    Ok(history)
}

fn open_given(given: &GivenRepository) -> Result<Repository, HistoryError> {
    let unusable = |trouble| HistoryError::NoGivenRepository {
        path: given.git_dir.clone(),
        trouble,
    };
    Repository::open(&given.git_dir, given.work_tree.as_deref()).map_err(unusable)
}

fn date_group(
    question: &HistoryQuery<'_>,
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
                question,
                repository: &repository,
                lineage: &lineage,
                sources,
            }
            .date(report)
        }
        Err(trouble) => Err(trouble),
    };
    Ok(answers.unwrap_or_else(|trouble| {
        report.trouble = Some(trouble);
        vec![FileHistory::Incomplete; sources.len()]
    }))
}
