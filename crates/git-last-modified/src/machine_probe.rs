//! Looks for a failure of the machine behind an error that looks like damage: gix takes a file or
//! directory that it cannot examine for one that does not exist.
//!
//! Runs only after such an error, so its cost does not matter.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use super::git_files::{self, FileError};
use super::io_failure::{IoFailure, retried};
use super::object_id::ObjectId;
use super::repository_error::RepositoryError;

/// Returns the failure behind an error of the repository at `dot_git`, or else the error itself.
pub(super) fn cause_of(error: RepositoryError, dot_git: &Path) -> RepositoryError {
    if error.is_io_failure() {
        return error;
    }
    let object = match &error {
        RepositoryError::Missing(id) | RepositoryError::Damaged { id, .. } => Some(*id),
        _ => None,
    };
    let failure = failure_in(dot_git, object);
    explained_by(failure, error)
}

/// Returns the failure because of which an object was not found, or else the error itself.
pub(super) fn cause_in_objects(
    error: RepositoryError,
    objects: &Path,
    object: Option<ObjectId>,
) -> RepositoryError {
    let mut dirs = git_files::object_dirs(objects).into_iter();
    let failure = dirs.find_map(|dir| failure_in_objects(&dir, object));
    explained_by(failure, error)
}

fn explained_by(failure: Option<FileError>, error: RepositoryError) -> RepositoryError {
    let Some(failure) = failure else { return error };
    let failure = io::Error::other(failure);
    RepositoryError::of(&failure, failure.to_string(), |_| error)
}

/// Finds a file of a repository that the machine fails to read.
pub(super) fn failure_in(dot_git: &Path, object: Option<ObjectId>) -> Option<FileError> {
    let (git_dir, common_dir) = match git_files::check_head(dot_git) {
        Ok(dirs) => dirs,
        Err(source) => return of_machine(dot_git, source),
    };
    let own = [git_dir.join("HEAD"), common_dir.join("packed-refs")];
    let dirs = [common_dir.join("refs"), common_dir.join("refs/heads")];
    let found = own.into_iter().chain(dirs).find_map(|path| probe(&path));
    let objects = || {
        let mut dirs = git_files::object_dirs(&common_dir.join("objects")).into_iter();
        dirs.find_map(|dir| failure_in_objects(&dir, object))
    };
    found.or_else(objects)
}

fn failure_in_objects(dir: &Path, object: Option<ObjectId>) -> Option<FileError> {
    let loose = object.map(|id| {
        let hex = id.to_string();
        dir.join(&hex[..2]).join(&hex[2..])
    });
    let pack = dir.join("pack");
    let dirs = [dir.to_owned(), pack.clone()];
    let packs = || entries(&pack).unwrap_or_default();
    let mut first = dirs.into_iter().chain(loose);
    first
        .find_map(|path| probe(&path))
        .or_else(|| packs().into_iter().find_map(|path| probe(&path)))
}

/// Reads the beginning of a file, or lists a directory.
fn probe(path: &Path) -> Option<FileError> {
    let read = || {
        let metadata = fs::metadata(path)?;
        if metadata.is_dir() {
            entries(path)?;
        } else if metadata.is_file() {
            File::open(path)?.read(&mut [0]).map(drop)?;
        }
        Ok(())
    };
    retried(read)
        .err()
        .and_then(|error| of_machine(path, error))
}

fn entries(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(dir)?;
    entries.map(|entry| Ok(entry?.path())).collect()
}

fn of_machine(path: &Path, source: io::Error) -> Option<FileError> {
    let is_failure = IoFailure::behind(&source).is_some();
    is_failure.then(|| FileError {
        path: path.to_owned(),
        source,
    })
}
