//! Formats counts, sizes and durations for people.

use std::time::Duration;

/// Formats a count with its noun: `1 error`, `2 errors`.
pub(super) fn counted(number: usize, what: &str) -> String {
    format!(
        "{} {what}{}",
        grouped(number),
        if number == 1 { "" } else { "s" }
    )
}

/// Formats `1234567` as `1,234,567`.
pub(super) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

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

pub(super) fn seconds(took: Duration) -> String {
    match took.as_millis() {
        millis @ 0..1_000 => format!("{millis} ms"),
        millis => format!("{}.{:02} s", millis / 1_000, millis % 1_000 / 10),
    }
}
