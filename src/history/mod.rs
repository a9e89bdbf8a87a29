//! Repository + source files → the commit that last changed each: one walk over the history, no blob read, no git run.
//!
//! The room knows of files and commits, not of pages, and not of what a sitemap can hold. It answers exactly what
//! `git log -1 -- PATH` does, or says why there is no answer; a date that is not known to be true is never given.
//!
//! Road: [`sources`] finds the repository of each file, [`repository`] opens it, [`walk`] carries the paths from commit to
//! commit with [`compare`] telling which of them changed.

mod commit;
mod compare;
mod object_id;
mod paths;
mod repository;
mod sources;
mod tree;
mod trie;
mod trouble;
mod walk;

use std::path::PathBuf;

pub use object_id::ObjectId;
pub use trouble::Trouble;

use crate::config::CommitTime;
use repository::Repository;
use sources::Source;
use trie::Trie;
use walk::{Task, Walked};

/// What is asked of the history.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// Absolute paths of files.
    pub sources: &'a [PathBuf],
    /// Which of a commit's two dates.
    pub time: CommitTime,
}

/// What the history says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct History {
    /// One for each source, in the order of the question.
    pub answers: Vec<Answer>,
    /// The repositories that were looked into, sorted by their folder.
    pub repositories: Vec<RepositoryReport>,
}

/// What the history says of one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// This commit last changed it.
    Changed(Change),
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
pub struct Change {
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
    pub trouble: Option<Trouble>,
}

/// Finds the commit that last changed each source file.
pub fn date_sources(question: &Question<'_>) -> History {
    let mut history = History { answers: vec![Answer::NoRepository; question.sources.len()], repositories: Vec::new() };
    for (root, group) in sources::group(question.sources) {
        let mut report = RepositoryReport { root, shallow: false, commits_visited: 0, trouble: None };
        if let Err(trouble) = date_group(question, &group, &mut report, &mut history.answers) {
            group.iter().for_each(|source| history.answers[source.place] = Answer::Incomplete);
            report.trouble = Some(trouble);
        }
        history.repositories.push(report);
    }
    history
}

fn date_group(
    question: &Question<'_>,
    group: &[Source],
    report: &mut RepositoryReport,
    answers: &mut [Answer],
) -> Result<(), Trouble> {
    let repository = Repository::open(&report.root)?;
    let paths: Vec<_> = group.iter().map(|source| sources::path_in(repository.work_tree(), &source.path)).collect();
    let trie = Trie::new(paths.iter().flatten().cloned().collect());
    let boundary = repository.boundary()?;
    report.shallow = !boundary.is_empty();
    let walked = match repository.head()? {
        Some(head) => {
            let task = Task { trie: &trie, time: question.time, boundary: &boundary };
            walk::walk(&task, &mut repository.objects(), &head)
        }
        None => Walked { answers: vec![Answer::Untracked; trie.len()], commits_visited: 0, trouble: None },
    };
    for (source, path) in group.iter().zip(&paths) {
        let number = path.as_ref().and_then(|path| trie.number(path));
        answers[source.place] = number.map_or(Answer::Untracked, |number| walked.answers[number as usize]);
    }
    report.commits_visited = walked.commits_visited;
    report.trouble = walked.trouble;
    Ok(())
}
