//! Selects the changed URLs to submit to search engines.

use crate::settings::KeyLocation;
use sitemaps::site_paths::{BaseUrl, without_scheme};
use sitemaps::{Plan, SitemapChanges};

/// URLs to submit to search engines.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ChangedUrls {
    /// Added, changed and removed URLs, in byte order and without duplicates.
    pub urls: Vec<String>,
    /// The number of new URLs.
    pub added: usize,
    /// The number of URLs with another date.
    pub changed: usize,
    /// The number of URLs that are no longer listed.
    pub removed: usize,
    /// URLs that the key does not cover, in byte order.
    pub not_covered: Vec<String>,
}

/// The URLs that a key covers.
#[derive(Debug)]
pub struct KeyCoverage {
    /// Host and port of the site.
    host: String,
    /// Host, port and directory that every covered URL starts with.
    dir: String,
}

impl KeyCoverage {
    /// The URLs that a key covers, over both http and https: the whole host if its file is at the
    /// root, otherwise the directory of its file.
    pub fn new(base: &BaseUrl, location: Option<&KeyLocation>) -> Self {
        let dir = location.map_or(base.as_str(), KeyLocation::dir_url);
        Self {
            host: base.host().to_owned(),
            dir: without_scheme(dir).to_owned(),
        }
    }

    /// Whether the key file is on the host of the site.
    pub fn is_of_host(&self) -> bool {
        self.dir
            .strip_prefix(self.host.as_str())
            .is_some_and(|rest| rest.starts_with('/'))
    }

    fn covers(&self, url: &str) -> bool {
        without_scheme(url).starts_with(self.dir.as_str())
    }
}

impl ChangedUrls {
    /// Selects the URLs to submit. A page that only lost its date has not changed, because a
    /// shallow clone has no dates. One that has a date for the first time has changed if that date is
    /// later than every earlier one.
    pub fn since(plan: &Plan, cover: &KeyCoverage, changes: &SitemapChanges) -> Self {
        let mut due = Self::default();
        let redated = [&changes.redated[..], &changes.newly_dated].concat();
        due.added = due.add_covered(plan.urls(&changes.added).map(str::to_owned), cover);
        due.changed = due.add_covered(plan.urls(&redated).map(str::to_owned), cover);
        due.removed = due.add_covered(
            changes.removed.iter().map(|url| plan.normalize_url(url)),
            cover,
        );
        for urls in [&mut due.urls, &mut due.not_covered] {
            urls.sort_unstable();
            urls.dedup();
        }
        due
    }

    /// Adds the URLs that the key covers and returns their number. The others go to `not_covered`.
    fn add_covered(&mut self, urls: impl Iterator<Item = String>, cover: &KeyCoverage) -> usize {
        let before = self.urls.len();
        for url in urls {
            if cover.covers(&url) {
                self.urls.push(url);
            } else {
                self.not_covered.push(url);
            }
        }
        self.urls.len() - before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_covers_its_host_or_the_directory_of_its_file() {
        let check = |base: &str, location: Option<&str>, url: &str, expected: bool| {
            let base = BaseUrl::parse(base).expect("a valid base URL");
            let location = location
                .map(|location| KeyLocation::parse(location).expect("a valid key location"));
            assert_eq!(
                KeyCoverage::new(&base, location.as_ref()).covers(url),
                expected,
                "{url}"
            );
        };
        check("https://example.com/", None, "https://example.com/a", true);
        check("https://example.com/", None, "http://example.com/a", true);
        check(
            "https://example.com/",
            None,
            "https://example.com.example.org/a",
            false,
        );
        check(
            "https://example.com/",
            None,
            "https://docs.example.com/a",
            false,
        );
        check(
            "https://example.com/docs/",
            None,
            "https://example.com/a",
            false,
        );
        check(
            "https://example.com/docs/",
            Some("https://example.com/key.txt"),
            "https://example.com/a",
            true,
        );
        check(
            "https://example.com/",
            Some("https://example.com/docs/key.txt"),
            "https://example.com/docsa",
            false,
        );
    }

    #[test]
    fn a_key_on_another_host_is_detected() {
        let base = BaseUrl::parse("https://example.com/").expect("a valid base URL");
        let is_of_host = |location: &str| {
            KeyCoverage::new(&base, KeyLocation::parse(location).as_ref()).is_of_host()
        };
        assert!(
            is_of_host("http://example.com/a/key.txt")
                && !is_of_host("https://example.com.example.org/key.txt")
        );
    }
}
