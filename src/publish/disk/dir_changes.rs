//! Changes of single entries in an open directory. No function follows a link.

use std::fs::File;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use rustix::fs::{
    AtFlags, FileType, Mode, OFlags, fchmod, linkat, mkdirat, openat, renameat, statat, unlinkat,
};

use super::flush::flush;
use site_paths::dir_handle::{DirHandle, EntryKind};
use site_paths::io_failure::retried;

/// Creates a directory that does not exist yet.
pub(super) fn create_dir(dir: &DirHandle, name: &[u8]) -> io::Result<()> {
    Ok(mkdirat(
        dir.as_file(),
        name,
        Mode::from_bits_truncate(0o777),
    )?)
}

/// Creates a file that does not exist yet.
pub(super) fn create_file(dir: &DirHandle, name: &[u8]) -> io::Result<File> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
    let mode = Mode::from_bits_truncate(0o666);
    Ok(openat(dir.as_file(), name, flags, mode)?.into())
}

/// Opens a file to flush it.
pub(super) fn open_to_flush(dir: &DirHandle, name: &[u8]) -> io::Result<File> {
    dir.file(name)
}

/// Gives a new file the permissions of the file that it replaces, if there is one.
pub(super) fn keep_permissions(replaced: (&DirHandle, &[u8]), new: &File) -> io::Result<()> {
    let flags = AtFlags::SYMLINK_NOFOLLOW;
    match statat(replaced.0.as_file(), replaced.1, flags) {
        Ok(stat) if FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile => {
            Ok(fchmod(new, Mode::from_raw_mode(stat.st_mode))?)
        }
        _ => Ok(()),
    }
}

/// Moves an entry, and replaces what has its new name.
pub(super) fn rename(from: (&DirHandle, &[u8]), to: (&DirHandle, &[u8])) -> io::Result<()> {
    Ok(renameat(from.0.as_file(), from.1, to.0.as_file(), to.1)?)
}

/// Gives a file a second name, which does not exist yet.
pub(super) fn link(dir: &DirHandle, name: &[u8], second_name: &[u8]) -> io::Result<()> {
    let dir = dir.as_file();
    Ok(linkat(dir, name, dir, second_name, AtFlags::empty())?)
}

/// Removes an entry that is not a directory.
pub(super) fn remove_file(dir: &DirHandle, name: &[u8]) -> io::Result<()> {
    Ok(unlinkat(dir.as_file(), name, AtFlags::empty())?)
}

/// Removes an entry with everything below it.
pub(super) fn remove_all(dir: &DirHandle, name: &[u8]) -> io::Result<()> {
    if retried(|| dir.metadata(name))?.kind != EntryKind::Dir {
        return remove_file(dir, name);
    }
    let mut names = Vec::new();
    let below = dir.dir(name)?;
    below.dir(b".")?.list(&mut |name, _| {
        names.push(name.to_owned());
        ControlFlow::Continue(())
    })?;
    names.iter().try_for_each(|name| remove_all(&below, name))?;
    Ok(unlinkat(dir.as_file(), name, AtFlags::REMOVEDIR)?)
}

/// Flushes the names in a directory.
pub(super) fn flush_names(dir: &DirHandle) -> io::Result<()> {
    flush(dir.as_file())
}

/// The directory as a file to lock.
pub(super) fn lockable(dir: &DirHandle) -> io::Result<File> {
    dir.as_file().try_clone()
}

/// Opens the directory that a file named by the user is in.
pub(super) fn dir_of(path: &Path) -> io::Result<DirHandle> {
    match path.parent() {
        Some(dir) if !dir.as_os_str().is_empty() => DirHandle::open(dir),
        _ => DirHandle::open(Path::new(".")),
    }
}
