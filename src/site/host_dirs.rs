//! Finds files of the host in the site root or above it.

use std::path::{Path, PathBuf};

use sitemaps::site_paths::io_failure::FailureLog;

/// The directories that may have a host's files: the site root, then those above it, up to the top
/// of the repository.
#[derive(Debug)]
pub(crate) struct HostDirs {
    root: PathBuf,
    /// The nearest first; empty outside a repository.
    above: Vec<PathBuf>,
    failures: FailureLog,
}

impl HostDirs {
    /// Returns the directories for a site root.
    pub(super) fn of(root: &Path, failures: &FailureLog) -> Self {
        Self {
            root: root.to_owned(),
            above: dirs_above(root, failures).unwrap_or_default(),
            failures: failures.clone(),
        }
    }

    /// Remembers the failures of the machine while a host's file is looked for or read.
    pub(super) fn failures(&self) -> &FailureLog {
        &self.failures
    }

    /// Returns the nearest file with this name.
    pub(super) fn nearest(&self, name: &str) -> Option<PathBuf> {
        let own = self.root.join(name);
        if self.failures.exists(&own) {
            return Some(own);
        }
        let mut above = self.above.iter().map(|dir| dir.join(name));
        above.find(|file| self.failures.is_file(file))
    }

    /// Returns the nearest file with this name, or else that in the output directory.
    pub(super) fn nearest_or_built(&self, name: &str, output: &Path) -> Option<PathBuf> {
        let built = output.join(name);
        let is_built = || self.failures.is_file(&built);
        self.nearest(name)
            .or_else(|| is_built().then_some(built.clone()))
    }
}

fn dirs_above(root: &Path, failures: &FailureLog) -> Option<Vec<PathBuf>> {
    let root = failures.resolved(root)?;
    let top = root
        .ancestors()
        .find(|dir| failures.exists(&dir.join(".git")))?;
    let above = root.ancestors().skip(1);
    Some(
        above
            .take_while(|dir| dir.starts_with(top))
            .map(Path::to_owned)
            .collect(),
    )
}
