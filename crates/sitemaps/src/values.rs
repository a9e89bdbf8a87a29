//! Values that settings give to entries: `<priority>`, `<changefreq>`, and the group, which becomes part of
//! the file name of a child sitemap.
//!
//! Google and Bing ignore the first two, so they are written only if a rule sets them.

use std::fmt;
use std::sync::Arc;

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

/// Most file systems limit a file name to 255 bytes. This leaves room for the sitemap's name, the
/// part's bits and the extension.
const MAX_CHARS: usize = 64;

/// The child sitemap of pages without a group: `sitemap-pages.xml`.
pub(crate) const UNGROUPED: &str = "pages";

/// A name that readers take for an index: `sitemap-index.xml`.
pub(crate) const INDEX: &str = "index";

/// A validated group name: lower-case ASCII letters, digits and hyphens, and not a name reserved by
/// waypost.
///
/// Up to a million entries may have one, so clones share the text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct GroupName(Arc<str>);

impl GroupName {
    /// Checks a name. The error follows the name of a setting.
    pub fn new(name: &str) -> Result<Self, String> {
        let last = name.rsplit('-').next().unwrap_or(name);
        let first = name.split('-').next().unwrap_or(name);
        let problem = if name.is_empty() || name.len() > MAX_CHARS {
            "it must have 1 to 64 characters"
        } else if !name
            .bytes()
            .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
            || name.split('-').any(str::is_empty)
        {
            "use `a` to `z`, `0` to `9`, and single `-` in between"
        } else if last.bytes().all(|byte| matches!(byte, b'0' | b'1')) {
            "endings of only 0 and 1 are reserved for parts of a group"
        } else if name == UNGROUPED || first == INDEX {
            "`pages` and `index` are reserved"
        } else {
            return Ok(Self(Arc::from(name)));
        };
        let name = name.escape_debug();
        Err(format!(
            "is invalid: `{name}` is not a valid group name: {problem}"
        ))
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for GroupName {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        Self::new(&name)
    }
}

impl From<GroupName> for String {
    fn from(name: GroupName) -> Self {
        name.to_string()
    }
}

impl fmt::Display for GroupName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
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

    #[test]
    fn a_group_name_cannot_collide_with_other_files() {
        let check =
            |name: &str, allowed: bool| assert_eq!(GroupName::new(name).is_ok(), allowed, "{name}");
        check("blog", true);
        check("blog-2024", true);
        check("blog-01", false);
        check("0110", false);
        check("2", true);
        check("pages", false);
        check("pages-old", true);
        check("news", true);
        check("news-old", true);
        check("index-2", false);
        check("kept", true);
        check("../blog", false);
        check("Blog", false);
        check("a--b", false);
        check("-a", false);
        check("", false);
        check(&"a".repeat(65), false);
    }
}
