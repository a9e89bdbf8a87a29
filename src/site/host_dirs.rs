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
    output: PathBuf,
    failures: FailureLog,
}

impl HostDirs {
    /// Returns the directories for a site root and its output directory.
    pub(super) fn of(root: &Path, output: &Path, failures: &FailureLog) -> Self {
        Self {
            root: root.to_owned(),
            above: dirs_above(root, failures).unwrap_or_default(),
            output: output.to_owned(),
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
    pub(super) fn nearest_or_built(&self, name: &str) -> Option<PathBuf> {
        self.nearest(name).or_else(|| self.built(name))
    }

    /// Returns the file with this name in the output directory.
    pub(super) fn built(&self, name: &str) -> Option<PathBuf> {
        let built = self.output.join(name);
        self.failures.is_file(&built).then_some(built)
    }

    /// Returns the name of the output directory, if it has one.
    pub(super) fn output_name(&self) -> Option<String> {
        let output = self.failures.resolved(&self.output)?;
        let root = self.failures.resolved(&self.root)?;
        let name = output.file_name().filter(|_| output != root)?;
        Some(name.to_string_lossy().into_owned())
    }

    /// Returns the output directory, relative to the directory of a file.
    pub(super) fn output_from(&self, file: &Path) -> Option<PathBuf> {
        let dir = self.failures.resolved(file.parent()?)?;
        let output = self.failures.resolved(&self.output)?;
        output.strip_prefix(dir).map(Path::to_owned).ok()
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
