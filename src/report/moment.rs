//! Formats times for people.

use sitemaps::{LastMod, Now};

/// Formats a Unix time for display.
pub(super) fn moment(seconds: i64) -> String {
    LastMod::at(seconds, 0, Now(i64::MAX)).map_or_else(
        |_| "an unknown date".to_owned(),
        |date| date.to_string().replace('T', " at ").replace('Z', " UTC"),
    )
}
