//! Classifies errors of the operating system: a fact about a file, or a failure of the machine.
//!
//! A file that does not exist or may not be read is a fact about the site, and a finding can report
//! it. A disk that fails or a limit that is reached says nothing about the site, so the run must not
//! draw a conclusion from it.

use std::borrow::Cow;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::findings::Hint;
use sitemaps::site_paths::display_path;

/// Hint for a file or directory that waypost is not permitted to read.
pub const MAKE_READABLE: &str = "make it readable for the user who runs waypost";

/// The cause of an I/O error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IoFailure {
    /// The machine fails (EIO, ESTALE, EMFILE, ENFILE, ENOMEM, …): nothing is known about the file.
    ///
    /// Every error of the operating system that is not known to be about the file belongs here.
    Machine,
    /// The file, or a directory above it, does not exist.
    Gone,
    /// The user may not access the file.
    Denied,
    /// The file itself is the problem: its name, its kind, its size or its content.
    File,
}

/// Number of the error for too many symbolic links (ELOOP), whose kind is unstable in Rust.
const TOO_MANY_LINKS: i32 = if cfg!(any(target_os = "linux", target_os = "android")) {
    40
} else if cfg!(windows) {
    1921 // ERROR_CANT_RESOLVE_FILENAME
} else {
    62
};

/// Number of the error for too many open files (EMFILE), which has no kind in Rust.
const TOO_MANY_FILES: i32 = if cfg!(windows) { 4 } else { 24 };

impl IoFailure {
    /// Classifies an error.
    pub fn of(error: &io::Error) -> Self {
        match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => Self::Gone,
            ErrorKind::PermissionDenied => Self::Denied,
            ErrorKind::InvalidFilename
            | ErrorKind::IsADirectory
            | ErrorKind::InvalidInput
            | ErrorKind::Unsupported => Self::File,
            ErrorKind::OutOfMemory | ErrorKind::StaleNetworkFileHandle => Self::Machine,
            _ if is_noted(error) => Self::Machine,
            // Without a number, the error is one of our own, or of a decoder.
            _ if matches!(error.raw_os_error(), None | Some(TOO_MANY_LINKS)) => Self::File,
            _ => Self::Machine,
        }
    }
}

/// The remedy for an error while reading.
pub fn reading_hint(error: &io::Error) -> Option<&'static str> {
    match IoFailure::of(error) {
        IoFailure::Denied => Some(MAKE_READABLE),
        IoFailure::Machine => Some(machine_hint(error)),
        IoFailure::Gone | IoFailure::File => None,
    }
}

/// Whether an error wraps a failure of the machine, without its number.
fn is_noted(error: &io::Error) -> bool {
    let inner = error.get_ref();
    inner
        .and_then(|inner| inner.downcast_ref::<MachineFailure>())
        .is_some()
}

/// The remedy for a failure of the machine while reading or writing.
pub fn machine_hint(error: &io::Error) -> &'static str {
    if IoFailure::of(error) == IoFailure::Denied {
        MAKE_READABLE
    } else if error.raw_os_error() == Some(TOO_MANY_FILES) {
        "close other programs, or raise the limit of open files: `ulimit -n 4096`"
    } else {
        "check the disk and its connection, then run waypost again"
    }
}

/// The machine failed while a file or directory was read, so no result is known.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("cannot read `{}`: {reason}", display_path(path))]
pub struct MachineFailure {
    /// The file or directory.
    pub path: PathBuf,
    reason: String,
    hint: &'static str,
}

impl MachineFailure {
    /// The failure with this error of the operating system.
    pub fn new(path: &Path, source: &io::Error) -> Self {
        Self {
            path: path.to_owned(),
            reason: source.to_string(),
            hint: machine_hint(source),
        }
    }
}

impl Hint for MachineFailure {
    fn hint(&self) -> Option<Cow<'static, str>> {
        Some(self.hint.into())
    }
}

#[cfg(unix)] // error numbers
#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, File};

    #[test]
    fn an_error_is_about_the_machine_unless_it_is_known_to_be_about_the_file() {
        let check = |code: i32, expected: IoFailure| {
            let error = io::Error::from_raw_os_error(code);
            assert_eq!(IoFailure::of(&error), expected, "{error}");
            let is_machine = expected == IoFailure::Machine;
            assert!(!is_machine || reading_hint(&error).is_some(), "{error}");
        };
        // The numbers are the same on every Unix.
        for machine in [4, 5, 6, 12, 16, 19, 23, 24, 27, 28, 30] {
            check(machine, IoFailure::Machine);
        }
        check(2, IoFailure::Gone);
        check(20, IoFailure::Gone);
        check(1, IoFailure::Denied);
        check(13, IoFailure::Denied);
        check(21, IoFailure::File);
        check(22, IoFailure::File);
    }

    #[test]
    fn errors_of_real_files_are_about_the_file() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        std::os::unix::fs::symlink("loop", dir.path().join("loop")).expect("a link");
        fs::write(dir.path().join("file"), "x").expect("a file");
        let check = |path: &str, expected| {
            let error = File::open(dir.path().join(path)).expect_err("it cannot be opened");
            assert_eq!(IoFailure::of(&error), expected, "{error}");
        };
        check("loop", IoFailure::File);
        check(&"n".repeat(300), IoFailure::File);
        check("missing", IoFailure::Gone);
        check("file/below", IoFailure::Gone);
        assert_eq!(IoFailure::of(&io::Error::other("ours")), IoFailure::File);
    }
}
