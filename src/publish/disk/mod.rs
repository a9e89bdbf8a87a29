//! Writes files: stages them next to their destinations, then renames them into place. No other
//! module writes.
//!
//! Nothing in the output directory changes before every byte of the new set is on disk, so a full
//! disk or a read-only directory leaves the old set complete. A rename is atomic, so a reader never
//! sees half a file. A symbolic link is itself replaced or removed; its target is never changed.
//!
//! Every change is made relative to an open directory. If another program replaces the output
//! directory or the staging directory by a link meanwhile, the change still takes place in the
//! directory that was opened first.
//!
//! A few changed files are flushed (fsync), so that they survive a power failure. Flushing many
//! takes longer than everything else, and after a power failure the build runs again.
#![expect(
    clippy::disallowed_methods,
    reason = "the only module that writes files"
)]

#[cfg(unix)]
mod dir_changes;
#[cfg(not(unix))]
mod dir_changes_by_path;
mod flush;
mod named_file;
mod staging;
mod step;
mod waiting;

use std::fs::File;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::disk_error::DiskError;
#[cfg(test)]
use super::inject_fault::{strike, strike_link};
use site_paths::SitePath;
use site_paths::containment::SitemapDir;
use site_paths::dir_handle::{DirHandle, EntryKind};
use site_paths::io_failure::{FailureLog, retried};

pub use named_file::{append, create_dir, create_file, write_file_with};
#[cfg(unix)]
pub(crate) use staging::remove_staged_files;
pub(super) use step::DiskStep;
pub(crate) use waiting::on_waiting;
pub(super) use waiting::wait_for_others;

#[cfg(not(unix))]
use dir_changes_by_path as dir_changes;
use flush::flush;
use staging::{STAGING, StagedPath, remove_all_if_exists, writing};

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

/// An output directory that one run uses. Other runs that write wait until it is released.
#[derive(Debug)]
pub struct LockedOutputDir<'a> {
    path: &'a Path,
    handle: Arc<DirHandle>,
    contents: SitemapDir,
    effect: WriteMode,
    staging: Mutex<Option<StagingDir>>,
    /// Held until the run ends, so that a concurrent run waits.
    lock: Option<File>,
}

/// The directory of staged files.
#[derive(Debug)]
struct StagingDir {
    path: StagedPath,
    handle: Arc<DirHandle>,
}

impl<'a> LockedOutputDir<'a> {
    /// Opens the directory. A run that writes locks it, and removes the staged files of a killed
    /// run.
    pub fn open(path: &'a Path, effect: WriteMode) -> Result<Self, DiskError> {
        let contents = SitemapDir::named_by_user(path);
        let opened = contents.tree().top().map_err(|source| DiskError::Read {
            path: path.to_owned(),
            source,
        });
        let handle = Arc::new(opened?);
        let lock = if effect == WriteMode::Write {
            waiting::lock(&handle, path)?
        } else {
            None
        };
        let dir = Self {
            path,
            handle,
            contents,
            effect,
            staging: Mutex::default(),
            lock,
        };
        if dir.lock.is_some() {
            for name in dir.names(|name| name.starts_with(STAGING))? {
                dir.remove_staged(&name)?;
            }
        }
        Ok(dir)
    }

    /// Removes what has the name of staged files.
    fn remove_staged(&self, name: &str) -> Result<(), DiskError> {
        let path = self.path.join(name);
        strike(&path)
            .and_then(|()| remove_all_if_exists(&self.handle, name.as_bytes()))
            .map_err(|source| DiskError::Replace { path, source })
    }

    /// Whether the run writes.
    pub(super) fn mode(&self) -> WriteMode {
        self.effect
    }

    /// A directory of a file system without locks.
    #[cfg(test)]
    pub(super) fn without_lock(path: &'a Path) -> Self {
        let contents = SitemapDir::named_by_user(path);
        let handle = contents.tree().top().expect("the directory exists");
        Self {
            path,
            handle: Arc::new(handle),
            contents,
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
            let mut see = |name: &[u8], _| {
                let name = str::from_utf8(name).ok().filter(|name| wanted(name));
                names.extend(name.map(str::to_owned));
                ControlFlow::Continue(())
            };
            self.handle.dir(b".")?.list(&mut see)?;
            Ok(names)
        };
        let mut names = retried(list).map_err(failed)?;
        names.sort_unstable();
        Ok(names)
    }

    /// Whether a file may be removed: it exists, is not a directory, and is in this directory or
    /// below it, not in one that is only linked from here.
    pub(super) fn is_removable(&self, file: &SitePath) -> bool {
        let metadata = retried(|| self.dir_of(file)?.metadata(file.file_name()));
        let path = file.below_dir(self.path);
        let metadata = self.failures().note(&path, metadata);
        metadata.is_ok_and(|metadata| metadata.kind != EntryKind::Dir)
    }

    /// The directory of a file of the output.
    fn dir_of(&self, file: &SitePath) -> io::Result<Arc<DirHandle>> {
        if file.dir().is_empty() {
            return Ok(Arc::clone(&self.handle));
        }
        self.contents.tree().dir_to_change(file).map(Arc::new)
    }

    /// Compares these bytes with the existing file of this name.
    pub(super) fn compare(&self, name: &str, bytes: &[u8]) -> Result<PlaceState, DiskError> {
        let path = self.destination(name)?;
        let metadata = match retried(|| self.handle.metadata(name.as_bytes())) {
            Ok(metadata) if metadata.kind == EntryKind::Dir => {
                return Err(DiskError::IsDirectory { path });
            }
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(PlaceState::Differs);
            }
            Err(source) => return Err(DiskError::Read { path, source }),
        };
        if metadata.kind != EntryKind::File || metadata.size != bytes.len() as u64 {
            return Ok(PlaceState::Differs);
        }
        let existing = self.handle.file(name.as_bytes());
        match existing.and_then(|file| holds(file, bytes)) {
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
        if self.effect == WriteMode::Write {
            let _writing = writing();
            self.write_staged(staged_name, name, bytes)
                .map_err(|source| DiskError::Write {
                    path: place,
                    source,
                })?;
        }
        Ok(DiskStep::Rename {
            staged: staged_name.to_owned(),
            place: name.to_owned(),
        })
    }

    /// Writes a staged file, with the permissions of the file that it replaces.
    fn write_staged(&self, staged_name: &str, name: &str, bytes: &[u8]) -> io::Result<()> {
        let (staging, path) = self.staging()?;
        let path = path.join(staged_name);
        strike(&path)?;
        let mut file = dir_changes::create_file(&staging, staged_name.as_bytes())?;
        file.write_all(bytes)?;
        strike(&path)?;
        dir_changes::keep_permissions((&self.handle, name.as_bytes()), &file)
    }

    /// Removes the remaining staged files, and releases the directory.
    pub(super) fn close(self) -> Result<(), DiskError> {
        let staging = self.staging.lock();
        let staging = staging.unwrap_or_else(PoisonError::into_inner).take();
        match staging {
            Some(staging) => self.remove_staged(staging.path.name()),
            None => Ok(()),
        }
    }

    /// The destination of a file with this name.
    pub(super) fn destination(&self, name: &str) -> Result<PathBuf, DiskError> {
        Self::plain_name(name).map(|name| self.path.join(name))
    }

    /// Returns the name of a file. A name with a directory in it is an error.
    pub(super) fn plain_name(name: &str) -> Result<String, DiskError> {
        match Path::new(name).file_name() {
            Some(own) if own == name => Ok(name.to_owned()),
            _ => Err(DiskError::NotAName { path: name.into() }),
        }
    }

    /// The staging directory. It is in the output directory, because a rename is atomic only within
    /// a file system.
    ///
    /// It is created on first use, so a run without changes leaves no trace. Its name is random, and
    /// an existing file is not used, so nothing is written through a link.
    fn staging(&self) -> io::Result<(Arc<DirHandle>, PathBuf)> {
        let mut made = self.staging.lock().unwrap_or_else(PoisonError::into_inner);
        if made.is_none() {
            *made = Some(self.make_staging()?);
        }
        let staging = made.as_ref().expect("it was made above");
        let path = self.path.join(staging.path.name());
        Ok((Arc::clone(&staging.handle), path))
    }

    /// Creates the staging directory, and removes it again if it cannot be opened.
    fn make_staging(&self) -> io::Result<StagingDir> {
        let path = StagedPath::in_dir(&self.handle);
        let name = path.name().as_bytes();
        let on_disk = self.path.join(path.name());
        strike(&on_disk)?;
        dir_changes::create_dir(&self.handle, name)?;
        match strike(&on_disk).and_then(|()| retried(|| self.handle.dir(name))) {
            Ok(handle) => Ok(StagingDir {
                handle: Arc::new(handle),
                path,
            }),
            Err(error) => remove_all_if_exists(&self.handle, name).and(Err(error)),
        }
    }

    /// Performs the steps, and flushes the files if there are few.
    pub(super) fn perform(&self, steps: &[DiskStep]) -> Result<(), DiskError> {
        let _writing = writing();
        let is_rename = |step: &&DiskStep| matches!(step, DiskStep::Rename { .. });
        let files = steps.iter().filter(is_rename).count();
        let is_flushed = (1..=MAX_FLUSHED_FILES).contains(&files);
        if is_flushed {
            steps.iter().try_for_each(|step| self.flush_step(step))?;
        }
        steps.iter().try_for_each(|step| self.perform_step(step))?;
        if is_flushed {
            strike(self.path)
                .and_then(|()| dir_changes::flush_names(&self.handle))
                .map_err(|source| DiskError::Replace {
                    path: self.path.to_owned(),
                    source,
                })?;
        }
        Ok(())
    }

    /// Flushes the file that the step moves into place. One that has kept permissions which forbid
    /// to open it is not flushed.
    fn flush_step(&self, step: &DiskStep) -> Result<(), DiskError> {
        let DiskStep::Rename { staged, place } = step else {
            return Ok(());
        };
        let flushed = || {
            let (staging, path) = self.staging()?;
            strike(&path.join(staged))?;
            match retried(|| dir_changes::open_to_flush(&staging, staged.as_bytes())) {
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
                opened => flush(&opened?),
            }
        };
        flushed().map_err(|source| DiskError::Write {
            path: self.path.join(place),
            source,
        })
    }

    /// Performs the step.
    pub(super) fn perform_step(&self, step: &DiskStep) -> Result<(), DiskError> {
        let path = match step {
            DiskStep::Rename { place: name, .. } | DiskStep::Keep { copy: name, .. } => {
                self.path.join(name)
            }
            DiskStep::Remove { file } => file.below_dir(self.path),
        };
        strike(&path)
            .and_then(|()| match step {
                DiskStep::Rename { staged, place } => {
                    let staged = (&*self.staging()?.0, staged.as_bytes());
                    dir_changes::rename(staged, (&self.handle, place.as_bytes()))
                }
                DiskStep::Keep { file, copy } => self.keep(file, copy),
                DiskStep::Remove { file } => {
                    remove_if_exists(&*self.dir_of(file)?, file.file_name())
                }
            })
            .map_err(|source| DiskError::Replace { path, source })
    }

    /// Gives a file a second name: by a hard link, which costs nothing, or by a copy if the file
    /// system has no hard links. The copy need not be atomic, because no file refers to it yet.
    ///
    /// A name that a concurrent run has created meanwhile is an error: it may be a link to the file,
    /// and a copy would empty both.
    fn keep(&self, file: &str, copy: &str) -> io::Result<()> {
        remove_if_exists(&self.handle, copy.as_bytes())?;
        let link = || dir_changes::link(&self.handle, file.as_bytes(), copy.as_bytes());
        if strike_link(&self.path.join(copy))
            .and_then(|()| link())
            .is_ok()
        {
            return Ok(());
        }
        let mut new = dir_changes::create_file(&self.handle, copy.as_bytes())?;
        let mut existing = self.contents.open(&SitePath::from(file))?;
        io::copy(&mut existing, &mut new).map(|_| ())
    }
}

/// Whether a file contains exactly these bytes. Does not read the whole file into memory.
fn holds(mut file: File, bytes: &[u8]) -> io::Result<bool> {
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

/// Removes a file, in a second attempt if the machine fails.
fn remove_if_exists(dir: &DirHandle, name: &[u8]) -> io::Result<()> {
    match retried(|| dir_changes::remove_file(dir, name)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}
