//! Flushes files and the names in directories to the disk.

use std::fs::File;
use std::io;
use std::path::Path;

use sitemaps::site_paths::io_failure::IoFailure;

/// Flushes a file, unless the file system cannot. A failure is not tried again: the system forgets
/// it, and the second attempt would succeed.
pub(super) fn flush(file: &File) -> io::Result<()> {
    match file.sync_all() {
        Err(error) if IoFailure::of(&error) != IoFailure::Machine => Ok(()),
        result => result,
    }
}

/// Flushes the names in a directory, where the platform can.
pub(super) fn flush_names(dir: &Path) -> io::Result<()> {
    if cfg!(unix) {
        flush(&File::open(dir)?)
    } else {
        Ok(())
    }
}
