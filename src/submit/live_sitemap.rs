//! The sitemap that is live → the pages it lists: an index is followed, compressed files are unpacked, all within bounds.

use thiserror::Error;
use url::Url;

use super::Network;
use super::error::FetchError;
use super::fetch::parse;
use crate::site_paths::MAX_SITEMAP_ENTRIES;
use crate::sitemaps::{ListedEntry, SitemapListing, SitemapReadError, read_sitemap};

/// No site that is compared has more pages: what is kept of each makes some hundred bytes.
const MOST_PAGES: usize = 5_000_000;

/// Why the sitemap that is live cannot be compared with.
#[derive(Debug, Error)]
pub enum LiveSitemapError {
    /// It, or a child of it, could not be fetched.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// It could be read only in part.
    #[error("`{url}` could be read only in part: {why}")]
    Broken {
        /// Its address.
        url: String,
        /// Why.
        why: SitemapReadError,
    },
    /// It lists nothing, so it is none.
    #[error("`{0}` is no sitemap: it lists nothing")]
    Empty(String),
    /// An index names a sitemap on another host.
    #[error("the index `{url}` names `{child}`, which is on another host and is not read")]
    Elsewhere {
        /// The index.
        url: String,
        /// The child.
        child: String,
    },
    /// An index names an index.
    #[error("the index names `{0}`, which is an index itself")]
    Nested(String),
    /// It has more children or pages than any site.
    #[error("`{0}` lists more than can be compared")]
    TooMany(String),
}

impl Network {
    /// Hands over every page of a sitemap, or of an index and its children, which lie on its host.
    pub fn list_live(
        &self,
        address: &str,
        hand_over: &mut dyn FnMut(&ListedEntry),
    ) -> Result<(), LiveSitemapError> {
        let url = parse(address)?;
        let mut pages = 0;
        let children = self.read_one(url.as_str(), &mut pages, hand_over)?;
        if pages == 0 && children.is_empty() {
            return Err(LiveSitemapError::Empty(url.to_string()));
        }
        for child in children {
            let elsewhere = || LiveSitemapError::Elsewhere {
                url: url.to_string(),
                child: child.escape_debug().to_string(),
            };
            let child = url
                .join(&child)
                .ok()
                .filter(|child| is_on(&url, child))
                .ok_or_else(elsewhere)?;
            if !self
                .read_one(child.as_str(), &mut pages, hand_over)?
                .is_empty()
            {
                return Err(LiveSitemapError::Nested(child.to_string()));
            }
        }
        Ok(())
    }

    /// Reads one file: hands over its pages, and gives the children that it names.
    fn read_one(
        &self,
        url: &str,
        pages: &mut usize,
        hand_over: &mut dyn FnMut(&ListedEntry),
    ) -> Result<Vec<String>, LiveSitemapError> {
        let mut children = Vec::new();
        let mut count = *pages;
        let read = read_sitemap(self.fetch(url)?, &mut |listing, listed| match listing {
            SitemapListing::Pages => {
                count += 1;
                if count <= MOST_PAGES {
                    hand_over(listed);
                }
            }
            SitemapListing::Sitemaps if children.len() <= MAX_SITEMAP_ENTRIES => {
                children.push(listed.loc.clone())
            }
            SitemapListing::Sitemaps => {}
        });
        *pages = count;
        if count > MOST_PAGES || children.len() > MAX_SITEMAP_ENTRIES {
            return Err(LiveSitemapError::TooMany(url.to_owned()));
        }
        read.map(|()| children)
            .map_err(|why| LiveSitemapError::Broken {
                url: url.to_owned(),
                why,
            })
    }
}

/// Whether a child lies where its index does. Behind a proxy that ends TLS an index may name http for https.
fn is_on(index: &Url, child: &Url) -> bool {
    matches!(child.scheme(), "http" | "https")
        && index.host() == child.host()
        && index.port() == child.port()
}
