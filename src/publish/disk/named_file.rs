//! Writes files that the user or the CI pipeline names by path: reports, logs, settings.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::staged_file::{StagedFile, remove_if_exists};
use crate::findings::HintedError;
use crate::publish::disk_error::{cannot_write, is_directory, not_a_name};

/// Appends text to a file of the CI pipeline, outside the output directory: the outputs or the
/// summary of a step.
pub fn append(path: &Path, text: &str) -> Result<(), HintedError> {
    File::options()
        .append(true)
        .create(true)
        .open(path)
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|error| cannot_write(path, &error))
}

/// Writes a file that the user requested by path, such as a report, in pieces, but completely or not
/// at all.
pub fn write_file_with(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), HintedError> {
    let buffered = |file: &mut File| {
        let mut file = BufWriter::new(file);
        write(&mut file)?;
        file.flush()
    };
    if is_special(path) {
        let opened = File::options().write(true).open(path);
        return opened
            .and_then(|mut file| buffered(&mut file))
            .map_err(|error| cannot_write(path, &error));
    }
    if path.is_dir() {
        return Err(is_directory(path));
    }
    if path.file_name().is_none() {
        return Err(not_a_name(path));
    }
    StagedFile::create_elsewhere(path, buffered)
        .and_then(StagedFile::move_into_place)
        .map_err(|error| cannot_write(path, &error))
}

/// Whether a path is to be written in place: a device, a pipe, or a name that the system gives to
/// one, such as `/dev/stdout`. A link elsewhere is not followed, because the site's author may have
/// placed it.
fn is_special(path: &Path) -> bool {
    let is_of_system = ["/dev", "/proc"].iter().any(|dir| path.starts_with(dir));
    fs::symlink_metadata(path).is_ok_and(|metadata| {
        let kind = metadata.file_type();
        !(kind.is_file() || kind.is_dir() || kind.is_symlink())
    }) || is_of_system && path.exists() && !path.is_dir()
}

/// Creates a directory that the user requested by path, with its parents, unless it exists.
pub fn create_dir(path: &Path) -> Result<(), HintedError> {
    fs::create_dir_all(path).map_err(|error| cannot_write(path, &error))
}

/// Creates a file. If it already exists, leaves it unchanged and returns an error.
pub fn create_file(path: &Path, bytes: &[u8]) -> Result<(), HintedError> {
    let created = File::create_new(path).and_then(|mut file| {
        let written = file.write_all(bytes);
        written.or_else(|error| remove_if_exists(path).and(Err(error)))
    });
    created.map_err(|error| cannot_write(path, &error))
}
