//! How far a run is, for a terminal. Steps count here, and only `cli/printer.rs` reads it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

static STEP: Mutex<(&str, usize)> = Mutex::new(("", 0));
static DONE: AtomicUsize = AtomicUsize::new(0);

/// Begins a step of a run with this many things to do, or none if they are not counted.
pub(crate) fn begin(step: &'static str, total: usize) {
    let mut current = STEP.lock().unwrap_or_else(PoisonError::into_inner);
    *current = (step, total);
    DONE.store(0, Ordering::Relaxed);
}

/// Counts one of them.
pub(crate) fn advance() {
    DONE.fetch_add(1, Ordering::Relaxed);
}

/// The step, how many things are done, and of how many.
pub(crate) fn current() -> (&'static str, usize, usize) {
    let (step, total) = *STEP.lock().unwrap_or_else(PoisonError::into_inner);
    (step, DONE.load(Ordering::Relaxed).min(total), total)
}
