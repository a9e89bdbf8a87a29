//! The verdict on a page.

use super::exclusion_reason::Reason;
use sitemaps::site_paths::PageUrl;
use sitemaps::site_paths::finding::Place;

/// Verdict on a page.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// The page is listed in the sitemap.
    Listed,
    /// The page is excluded.
    Excluded(Box<Exclusion>),
}

/// Exclusion of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct Exclusion {
    /// The reason, one of [`REASONS`](super::REASONS).
    pub reason: &'static Reason,
    /// The evidence: a tag's content, a URL, a rule of robots.txt.
    pub evidence: String,
    /// The place of the tag that states it.
    pub place: Option<Place>,
    /// The target of the canonical link, if that is the reason.
    pub canonical: Option<PageUrl>,
}
