//! Where the check of a server begins: at a sitemap that the user names, or at those that crawlers find.

use std::collections::BTreeSet;

use url::Url;

use crate::check::live::LiveRobots;
use crate::submit::parse_address;
use sitemaps::robots_txt::sitemaps_of;
use sitemaps::site_paths::finding::{Finding, Subject, code};
use sitemaps::site_paths::{HintedError, PageUrl};

/// The name that crawlers try.
const USUAL_NAME: &str = "sitemap.xml";

/// The site or sitemap that the user names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PublishedTarget {
    /// A site, by the URL of its home page.
    Site(Url),
    /// A sitemap.
    Sitemap(Url),
}

impl PublishedTarget {
    /// A URL that ends in a slash names a site, any other a sitemap.
    pub fn parse(address: &str) -> Result<Self, HintedError> {
        let mut url = parse_address(address)?;
        url.set_fragment(None);
        Ok(if url.path().ends_with('/') && url.query().is_none() {
            Self::Site(url)
        } else {
            Self::Sitemap(url)
        })
    }

    /// The same on the host of another URL, to which the site redirects.
    pub(super) fn moved_to(&self, url: &Url) -> Self {
        let (Self::Site(own) | Self::Sitemap(own)) = self;
        let mut moved = url.clone();
        moved.set_path(own.path());
        moved.set_query(own.query());
        match self {
            Self::Site(_) => Self::Site(moved),
            Self::Sitemap(_) => Self::Sitemap(moved),
        }
    }

    /// The URL.
    pub fn url(&self) -> &Url {
        match self {
            Self::Site(url) | Self::Sitemap(url) => url,
        }
    }

    /// Scheme, host and port.
    pub fn origin(&self) -> String {
        self.url().origin().ascii_serialization()
    }
}

/// The sitemaps to begin with.
#[derive(Debug, Default)]
pub(super) struct PublishedRoots {
    pub(super) urls: Vec<String>,
    /// Sitemaps on other hosts that robots.txt names. They are not requested.
    pub(super) elsewhere: Vec<String>,
    /// The sitemap that nothing names, so that it may be missing.
    pub(super) guess: Option<String>,
    /// All sitemaps that robots.txt names.
    pub(super) in_robots: BTreeSet<String>,
}

impl PublishedRoots {
    /// The sitemaps of a site are those that robots.txt names, below the site's own directory, and
    /// `sitemap.xml`.
    pub(super) fn of(target: &PublishedTarget, robots: &LiveRobots) -> Self {
        let named = sitemaps_of(&robots.bytes, &robots.url);
        let in_robots: BTreeSet<String> = named.iter().map(PageUrl::to_string).collect();
        let mut found = Self {
            in_robots,
            ..Self::default()
        };
        let site = match target {
            PublishedTarget::Sitemap(url) => {
                found.urls.push(url.to_string());
                return found;
            }
            PublishedTarget::Site(url) => url,
        };
        for url in named.iter().filter_map(|url| Url::parse(url.as_str()).ok()) {
            if url.host() != site.host() || url.port() != site.port() {
                found.elsewhere.push(url.to_string());
            } else if url.path().starts_with(site.path()) {
                found.urls.push(url.to_string());
            }
        }
        let guess = site.join(USUAL_NAME).map(String::from).ok();
        found.guess = guess.filter(|guess| !found.urls.contains(guess));
        found.urls.extend(found.guess.clone());
        found
    }

    /// The finding that a server has no sitemap.
    pub(super) fn nothing_found(target: &PublishedTarget) -> Finding {
        let message = format!(
            "no sitemap found at `{}`: robots.txt names none there, and there is no `{USUAL_NAME}`",
            target.url()
        );
        let subject = Subject::Url(target.url().to_string(), None);
        Finding::new(code::SITEMAP_MISSING, subject, message)
            .with_hint("publish a sitemap, or name its URL")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_that_ends_in_a_slash_names_a_site() {
        let check = |address: &str, is_site: bool| {
            let target = PublishedTarget::parse(address).expect("a valid URL");
            assert_eq!(
                matches!(target, PublishedTarget::Site(_)),
                is_site,
                "{address}"
            );
        };
        check("https://example.com", true);
        check("https://example.com/docs/#top", true);
        check("https://example.com/docs", false);
        check("https://example.com/sitemap.xml", false);
        check("https://example.com/?sitemap=1", false);
        assert!(PublishedTarget::parse("ftp://example.com/").is_err());
    }
}
