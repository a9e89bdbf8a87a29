//! Follows a source that is a symbolic link to the files it refers to.
//!
//! Git tracks the link, whose history ends with its last target. A program that reads the source
//! follows the link, so a change of the target is a change of the source.

use std::path::{Path, PathBuf};

/// Limit for links in a chain, as in Linux (`MAXSYMLINKS`).
const MAX_LINKS: usize = 40;

/// The files of a chain of links after the first link. A directory is not part of it.
#[derive(Debug, Default)]
pub(super) struct LinkTargets {
    /// Those in the same repository.
    pub(super) files: Vec<PathBuf>,
    /// The first one elsewhere, if it exists. It may be a link again.
    pub(super) elsewhere: Option<PathBuf>,
}

impl LinkTargets {
    pub(super) fn of(link: &Path, work_tree: &Path) -> Self {
        let mut found = Self::default();
        let mut target = link.read_link().ok();
        while found.files.len() < MAX_LINKS
            && let Some(written) = target
        {
            let from = found.files.last().map_or(link, PathBuf::as_path);
            let Some(file) = resolve(from, &written) else {
                break;
            };
            if file.is_dir() {
                break;
            }
            if !is_in_repository(&file, work_tree) {
                found.elsewhere = file.exists().then_some(file);
                break;
            }
            target = file.read_link().ok();
            found.files.push(file);
        }
        found
    }
}

/// Resolves a target, but not the file at its end, which may be a link again.
fn resolve(link: &Path, target: &Path) -> Option<PathBuf> {
    let file = link.parent()?.join(target);
    let name = file.file_name()?;
    Some(file.parent()?.canonicalize().ok()?.join(name))
}

/// Whether no other repository is between a file and the work tree.
fn is_in_repository(file: &Path, work_tree: &Path) -> bool {
    file.ancestors()
        .skip(1)
        .find(|dir| *dir == work_tree || dir.join(".git").exists())
        == Some(work_tree)
}
