//! The only file of the program that writes: files are staged beside their places, then renamed into them.
//!
//! In come bytes and steps. Nothing that stands in the output folder changes before every byte of the new set is on
//! disk, so a full disk or a folder that may not be written leaves the old set whole. A rename is atomic, so a reader
//! never sees half a file. A symbolic link is replaced or removed itself; what it leads to is never touched.
//!
//! Files are not flushed to the medium (fsync): the page cache outlives a killed process, and after a power failure a
//! build is simply run again, while a flush of each file takes longer than everything else.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use thiserror::Error;

#[cfg(test)]
use super::inject_fault::{strike, strike_link};
use crate::bounds::SitemapDir;
use crate::site_paths::SitePath;

/// Where tests let a write fail; in the program nothing does but the system.
#[cfg(not(test))]
#[expect(clippy::unnecessary_wraps, reason = "that of the tests fails")]
fn strike(_: &Path) -> io::Result<()> {
    Ok(())
}

/// The same for hard links, which not every file system has.
#[cfg(not(test))]
#[expect(clippy::unnecessary_wraps, reason = "that of the tests fails")]
fn strike_link(_: &Path) -> io::Result<()> {
    Ok(())
}

/// What the names of our staging folders begin with; nothing else in an output folder has such a name.
const STAGING: &str = ".waypost-staging";

/// How often a lock is asked for, and how long to wait in between: two minutes in all, since writing takes seconds, and
/// whatever holds the folder longer hangs.
const TRIES: u32 = 12_000;
const BETWEEN_TRIES: Duration = Duration::from_millis(10);

/// Why the set could not be put in place.
#[derive(Debug, Error)]
pub enum DiskError {
    /// A file could not be written beside its place; everything stands as it was.
    #[error("`{path}` cannot be written: {source}")]
    Write {
        /// The file that was to be written.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file that stands there could not be read.
    #[error("`{path}` cannot be read: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file could not be put in place of another, or be removed.
    #[error("`{path}` cannot be replaced: {source}")]
    Replace {
        /// The file that stands there.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A folder stands where a file belongs.
    #[error("`{path}` is a folder, so no file of that name can be written")]
    IsFolder {
        /// The folder.
        path: PathBuf,
    },
    /// Another program has locked the folder, and does not let go.
    #[error("`{path}` is locked by another program")]
    Locked {
        /// The output folder.
        path: PathBuf,
    },
    /// The file would lie outside the output folder.
    #[error("`{path}` is no file name, so it cannot be written into the output folder")]
    NotAName {
        /// The name as it was given.
        path: PathBuf,
    },
}

impl DiskError {
    /// The same error, in which a file of one name has another.
    pub(super) fn with_another_name(mut self, name: &str, another: &str) -> Self {
        let (Self::Write { path, .. }
        | Self::Read { path, .. }
        | Self::Replace { path, .. }
        | Self::IsFolder { path }
        | Self::Locked { path }
        | Self::NotAName { path }) = &mut self;
        if path.file_name().is_some_and(|own| own == name) {
            path.set_file_name(another);
        }
        self
    }

    /// What to do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::IsFolder { .. } | Self::NotAName { .. } => Some("choose another name"),
            Self::Locked { .. } => {
                Some("another run of waypost may hang there: `fuser FOLDER` names it")
            }
            Self::Write { source, .. }
            | Self::Read { source, .. }
            | Self::Replace { source, .. } => hint_for_system(source),
        }
    }
}

/// What to do where the system refuses.
fn hint_for_system(error: &io::Error) -> Option<&'static str> {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Some(
            "free some space: both the old and the new sitemaps need room until the new ones are in place",
        ),
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            Some("the output folder has to be writable for the user who runs waypost")
        }
        _ => None,
    }
}

/// Adds text at the end of a file of the pipeline's, outside the output folder: a step's outputs, its summary.
pub fn append(path: &Path, text: &str) -> Result<(), DiskError> {
    let file = File::options().append(true).create(true).open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|source| DiskError::Write {
            path: path.to_owned(),
            source,
        })
}

/// Writes a file that somebody asked for by its path (a report, a log of findings): whole or not at all.
pub fn put_file(path: &Path, bytes: &[u8]) -> Result<(), DiskError> {
    let failed = |source| DiskError::Write {
        path: path.to_owned(),
        source,
    };
    let Some(name) = path.file_name() else {
        return Err(DiskError::NotAName {
            path: path.to_owned(),
        });
    };
    if path.is_dir() {
        return Err(DiskError::IsFolder {
            path: path.to_owned(),
        });
    }
    let mut staged_name = std::ffi::OsString::from(format!("{STAGING}-{}-", std::process::id()));
    staged_name.push(name);
    let staged = path.with_file_name(staged_name);
    let put = fs::write(&staged, bytes)
        .and_then(|()| keep_permissions(path, &staged))
        .and_then(|()| fs::rename(&staged, path));
    put.or_else(|source| remove_if_there(&staged).and(Err(source)))
        .map_err(failed)
}

/// Makes a folder that somebody asked for by its path, with those above it, unless it is there.
pub fn make_folder(path: &Path) -> Result<(), DiskError> {
    fs::create_dir_all(path).map_err(|source| DiskError::Write {
        path: path.to_owned(),
        source,
    })
}

/// Writes a file where there is none; one that is there already is left as it is, and is an error.
pub fn put_new_file(path: &Path, bytes: &[u8]) -> Result<(), DiskError> {
    let failed = |source| DiskError::Write {
        path: path.to_owned(),
        source,
    };
    File::create_new(path)
        .and_then(|mut file| file.write_all(bytes))
        .map_err(failed)
}

/// What a run does to the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteMode {
    /// It writes.
    Write,
    /// It only compares.
    Look,
}

/// What stands in a place, against what belongs there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PlaceState {
    /// These very bytes.
    Same,
    /// Something else, or nothing.
    Differs,
}

/// One change of the output folder. Those that a reader can see are atomic.
#[derive(Debug)]
pub(super) enum DiskStep {
    /// Puts a staged file in its place.
    Rename { staged: PathBuf, place: PathBuf },
    /// Gives a file a second name, under which it stays when its first is replaced.
    Keep { file: PathBuf, copy: PathBuf },
    /// Removes a file.
    Remove { file: PathBuf },
}

impl DiskStep {
    /// Takes the step.
    pub(super) fn take(&self) -> Result<(), DiskError> {
        let (path, result) = match self {
            Self::Rename { staged, place } => (
                place,
                strike(place).and_then(|()| fs::rename(staged, place)),
            ),
            Self::Keep { file, copy } => (copy, strike(copy).and_then(|()| keep(file, copy))),
            Self::Remove { file } => (file, strike(file).and_then(|()| remove_if_there(file))),
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

/// An output folder in the hands of one run; of runs that write, others wait until it is let go of.
#[derive(Debug)]
pub struct LockedOutputDir<'a> {
    path: &'a Path,
    contents: SitemapDir,
    effect: WriteMode,
    staging: Mutex<Option<PathBuf>>,
    /// Held until the run ends, so that of two runs at once the second waits for the first.
    lock: Option<File>,
}

impl<'a> LockedOutputDir<'a> {
    /// Takes hold of the folder, and removes what a killed run has left staged.
    pub fn open(path: &'a Path, effect: WriteMode) -> Result<Self, DiskError> {
        let lock = if effect == WriteMode::Write {
            locked(path)?
        } else {
            None
        };
        let folder = Self {
            path,
            contents: SitemapDir::named(path),
            effect,
            staging: Mutex::default(),
            lock,
        };
        if folder.lock.is_some() {
            for name in folder.names(|name| name.starts_with(STAGING))? {
                let path = path.join(name);
                strike(&path)
                    .and_then(|()| remove_all(&path))
                    .map_err(|source| DiskError::Replace { path, source })?;
            }
        }
        Ok(folder)
    }

    /// What may be done to it.
    pub(super) fn effect(&self) -> WriteMode {
        self.effect
    }

    /// The folder's own path.
    pub(super) fn path(&self) -> &'a Path {
        self.path
    }

    /// The folder to read from: the sitemaps that stand there may be links.
    pub(super) fn contents(&self) -> &SitemapDir {
        &self.contents
    }

    /// The wanted names of what lies in the folder, sorted. No file of ours has a name that is not text.
    pub(super) fn names(&self, wanted: impl Fn(&str) -> bool) -> Result<Vec<String>, DiskError> {
        let failed = |source| DiskError::Read {
            path: self.path.to_owned(),
            source,
        };
        let mut names = Vec::new();
        for item in fs::read_dir(self.path).map_err(failed)? {
            let name = item.map_err(failed)?.file_name();
            names.extend(name.to_str().filter(|name| wanted(name)).map(str::to_owned));
        }
        names.sort_unstable();
        Ok(names)
    }

    /// Where a file lies that may be removed: it is there, it is no folder, and it lies in this very folder or in a
    /// real one below it, not in one that a symbolic link only seems to put there.
    pub(super) fn removable(&self, file: &SitePath) -> Option<PathBuf> {
        let path = file.below_folder(self.path);
        let is_file = fs::symlink_metadata(&path).is_ok_and(|metadata| !metadata.is_dir());
        let parent = path.parent()?.canonicalize().ok()?;
        let top = self.path.canonicalize().ok()?;
        (is_file && parent.starts_with(top)).then_some(path)
    }

    /// Compares these bytes with what stands under a name.
    pub(super) fn compare(&self, name: &str, bytes: &[u8]) -> Result<PlaceState, DiskError> {
        let path = self.place_of(name)?;
        let metadata = match fs::symlink_metadata(&path) {
            Ok(metadata) if metadata.is_dir() => return Err(DiskError::IsFolder { path }),
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
            // One that cannot be read is replaced like any other that differs.
            Ok(false) | Err(_) => Ok(PlaceState::Differs),
        }
    }

    /// Writes a file beside its place, and returns the step that puts it there.
    pub(super) fn stage(&self, name: &str, bytes: &[u8]) -> Result<DiskStep, DiskError> {
        self.stage_as(name, name, bytes)
    }

    /// The same for a file that is replaced once more before the run ends.
    pub(super) fn stage_as(
        &self,
        staged_name: &str,
        name: &str,
        bytes: &[u8],
    ) -> Result<DiskStep, DiskError> {
        let place = self.place_of(name)?;
        let mut staged = PathBuf::new();
        if self.effect == WriteMode::Write {
            let failed = |source| DiskError::Write {
                path: place.clone(),
                source,
            };
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

    /// Removes what is still staged, and lets go of the folder.
    pub(super) fn close(self) -> Result<(), DiskError> {
        let staging = self
            .staging
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let Some(path) = staging else { return Ok(()) };
        strike(&path)
            .and_then(|()| remove_all(&path))
            .map_err(|source| DiskError::Replace { path, source })
    }

    /// Where a file of this name belongs; a name with a folder in it has no place here.
    pub(super) fn place_of(&self, name: &str) -> Result<PathBuf, DiskError> {
        match Path::new(name).file_name() {
            Some(own) if own == name => Ok(self.path.join(name)),
            _ => Err(DiskError::NotAName { path: name.into() }),
        }
    }

    /// The folder in which files are staged: in the output folder, since a rename is atomic only within a file system.
    ///
    /// It is made when it is first needed, so that a run that changes nothing leaves no trace, and always anew, so that
    /// nothing is written through a link of that name.
    fn staging(&self) -> io::Result<PathBuf> {
        let mut made = self.staging.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(staging) = &*made {
            return Ok(staging.clone());
        }
        let staging = self.path.join(format!("{STAGING}-{}", std::process::id()));
        strike(&staging)?;
        remove_all(&staging)?;
        fs::create_dir(&staging)?;
        Ok(made.insert(staging).clone())
    }
}

/// Locks the folder itself, so that no lock file is published. Where a platform cannot (Windows, some network file
/// systems), runs at the same time are not kept apart; each file is still whole.
fn locked(folder: &Path) -> Result<Option<File>, DiskError> {
    let Ok(handle) = File::open(folder) else {
        return Ok(None);
    };
    for _ in 0..TRIES {
        match handle.try_lock() {
            Ok(()) => return Ok(Some(handle)),
            Err(TryLockError::WouldBlock) => thread::sleep(BETWEEN_TRIES),
            Err(TryLockError::Error(_)) => return Ok(None),
        }
    }
    Err(DiskError::Locked {
        path: folder.to_owned(),
    })
}

/// Whether a file holds these bytes, without reading it into memory.
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

/// Gives a staged file the permissions of the file that it replaces.
fn keep_permissions(place: &Path, staged: &Path) -> io::Result<()> {
    match fs::symlink_metadata(place) {
        Ok(metadata) if metadata.is_file() => fs::set_permissions(staged, metadata.permissions()),
        _ => Ok(()),
    }
}

/// Nobody is led to the copy yet, so it need not come at once: a hard link costs nothing, and where the file system has
/// none, the bytes are copied.
fn keep(file: &Path, copy: &Path) -> io::Result<()> {
    remove_if_there(copy)?;
    strike_link(copy)
        .and_then(|()| fs::hard_link(file, copy))
        .or_else(|_| fs::copy(file, copy).map(|_| ()))
}

fn remove_if_there(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}

/// Removes a staging folder, or whatever else has its name; a link goes itself.
fn remove_all(folder: &Path) -> io::Result<()> {
    match fs::symlink_metadata(folder) {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(folder),
        Ok(_) => fs::remove_file(folder),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}
