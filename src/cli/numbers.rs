//! Formats counts and sizes for people.

pub(super) use sitemaps::site_paths::finding::{counted, grouped};

/// Formats a number of bytes in decimal units.
pub(super) fn size(bytes: usize) -> String {
    let mut value = bytes;
    let mut tenths = 0;
    for unit in ["B", "kB", "MB"] {
        if value < 1_000 {
            return if unit == "B" || value >= 100 {
                format!("{value} {unit}")
            } else {
                format!("{value}.{tenths} {unit}")
            };
        }
        tenths = value % 1_000 / 100;
        value /= 1_000;
    }
    format!("{value}.{tenths} GB")
}
