//! Writes that fail where a test wants them to. Compiled for tests only: the program has no such switch.
//!
//! Files are written on many threads and tests run beside each other, so a fault belongs to a folder, not to a thread.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The faults of the tests that are running.
static FAULTS: Mutex<Vec<InjectedFault>> = Mutex::new(Vec::new());

struct InjectedFault {
    folder: PathBuf,
    /// How many more writes succeed.
    passes: usize,
    kind: io::ErrorKind,
    lasts: FaultDuration,
    has_struck: bool,
}

/// How many writes fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FaultDuration {
    /// One, as where a quota is met.
    Once,
    /// One and all after it, as where a folder has become read-only.
    FromNowOn,
}

/// Does something while one write below a folder fails, after as many as `passes` have succeeded.
pub(super) fn failing<T>(
    folder: &Path,
    passes: usize,
    kind: io::ErrorKind,
    lasts: FaultDuration,
    action: impl FnOnce() -> T,
) -> T {
    let fault = InjectedFault {
        folder: folder.to_owned(),
        passes,
        kind,
        lasts,
        has_struck: false,
    };
    FAULTS
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(fault);
    let result = action();
    FAULTS
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .retain(|fault| fault.folder != folder);
    result
}

/// Folders of tests in which the file system has no hard links.
static WITHOUT_LINKS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Has no hard links below a folder from now on.
pub(super) fn take_links_from(folder: &Path) {
    WITHOUT_LINKS
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(folder.to_owned());
}

/// Asked before each hard link, with the path of the new name.
pub(super) fn strike_link(path: &Path) -> io::Result<()> {
    let folders = WITHOUT_LINKS.lock().unwrap_or_else(PoisonError::into_inner);
    if folders.iter().any(|folder| path.starts_with(folder)) {
        Err(io::ErrorKind::Unsupported.into())
    } else {
        Ok(())
    }
}

/// Asked before each write, with the path that it concerns.
pub(super) fn strike(path: &Path) -> io::Result<()> {
    let mut faults = FAULTS.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(fault) = faults
        .iter_mut()
        .find(|fault| path.starts_with(&fault.folder))
    else {
        return Ok(());
    };
    if fault.passes > 0 {
        fault.passes -= 1;
        return Ok(());
    }
    if fault.has_struck && fault.lasts == FaultDuration::Once {
        return Ok(());
    }
    fault.has_struck = true;
    Err(fault.kind.into())
}
