//! Writes files that the user or the CI pipeline names by path: reports, logs, settings.

use std::fs::{self, File, FileType};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use super::staging::{StagedPath, writing};
use super::{dir_changes, remove_if_exists};
use crate::publish::DiskError;
use site_paths::dir_handle::DirHandle;

/// Appends text to a file of the CI pipeline, outside the output directory: the outputs or the
/// summary of a step.
pub fn append(path: &Path, text: &str) -> Result<(), DiskError> {
    let file = File::options().append(true).create(true).open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|source| cannot_write(path, source))
}

/// Writes a file that the user requested by path, such as a report, in pieces, but completely or not
/// at all.
pub fn write_file_with(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), DiskError> {
    let buffered = |file: &File| {
        let mut file = BufWriter::new(file);
        write(&mut file)?;
        file.flush()
    };
    if is_special(path) {
        let opened = File::options().write(true).open(path);
        return opened
            .and_then(|file| buffered(&file))
            .map_err(|source| cannot_write(path, source));
    }
    if path.is_dir() {
        return Err(DiskError::IsDirectory {
            path: path.to_owned(),
        });
    }
    let (dir, name) = place_of(path)?;
    let staged = StagedPath::beside(&dir, name);
    let staged = staged.name().as_bytes();
    let _writing = writing();
    let put = dir_changes::create_file(&dir, staged)
        .and_then(|file| {
            buffered(&file)?;
            dir_changes::keep_permissions((&dir, name), &file)
        })
        .and_then(|()| dir_changes::rename((&dir, staged), (&dir, name)));
    put.or_else(|source| remove_if_exists(&dir, staged).and(Err(source)))
        .map_err(|source| cannot_write(path, source))
}

/// The open directory and the name of a file.
fn place_of(path: &Path) -> Result<(Arc<DirHandle>, &[u8]), DiskError> {
    let Some(name) = path.file_name() else {
        return Err(DiskError::NotAName {
            path: path.to_owned(),
        });
    };
    match dir_changes::dir_of(path) {
        Ok(dir) => Ok((Arc::new(dir), name.as_encoded_bytes())),
        Err(source) => Err(cannot_write(path, source)),
    }
}

fn cannot_write(path: &Path, source: io::Error) -> DiskError {
    DiskError::Write {
        path: path.to_owned(),
        source,
    }
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
    fs::create_dir_all(path).map_err(|source| cannot_write(path, source))
}

/// Creates a file, completely or not at all. If it already exists, leaves it unchanged and returns
/// an error.
pub fn create_file(path: &Path, bytes: &[u8]) -> Result<(), DiskError> {
    let (dir, name) = place_of(path)?;
    let staged = StagedPath::beside(&dir, name);
    let staged = staged.name().as_bytes();
    let _writing = writing();
    let created = dir_changes::create_file(&dir, staged)
        .and_then(|mut file| file.write_all(bytes))
        .and_then(|()| link_or_write(&dir, staged, name, bytes));
    remove_if_exists(&dir, staged)
        .and(created)
        .map_err(|source| cannot_write(path, source))
}

/// Gives a staged file its name, unless there is a file of this name. A file system without hard
/// links gets a second file.
fn link_or_write(dir: &DirHandle, staged: &[u8], name: &[u8], bytes: &[u8]) -> io::Result<()> {
    match dir_changes::link(dir, staged, name) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            dir_changes::create_file(dir, name)?.write_all(bytes)
        }
        result => result,
    }
}
