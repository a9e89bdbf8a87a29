//! Writes files that the user or the CI pipeline names by path: reports, logs, settings.

use std::fs::{self, File, FileType};
use std::io::{self, Write};
use std::path::Path;

use super::staging::{StagedPath, writing};
use super::{copy_new, keep_permissions, remove_if_exists};
use crate::publish::DiskError;

/// Appends text to a file of the CI pipeline, outside the output directory: the outputs or the
/// summary of a step.
pub fn append(path: &Path, text: &str) -> Result<(), DiskError> {
    let file = File::options().append(true).create(true).open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|source| DiskError::Write {
            path: path.to_owned(),
            source,
        })
}

/// Writes a file that the user requested by path (a report, a log of findings), completely or not
/// at all.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), DiskError> {
    let failed = |source| DiskError::Write {
        path: path.to_owned(),
        source,
    };
    if is_special(path) {
        let opened = File::options().write(true).open(path);
        return opened
            .and_then(|mut file| file.write_all(bytes))
            .map_err(failed);
    }
    if path.is_dir() {
        return Err(DiskError::IsDirectory {
            path: path.to_owned(),
        });
    }
    let staged = StagedPath::beside(path)?;
    let _writing = writing();
    let put = File::create_new(&staged)
        .and_then(|mut file| file.write_all(bytes))
        .and_then(|()| keep_permissions(path, &staged))
        .and_then(|()| fs::rename(&staged, path));
    put.or_else(|source| remove_if_exists(&staged).and(Err(source)))
        .map_err(failed)
}

/// Whether a path is to be written in place: a device, a pipe, or a name that the system gives to
/// one, such as `/dev/stdout`. A link elsewhere is not followed, because the site's author may have
/// placed it.
fn is_special(path: &Path) -> bool {
    let is_of_system = ["/dev", "/proc"].iter().any(|dir| path.starts_with(dir));
    let metadata = fs::symlink_metadata(path);
    let is_ordinary = |kind: FileType| kind.is_file() || kind.is_dir() || kind.is_symlink();
    metadata.is_ok_and(|metadata| !is_ordinary(metadata.file_type()))
        || is_of_system && path.exists() && !path.is_dir()
}

/// Creates a directory that the user requested by path, with its parents, unless it exists.
pub fn create_dir(path: &Path) -> Result<(), DiskError> {
    fs::create_dir_all(path).map_err(|source| DiskError::Write {
        path: path.to_owned(),
        source,
    })
}

/// Creates a file, completely or not at all. If it already exists, leaves it unchanged and returns
/// an error.
pub fn create_file(path: &Path, bytes: &[u8]) -> Result<(), DiskError> {
    let failed = |source| DiskError::Write {
        path: path.to_owned(),
        source,
    };
    let staged = StagedPath::beside(path)?;
    let _writing = writing();
    let created = File::create_new(&staged)
        .and_then(|mut file| file.write_all(bytes))
        .and_then(|()| keep_first(&staged, path));
    remove_if_exists(&staged).and(created).map_err(failed)
}

/// Gives a staged file its name, unless there is a file of this name.
fn keep_first(staged: &Path, path: &Path) -> io::Result<()> {
    match fs::hard_link(staged, path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => copy_new(staged, path),
        result => result,
    }
}
