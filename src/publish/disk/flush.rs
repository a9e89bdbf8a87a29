//! Flushes open files to the disk.

use std::fs::File;
use std::io;

use site_paths::io_failure::IoFailure;

/// Flushes a file to the disk, unless the file system cannot. A failure is not tried again: the
/// system forgets it, and the second attempt would succeed.
pub(super) fn flush(file: &File) -> io::Result<()> {
    match file.sync_all() {
        Err(error) if IoFailure::of(&error) != IoFailure::Machine => Ok(()),
        result => result,
    }
}
