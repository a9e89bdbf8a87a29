//! Names of staged files, and their removal if a signal ends the run.
//!
//! A signal concerns the whole process, so the names are those of all runs in it. This file installs
//! no handler: a program that uses the library has its own.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::ops::Deref;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::sync::RwLockWriteGuard;
use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard};

use crate::publish::DiskError;
use site_paths::io_failure::retried;

/// Prefix of the names of staging directories; nothing else in an output directory has it.
pub(super) const STAGING: &str = ".waypost-staging";

/// Locked for reading while staged files are written or moved into place.
static WRITES: RwLock<()> = RwLock::new(());

/// The staged files and directories of this process.
static STAGED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

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
    for path in &*staged {
        // The process ends in any case, and the next run removes what is left.
        drop(remove_all(path));
    }
    drop(staged);
    stopped
}

/// The path of a staged file or directory, which [`remove_staged_files`] removes as long as this
/// value exists.
///
/// The path is random, so no one else can know it in advance.
#[derive(Debug)]
pub(super) struct StagedPath(PathBuf);

impl StagedPath {
    /// A free name for a directory in `dir`.
    pub(super) fn directory_in(dir: &Path) -> Self {
        Self::new(dir.join(format!("{STAGING}-{}", random_suffix())))
    }

    /// A free name next to a file.
    pub(super) fn beside(path: &Path) -> Result<Self, DiskError> {
        let Some(name) = path.file_name() else {
            return Err(DiskError::NotAName {
                path: path.to_owned(),
            });
        };
        let mut staged = OsString::from(format!("{STAGING}-{}-", random_suffix()));
        staged.push(name);
        Ok(Self::new(path.with_file_name(staged)))
    }

    fn new(path: PathBuf) -> Self {
        let mut staged = STAGED.lock().unwrap_or_else(PoisonError::into_inner);
        staged.insert(path.clone());
        Self(path)
    }
}

impl Deref for StagedPath {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl AsRef<Path> for StagedPath {
    fn as_ref(&self) -> &Path {
        self
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
pub(super) fn remove_all(dir: &Path) -> io::Result<()> {
    retried(|| match fs::symlink_metadata(dir) {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(dir),
        Ok(_) => fs::remove_file(dir),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    })
}
