//! Finds the error of the operating system behind another error.
//!
//! Damage to a repository is a fact about it. If the disk fails or a file may not be read, nothing is
//! known about the history, so no source may lose its date because of it.

use std::error::Error;
use std::io::{self, ErrorKind};

/// A failure that says nothing about a repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum IoFailure {
    /// The machine fails: a broken disk, no memory, too many open files.
    Machine,
    /// The user may not read a file.
    Denied,
}

/// Number of the error for too many symbolic links (ELOOP), whose kind is unstable in Rust.
const TOO_MANY_LINKS: i32 = if cfg!(any(target_os = "linux", target_os = "android")) {
    40
} else if cfg!(windows) {
    1921 // ERROR_CANT_RESOLVE_FILENAME
} else {
    62
};

impl IoFailure {
    /// Returns the failure that an error, or one of its causes, is.
    pub(super) fn behind(error: &(dyn Error + 'static)) -> Option<Self> {
        let mut causes = std::iter::successors(Some(error), |&error| error.source());
        causes.find_map(|cause| Self::of(cause.downcast_ref()?))
    }

    fn of(error: &io::Error) -> Option<Self> {
        if let Some(inner) = error.get_ref() {
            return Self::behind(inner);
        }
        error.raw_os_error()?;
        match error.kind() {
            ErrorKind::PermissionDenied => Some(Self::Denied),
            ErrorKind::NotFound
            | ErrorKind::NotADirectory
            | ErrorKind::IsADirectory
            | ErrorKind::InvalidFilename
            | ErrorKind::InvalidInput
            | ErrorKind::Unsupported => None,
            _ if error.raw_os_error() == Some(TOO_MANY_LINKS) => None,
            _ => Some(Self::Machine),
        }
    }
}

/// Calls `attempt`, and once more if the machine fails.
pub(super) fn retried<T>(mut attempt: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    match attempt() {
        Err(error) if IoFailure::of(&error) == Some(IoFailure::Machine) => attempt(),
        result => result,
    }
}

#[cfg(unix)] // error numbers
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_found_behind_other_errors() {
        let check = |code: i32, expected: Option<IoFailure>| {
            let source = || io::Error::from_raw_os_error(code);
            assert_eq!(IoFailure::behind(&source()), expected, "{}", source());
            let wrapped = io::Error::other(source());
            assert_eq!(IoFailure::behind(&wrapped), expected, "{wrapped}");
        };
        check(5, Some(IoFailure::Machine));
        check(24, Some(IoFailure::Machine));
        check(13, Some(IoFailure::Denied));
        check(2, None);
        assert_eq!(IoFailure::behind(&io::Error::other("ours")), None);
    }
}
