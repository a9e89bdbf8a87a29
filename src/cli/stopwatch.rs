//! Measures how long a run takes. No output but the summary depends on it.
#![expect(
    clippy::disallowed_methods,
    reason = "the only file that reads the monotonic clock"
)]

use std::time::{Duration, Instant};

/// A running clock.
pub(super) struct Stopwatch(Instant);

impl Stopwatch {
    pub(super) fn start() -> Self {
        Self(Instant::now())
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}
