//! A sitemap entry: one `<url>` element, with its language versions.
//!
//! A site in 50 languages states each of its URLs 50 times, so language links are numbers of codes and
//! URLs, and each text is stored once.

use std::sync::Arc;

use indexmap::IndexSet;

use crate::lastmod::LastMod;
use crate::site_paths::PageUrl;
use crate::values::{ChangeFreq, GroupName, Priority};

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

/// The language codes and URLs that language links name, each once.
#[derive(Debug, Default, PartialEq)]
pub struct LinkNames {
    /// `de`, `pt-BR`, `x-default`, as pages state them.
    pub codes: IndexSet<Box<str>>,
    /// URLs of language versions.
    pub urls: IndexSet<PageUrl>,
}

/// A language version: the numbers of its code and its URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LanguageLink {
    /// Number of the code.
    pub code: u32,
    /// Number of the URL.
    pub url: u32,
}

impl LinkNames {
    /// Returns the link to a language version.
    pub fn link(&mut self, code: &str, url: PageUrl) -> LanguageLink {
        let code = match self.codes.get_index_of(code) {
            Some(known) => known,
            None => self.codes.insert_full(code.into()).0,
        };
        LanguageLink {
            code: number(code),
            url: self.url_number(url),
        }
    }

    /// Returns the number of a URL.
    pub fn url_number(&mut self, url: PageUrl) -> u32 {
        number(self.urls.insert_full(url).0)
    }

    /// Returns a link's code.
    pub fn code(&self, link: LanguageLink) -> &str {
        &self.codes[link.code as usize]
    }

    /// Returns a link's URL.
    pub fn url(&self, link: LanguageLink) -> &PageUrl {
        &self.urls[link.url as usize]
    }
}

/// A site has fewer names than a number can have, as each takes more than one byte of memory.
fn number(index: usize) -> u32 {
    u32::try_from(index).expect("there are fewer than 2^32 names")
}

/// The language versions of an entry, including the page itself, in output order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LanguageLinks {
    links: Box<[LanguageLink]>,
    names: Option<Arc<LinkNames>>,
}

impl LanguageLinks {
    /// Takes links and the names that their numbers belong to.
    pub fn new(links: Box<[LanguageLink]>, names: Arc<LinkNames>) -> Self {
        Self {
            links,
            names: Some(names),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.links.is_empty()
    }

    /// The number of links.
    pub fn len(&self) -> usize {
        self.links.len()
    }

    /// Returns the code and the URL of each.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &PageUrl)> {
        self.names.iter().flat_map(|names| {
            self.links
                .iter()
                .map(|&link| (names.code(link), names.url(link)))
        })
    }
}

impl<C: AsRef<str>> FromIterator<(C, PageUrl)> for LanguageLinks {
    fn from_iter<I: IntoIterator<Item = (C, PageUrl)>>(versions: I) -> Self {
        let mut names = LinkNames::default();
        let links = versions
            .into_iter()
            .map(|(code, url)| names.link(code.as_ref(), url))
            .collect();
        Self::new(links, Arc::new(names))
    }
}
