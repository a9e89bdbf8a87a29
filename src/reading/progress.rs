//! Progress of a run, readable from another thread.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Counters that only increase, and flags that are only set.
#[derive(Debug, Default)]
pub struct RunProgress {
    pages: AtomicU64,
    pages_read: AtomicU64,
    is_dated: AtomicBool,
}

impl RunProgress {
    /// Returns the number of pages; 0 until they are discovered.
    pub fn pages(&self) -> u64 {
        self.pages.load(Ordering::Relaxed)
    }

    /// Returns the number of pages read so far.
    pub fn pages_read(&self) -> u64 {
        self.pages_read.load(Ordering::Relaxed)
    }

    /// Whether every page has its date, so that only the result remains to be written.
    pub fn is_dated(&self) -> bool {
        self.is_dated.load(Ordering::Relaxed)
    }

    pub(crate) fn dated(&self) {
        self.is_dated.store(true, Ordering::Relaxed);
    }

    pub(crate) fn found(&self, pages: usize) {
        self.pages.store(pages as u64, Ordering::Relaxed);
    }

    pub(crate) fn read_one(&self) {
        self.pages_read.fetch_add(1, Ordering::Relaxed);
    }
}
