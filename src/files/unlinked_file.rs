//! Opens files by path, but not through a link at their name.

use std::fs::File;
use std::io;
use std::path::Path;

#[cfg(unix)]
use rustix::{
    fs::{Mode, OFlags, open},
    io::Errno,
};

/// Opens a file for reading. It may be a special file: opening a pipe does not wait, and reading one
/// without a writer ends at once. Sockets, and devices without a driver, cannot be opened, which is
/// a fact about them and not a failure of the machine.
#[cfg(unix)]
pub(crate) fn open_unlinked(path: &Path) -> io::Result<File> {
    let flags =
        OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    match open(path, flags, Mode::empty()) {
        Err(Errno::NXIO | Errno::OPNOTSUPP) => Err(not_regular()),
        opened => Ok(opened?.into()),
    }
}

/// Opens a file for reading.
#[cfg(not(unix))]
pub(crate) fn open_unlinked(path: &Path) -> io::Result<File> {
    if path.symlink_metadata()?.is_symlink() {
        return Err(not_regular());
    }
    File::open(path)
}

/// Passes a regular file on. Reading a pipe could block forever, and a device has no end.
pub(crate) fn regular(file: File) -> io::Result<File> {
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(not_regular())
    }
}

pub(crate) fn not_regular() -> io::Error {
    io::Error::other("it is not a regular file")
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::io_failure::IoFailure;
    use rustix::fs::{CWD, mkfifoat};
    use std::io::Read;
    use std::os::unix::net::UnixListener;

    #[test]
    fn opening_a_pipe_does_not_wait_for_its_other_end() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let pipe = dir.path().join("pipe");
        mkfifoat(CWD, &pipe, Mode::from_bits_truncate(0o600)).expect("a pipe");
        let mut text = String::new();
        let mut pipe = open_unlinked(&pipe).expect("it exists");
        assert_eq!(pipe.read_to_string(&mut text).expect("its end"), 0);
        assert!(regular(pipe).is_err());
    }

    #[test]
    fn a_socket_in_place_of_a_file_is_not_a_failure_of_the_machine() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let page = dir.path().join("page.html");
        let _socket = UnixListener::bind(&page).expect("a socket");
        let error = open_unlinked(&page).expect_err("it is a socket");
        assert_eq!(error.to_string(), "it is not a regular file");
        assert_eq!(IoFailure::of(&error), IoFailure::File);
    }

    #[test]
    fn no_link_is_followed_at_the_name() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let link = dir.path().join("link");
        std::os::unix::fs::symlink("target", &link).expect("a link");
        std::fs::write(dir.path().join("target"), "x").expect("a file");
        assert!(open_unlinked(&link).is_err());
    }
}
