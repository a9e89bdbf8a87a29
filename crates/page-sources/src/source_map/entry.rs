//! A line of a source map: a page and its source.

/// A page and its source, as stated in a source map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceMapEntry {
    /// The page.
    pub page: PageName,
    /// Its source, absolute or relative to the site root.
    pub source: String,
    /// Whether the page is built only if drafts are included.
    pub is_draft: bool,
}

impl SourceMapEntry {
    /// A page that is always built.
    pub(super) fn new(page: PageName, source: String) -> Self {
        Self {
            page,
            source,
            is_draft: false,
        }
    }
}

/// The form in which a source map names a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PageName {
    /// A URL: absolute, or beginning with `/` and including the path of the base URL.
    Address(String),
    /// A file or a URL relative to the output directory.
    Below(String),
}
