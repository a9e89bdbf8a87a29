//! A base URL with the place where it was found.

use sitemaps::site_paths::BaseUrl;

/// A base URL and its origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundBaseUrl {
    /// The base URL.
    pub url: BaseUrl,
    /// The kind of its origin.
    pub kind: BaseUrlKind,
    /// Where it comes from, in words.
    pub origin: String,
}

/// The kinds of origins of a base URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BaseUrlKind {
    /// waypost's own setting, in a file.
    Setting,
    /// A flag or an environment variable, whose name is the origin; it applies to this run only.
    User,
    /// The canonical links of pages.
    Pages,
    /// Another statement of where the site is served.
    Statement,
    /// Where it could be served: by the pipeline, the repository or an earlier run.
    Guess,
    /// Where it could be served, for the user to choose.
    Suggestion,
}

impl FoundBaseUrl {
    pub(super) fn new(url: BaseUrl, kind: BaseUrlKind, origin: impl Into<String>) -> Self {
        let origin = origin.into();
        Self { url, kind, origin }
    }

    /// Whether it is where the site is served, rather than where it could be.
    pub fn is_statement(&self) -> bool {
        !matches!(self.kind, BaseUrlKind::Guess | BaseUrlKind::Suggestion)
    }
}
