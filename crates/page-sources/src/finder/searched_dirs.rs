//! The directories that a search for sites looks into.

use std::ffi::OsStr;
use std::fs::DirEntry;
use std::path::{Path, PathBuf};

use sitemaps::site_paths::io_failure::FailureLog;

/// Directories that contain no site of the project: packages, build results, tests, templates.
const NOT_SEARCHED: [&str; 18] = [
    "__tests__",
    "bower_components",
    "coverage",
    "example",
    "examples",
    "fixtures",
    "layouts",
    "node_modules",
    "spec",
    "starters",
    "target",
    "templates",
    "test",
    "testdata",
    "tests",
    "themes",
    "vendor",
    "venv",
];

/// Whether a directory of this name may contain a site.
pub(super) fn is_searched(name: &OsStr) -> bool {
    let is_searched = |name: &str| !name.starts_with('.') && !NOT_SEARCHED.contains(&name);
    name.to_str().is_none_or(is_searched)
}

/// The directories in a directory that may contain a site, sorted. Links are not followed.
pub(super) fn dirs_in(dir: &Path, failures: &FailureLog) -> Vec<PathBuf> {
    let is_dir = |entry: &DirEntry| {
        let kind = failures.note(&entry.path(), entry.file_type());
        kind.is_ok_and(|kind| kind.is_dir())
    };
    let mut dirs: Vec<PathBuf> = failures
        .entries(dir)
        .into_iter()
        .filter(is_dir)
        .filter(|entry| is_searched(&entry.file_name()))
        .map(|entry| entry.path())
        .collect();
    dirs.sort();
    dirs
}
