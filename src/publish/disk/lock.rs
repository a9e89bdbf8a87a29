//! Locks an output directory, and reports that the run waits for another one.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

use same_file::Handle;

use super::staged_file::remove_if_exists;
use crate::publish::DiskError;

/// Name of the file that is locked while a run writes. It is removed when the run ends; one that a
/// killed run has left is used again.
const LOCK_FILE: &str = ".waypost-lock";

/// Number of attempts to lock the file, and the delay between them: two minutes in total. Writing
/// takes seconds, so a process that holds the lock longer is stuck.
const LOCK_ATTEMPTS: u32 = 12_000;
const LOCK_RETRY_DELAY: Duration = Duration::from_millis(10);

/// The attempt after which waiting is reported: after a second.
const REPORTED_ATTEMPT: u32 = 100;

type Report = Box<dyn Fn(&Path) + Send + Sync>;

/// What to call if a run of this process waits.
static REPORT: OnceLock<Report> = OnceLock::new();

/// Sets what to call, once per directory, if a run of this process waits for another one for more
/// than a second. Only the first setting has an effect.
pub(crate) fn on_waiting(report: impl Fn(&Path) + Send + Sync + 'static) {
    REPORT.get_or_init(|| Box::new(report));
}

/// The lock file of an output directory.
#[derive(Debug)]
pub(super) struct OutputLock {
    path: PathBuf,
    /// Locked until it is closed.
    file: File,
    is_exclusive: bool,
    is_removed: bool,
}

impl OutputLock {
    /// Waits until no other run writes to the directory; `None` if this run cannot write there
    /// either. Where the file system has no locks, runs do not wait for each other.
    pub(super) fn wait_for(dir: &Path) -> Result<Option<Self>, DiskError> {
        let path = dir.join(LOCK_FILE);
        for attempt in 0..LOCK_ATTEMPTS {
            match try_lock(&path) {
                Ok(Some(lock)) => return Ok(Some(lock)),
                Ok(None) => thread::sleep(LOCK_RETRY_DELAY),
                Err(error) if may_not_create(&error) && !path.exists() => return Ok(None),
                Err(source) => return Err(DiskError::unchanged(path, source)),
            }
            if attempt == REPORTED_ATTEMPT
                && let Some(report) = REPORT.get()
            {
                report(dir);
            }
        }
        Err(DiskError::Locked {
            path: dir.to_owned(),
        })
    }

    /// Whether other runs wait for this one.
    pub(super) fn is_exclusive(&self) -> bool {
        self.is_exclusive
    }

    /// Whether no other run has removed the file between opening and locking it.
    fn is_at_its_path(&self) -> io::Result<bool> {
        let locked = Handle::from_file(self.file.try_clone()?)?;
        match Handle::from_path(&self.path) {
            Ok(current) => Ok(current == locked),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Removes the file, then unlocks it.
    pub(super) fn release(mut self) -> io::Result<()> {
        self.is_removed = true;
        remove_if_exists(&self.path)
    }
}

impl Drop for OutputLock {
    fn drop(&mut self) {
        if !self.is_removed {
            // The run fails for another reason, and the next one uses the file again.
            drop(remove_if_exists(&self.path));
        }
    }
}

/// Locks the file; `None` if another run has locked it, or has removed it meanwhile.
fn try_lock(path: &Path) -> io::Result<Option<OutputLock>> {
    let file = open(path)?;
    let is_exclusive = match file.try_lock() {
        Ok(()) => true,
        Err(TryLockError::WouldBlock) => return Ok(None),
        Err(TryLockError::Error(_)) => false,
    };
    let mut lock = OutputLock {
        path: path.to_owned(),
        file,
        is_exclusive,
        is_removed: false,
    };
    lock.is_removed = !lock.is_at_its_path()?;
    Ok((!lock.is_removed).then_some(lock))
}

/// Opens the lock file, and creates it if it does not exist, but not behind a link.
fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        options.custom_flags(flags.bits().cast_signed());
    }
    options
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
}

fn may_not_create(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem
    )
}
