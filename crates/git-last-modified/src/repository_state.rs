//! Describes the repository that contains a directory, without walking its history.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::repository::Repository;
use super::{RepositoryError, enclosing_repository};

/// A repository and how complete its history is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepositoryState {
    /// The directory that contains its `.git`.
    pub root: PathBuf,
    /// How complete its history is.
    pub depth: Result<HistoryDepth, RepositoryError>,
}

/// How complete the history of a repository is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HistoryDepth {
    /// Commits whose parents were not fetched; 0 in a complete clone.
    pub boundary_commits: usize,
    /// Whether it is a partial clone, which lacks some objects.
    pub is_partial: bool,
}

impl RepositoryState {
    /// Finds the repository that contains a directory, as for dating the files there. It is an error
    /// if the machine fails.
    pub fn containing(dir: &Path) -> io::Result<Option<Self>> {
        let Some(root) = enclosing_repository(dir)? else {
            return Ok(None);
        };
        let opened = Repository::open(&root);
        let depth = opened.and_then(|repository| {
            let boundary_commits = repository.lineage()?.boundary.len();
            Ok(HistoryDepth {
                boundary_commits,
                is_partial: repository.is_partial(),
            })
        });
        Ok(Some(Self { root, depth }))
    }
}

impl fmt::Display for HistoryDepth {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.boundary_commits {
            0 => out.write_str("complete history")?,
            1 => out.write_str("shallow clone with 1 boundary commit")?,
            count => write!(out, "shallow clone with {count} boundary commits")?,
        }
        if self.is_partial {
            out.write_str(", some objects not fetched")
        } else {
            Ok(())
        }
    }
}
