//! The formats of feeds that search engines accept as sitemaps.

/// Format of a feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FeedFormat {
    /// RSS 2.0.
    Rss2,
    /// Atom 0.3, which Google no longer reads.
    Atom03,
    /// Atom 1.0 (RFC 4287).
    Atom1,
}
