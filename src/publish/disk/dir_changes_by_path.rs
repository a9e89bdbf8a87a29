//! Changes of single entries in a directory by path, where the platform has no calls relative to an
//! open directory. No function follows a link at the name.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use site_paths::dir_handle::{DirHandle, EntryKind};
use site_paths::io_failure::retried;

/// Creates a directory that does not exist yet.
pub(super) fn create_dir(dir: &DirHandle, name: &[u8]) -> io::Result<()> {
    fs::create_dir(dir.path_of(name))
}

/// Creates a file that does not exist yet.
pub(super) fn create_file(dir: &DirHandle, name: &[u8]) -> io::Result<File> {
    File::create_new(dir.path_of(name))
}

/// Opens a file to flush it: Windows flushes only a file that may be written, which a read-only
/// sitemap is not.
pub(super) fn open_to_flush(dir: &DirHandle, name: &[u8]) -> io::Result<File> {
    let path = dir.path_of(name);
    let writable = File::options().write(true).open(&path);
    writable.or_else(|_| File::open(path))
}

/// Gives a new file the permissions of the file that it replaces, if there is one.
pub(super) fn keep_permissions(replaced: (&DirHandle, &[u8]), new: &File) -> io::Result<()> {
    match fs::symlink_metadata(replaced.0.path_of(replaced.1)) {
        Ok(metadata) if metadata.is_file() => new.set_permissions(metadata.permissions()),
        _ => Ok(()),
    }
}

/// Moves an entry, and replaces what has its new name.
pub(super) fn rename(from: (&DirHandle, &[u8]), to: (&DirHandle, &[u8])) -> io::Result<()> {
    fs::rename(from.0.path_of(from.1), to.0.path_of(to.1))
}

/// Gives a file a second name, which does not exist yet.
pub(super) fn link(dir: &DirHandle, name: &[u8], second_name: &[u8]) -> io::Result<()> {
    fs::hard_link(dir.path_of(name), dir.path_of(second_name))
}

/// Removes an entry that is not a directory.
pub(super) fn remove_file(dir: &DirHandle, name: &[u8]) -> io::Result<()> {
    fs::remove_file(dir.path_of(name))
}

/// Removes an entry with everything below it.
pub(super) fn remove_all(dir: &DirHandle, name: &[u8]) -> io::Result<()> {
    match retried(|| dir.metadata(name))?.kind {
        EntryKind::Dir => fs::remove_dir_all(dir.path_of(name)),
        _ => remove_file(dir, name),
    }
}

/// The names in a directory cannot be flushed.
#[expect(clippy::unnecessary_wraps, reason = "the Unix version can fail")]
pub(super) fn flush_names(_: &DirHandle) -> io::Result<()> {
    Ok(())
}

/// The directory as a file to lock.
pub(super) fn lockable(dir: &DirHandle) -> io::Result<File> {
    File::open(dir.path())
}

/// Opens the directory that a file named by the user is in.
pub(super) fn dir_of(path: &Path) -> io::Result<DirHandle> {
    DirHandle::open(path.parent().unwrap_or(Path::new("")))
}
