//! Names of staged files, and their removal if a signal ends the run.
//!
//! A signal concerns the whole process, so the names are those of all runs in it. This file installs
//! no handler: a program that uses the library has its own.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
#[cfg(unix)]
use std::sync::RwLockWriteGuard;
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard};

use super::dir_changes;
use site_paths::dir_handle::DirHandle;
use site_paths::io_failure::retried;

/// Prefix of the names of staging directories; nothing else in an output directory has it.
pub(super) const STAGING: &str = ".waypost-staging";

/// Locked for reading while staged files are written or moved into place.
static WRITES: RwLock<()> = RwLock::new(());

/// The staged files and directories of this process: their names, which are unique, and where they
/// are.
static STAGED: Mutex<BTreeMap<String, Arc<DirHandle>>> = Mutex::new(BTreeMap::new());

/// Keeps a signal from removing staged files. Must be held while they are written or moved into
/// place, and neither twice by one thread nor while waiting for another program.
pub(super) fn writing() -> RwLockReadGuard<'static, ()> {
    WRITES.read().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the staged files of this process, for a handler that is about to end it.
///
/// Waits until a set that is being moved into place is complete. While the result exists, nothing
/// more is staged.
#[cfg(unix)]
pub(crate) fn remove_staged_files() -> RwLockWriteGuard<'static, ()> {
    let stopped = WRITES.write().unwrap_or_else(PoisonError::into_inner);
    let staged = STAGED.lock().unwrap_or_else(PoisonError::into_inner);
    for (name, dir) in &*staged {
        // The process ends in any case, and the next run removes what is left.
        drop(remove_all_if_exists(dir, name.as_bytes()));
    }
    drop(staged);
    stopped
}

/// The name of a staged file or directory, which [`remove_staged_files`] removes as long as this
/// value exists.
///
/// The name is random, so no one else can know it in advance.
#[derive(Debug)]
pub(super) struct StagedPath(String);

impl StagedPath {
    /// A free name for a directory in `dir`.
    pub(super) fn in_dir(dir: &Arc<DirHandle>) -> Self {
        Self::new(dir, format!("{STAGING}-{}", random_suffix()))
    }

    /// A free name in `dir` for a file that will have this name.
    pub(super) fn beside(dir: &Arc<DirHandle>, name: &[u8]) -> Self {
        let name = String::from_utf8_lossy(name);
        Self::new(dir, format!("{STAGING}-{}-{name}", random_suffix()))
    }

    fn new(dir: &Arc<DirHandle>, name: String) -> Self {
        let mut staged = STAGED.lock().unwrap_or_else(PoisonError::into_inner);
        staged.insert(name.clone(), Arc::clone(dir));
        Self(name)
    }

    /// The name.
    pub(super) fn name(&self) -> &str {
        &self.0
    }
}

impl Drop for StagedPath {
    fn drop(&mut self) {
        let mut staged = STAGED.lock().unwrap_or_else(PoisonError::into_inner);
        staged.remove(&self.0);
    }
}

/// Containers that share a directory have equal process ids.
fn random_suffix() -> String {
    let random = RandomState::new().build_hasher().finish();
    format!("{}-{random:016x}", std::process::id())
}

/// Removes a staging directory, or whatever else has its name. Does not follow a link.
pub(super) fn remove_all_if_exists(dir: &DirHandle, name: &[u8]) -> io::Result<()> {
    match retried(|| dir_changes::remove_all(dir, name)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}
