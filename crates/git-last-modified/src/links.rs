//! Follows a source that is a symbolic link to the files it refers to.
//!
//! Git tracks the link, whose history ends with its last target. A program that reads the source
//! follows the link, so a change of the target is a change of the source.

use std::path::{Path, PathBuf};

/// Limit for links in a chain, as in Linux (`MAXSYMLINKS`).
const MAX_LINKS: usize = 40;

/// Returns the files of a chain of links after the first link, as far as they are in the same
/// repository. A directory is not part of the chain.
pub(super) fn targets(link: &Path, work_tree: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = Vec::new();
    let mut target = link.read_link().ok();
    while files.len() < MAX_LINKS
        && let Some(written) = target
    {
        let from = files.last().map_or(link, PathBuf::as_path);
        let Some(file) = resolve(from, &written) else {
            break;
        };
        if file.is_dir() || !is_in_repository(&file, work_tree) {
            break;
        }
        target = file.read_link().ok();
        files.push(file);
    }
    files
}

/// Resolves a target, but not the file at its end, which may be a link again.
fn resolve(link: &Path, target: &Path) -> Option<PathBuf> {
    let file = link.parent()?.join(target);
    let name = file.file_name()?;
    Some(file.parent()?.canonicalize().ok()?.join(name))
}

/// Whether no other repository is between a file and the work tree.
fn is_in_repository(file: &Path, work_tree: &Path) -> bool {
    let mut dirs = file.ancestors().skip(1);
    let is_other = |dir: &&Path| *dir == work_tree || dir.join(".git").exists();
    dirs.find(is_other) == Some(work_tree)
}
