//! The directories that a search for sites looks into.

use std::fs;
use std::path::{Path, PathBuf};

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

/// The directories in a directory that may contain a site, sorted. Links are not followed.
pub(super) fn dirs_in(dir: &Path) -> Vec<PathBuf> {
    let is_searched = |name: &str| !name.starts_with('.') && !NOT_SEARCHED.contains(&name);
    let Ok(entries) = fs::read_dir(dir) else {
        return Vec::new();
    };
    let mut dirs: Vec<PathBuf> = entries
        .flatten()
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .filter(|entry| entry.file_name().to_str().is_none_or(is_searched))
        .map(|entry| entry.path())
        .collect();
    dirs.sort();
    dirs
}
