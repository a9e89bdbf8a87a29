//! The language versions of entries, as numbers of codes and URLs.
//!
//! A site in 50 languages states each of its URLs 50 times, so each text is stored once.

use std::sync::Arc;

use indexmap::IndexSet;

use crate::site_paths::PageUrl;

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
