//! Writes files: stages them in their directory, then renames them into place. No other module
//! writes.
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
mod staged_file;

use std::collections::BTreeSet;
use std::fs::{File, TryLockError};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io, thread};

use staged_file::{STAGING, flush_names, remove_if_exists, remove_left_for};

use super::disk_error::{cannot_read, cannot_replace, is_directory, not_a_name};
use crate::files::tree::Tree;
use crate::findings::HintedError;
use sitemaps::site_paths::SitePath;

pub use named_file::{append, create_dir, create_file, write_file_with};
pub(super) use staged_file::StagedFile;

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

/// A change to the output directory. Readers see each either completely or not at all.
#[derive(Debug)]
pub(super) enum DiskChange {
    /// A staged file gets its name.
    Place(StagedFile),
    /// A file is removed.
    Remove(SitePath),
}

/// An output directory that one run uses. Other runs that write wait until it is released.
#[derive(Debug)]
pub struct LockedOutputDir<'a> {
    /// The path without links.
    real_path: PathBuf,
    tree: &'a Tree,
    mode: WriteMode,
    /// Locked until it is closed.
    _lock: Option<File>,
}

impl<'a> LockedOutputDir<'a> {
    /// Opens the directory. A run that writes locks it, and removes the staged files of a killed
    /// run.
    pub fn open(tree: &'a Tree, mode: WriteMode) -> Result<Self, HintedError> {
        let path = tree.path();
        let real_path = path
            .canonicalize()
            .map_err(|error| cannot_read(path, &error))?;
        let lock = match mode {
            WriteMode::Write => lock(path)?,
            WriteMode::DryRun => None,
        };
        let is_alone = lock.is_some() || (mode == WriteMode::Write && cfg!(not(unix)));
        let dir = Self {
            real_path,
            tree,
            mode,
            _lock: lock,
        };
        if is_alone {
            for name in dir.names(|name| name.starts_with(STAGING))? {
                let left = path.join(name);
                remove_if_exists(&left).map_err(|error| cannot_replace(&left, &error, &[]))?;
            }
        }
        Ok(dir)
    }

    /// The directory for reading; existing sitemaps may be links.
    pub(crate) fn tree(&self) -> &Tree {
        self.tree
    }

    /// The names in the directory for which `wanted` returns true, sorted. Ignores names that are
    /// not UTF-8, because waypost writes none.
    pub fn names(&self, wanted: impl Fn(&str) -> bool) -> Result<Vec<String>, HintedError> {
        let list = || -> io::Result<Vec<String>> {
            let mut names = Vec::new();
            for entry in fs::read_dir(self.tree.path())? {
                let name = entry?.file_name().into_string();
                names.extend(name.ok().filter(|name| wanted(name)));
            }
            Ok(names)
        };
        let mut names = list().map_err(|error| cannot_read(self.tree.path(), &error))?;
        names.sort_unstable();
        Ok(names)
    }

    /// Whether a file may be removed: it exists, is not a directory, and is in this directory or
    /// below it, not in one elsewhere that is only linked from here.
    pub(super) fn is_removable(&self, file: &SitePath) -> bool {
        let path = file.below_dir(self.tree.path());
        let metadata = fs::symlink_metadata(&path);
        let metadata = self.tree.note(&path, metadata);
        let dir = path.parent().unwrap_or(self.tree.path());
        metadata.is_ok_and(|metadata| !metadata.is_dir())
            && self
                .tree
                .resolved(dir)
                .is_some_and(|dir| dir.starts_with(&self.real_path))
    }

    /// Whether the existing file of this name has other bytes than these, or is missing.
    pub(super) fn differs(&self, name: &str, bytes: &[u8]) -> Result<bool, HintedError> {
        let path = self.destination(name)?;
        let metadata = match fs::symlink_metadata(&path) {
            Ok(metadata) if metadata.is_dir() => return Err(is_directory(&path)),
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
            Err(error) => return Err(cannot_read(&path, &error)),
        };
        if !metadata.is_file() || metadata.len() != bytes.len() as u64 {
            return Ok(true);
        }
        // A file that cannot be read is replaced like any other that differs.
        let is_same = File::open(&path).and_then(|file| holds(file, bytes));
        Ok(!is_same.unwrap_or(false))
    }

    /// Stages a file; a dry run stages none.
    pub(super) fn stage(
        &self,
        name: &str,
        bytes: &[u8],
    ) -> Result<Option<StagedFile>, HintedError> {
        let place = self.destination(name)?;
        if self.mode == WriteMode::DryRun {
            return Ok(None);
        }
        StagedFile::with_bytes(&place, bytes)
            .map(Some)
            .map_err(|error| cannot_replace(&place, &error, &[]))
    }

    /// Stages a file outside of this directory, in a directory that is created if it does not exist;
    /// none in a dry run, or if the file has these bytes.
    pub(super) fn stage_elsewhere(
        &self,
        place: &Path,
        bytes: &[u8],
    ) -> Result<Option<StagedFile>, HintedError> {
        if self.mode == WriteMode::DryRun {
            return Ok(None);
        }
        let is_same = File::open(place).and_then(|file| holds(file, bytes));
        let staged = if is_same.unwrap_or(false) {
            remove_left_for(place).map(|()| None)
        } else {
            fs::create_dir_all(place.parent().unwrap_or(place)).and_then(|()| {
                StagedFile::create_elsewhere(place, |file| io::Write::write_all(file, bytes))
                    .map(Some)
            })
        };
        staged.map_err(|error| cannot_replace(place, &error, &[]))
    }

    /// The destination of a file with this name. A name with a directory in it is an error.
    fn destination(&self, name: &str) -> Result<PathBuf, HintedError> {
        match Path::new(name).file_name() {
            Some(own) if own == name => Ok(self.tree.path().join(name)),
            _ => Err(not_a_name(Path::new(name))),
        }
    }

    /// Makes the changes in this order, and flushes the files if there are few. An error names the
    /// files that were changed before it.
    pub(super) fn make(&self, changes: Vec<DiskChange>) -> Result<(), HintedError> {
        if self.mode == WriteMode::DryRun {
            return Ok(());
        }
        let placed = changes.iter().filter_map(|change| match change {
            DiskChange::Place(staged) => Some(staged),
            DiskChange::Remove(_) => None,
        });
        let is_flushed = (1..=MAX_FLUSHED_FILES).contains(&placed.clone().count());
        let elsewhere = placed.clone().map(|staged| staged.dir().to_owned());
        let mut dirs: BTreeSet<PathBuf> = elsewhere.collect();
        dirs.insert(self.tree.path().to_owned());
        for staged in placed.filter(|_| is_flushed) {
            staged
                .flush()
                .map_err(|error| cannot_replace(staged.place(), &error, &[]))?;
        }
        let mut done = Vec::new();
        for change in changes {
            let (path, made) = match change {
                DiskChange::Place(staged) => (staged.place().to_owned(), staged.move_into_place()),
                DiskChange::Remove(file) => {
                    let path = file.below_dir(self.tree.path());
                    let removed = remove_if_exists(&path);
                    (path, removed)
                }
            };
            made.map_err(|error| cannot_replace(&path, &error, &done))?;
            done.push(path);
        }
        for dir in dirs.into_iter().filter(|_| is_flushed) {
            flush_names(&dir).map_err(|error| cannot_replace(&dir, &error, &done))?;
        }
        Ok(())
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

/// Number of attempts to lock a directory, and the delay between them: half a minute in total. Writing
/// takes seconds, so a process that holds the lock longer is stuck.
const LOCK_ATTEMPTS: u32 = 3_000;
const LOCK_RETRY_DELAY: Duration = Duration::from_millis(10);

/// Waits until no other run writes to the directory, and locks it until the result is closed. `None`
/// where the system or the file system cannot lock directories: there, runs do not wait for each other.
///
/// The directory itself is locked, so a killed run leaves no lock file that a host would publish.
fn lock(dir: &Path) -> Result<Option<File>, HintedError> {
    if cfg!(not(unix)) {
        return Ok(None);
    }
    let file = File::open(dir).map_err(|error| cannot_read(dir, &error))?;
    for _ in 0..LOCK_ATTEMPTS {
        match file.try_lock() {
            Ok(()) => return Ok(Some(file)),
            Err(TryLockError::WouldBlock) => thread::sleep(LOCK_RETRY_DELAY),
            Err(TryLockError::Error(_)) => return Ok(None),
        }
    }
    Err(HintedError::new(
        format!("`{}` is locked by another program", dir.display()),
        "another run of waypost may be stuck; `fuser DIR` shows its process",
    ))
}
