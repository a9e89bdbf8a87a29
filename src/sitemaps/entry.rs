//! One `<url>` of a sitemap.

use std::sync::Arc;

use crate::dates::LastMod;
use crate::rules::GroupName;
use crate::rules::{ChangeFreq, Priority};
use crate::site_paths::PageUrl;

/// A listed page, as a sitemap writes it.
#[derive(Debug, Clone, PartialEq)]
pub struct SitemapEntry {
    /// The page's address.
    pub loc: PageUrl,
    /// When it last changed, where that is known.
    pub lastmod: Option<LastMod>,
    /// What rules set for it; entries that the same rules match share it.
    pub by_rule: Arc<RuleValues>,
    /// Its language versions and images, where it has any.
    pub links: Option<Arc<EntryLinks>>,
}

/// What only rules set, and the front matter that stands above them.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct RuleValues {
    /// `<changefreq>`.
    pub changefreq: Option<ChangeFreq>,
    /// `<priority>`.
    pub priority: Option<Priority>,
    /// The child sitemap; `None` for the one without a name.
    pub group: Option<GroupName>,
}

/// Addresses that a page's entry has beside its own. Most have none, and those that do share them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct EntryLinks {
    /// Language alternates, the page itself among them: code and address, in the order in which they are written.
    pub alternates: Box<[(Box<str>, PageUrl)]>,
    /// Images, in the order in which they are written.
    pub images: Box<[PageUrl]>,
}

impl EntryLinks {
    /// The links to be shared; nothing where there is none.
    pub fn shared(self) -> Option<Arc<Self>> {
        (self != Self::default()).then(|| Arc::new(self))
    }
}

impl SitemapEntry {
    /// Its language alternates.
    pub fn alternates(&self) -> &[(Box<str>, PageUrl)] {
        self.links.as_ref().map_or(&[], |links| &links.alternates)
    }

    /// Its images.
    pub fn images(&self) -> &[PageUrl] {
        self.links.as_ref().map_or(&[], |links| &links.images)
    }
}
