//! Locks an output directory while a run writes to it.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::thread;
use std::time::Duration;

use crate::publish::DiskError;

/// Number of attempts to lock a directory, and the delay between them: half a minute in total. Writing
/// takes seconds, so a process that holds the lock longer is stuck.
const LOCK_ATTEMPTS: u32 = 3_000;
const LOCK_RETRY_DELAY: Duration = Duration::from_millis(10);

/// Waits until no other run writes to the directory, and locks it until the result is closed. `None`
/// where the system or the file system cannot lock directories: there, runs do not wait for each other.
///
/// The directory itself is locked, so a killed run leaves no lock file that a host would publish.
pub(super) fn lock(dir: &Path) -> Result<Option<File>, DiskError> {
    if cfg!(not(unix)) {
        return Ok(None);
    }
    let file = File::open(dir).map_err(|source| DiskError::Read {
        path: dir.to_owned(),
        source,
    })?;
    for _ in 0..LOCK_ATTEMPTS {
        match file.try_lock() {
            Ok(()) => return Ok(Some(file)),
            Err(TryLockError::WouldBlock) => thread::sleep(LOCK_RETRY_DELAY),
            Err(TryLockError::Error(_)) => return Ok(None),
        }
    }
    Err(DiskError::Locked {
        path: dir.to_owned(),
    })
}
