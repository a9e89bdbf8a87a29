//! One `<url>` of a sitemap.

use crate::date::LastMod;
use crate::location::PageUrl;
use crate::rule::GroupName;
use crate::rule::{ChangeFreq, Priority};

/// A listed page, as a sitemap writes it.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The page's address.
    pub loc: PageUrl,
    /// When it last changed, where that is known.
    pub lastmod: Option<LastMod>,
    /// Only where a rule sets it.
    pub changefreq: Option<ChangeFreq>,
    /// Only where a rule sets it.
    pub priority: Option<Priority>,
    /// Language alternates, the page itself among them: code and address, in the order in which they are written.
    pub alternates: Box<[(Box<str>, PageUrl)]>,
    /// Addresses of images, in document order.
    pub images: Box<[PageUrl]>,
    /// The child sitemap it goes into; `None` for the one without a name.
    pub group: Option<GroupName>,
}
