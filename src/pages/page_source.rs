//! The source of a page: the file that it is made from, and the step that found it.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::files::tree::{Tree, absolute};
use crate::site::page_metadata;
use page_signals::{Metadata, MetadataRequest};
use sitemaps::site_paths::SitePath;

/// How a page's source was found, most reliable first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceStep {
    /// A rule names it.
    Rule,
    /// The page names it.
    Hint,
    /// A source map names it.
    SourceMap,
    /// The generator's conventions, including front matter, give it.
    Convention,
    /// The page is copied unchanged from this file.
    Copied,
    /// An "edit this page" link points to it.
    EditLink,
    /// The site has no generator, so the page is its own source.
    Itself,
}

impl SourceStep {
    /// The identifier in output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Rule => "rule",
            Self::Hint => "hint",
            Self::SourceMap => "source_map",
            Self::Convention => "convention",
            Self::Copied => "copied",
            Self::EditLink => "edit_link",
            Self::Itself => "itself",
        }
    }
}

/// Source of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PageSource {
    /// A file, relative to the site root.
    File(SitePath, SourceStep),
    /// The page's own file: the site has no generator and contains the output directory.
    Itself,
}

impl PageSource {
    /// Returns how the source was found.
    pub fn step(&self) -> SourceStep {
        match self {
            Self::File(_, step) => *step,
            Self::Itself => SourceStep::Itself,
        }
    }

    /// Returns the source file, relative to the site root; `None` for a page that is its own
    /// source.
    pub fn file(&self) -> Option<&SitePath> {
        match self {
            Self::File(path, _) => Some(path),
            Self::Itself => None,
        }
    }

    /// Returns the path of the source on disk.
    pub(crate) fn on_disk(&self, dirs: &SourceDirs, page: &SitePath) -> PathBuf {
        dirs.on_disk(self.file(), page)
    }
}

/// Absolute paths of the source directories. The history is queried by absolute paths; this
/// computes them once, not once per page.
pub(crate) struct SourceDirs {
    pub(crate) site_root: PathBuf,
    pub(crate) output_dir: PathBuf,
    /// The same directory, to open its pages.
    pub(crate) output: Tree,
    /// The last directory that was looked up, and whether links lead from it out of the site.
    last_dir: Mutex<(PathBuf, bool)>,
}

impl SourceDirs {
    pub(crate) fn new(site_root: &Path, output: &Tree) -> Self {
        Self {
            site_root: absolute(site_root),
            output_dir: absolute(output.path()),
            output: output.clone(),
            last_dir: Mutex::default(),
        }
    }

    /// The path on disk of a source file, or of a page that is its own source.
    pub(crate) fn on_disk(&self, source: Option<&SitePath>, page: &SitePath) -> PathBuf {
        match source {
            Some(source) => source.below_dir(&self.site_root),
            None => page.below_dir(&self.output_dir),
        }
    }

    /// Whether links lead a file of the site out of it and its repository. Most sources are in the directory
    /// of the one before.
    pub(crate) fn is_linked_out(&self, file: &Path) -> bool {
        let dir = file.parent().unwrap_or(file);
        let mut last = self.last_dir.lock().expect("no thread panics with it");
        if last.0 != dir {
            *last = (dir.to_owned(), self.output.is_escaped_by(dir));
        }
        last.1 || file.is_symlink() && self.output.is_escaped_by(file)
    }

    /// Reads the metadata of a page that was read before.
    pub(crate) fn metadata(&self, page: &SitePath, sought: MetadataRequest) -> Metadata {
        page_metadata(&self.output, page, sought)
    }
}
