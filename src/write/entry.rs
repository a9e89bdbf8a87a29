//! One `<url>` of a sitemap.

use std::sync::Arc;

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
    /// What rules set for it; entries that the same rules match share it.
    pub by_rule: Arc<ByRule>,
    /// Its language versions and images, where it has any.
    pub links: Option<Arc<Links>>,
}

/// What only rules set, and the front matter that stands above them.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct ByRule {
    /// `<changefreq>`.
    pub changefreq: Option<ChangeFreq>,
    /// `<priority>`.
    pub priority: Option<Priority>,
    /// The child sitemap; `None` for the one without a name.
    pub group: Option<GroupName>,
}

/// Addresses that a page's entry has beside its own. Most have none, and those that do share them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Links {
    /// Language alternates, the page itself among them: code and address, in the order in which they are written.
    pub alternates: Box<[(Box<str>, PageUrl)]>,
    /// Images, in the order in which they are written.
    pub images: Box<[PageUrl]>,
}

impl Links {
    /// The links to be shared; nothing where there is none.
    pub fn shared(self) -> Option<Arc<Self>> {
        (self != Self::default()).then(|| Arc::new(self))
    }
}

impl Entry {
    /// Its language alternates.
    pub fn alternates(&self) -> &[(Box<str>, PageUrl)] {
        self.links.as_ref().map_or(&[], |links| &links.alternates)
    }

    /// Its images.
    pub fn images(&self) -> &[PageUrl] {
        self.links.as_ref().map_or(&[], |links| &links.images)
    }
}
