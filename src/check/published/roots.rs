//! Where the check of a server begins: at a sitemap that the user names, or at those that crawlers find.

use std::collections::BTreeSet;

use url::Url;

use crate::check::live::LiveRobots;
use crate::findings::{Finding, Subject, code};
use sitemaps::robots_txt::sitemaps_of;
use sitemaps::site_paths::PageUrl;

/// The name that crawlers try.
const USUAL_NAME: &str = "sitemap.xml";

/// Whether a URL that the user names is that of a site: it ends in a slash. Any other names a
/// sitemap.
pub(super) fn is_site(url: &Url) -> bool {
    url.path().ends_with('/') && url.query().is_none()
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
    pub(super) fn of(named: &Url, robots: &LiveRobots) -> Self {
        let sitemaps = sitemaps_of(&robots.bytes, &robots.url);
        let in_robots: BTreeSet<String> = sitemaps.iter().map(PageUrl::to_string).collect();
        let mut found = Self {
            in_robots,
            ..Self::default()
        };
        if !is_site(named) {
            found.urls.push(named.to_string());
            return found;
        }
        for url in &sitemaps {
            let Ok(url) = Url::parse(url.as_str()) else {
                continue;
            };
            if url.host() != named.host() || url.port() != named.port() {
                found.elsewhere.push(url.to_string());
            } else if url.path().starts_with(named.path()) {
                found.urls.push(url.to_string());
            }
        }
        let guess = named.join(USUAL_NAME).map(String::from).ok();
        found.guess = guess.filter(|guess| !found.urls.contains(guess));
        found.urls.extend(found.guess.clone());
        found
    }

    /// The finding that a server has no sitemap.
    pub(super) fn nothing_found(named: &Url) -> Finding {
        let message = format!(
            "no sitemap found at `{named}`: robots.txt names none there, and there is no `{USUAL_NAME}`"
        );
        let subject = Subject::Url(named.to_string(), None);
        Finding::new(code::SITEMAP_MISSING, subject, message)
            .with_hint("publish a sitemap, or name its URL")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_that_ends_in_a_slash_names_a_site() {
        let check = |address: &str, expected: bool| {
            let url = Url::parse(address).expect("a valid URL");
            assert_eq!(is_site(&url), expected, "{address}");
        };
        check("https://example.com", true);
        check("https://example.com/docs/#top", true);
        check("https://example.com/docs", false);
        check("https://example.com/sitemap.xml", false);
        check("https://example.com/?sitemap=1", false);
    }
}
