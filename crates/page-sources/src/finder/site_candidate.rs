//! A directory that could be the site, and the command that selects it.

use std::path::{Path, PathBuf};

use sitemaps::site_paths::escaped;

/// A directory that could be the site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteCandidate {
    /// The site root.
    pub(super) root: PathBuf,
    /// The output directory.
    pub(super) output: PathBuf,
    /// The display name of the generator.
    pub(super) generator: Option<String>,
    /// Whether there is an output directory.
    pub(super) is_built: bool,
}

impl SiteCandidate {
    /// An output directory in a site root whose generator is unknown.
    pub(super) fn of_pages(root: &Path, output: PathBuf) -> Self {
        Self {
            root: root.to_owned(),
            output,
            generator: None,
            is_built: true,
        }
    }

    /// The command that selects this candidate, and what it is.
    pub(super) fn command(&self) -> String {
        let [root, output] = [&self.root, &self.output].map(|dir| shown(dir));
        match (&self.generator, self.is_built) {
            (Some(generator), true) => format!("`waypost {root}` ({generator})"),
            (Some(generator), false) => format!("`waypost {root}` ({generator}, not built)"),
            (None, _) => format!("`waypost -o {output}`"),
        }
    }
}

/// A path as the user would type it.
pub(super) fn shown(path: &Path) -> String {
    let path = path.strip_prefix(".").unwrap_or(path);
    escaped(&path.to_string_lossy()).into_owned()
}
