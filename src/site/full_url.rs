//! URLs with a host of their own, and a base for those without.

use sitemaps::site_paths::{BaseUrl, PageUrl, has_web_scheme};

/// Parses an absolute URL.
pub(super) fn absolute_url(text: &str) -> Option<PageUrl> {
    let text = text.trim();
    // A relative URL would resolve to any host.
    has_web_scheme(text).then(|| nowhere().resolve(text).ok())?
}

/// A base URL for paths whose host does not matter.
pub(super) fn nowhere() -> BaseUrl {
    BaseUrl::parse("https://host.invalid/").expect("the URL is absolute")
}
