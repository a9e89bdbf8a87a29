//! The values that a page sets for its own entry.

use sitemaps::{ChangeFreq, Priority};

/// Values that a page sets for its own entry; they override every rule.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct PageOverrides {
    /// `<priority>`.
    pub priority: Option<Priority>,
    /// `<changefreq>`.
    pub changefreq: Option<ChangeFreq>,
    /// A fixed date, as written and already validated.
    pub lastmod: Option<String>,
    /// Whether the page is excluded.
    pub exclude: Option<bool>,
}
