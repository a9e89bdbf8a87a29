//! Finds files of the host in the site root or above it.

use crate::files::tree::Tree;
use std::path::{Path, PathBuf};

/// The directories that may have a host's files: the site root, then those above it, up to the top
/// of the repository.
#[derive(Debug)]
pub(crate) struct HostDirs {
    /// The site root.
    tree: Tree,
    /// The nearest first; empty outside a repository.
    above: Vec<PathBuf>,
    output: PathBuf,
}

impl HostDirs {
    /// Returns the directories for a site root, the top of its repository and its output directory.
    pub(super) fn new(tree: &Tree, top: Option<&Path>, output: &Path) -> Self {
        let mut above = Vec::new();
        if let (Some(root), Some(top)) = (tree.resolved(tree.path()), top) {
            let dirs = root.ancestors().skip(1);
            above.extend(
                dirs.take_while(|dir| dir.starts_with(top))
                    .map(Path::to_owned),
            );
        }
        Self {
            tree: tree.clone(),
            above,
            output: output.to_owned(),
        }
    }

    /// The site root, in which a host's file is looked for first.
    pub(super) fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Returns the nearest file with this name.
    pub(super) fn nearest(&self, name: &str) -> Option<PathBuf> {
        let own = self.tree.path().join(name);
        if self.tree.exists(&own) {
            return Some(own);
        }
        let mut above = self.above.iter().map(|dir| dir.join(name));
        above.find(|file| self.tree.is_file(file))
    }

    /// Returns the nearest file with this name, or else that in the output directory.
    pub(super) fn nearest_or_built(&self, name: &str) -> Option<PathBuf> {
        self.nearest(name).or_else(|| self.built(name))
    }

    /// Returns the file with this name in the output directory.
    pub(super) fn built(&self, name: &str) -> Option<PathBuf> {
        let built = self.output.join(name);
        self.tree.is_file(&built).then_some(built)
    }

    /// Returns the name of the output directory, if it has one.
    pub(super) fn output_name(&self) -> Option<String> {
        let output = self.tree.resolved(&self.output)?;
        let root = self.tree.resolved(self.tree.path())?;
        let name = output.file_name().filter(|_| output != root)?;
        Some(name.to_string_lossy().into_owned())
    }

    /// Returns the output directory, relative to the directory of a file.
    pub(super) fn output_from(&self, file: &Path) -> Option<PathBuf> {
        let dir = self.tree.resolved(file.parent()?)?;
        let output = self.tree.resolved(&self.output)?;
        output.strip_prefix(dir).map(Path::to_owned).ok()
    }
}
