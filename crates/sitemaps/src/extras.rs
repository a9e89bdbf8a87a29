//! The pages of feeds, the only entries that have titles.

use crate::lastmod::LastMod;
use crate::site_paths::PageUrl;

/// The newest pages of a site.
#[derive(Debug, Default)]
pub struct Newest {
    /// Title of the site.
    pub title: String,
    /// Newest first; pages without a date come last.
    pub pages: Vec<NewestPage>,
}

/// A page in a feed.
#[derive(Debug, Clone, PartialEq)]
pub struct NewestPage {
    /// URL of the page.
    pub url: PageUrl,
    /// Title, or the URL if the page has none.
    pub title: String,
    /// Date of the last change, if known.
    pub lastmod: Option<LastMod>,
}
