//! Locks an output directory, and reports that the run waits for another one.

use std::fs::{File, TryLockError};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::Path;
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

use super::dir_changes;
use crate::publish::DiskError;
use site_paths::dir_handle::DirHandle;

/// Number of attempts to lock the directory, and the delay between them: two minutes in total.
/// Writing takes seconds, so a process that holds the lock longer is stuck.
const LOCK_ATTEMPTS: u32 = 12_000;
const LOCK_RETRY_DELAY: Duration = Duration::from_millis(10);

/// The attempt after which waiting is reported: after a second.
const REPORTED_ATTEMPT: u32 = 100;

/// The longest wait of a run without a lock, in milliseconds, times the number of attempts.
const LONGEST_WAIT_PER_ATTEMPT: u64 = 100;

type Report = Box<dyn Fn(&Path) + Send + Sync>;

/// What to call if a run of this process waits.
static REPORT: OnceLock<Report> = OnceLock::new();

/// Sets what to call, once per directory, if a run of this process waits for another one for more
/// than a second. Only the first setting has an effect.
pub(crate) fn on_waiting(report: impl Fn(&Path) + Send + Sync + 'static) {
    REPORT.get_or_init(|| Box::new(report));
}

/// Locks the directory itself, so that no lock file is published. If the platform cannot do this
/// (Windows, some network file systems), concurrent runs are not serialized, and each compares the
/// result with its plan.
pub(super) fn lock(handle: &DirHandle, dir: &Path) -> Result<Option<File>, DiskError> {
    let Ok(handle) = dir_changes::lockable(handle) else {
        return Ok(None);
    };
    for attempt in 0..LOCK_ATTEMPTS {
        match handle.try_lock() {
            Ok(()) => return Ok(Some(handle)),
            Err(TryLockError::WouldBlock) => thread::sleep(LOCK_RETRY_DELAY),
            Err(TryLockError::Error(_)) => return Ok(None),
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

/// Waits before a run without a lock writes again, longer after each attempt, and each run another
/// time, so that one of them can complete its set. The first two attempts follow at once: usually, the
/// second one only finds that the set is complete.
pub(in crate::publish) fn wait_for_others(attempt: u32) {
    if attempt > 1 {
        let random = RandomState::new().build_hasher().finish();
        let longest = u64::from(attempt) * LONGEST_WAIT_PER_ATTEMPT;
        thread::sleep(Duration::from_millis(random % longest));
    }
}
