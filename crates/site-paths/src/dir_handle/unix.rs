//! Directories by file descriptors: `openat` and its relatives.

use std::ffi::{CStr, OsStr};
use std::fs::File;
use std::io;
#[cfg(any(target_os = "linux", target_os = "android"))]
use std::mem::MaybeUninit;
use std::ops::ControlFlow;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
#[cfg(any(target_os = "linux", target_os = "android"))]
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, openat, statat};
#[cfg(any(target_os = "linux", target_os = "android"))]
use rustix::fs::{RawDir, ResolveFlags, openat2};
use rustix::io::Errno;
use rustix::process::{Resource, getrlimit};

use super::{EntryKind, EntryMetadata, EntryVisitor};

/// An open directory.
#[derive(Debug)]
pub struct DirHandle(File);

/// Receives the name and type of an entry as the system reports them.
type RawVisitor<'v> = dyn FnMut(&CStr, FileType) -> io::Result<ControlFlow<()>> + 'v;

/// How files are opened: opening a pipe or a terminal must not wait or change anything.
const FILE_FLAGS: OFlags = OFlags::RDONLY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::CLOEXEC);

/// Size of the buffer for the entries of a directory: some hundred of them.
#[cfg(any(target_os = "linux", target_os = "android"))]
const LISTING_BYTES: usize = 16 << 10;

impl DirHandle {
    /// Opens a directory that the user names; links on the way are followed.
    pub fn open(path: &Path) -> io::Result<Self> {
        open_dir(CWD, path.as_os_str(), OFlags::empty())
    }

    /// Opens a directory in this one.
    pub fn dir(&self, name: &[u8]) -> io::Result<Self> {
        open_dir(&self.0, OsStr::from_bytes(name), OFlags::NOFOLLOW)
    }

    /// Opens a file in this directory for reading. It may be a special file: opening a pipe does
    /// not wait, and reading one without a writer ends at once. Sockets, and devices without a
    /// driver, cannot be opened, which is a fact about them and not a failure of the machine.
    pub fn file(&self, name: &[u8]) -> io::Result<File> {
        match openat(&self.0, name, FILE_FLAGS, Mode::empty()) {
            Err(Errno::NXIO | Errno::OPNOTSUPP) => Err(not_regular()),
            opened => Ok(opened?.into()),
        }
    }

    /// Opens a file below this directory by a path without links, in one call. An error does not mean
    /// that the file cannot be opened: kernels before 5.6 and some sandboxes lack the call.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    pub(crate) fn file_below(&self, path: &[u8]) -> io::Result<File> {
        static IS_MISSING: AtomicBool = AtomicBool::new(false);
        if IS_MISSING.load(Ordering::Relaxed) {
            return Err(Errno::NOSYS.into());
        }
        let resolve = ResolveFlags::NO_SYMLINKS | ResolveFlags::BENEATH;
        let opened = openat2(&self.0, path, FILE_FLAGS, Mode::empty(), resolve);
        // Filters of system calls answer EPERM to a call that they do not know.
        if let Err(Errno::NOSYS | Errno::PERM) = opened {
            IS_MISSING.store(true, Ordering::Relaxed);
        }
        Ok(opened?.into())
    }

    /// Opens a file below this directory in one call, which only Linux has.
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    #[expect(clippy::unused_self, reason = "it is the same method as on Linux")]
    pub(crate) fn file_below(&self, _path: &[u8]) -> io::Result<File> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Returns the facts about an entry.
    pub fn metadata(&self, name: &[u8]) -> io::Result<EntryMetadata> {
        let stat = statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW)?;
        Ok(EntryMetadata {
            kind: kind_of(FileType::from_raw_mode(stat.st_mode)),
            size: u64::try_from(stat.st_size).unwrap_or_default(),
        })
    }

    /// Passes the name and kind of each entry to `see`, in the order of the file system, until it
    /// breaks off. Returns the handle, which cannot list the entries again.
    pub fn list(self, see: &mut EntryVisitor<'_>) -> io::Result<Self> {
        self.each_entry(&mut |name, kind| {
            if matches!(name.to_bytes(), b"." | b"..") {
                return Ok(ControlFlow::Continue(()));
            }
            let kind = match kind {
                FileType::Unknown => {
                    let stat = statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW)?;
                    FileType::from_raw_mode(stat.st_mode)
                }
                kind => kind,
            };
            Ok(see(name.to_bytes(), kind_of(kind)))
        })?;
        Ok(self)
    }

    /// `readdir` would call `fstat` and `fcntl` twice for each directory first.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    fn each_entry(&self, see: &mut RawVisitor<'_>) -> io::Result<()> {
        let mut buffer = [MaybeUninit::uninit(); LISTING_BYTES];
        let mut dir = RawDir::new(&self.0, &mut buffer);
        while let Some(entry) = dir.next() {
            let entry = entry?;
            if see(entry.file_name(), entry.file_type())?.is_break() {
                break;
            }
        }
        Ok(())
    }

    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    fn each_entry(&self, see: &mut RawVisitor<'_>) -> io::Result<()> {
        for entry in rustix::fs::Dir::read_from(&self.0)? {
            let entry = entry?;
            if see(entry.file_name(), entry.file_type())?.is_break() {
                break;
            }
        }
        Ok(())
    }

    /// The directory as a file, to lock and to flush it.
    pub fn as_file(&self) -> &File {
        &self.0
    }
}

fn not_regular() -> io::Error {
    io::Error::other("it is not a regular file")
}

fn open_dir(parent: impl AsFd, name: &OsStr, further: OFlags) -> io::Result<DirHandle> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | further;
    Ok(DirHandle(
        openat(parent, name, flags, Mode::empty())?.into(),
    ))
}

fn kind_of(kind: FileType) -> EntryKind {
    match kind {
        FileType::RegularFile => EntryKind::File,
        FileType::Directory => EntryKind::Dir,
        FileType::Symlink => EntryKind::Link,
        FileType::Fifo => EntryKind::Pipe,
        FileType::Socket => EntryKind::Socket,
        _ => EntryKind::Device,
    }
}

/// Whether opening without following links may have failed because there is a link. Linux reports
/// ENOTDIR for a link where a directory is wanted, FreeBSD EMLINK.
pub(crate) fn may_be_link(error: &io::Error) -> bool {
    let error = error.raw_os_error().map(Errno::from_raw_os_error);
    matches!(error, Some(Errno::LOOP | Errno::NOTDIR | Errno::MLINK))
}

/// Whether this process has too many open files.
pub(crate) fn is_limit_reached(error: &io::Error) -> bool {
    error.raw_os_error() == Some(Errno::MFILE.raw_os_error())
}

/// The number of files that this process may have open; `None` without a limit.
pub(crate) fn open_files_limit() -> Option<u64> {
    getrlimit(Resource::Nofile).current
}

/// An error for a path that programs cannot open as a whole (`PATH_MAX`), although a handle of its
/// directory could.
pub(crate) fn path_limit(length: usize) -> io::Result<()> {
    let limit = if cfg!(any(target_os = "linux", target_os = "android")) {
        4096
    } else {
        1024
    };
    if length < limit {
        Ok(())
    } else {
        Err(Errno::NAMETOOLONG.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io_failure::IoFailure;
    use rustix::fs::mkfifoat;
    use std::io::Read;
    use std::os::unix::net::UnixListener;

    #[test]
    fn opening_a_pipe_does_not_wait_for_its_other_end() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let directory = DirHandle::open(dir.path()).expect("it exists");
        let mode = Mode::from_bits_truncate(0o600);
        mkfifoat(directory.as_file(), "pipe", mode).expect("a pipe");
        let mut text = String::new();
        let mut pipe = directory.file(b"pipe").expect("it exists");
        assert_eq!(pipe.read_to_string(&mut text).expect("its end"), 0);
    }

    #[test]
    fn a_socket_in_place_of_a_file_is_not_a_failure_of_the_machine() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let _socket = UnixListener::bind(dir.path().join("page.html")).expect("a socket");
        let directory = DirHandle::open(dir.path()).expect("it exists");
        let error = directory.file(b"page.html").expect_err("it is a socket");
        assert_eq!(error.to_string(), "it is not a regular file");
        assert_eq!(IoFailure::of(&error), IoFailure::File);
    }
}
