//! Writes files: stages them next to their destinations, then renames them into place. No other
//! module writes.
//!
//! Nothing in the output directory changes before every byte of the new set is on disk, so a full
//! disk or a read-only directory leaves the old set complete. A rename is atomic, so a reader never
//! sees half a file. A symbolic link is itself replaced or removed; its target is never changed.
//!
//! A few changed files are flushed (fsync), so that they survive a power failure. Flushing many
//! takes longer than everything else, and after a power failure the build runs again.
#![expect(
    clippy::disallowed_methods,
    reason = "the only module that writes files"
)]

mod named_file;
mod staging;
mod waiting;

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::disk_error::DiskError;
#[cfg(test)]
use super::inject_fault::{strike, strike_link};
use site_paths::SitePath;
use site_paths::containment::SitemapDir;
use site_paths::io_failure::{FailureLog, IoFailure, retried};

pub use named_file::{append, create_dir, create_file, write_file};
#[cfg(unix)]
pub(crate) use staging::remove_staged_files;
pub(crate) use waiting::on_waiting;
pub(super) use waiting::wait_for_others;

use staging::{STAGING, StagedPath, remove_all, writing};

/// Injects write errors in tests; does nothing in the program.
#[cfg(not(test))]
#[expect(clippy::unnecessary_wraps, reason = "the test version can fail")]
fn strike(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Like `strike`, for hard links, which not every file system supports.
#[cfg(not(test))]
#[expect(clippy::unnecessary_wraps, reason = "the test version can fail")]
fn strike_link(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Up to how many changed files are flushed.
const MAX_FLUSHED_FILES: usize = 8;

/// Whether a run writes to disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteMode {
    /// Writes.
    Write,
    /// Only compares.
    DryRun,
}

/// Result of comparing a file on disk with the planned bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PlaceState {
    /// The same bytes.
    Same,
    /// Different or missing.
    Differs,
}

/// A change to the output directory. Changes that a reader can see are atomic.
#[derive(Debug)]
pub(super) enum DiskStep {
    /// Moves a staged file to its destination.
    Rename { staged: PathBuf, place: PathBuf },
    /// Gives a file a second name, which remains when the first is replaced.
    Keep { file: PathBuf, copy: PathBuf },
    /// Removes a file.
    Remove { file: PathBuf },
}

impl DiskStep {
    /// Flushes the file that the step moves into place.
    fn flush(&self) -> Result<(), DiskError> {
        let Self::Rename { staged, place } = self else {
            return Ok(());
        };
        strike(staged)
            .and_then(|()| flush_file(staged))
            .map_err(|source| DiskError::Write {
                path: place.clone(),
                source,
            })
    }

    /// Performs the step.
    pub(super) fn perform(&self) -> Result<(), DiskError> {
        let (path, result) = match self {
            Self::Rename { staged, place } => (
                place,
                strike(place).and_then(|()| fs::rename(staged, place)),
            ),
            Self::Keep { file, copy } => (copy, strike(copy).and_then(|()| keep(file, copy))),
            Self::Remove { file } => (file, strike(file).and_then(|()| remove_if_exists(file))),
        };
        result.map_err(|source| DiskError::Replace {
            path: path.clone(),
            source,
        })
    }

    /// The second name that the step gives a file.
    pub(super) fn copy(&self) -> Option<&Path> {
        match self {
            Self::Keep { copy, .. } => Some(copy),
            Self::Rename { .. } | Self::Remove { .. } => None,
        }
    }
}

/// An output directory that one run uses. Other runs that write wait until it is released.
#[derive(Debug)]
pub struct LockedOutputDir<'a> {
    path: &'a Path,
    contents: SitemapDir,
    effect: WriteMode,
    staging: Mutex<Option<StagedPath>>,
    /// Held until the run ends, so that a concurrent run waits.
    lock: Option<File>,
}

impl<'a> LockedOutputDir<'a> {
    /// Opens the directory. A run that writes locks it, and removes the staged files of a killed
    /// run.
    pub fn open(path: &'a Path, effect: WriteMode) -> Result<Self, DiskError> {
        let lock = if effect == WriteMode::Write {
            waiting::lock(path)?
        } else {
            None
        };
        let dir = Self {
            path,
            contents: SitemapDir::named_by_user(path),
            effect,
            staging: Mutex::default(),
            lock,
        };
        if dir.lock.is_some() {
            for name in dir.names(|name| name.starts_with(STAGING))? {
                let path = path.join(name);
                strike(&path)
                    .and_then(|()| remove_all(&path))
                    .map_err(|source| DiskError::Replace { path, source })?;
            }
        }
        Ok(dir)
    }

    /// Whether the run writes.
    pub(super) fn mode(&self) -> WriteMode {
        self.effect
    }

    /// A directory of a file system without locks.
    #[cfg(test)]
    pub(super) fn without_lock(path: &'a Path) -> Self {
        Self {
            path,
            contents: SitemapDir::named_by_user(path),
            effect: WriteMode::Write,
            staging: Mutex::default(),
            lock: None,
        }
    }

    /// Whether no other run writes: concurrent runs wait for this one, or it only compares.
    pub(super) fn is_alone(&self) -> bool {
        self.lock.is_some() || self.effect == WriteMode::DryRun
    }

    /// The directory for reading; existing sitemaps may be links.
    pub(super) fn contents(&self) -> &SitemapDir {
        &self.contents
    }

    /// The failures of the machine while existing files were read.
    pub(crate) fn failures(&self) -> &FailureLog {
        self.contents.containment().failures()
    }

    /// The names in the directory for which `wanted` returns true, sorted. Ignores names that are
    /// not UTF-8, because waypost writes none.
    pub fn names(&self, wanted: impl Fn(&str) -> bool) -> Result<Vec<String>, DiskError> {
        let failed = |source| DiskError::Read {
            path: self.path.to_owned(),
            source,
        };
        let list = || -> io::Result<Vec<String>> {
            let mut names = Vec::new();
            for item in fs::read_dir(self.path)? {
                let name = item?.file_name();
                names.extend(name.to_str().filter(|name| wanted(name)).map(str::to_owned));
            }
            Ok(names)
        };
        let mut names = retried(list).map_err(failed)?;
        names.sort_unstable();
        Ok(names)
    }

    /// The path of a file that may be removed: it exists, is not a directory, and is in this
    /// directory or a real subdirectory, not in one that is only linked from here.
    pub(super) fn removable(&self, file: &SitePath) -> Option<PathBuf> {
        let path = file.below_dir(self.path);
        let log = self.failures();
        let metadata = log.note(&path, retried(|| fs::symlink_metadata(&path)));
        let is_file = metadata.is_ok_and(|metadata| !metadata.is_dir());
        let real = |dir: &Path| log.note(dir, retried(|| dir.canonicalize())).ok();
        let parent = real(path.parent()?)?;
        let top = real(self.path)?;
        (is_file && parent.starts_with(top)).then_some(path)
    }

    /// Compares these bytes with the existing file of this name.
    pub(super) fn compare(&self, name: &str, bytes: &[u8]) -> Result<PlaceState, DiskError> {
        let path = self.destination(name)?;
        let metadata = match retried(|| fs::symlink_metadata(&path)) {
            Ok(metadata) if metadata.is_dir() => return Err(DiskError::IsDirectory { path }),
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(PlaceState::Differs);
            }
            Err(source) => return Err(DiskError::Read { path, source }),
        };
        if !metadata.is_file() || metadata.len() != bytes.len() as u64 {
            return Ok(PlaceState::Differs);
        }
        match holds(&path, bytes) {
            Ok(true) => Ok(PlaceState::Same),
            // A file that cannot be read is replaced like any other that differs.
            Ok(false) | Err(_) => Ok(PlaceState::Differs),
        }
    }

    /// Stages a file, and returns the step that moves it to its destination.
    pub(super) fn stage(&self, name: &str, bytes: &[u8]) -> Result<DiskStep, DiskError> {
        self.stage_as(name, name, bytes)
    }

    /// Like `stage`, for a file that is replaced again before the run ends.
    pub(super) fn stage_as(
        &self,
        staged_name: &str,
        name: &str,
        bytes: &[u8],
    ) -> Result<DiskStep, DiskError> {
        let place = self.destination(name)?;
        let mut staged = PathBuf::new();
        if self.effect == WriteMode::Write {
            let failed = |source| DiskError::Write {
                path: place.clone(),
                source,
            };
            let _writing = writing();
            staged = self.staging().map_err(failed)?.join(staged_name);
            strike(&staged)
                .and_then(|()| fs::write(&staged, bytes))
                .map_err(failed)?;
            strike(&staged)
                .and_then(|()| keep_permissions(&place, &staged))
                .map_err(failed)?;
        }
        Ok(DiskStep::Rename { staged, place })
    }

    /// Removes the remaining staged files, and releases the directory.
    pub(super) fn close(self) -> Result<(), DiskError> {
        let staging = self
            .staging
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let Some(path) = staging else { return Ok(()) };
        strike(&path)
            .and_then(|()| remove_all(&path))
            .map_err(|source| DiskError::Replace {
                path: path.to_path_buf(),
                source,
            })
    }

    /// The destination of a file with this name. A name with a directory in it is an error.
    pub(super) fn destination(&self, name: &str) -> Result<PathBuf, DiskError> {
        match Path::new(name).file_name() {
            Some(own) if own == name => Ok(self.path.join(name)),
            _ => Err(DiskError::NotAName { path: name.into() }),
        }
    }

    /// The staging directory. It is in the output directory, because a rename is atomic only within
    /// a file system.
    ///
    /// It is created on first use, so a run without changes leaves no trace. Its name is random, and
    /// an existing file is not used, so nothing is written through a link.
    fn staging(&self) -> io::Result<PathBuf> {
        let mut made = self.staging.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(staging) = &*made {
            return Ok(staging.to_path_buf());
        }
        let staging = StagedPath::directory_in(self.path);
        strike(&staging)?;
        fs::create_dir(&staging)?;
        Ok(made.insert(staging).to_path_buf())
    }

    /// Performs the steps, and flushes the files if there are few.
    pub(super) fn perform(&self, steps: &[DiskStep]) -> Result<(), DiskError> {
        let _writing = writing();
        let is_rename = |step: &&DiskStep| matches!(step, DiskStep::Rename { .. });
        let files = steps.iter().filter(is_rename).count();
        let is_flushed = (1..=MAX_FLUSHED_FILES).contains(&files);
        if is_flushed {
            steps.iter().try_for_each(DiskStep::flush)?;
        }
        steps.iter().try_for_each(DiskStep::perform)?;
        if is_flushed {
            strike(self.path)
                .and_then(|()| flush_dir(self.path))
                .map_err(|source| DiskError::Replace {
                    path: self.path.to_owned(),
                    source,
                })?;
        }
        Ok(())
    }
}

/// Whether a file contains exactly these bytes. Does not read the whole file into memory.
fn holds(path: &Path, bytes: &[u8]) -> io::Result<bool> {
    let mut file = File::open(path)?;
    let mut buffer = vec![0; 1 << 16];
    let mut rest = bytes;
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(rest.is_empty()),
            read => match rest.strip_prefix(&buffer[..read]) {
                Some(after) => rest = after,
                None => return Ok(false),
            },
        }
    }
}

/// Flushes a file to the disk, unless the file system cannot. A failure is not tried again: the
/// system forgets it, and the second attempt would succeed.
fn flush(file: &File) -> io::Result<()> {
    match file.sync_all() {
        Err(error) if IoFailure::of(&error) != IoFailure::Machine => Ok(()),
        result => result,
    }
}

/// Flushes a file. One that has kept permissions which forbid to open it is not flushed.
fn flush_file(path: &Path) -> io::Result<()> {
    // Windows flushes only a file that may be written, which a read-only sitemap is not.
    let opened = retried(|| {
        File::options()
            .write(true)
            .open(path)
            .or_else(|_| File::open(path))
    });
    match opened {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
        opened => flush(&opened?),
    }
}

/// Flushes the names in a directory, where the platform can.
#[cfg(unix)]
fn flush_dir(dir: &Path) -> io::Result<()> {
    flush(&retried(|| File::open(dir))?)
}

/// Flushes the names in a directory, where the platform can.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "the Unix version can fail")]
fn flush_dir(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Gives a staged file the permissions of the file that it replaces.
fn keep_permissions(place: &Path, staged: &Path) -> io::Result<()> {
    match fs::symlink_metadata(place) {
        Ok(metadata) if metadata.is_file() => fs::set_permissions(staged, metadata.permissions()),
        _ => Ok(()),
    }
}

/// Gives a file a second name: by a hard link, which costs nothing, or by a copy if the file system
/// has no hard links. The copy need not be atomic, because no file refers to it yet.
///
/// A name that a concurrent run has created meanwhile is an error: it may be a link to the file, and
/// a copy would empty both.
fn keep(file: &Path, copy: &Path) -> io::Result<()> {
    remove_if_exists(copy)?;
    let linked = strike_link(copy).and_then(|()| fs::hard_link(file, copy));
    linked.or_else(|_| copy_new(file, copy))
}

/// Copies a file to a name that is not used yet.
fn copy_new(file: &Path, copy: &Path) -> io::Result<()> {
    let mut new = File::create_new(copy)?;
    io::copy(&mut File::open(file)?, &mut new).map(|_| ())
}

fn remove_if_exists(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}
