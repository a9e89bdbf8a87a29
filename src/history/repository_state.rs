//! What kind of repository lies round a folder, for people who ask what is seen. No history is walked.

use std::fmt;
use std::path::{Path, PathBuf};

use super::repository::Repository;
use super::{RepositoryError, repository_around};

/// A repository and what it lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepositoryState {
    /// The folder that holds its `.git`.
    pub root: PathBuf,
    /// What is there of its history.
    pub depth: Result<HistoryDepth, RepositoryError>,
}

/// What is there of a repository's history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HistoryDepth {
    /// Commits whose parents were not cloned; none in a deep clone.
    pub boundary_commits: usize,
    /// Whether objects were left out of the clone.
    pub is_partial: bool,
}

impl RepositoryState {
    /// Looks for the repository round a folder, as it is looked for to date the files there.
    pub fn round(folder: &Path) -> Option<Self> {
        let root = repository_around(folder)?;
        let opened = Repository::open(&root.join(".git"), None);
        let depth = opened.and_then(|repository| {
            let boundary_commits = repository.lineage()?.boundary.len();
            Ok(HistoryDepth {
                boundary_commits,
                is_partial: repository.is_partial(),
            })
        });
        Some(Self { root, depth })
    }
}

impl fmt::Display for HistoryDepth {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.boundary_commits {
            0 => out.write_str("its whole history")?,
            1 => out.write_str("a shallow clone that ends at 1 commit")?,
            count => write!(out, "a shallow clone that ends at {count} commits")?,
        }
        if self.is_partial {
            out.write_str(", objects left out")
        } else {
            Ok(())
        }
    }
}
