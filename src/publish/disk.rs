//! Writes files: stages them next to their destinations, then renames them into place. No other
//! module writes.
//!
//! Nothing in the output directory changes before every byte of the new set is on disk, so a full
//! disk or a read-only directory leaves the old set complete. A rename is atomic, so a reader never
//! sees half a file. A symbolic link is itself replaced or removed; its target is never changed.
//!
//! Files are not flushed (fsync). The page cache outlives a killed process, and after a power
//! failure the build runs again, while flushing each file takes longer than everything else.
#![expect(clippy::disallowed_methods, reason = "the only file that writes files")]

use std::ffi::OsString;
use std::fs::{self, File, FileType, TryLockError};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::disk_error::DiskError;
#[cfg(test)]
use super::inject_fault::{strike, strike_link};
use site_paths::SitePath;
use site_paths::containment::SitemapDir;
use site_paths::io_failure::retried;

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

/// Prefix of the names of staging directories; nothing else in an output directory has it.
const STAGING: &str = ".waypost-staging";

/// Number of attempts to lock the directory, and the delay between them: two minutes in total.
/// Writing takes seconds, so a process that holds the lock longer is stuck.
const LOCK_ATTEMPTS: u32 = 12_000;
const LOCK_RETRY_DELAY: Duration = Duration::from_millis(10);

/// Appends text to a file of the CI pipeline, outside the output directory: the outputs or the
/// summary of a step.
pub fn append(path: &Path, text: &str) -> Result<(), DiskError> {
    let file = File::options().append(true).create(true).open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|source| DiskError::Write {
            path: path.to_owned(),
            source,
        })
}

/// Writes a file that the user requested by path (a report, a log of findings), completely or not
/// at all.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), DiskError> {
    let failed = |source| DiskError::Write {
        path: path.to_owned(),
        source,
    };
    if is_special(path) {
        let opened = File::options().write(true).open(path);
        return opened
            .and_then(|mut file| file.write_all(bytes))
            .map_err(failed);
    }
    if path.is_dir() {
        return Err(DiskError::IsDirectory {
            path: path.to_owned(),
        });
    }
    let staged = staged_beside(path)?;
    let put = File::create_new(&staged)
        .and_then(|mut file| file.write_all(bytes))
        .and_then(|()| keep_permissions(path, &staged))
        .and_then(|()| fs::rename(&staged, path));
    put.or_else(|source| remove_if_exists(&staged).and(Err(source)))
        .map_err(failed)
}

/// Whether a path is to be written in place: a device, a pipe, or a name that the system gives to
/// one, such as `/dev/stdout`. A link elsewhere is not followed, because the site's author may have
/// placed it.
fn is_special(path: &Path) -> bool {
    let is_of_system = ["/dev", "/proc"].iter().any(|dir| path.starts_with(dir));
    let metadata = fs::symlink_metadata(path);
    let is_ordinary = |kind: FileType| kind.is_file() || kind.is_dir() || kind.is_symlink();
    metadata.is_ok_and(|metadata| !is_ordinary(metadata.file_type()))
        || is_of_system && path.exists() && !path.is_dir()
}

/// A free name in the directory of a file. No one else can know it in advance.
fn staged_beside(path: &Path) -> Result<PathBuf, DiskError> {
    let Some(name) = path.file_name() else {
        return Err(DiskError::NotAName {
            path: path.to_owned(),
        });
    };
    let mut staged = OsString::from(format!("{STAGING}-{}-", random_suffix()));
    staged.push(name);
    Ok(path.with_file_name(staged))
}

/// Containers that share a directory have equal process ids.
fn random_suffix() -> String {
    let random = RandomState::new().build_hasher().finish();
    format!("{}-{random:016x}", std::process::id())
}

/// Creates a directory that the user requested by path, with its parents, unless it exists.
pub fn create_dir(path: &Path) -> Result<(), DiskError> {
    fs::create_dir_all(path).map_err(|source| DiskError::Write {
        path: path.to_owned(),
        source,
    })
}

/// Creates a file, completely or not at all. If it already exists, leaves it unchanged and returns
/// an error.
pub fn create_file(path: &Path, bytes: &[u8]) -> Result<(), DiskError> {
    let failed = |source| DiskError::Write {
        path: path.to_owned(),
        source,
    };
    let staged = staged_beside(path)?;
    let created = File::create_new(&staged)
        .and_then(|mut file| file.write_all(bytes))
        .and_then(|()| keep_first(&staged, path));
    remove_if_exists(&staged).and(created).map_err(failed)
}

/// Gives a staged file its name, unless there is a file of this name.
fn keep_first(staged: &Path, path: &Path) -> io::Result<()> {
    match fs::hard_link(staged, path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => copy_new(staged, path),
        result => result,
    }
}

/// Copies a file to a name that is not used yet.
fn copy_new(file: &Path, copy: &Path) -> io::Result<()> {
    let mut new = File::create_new(copy)?;
    io::copy(&mut File::open(file)?, &mut new).map(|_| ())
}

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
    staging: Mutex<Option<PathBuf>>,
    /// Held until the run ends, so that a concurrent run waits.
    lock: Option<File>,
}

impl<'a> LockedOutputDir<'a> {
    /// Opens the directory. A run that writes locks it, and removes the staged files of a killed
    /// run.
    pub fn open(path: &'a Path, effect: WriteMode) -> Result<Self, DiskError> {
        let lock = if effect == WriteMode::Write {
            locked(path)?
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

    /// The path of the directory.
    pub(super) fn path(&self) -> &'a Path {
        self.path
    }

    /// Whether concurrent runs wait for this one.
    pub(super) fn is_locked(&self) -> bool {
        self.lock.is_some()
    }

    /// The directory for reading; existing sitemaps may be links.
    pub(super) fn contents(&self) -> &SitemapDir {
        &self.contents
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
        let log = self.contents.containment().failures();
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
            .map_err(|source| DiskError::Replace { path, source })
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
            return Ok(staging.clone());
        }
        let staging = self.path.join(format!("{STAGING}-{}", random_suffix()));
        strike(&staging)?;
        fs::create_dir(&staging)?;
        Ok(made.insert(staging).clone())
    }
}

/// Locks the directory itself, so that no lock file is published. If the platform cannot do this
/// (Windows, some network file systems), concurrent runs are not serialized; each file is still
/// complete.
fn locked(dir: &Path) -> Result<Option<File>, DiskError> {
    let Ok(handle) = File::open(dir) else {
        return Ok(None);
    };
    for _ in 0..LOCK_ATTEMPTS {
        match handle.try_lock() {
            Ok(()) => return Ok(Some(handle)),
            Err(TryLockError::WouldBlock) => thread::sleep(LOCK_RETRY_DELAY),
            Err(TryLockError::Error(_)) => return Ok(None),
        }
    }
    Err(DiskError::Locked {
        path: dir.to_owned(),
    })
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

fn remove_if_exists(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}

/// Removes a staging directory, or whatever else has its name. Does not follow a link.
fn remove_all(dir: &Path) -> io::Result<()> {
    retried(|| match fs::symlink_metadata(dir) {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(dir),
        Ok(_) => fs::remove_file(dir),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    })
}
