//! Lists the pages of the live sitemap. Follows an index, decompresses files and enforces limits.

use thiserror::Error;
use url::Url;

use super::Network;
use super::error::FetchError;
use super::fetch::parse;
use site_paths::MAX_SITEMAP_ENTRIES;
use sitemaps::{ListedEntry, SitemapListing, SitemapReadError, read_sitemap};

/// Maximum number of pages to compare. Each page takes some hundred bytes of memory.
const MOST_PAGES: usize = 5_000_000;

/// Reason that the live sitemap cannot serve as a baseline.
#[derive(Debug, Error)]
pub enum LiveSitemapError {
    /// The sitemap or one of its children could not be fetched.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// A sitemap could be read only in part.
    #[error("`{url}` could be read only in part: {why}")]
    Broken {
        /// Its URL.
        url: String,
        /// The error.
        why: SitemapReadError,
    },
    /// It lists nothing, so it is not a sitemap.
    #[error("`{0}` is not a sitemap: it lists no URLs")]
    Empty(String),
    /// An index names a sitemap on another host.
    #[error("the index `{url}` names `{child}`, which is on another host")]
    Elsewhere {
        /// The index.
        url: String,
        /// The child.
        child: String,
    },
    /// An index names another index.
    #[error("the index names `{0}`, which is an index itself")]
    Nested(String),
    /// It lists more children or pages than the limit.
    #[error("`{0}` lists more URLs than can be compared")]
    TooMany(String),
}

impl Network {
    /// Passes every page of a sitemap, or of an index and its children, to `visit`. Children
    /// must be on the host of the index.
    pub fn list_live_pages(
        &self,
        address: &str,
        visit: &mut dyn FnMut(&ListedEntry),
    ) -> Result<(), LiveSitemapError> {
        let url = parse(address)?;
        let mut pages = 0;
        let children = self.read_one(url.as_str(), &mut pages, visit)?;
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
            if !self.read_one(child.as_str(), &mut pages, visit)?.is_empty() {
                return Err(LiveSitemapError::Nested(child.to_string()));
            }
        }
        Ok(())
    }

    /// Reads one file: passes its pages to `visit`, and returns the children that it names.
    fn read_one(
        &self,
        url: &str,
        pages: &mut usize,
        visit: &mut dyn FnMut(&ListedEntry),
    ) -> Result<Vec<String>, LiveSitemapError> {
        let mut children = Vec::new();
        let mut count = *pages;
        let read = read_sitemap(self.fetch(url)?, &mut |listing, listed| match listing {
            SitemapListing::Pages => {
                count += 1;
                if count <= MOST_PAGES {
                    visit(listed);
                }
            }
            SitemapListing::Sitemaps if children.len() <= MAX_SITEMAP_ENTRIES => {
                children.push(listed.loc.clone());
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

/// Whether a child is on the same host as its index. Behind a proxy that terminates TLS, an index
/// may name http URLs although it is served over https.
fn is_on(index: &Url, child: &Url) -> bool {
    matches!(child.scheme(), "http" | "https")
        && index.host() == child.host()
        && index.port() == child.port()
}
