//! Options for reading pages.

/// Names of the robots tags that count, in lower case: the one for all crawlers, and Google's.
pub const ROBOTS_NAMES: [&str; 2] = ["robots", "googlebot"];

/// Options for reading pages.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ReadOptions {
    /// Whether the page's bytes are hashed.
    pub fingerprint: bool,
}
