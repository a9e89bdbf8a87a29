//! A sitemap entry: one `<url>` element.

use std::sync::Arc;

use crate::group_name::GroupName;
use crate::language_links::LanguageLinks;
use crate::lastmod::LastMod;
use crate::site_paths::PageUrl;
use crate::values::{ChangeFreq, Priority};

/// The comment in an entry before language links that a replaced sitemap stated. If the page itself
/// stated them, they would not be kept after it stops doing so. Images are always kept ones.
pub(crate) const KEPT_LINKS: &str = "kept links";

/// A listed page, as a sitemap writes it.
#[derive(Debug, Clone, PartialEq)]
pub struct SitemapEntry {
    /// URL of the page.
    pub loc: PageUrl,
    /// Date of the last change, if known.
    pub lastmod: Option<LastMod>,
    /// Values set by rules; entries that match the same rules share them.
    pub by_rule: Arc<RuleValues>,
    /// Language versions and images, if any.
    pub links: Option<Arc<EntryLinks>>,
}

/// Values that only rules and front matter set; front matter overrides rules.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct RuleValues {
    /// `<changefreq>`.
    pub changefreq: Option<ChangeFreq>,
    /// `<priority>`.
    pub priority: Option<Priority>,
    /// Group, which names the child sitemap; `None` for pages without a group.
    pub group: Option<GroupName>,
}

/// Further URLs in an entry, shared by its clones. Most entries have none.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct EntryLinks {
    /// Language versions.
    pub alternates: LanguageLinks,
    /// Images that a sitemap that is replaced states, in output order.
    pub images: Box<[PageUrl]>,
    /// Whether only a sitemap that is replaced states the language versions.
    pub are_kept: bool,
}

impl EntryLinks {
    /// Wraps the links for sharing; `None` if there are none.
    pub fn shared(self) -> Option<Arc<Self>> {
        (self != Self::default()).then(|| Arc::new(self))
    }
}

impl SitemapEntry {
    /// The language versions, unless there are none.
    pub fn alternates(&self) -> Option<&LanguageLinks> {
        let alternates = &self.links.as_ref()?.alternates;
        (!alternates.is_empty()).then_some(alternates)
    }

    /// Whether only a sitemap that is replaced states them.
    pub fn has_kept_links(&self) -> bool {
        self.links.as_ref().is_some_and(|links| links.are_kept)
    }

    /// The images.
    pub fn images(&self) -> &[PageUrl] {
        self.links.as_ref().map_or(&[], |links| &links.images)
    }
}
