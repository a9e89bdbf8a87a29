//! The kind of a file of a set.

use serde::{Serialize, Serializer};

use crate::feed_format::FeedFormat;

/// Kind of a file, by its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SitemapFileKind {
    /// `<urlset>`: pages.
    Pages,
    /// `<sitemapindex>`: sitemaps.
    Index,
    /// Not XML, so at best one URL per line.
    Text,
    /// RSS or Atom, whose entries [`crate::feed_form`] reads.
    Feed(FeedFormat),
    /// XML of another kind, or XML that breaks off before the root element.
    #[default]
    OtherXml,
}

impl SitemapFileKind {
    /// Sets the kind at the first element at depth 0, which is the root.
    pub(crate) fn record(&mut self, depth: usize, kind_of_root: impl FnOnce() -> Self) {
        if depth == 0 && *self == Self::OtherXml {
            *self = kind_of_root();
        }
    }
}

/// Written in one word.
impl Serialize for SitemapFileKind {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_str(match self {
            Self::Index => "index",
            Self::Feed(_) => "feed",
            Self::Pages | Self::Text | Self::OtherXml => "pages",
        })
    }
}
