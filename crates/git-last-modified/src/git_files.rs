//! Checks Git's own files before gix reads them.
//!
//! A clone does not bring such files along, but an archive or a cache may. gix reads each file as a
//! whole, so none may be a pipe, a device or larger than memory.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::git_notation::{alternates, git_dir_named_in, native};
use super::io_failure::retried;
use super::limits;

/// Size limit for `packed-refs`: a reference takes some 70 bytes, and clones can have 100,000s.
const MAX_PACKED_REFS_BYTES: u64 = 64 << 20;

/// How many symbolic references to follow: the limit of Git (`SYMREF_MAXDEPTH` in refs-internal.h)
/// and gix.
const MAX_SYMREF_DEPTH: usize = 5;

/// Size limit for configurations: gix needs 160 times as much memory. Git's own have some kilobytes.
const MAX_CONFIG_BYTES: u64 = 2 << 20;

/// How many object directories a repository may borrow from. Git follows them five levels deep and
/// needs one; gix compares each with all others.
const MAX_ALTERNATES: usize = 1000;

/// Size limit for files that are mapped into memory instead of being read.
const ANY_SIZE: u64 = u64::MAX;

/// Error with the file that it is about.
#[derive(Debug, Error)]
#[error("`{}`: {source}", path.display())]
pub(super) struct FileError {
    pub(super) path: PathBuf,
    pub(super) source: io::Error,
}

/// Checks the files that gix reads to open a repository and its packs; [`check_index`] checks the
/// index. Does not check that they form a valid repository.
pub(super) fn check(dot_git: &Path) -> io::Result<()> {
    let (git_dir, common_dir) = check_head(dot_git)?;
    for file in [git_dir.join("config.worktree"), common_dir.join("config")] {
        check_file(&file, MAX_CONFIG_BYTES)?;
    }
    check_file(&common_dir.join("shallow"), limits::MAX_FILE_BYTES)?;
    check_file(&common_dir.join("packed-refs"), MAX_PACKED_REFS_BYTES)?;
    check_objects(&common_dir.join("objects"))
}

/// Checks the files that identify a repository: `gitdir`, `commondir`, `HEAD` and its references.
///
/// Returns the Git directory of this worktree and the one that all worktrees share.
pub(super) fn check_head(dot_git: &Path) -> io::Result<(PathBuf, PathBuf)> {
    let git_dir = if retried(|| fs::metadata(dot_git)).is_ok_and(|found| found.is_file()) {
        git_dir_named_in(dot_git)?
    } else {
        dot_git.to_path_buf()
    };
    check_file(&git_dir.join("gitdir"), limits::MAX_FILE_BYTES)?;
    let common_dir = match read(&git_dir.join("commondir"))? {
        Some(text) => git_dir.join(native(text.trim_ascii_end())?),
        None => git_dir.clone(),
    };
    let mut name = PathBuf::from("HEAD");
    for _ in 0..=MAX_SYMREF_DEPTH {
        let text = match read(&git_dir.join(&name))? {
            Some(text) => Some(text),
            None => read(&common_dir.join(&name))?,
        };
        let Some(target) = text.as_deref().and_then(|text| text.strip_prefix(b"ref:")) else {
            break;
        };
        name = native(target.trim_ascii())?;
    }
    Ok((git_dir, common_dir))
}

/// Checks the packs of an object directory and of all its alternates.
fn check_objects(objects: &Path) -> io::Result<()> {
    for dir in alternates_of(objects)? {
        check_files(&dir.join("pack"), |_| true)?;
    }
    Ok(())
}

/// Returns an object directory and all its alternates, or only the former if these cannot be read.
pub(super) fn object_dirs(objects: &Path) -> Vec<PathBuf> {
    alternates_of(objects).unwrap_or_else(|_| vec![objects.to_owned()])
}

/// Returns an object directory and all its alternates.
fn alternates_of(objects: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let mut dirs = vec![objects.to_path_buf()];
    let mut listed = 0;
    while let Some(dir) = dirs.pop() {
        // gix rejects alternates that form a cycle.
        if !seen.insert(dir.canonicalize().unwrap_or_else(|_| dir.clone())) {
            continue;
        }
        if let Some(list) = read(&dir.join("info/alternates"))? {
            let alternates = alternates(&list)?;
            listed += alternates.len();
            if listed > MAX_ALTERNATES {
                return Err(io::Error::other(format!(
                    "it borrows objects from more than {MAX_ALTERNATES} directories"
                )));
            }
            dirs.extend(
                alternates
                    .into_iter()
                    .map(|alternate| objects.join(alternate)),
            );
        }
        found.push(dir);
    }
    Ok(found)
}

/// Checks the files of a commit-graph in a directory `objects/info`.
pub(super) fn check_graphs(info: &Path) -> io::Result<()> {
    check_file(&info.join("commit-graph"), ANY_SIZE)?;
    check_files(&info.join("commit-graphs"), |_| true)
}

/// Checks the index and the shared indices that it may refer to.
pub(super) fn check_index(index: &Path) -> io::Result<()> {
    check_file(index, ANY_SIZE)?;
    let is_shared = |name: &str| name.starts_with("sharedindex.");
    index
        .parent()
        .map_or(Ok(()), |git_dir| check_files(git_dir, is_shared))
}

/// Checks files that are mapped into memory; they may have any size.
fn check_files(dir: &Path, is_read: impl Fn(&str) -> bool) -> io::Result<()> {
    let list = || -> io::Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for file in dir.read_dir()? {
            let file = file?;
            if is_read(&file.file_name().to_string_lossy()) {
                files.push(file.path());
            }
        }
        Ok(files)
    };
    for file in if_exists(dir, retried(list))?.unwrap_or_default() {
        check_file(&file, ANY_SIZE)?;
        // gix leaves out a pack that it cannot open, as if its objects did not exist.
        if_exists(&file, retried(|| File::open(&file)))?;
    }
    Ok(())
}

fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    if_exists(path, limits::read(path, limits::MAX_FILE_BYTES))
}

fn check_file(path: &Path, most: u64) -> io::Result<()> {
    if_exists(path, limits::check(path, most)).map(drop)
}

/// Turns a missing file into `None`.
///
/// All of these files are optional. A reference's path can also be a directory, if other
/// references are named below it.
fn if_exists<T>(path: &Path, result: io::Result<T>) -> io::Result<Option<T>> {
    let is_absent = |error: &io::Error| {
        matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) || path.is_dir()
    };
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if is_absent(&error) => Ok(None),
        Err(source) => {
            let path = path.to_path_buf();
            Err(io::Error::new(source.kind(), FileError { path, source }))
        }
    }
}
