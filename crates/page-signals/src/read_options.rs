//! Options for reading pages.

/// Names of the robots tags that count, in lower case: the one for all crawlers, and Google's.
pub const ROBOTS_NAMES: [&str; 2] = ["robots", "googlebot"];

/// Whether the URLs of images are collected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ImageMode {
    /// Images are ignored.
    #[default]
    Unwanted,
    /// Images are collected, which takes a full parse of every page.
    Wanted,
}

/// Whether to hash the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Fingerprint {
    /// No hash.
    #[default]
    Unwanted,
    /// A hash of all bytes.
    Wanted,
}

/// Options for reading pages.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ReadOptions {
    /// Whether the URLs of images are collected.
    pub images: ImageMode,
    /// Whether the page's bytes are hashed.
    pub fingerprint: Fingerprint,
}
