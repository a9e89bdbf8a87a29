//! A language version of a page.

use page_signals::TagPlace;
use sitemaps::site_paths::PageUrl;

/// A language version of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LanguageVersion {
    /// The language code: `de`, `pt-BR`, `x-default`.
    pub hreflang: Box<str>,
    /// The URL of the version.
    pub url: PageUrl,
    /// The place of the link in the page; `None` if a sitemap that is replaced states it.
    pub place: Option<TagPlace>,
}
