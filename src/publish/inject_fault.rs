//! Injects write errors for tests. Compiled for tests only: the program has no such switch.
//!
//! Files are written on many threads and tests run in parallel, so a fault belongs to a directory,
//! not to a thread.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Faults of the running tests.
static FAULTS: Mutex<Vec<InjectedFault>> = Mutex::new(Vec::new());

struct InjectedFault {
    dir: PathBuf,
    /// Number of writes that still succeed.
    passes: usize,
    effect: FaultEffect,
    has_struck: bool,
}

/// What happens at a write.
enum FaultEffect {
    /// It fails.
    Fails(io::ErrorKind, FaultDuration),
    /// Another program changes files just before it.
    #[cfg(unix)]
    Interferes(Box<dyn FnMut() + Send>),
}

/// Number of writes that fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FaultDuration {
    /// A single one, as when a quota is exceeded.
    Once,
    /// One and all after it, as when a directory becomes read-only.
    FromNowOn,
}

/// Runs `action` with a fault: writes below `dir` fail after `passes` of them have succeeded.
pub(super) fn failing<T>(
    dir: &Path,
    passes: usize,
    kind: io::ErrorKind,
    lasts: FaultDuration,
    action: impl FnOnce() -> T,
) -> T {
    with_fault(dir, passes, FaultEffect::Fails(kind, lasts), action)
}

/// Runs `action` while another program interferes: just before a write below `dir`, after `passes`
/// others.
#[cfg(unix)]
pub(super) fn interfered_with<T>(
    dir: &Path,
    passes: usize,
    interfere: impl FnMut() + Send + 'static,
    action: impl FnOnce() -> T,
) -> T {
    let effect = FaultEffect::Interferes(Box::new(interfere));
    with_fault(dir, passes, effect, action)
}

fn with_fault<T>(dir: &Path, passes: usize, effect: FaultEffect, action: impl FnOnce() -> T) -> T {
    let fault = InjectedFault {
        dir: dir.to_owned(),
        passes,
        effect,
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
        .retain(|fault| fault.dir != dir);
    result
}

/// Directories of tests in which hard links are not supported.
static WITHOUT_LINKS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Disables hard links below a directory.
pub(super) fn disable_hard_links(dir: &Path) {
    WITHOUT_LINKS
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(dir.to_owned());
}

/// Fails if hard links are disabled at `path`. Called before each hard link, with the new name.
pub(super) fn strike_link(path: &Path) -> io::Result<()> {
    let dirs = WITHOUT_LINKS.lock().unwrap_or_else(PoisonError::into_inner);
    if dirs.iter().any(|dir| path.starts_with(dir)) {
        Err(io::ErrorKind::Unsupported.into())
    } else {
        Ok(())
    }
}

/// Fails if a fault applies to `path`. Called before each write.
pub(super) fn strike(path: &Path) -> io::Result<()> {
    let mut faults = FAULTS.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(fault) = faults.iter_mut().find(|fault| path.starts_with(&fault.dir)) else {
        return Ok(());
    };
    if fault.passes > 0 {
        fault.passes -= 1;
        return Ok(());
    }
    let is_first = !std::mem::replace(&mut fault.has_struck, true);
    match &mut fault.effect {
        FaultEffect::Fails(kind, lasts) if is_first || *lasts == FaultDuration::FromNowOn => {
            Err((*kind).into())
        }
        #[cfg(unix)]
        FaultEffect::Interferes(interfere) if is_first => {
            interfere();
            Ok(())
        }
        _ => Ok(()),
    }
}
