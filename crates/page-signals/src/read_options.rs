//! Options for reading pages.

use super::page_bytes::Fingerprint;

/// Whether tags in the body count, apart from images.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum BodyMode {
    /// The whole page is searched.
    #[default]
    Counts,
    /// Only the head is read, unless images are wanted.
    Ignored,
}

/// Whether the URLs of images are collected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ImageMode {
    /// Images are ignored.
    #[default]
    Unwanted,
    /// Images are collected, which takes a full parse of every page that has any.
    Wanted,
}

/// Options for reading pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// Names of the robots tags that count, in lower case.
    pub robots_names: Vec<String>,
    /// Whether the body counts.
    pub body: BodyMode,
    /// Whether the URLs of images are collected.
    pub images: ImageMode,
    /// Whether the page's bytes are hashed.
    pub fingerprint: Fingerprint,
}

impl Default for ReadOptions {
    /// `robots` and `googlebot`, head and body, nothing else.
    fn default() -> Self {
        Self {
            robots_names: vec!["robots".to_owned(), "googlebot".to_owned()],
            body: BodyMode::default(),
            images: ImageMode::default(),
            fingerprint: Fingerprint::default(),
        }
    }
}
