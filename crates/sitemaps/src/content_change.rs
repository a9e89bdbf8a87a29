//! Counts the language links and images that a new set keeps of the one that it replaces.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde::Serialize;

/// How much of one kind of content a plan has of what the entries on disk have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct ContentChange {
    /// The number on disk.
    pub before: usize,
    /// The number in the plan.
    pub now: usize,
    /// The number of those on disk that the plan lacks, entry by entry.
    pub lost: usize,
    /// The number of these in entries for which the page itself states others.
    #[serde(skip)]
    pub overruled: usize,
}

/// Counts one kind of content while files are read in parallel.
#[derive(Default)]
pub(super) struct ContentTally {
    before: AtomicUsize,
    lost: AtomicUsize,
    overruled: AtomicUsize,
}

impl ContentTally {
    pub(super) fn add(&self, before: usize, now: usize, is_overruled: bool) {
        if before > 0 {
            let lost = before.saturating_sub(now);
            self.before.fetch_add(before, Ordering::Relaxed);
            self.lost.fetch_add(lost, Ordering::Relaxed);
            let overruled = if is_overruled { lost } else { 0 };
            self.overruled.fetch_add(overruled, Ordering::Relaxed);
        }
    }

    pub(super) fn finish(self, now: usize) -> ContentChange {
        ContentChange {
            before: self.before.into_inner(),
            lost: self.lost.into_inner(),
            overruled: self.overruled.into_inner(),
            now,
        }
    }
}
