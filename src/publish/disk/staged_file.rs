//! Files under a temporary name in the directory of their final one, because a rename is atomic
//! only within a file system.

use std::fs::{self, File};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::files::io_failure::IoFailure;
use twox_hash::XxHash3_64;

/// Prefix of the names of staged files; nothing else in an output directory has it.
pub(super) const STAGING: &str = ".waypost-staging";

/// A file that gets its name later. Until then, dropping it removes it.
#[derive(Debug)]
pub(in crate::publish) struct StagedFile {
    staged: PathBuf,
    place: PathBuf,
    /// The open file outside of an output directory. It is locked, so that the next run knows whether it was
    /// left by one that was killed.
    locked: Option<File>,
}

impl StagedFile {
    /// Creates a file with these bytes that will be at `place`.
    pub(super) fn with_bytes(place: &Path, bytes: &[u8]) -> io::Result<Self> {
        Self::create_as(STAGING, place, |file| file.write_all(bytes))
    }

    /// Creates a file outside of an output directory, which no run locks, and lets `write` fill it. What a
    /// killed run left for it is removed.
    pub(super) fn create_elsewhere(
        place: &Path,
        write: impl FnOnce(&mut File) -> io::Result<()>,
    ) -> io::Result<Self> {
        remove_left_for(place)?;
        let mut locked = None;
        let mut created = Self::create_as(&prefix_of(place), place, |file| {
            // Where files cannot be locked, a file that is left stays.
            locked = file.try_clone().ok().filter(|file| file.try_lock().is_ok());
            write(file)
        })?;
        created.locked = locked;
        Ok(created)
    }

    /// Creates the file that will be at `place`, and lets `write` fill it. It has the permissions of
    /// the file that it replaces.
    ///
    /// Its name is random, so no one else can know it in advance, and nothing is written through a
    /// link.
    fn create_as(
        prefix: &str,
        place: &Path,
        write: impl FnOnce(&mut File) -> io::Result<()>,
    ) -> io::Result<Self> {
        // Containers that share a directory have equal process ids.
        let random = RandomState::new().build_hasher().finish();
        let name = format!("{prefix}-{}-{random:016x}", std::process::id());
        let staged = place.with_file_name(name);
        let mut file = File::create_new(&staged)?;
        let created = Self {
            staged,
            place: place.to_owned(),
            locked: None,
        };
        write(&mut file)?;
        if let Ok(metadata) = fs::symlink_metadata(place)
            && metadata.is_file()
        {
            file.set_permissions(metadata.permissions())?;
        }
        Ok(created)
    }

    /// The directory that the file will be in.
    pub(super) fn dir(&self) -> &Path {
        dir_of(&self.place)
    }

    /// The path that the file will have.
    pub(in crate::publish) fn place(&self) -> &Path {
        &self.place
    }

    /// Flushes the file to the disk. One with permissions that forbid to open it is not flushed.
    pub(super) fn flush(&self) -> io::Result<()> {
        // Windows flushes only a file that may be written.
        let opened = File::options()
            .read(true)
            .write(cfg!(windows))
            .open(&self.staged);
        match opened {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
            opened => flush(&opened?),
        }
    }

    /// Gives the file its name, and replaces what has it.
    pub(super) fn move_into_place(mut self) -> io::Result<()> {
        fs::rename(&self.staged, &self.place)?;
        self.staged.clear();
        Ok(())
    }
}

impl Drop for StagedFile {
    fn drop(&mut self) {
        if !self.staged.as_os_str().is_empty() {
            // The run fails for another reason, and the next one removes what is left.
            drop(remove_if_exists(&self.staged));
        }
    }
}

fn dir_of(place: &Path) -> &Path {
    place
        .parent()
        .filter(|dir| !dir.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

/// Prefix of the names of files that are staged for one place outside of an output directory.
fn prefix_of(place: &Path) -> String {
    let name = place.file_name().unwrap_or_default();
    let hash = XxHash3_64::oneshot(name.as_encoded_bytes());
    format!("{STAGING}-{hash:016x}")
}

/// Removes the files that killed runs have staged for a place outside of an output directory. Those of a
/// run that goes on are locked.
pub(super) fn remove_left_for(place: &Path) -> io::Result<()> {
    let Ok(entries) = fs::read_dir(dir_of(place)) else {
        return Ok(()); // Writing there fails too.
    };
    let prefix = prefix_of(place);
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name();
        if name.as_encoded_bytes().starts_with(prefix.as_bytes())
            && File::open(entry.path()).is_ok_and(|left| left.try_lock().is_ok())
        {
            remove_if_exists(&entry.path())?;
        }
    }
    Ok(())
}

/// Removes a file.
pub(super) fn remove_if_exists(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}

/// Flushes a file, unless the file system cannot. A failure is not tried again: the system forgets
/// it, and the second attempt would succeed.
fn flush(file: &File) -> io::Result<()> {
    match file.sync_all() {
        Err(error) if IoFailure::of(&error) != IoFailure::Machine => Ok(()),
        result => result,
    }
}

/// Flushes the names in a directory, where the platform can.
pub(super) fn flush_names(dir: &Path) -> io::Result<()> {
    if cfg!(unix) {
        flush(&File::open(dir)?)
    } else {
        Ok(())
    }
}
