//! Values of `<priority>` and `<changefreq>`.
//!
//! Google and Bing ignore both, so they are written only if a rule sets them.

use std::fmt;

use serde::{Deserialize, Serialize};

/// `<priority>`: 0.0 to 1.0, stored in ten-thousandths so that equal values are written alike
/// (sitemaps.org protocol).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize, Serialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Priority(u16);

impl Priority {
    /// Returns `None` unless the number is from 0.0 to 1.0. NaN is rejected.
    pub fn new(value: f64) -> Option<Self> {
        if !(0.0..=1.0).contains(&value) {
            return None;
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "0 to 10,000 by the check above"
        )]
        Some(Self((value * 10_000.0).round() as u16))
    }

    /// The value as a number.
    pub fn value(self) -> f64 {
        f64::from(self.0) / 10_000.0
    }
}

impl TryFrom<f64> for Priority {
    type Error = String;

    fn try_from(value: f64) -> Result<Self, String> {
        Self::new(value).ok_or_else(|| format!("must be a number from 0.0 to 1.0, not {value}"))
    }
}

impl From<Priority> for f64 {
    fn from(priority: Priority) -> Self {
        priority.value()
    }
}

/// Formats a decimal without exponent, as xsd:decimal requires, with at least one fractional digit.
impl fmt::Display for Priority {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = format!("{:04}", self.0 % 10_000);
        let digits = digits.trim_end_matches('0');
        write!(
            out,
            "{}.{}",
            self.0 / 10_000,
            if digits.is_empty() { "0" } else { digits }
        )
    }
}

/// `<changefreq>`: one of seven words (sitemaps.org protocol).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangeFreq {
    /// Changes with each access.
    Always,
    /// Every hour.
    Hourly,
    /// Every day.
    Daily,
    /// Every week.
    Weekly,
    /// Every month.
    Monthly,
    /// Every year.
    Yearly,
    /// Archived.
    Never,
}

impl ChangeFreq {
    /// The values as written, in the protocol's order.
    pub const WORDS: [(&str, Self); 7] = [
        ("always", Self::Always),
        ("hourly", Self::Hourly),
        ("daily", Self::Daily),
        ("weekly", Self::Weekly),
        ("monthly", Self::Monthly),
        ("yearly", Self::Yearly),
        ("never", Self::Never),
    ];

    /// Parses a value.
    pub fn parse(word: &str) -> Option<Self> {
        Self::WORDS
            .iter()
            .find(|(known, _)| *known == word)
            .map(|&(_, changefreq)| changefreq)
    }

    /// The value as written.
    pub fn as_str(self) -> &'static str {
        Self::WORDS[self as usize].0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_priority_is_written_as_a_plain_decimal() {
        let check = |value: f64, expected: &str| {
            assert_eq!(
                Priority::new(value)
                    .map(|priority| priority.to_string())
                    .as_deref(),
                Some(expected)
            );
        };
        check(0.0, "0.0");
        check(1e-7, "0.0");
        check(0.5, "0.5");
        check(0.69, "0.69");
        check(1.0, "1.0");
    }

    #[test]
    fn a_priority_outside_its_range_is_rejected() {
        for value in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
            assert_eq!(Priority::new(value), None, "{value}");
        }
    }
}
