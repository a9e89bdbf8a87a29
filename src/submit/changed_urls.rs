//! Changes → the addresses that engines are to be told of. Pure.

use crate::config::KeyLocation;
use crate::site_paths::{BaseUrl, without_scheme};
use crate::sitemaps::{Plan, SitemapChanges};

/// What engines are to be told of.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ChangedUrls {
    /// Added, changed and removed addresses in their byte order, each once.
    pub urls: Vec<String>,
    /// How many of them are new.
    pub added: usize,
    /// How many have another date.
    pub changed: usize,
    /// How many are no longer listed.
    pub removed: usize,
    /// Addresses for which the key does not speak, in their byte order.
    pub not_covered: Vec<String>,
}

/// For which addresses a key speaks.
#[derive(Debug)]
pub struct KeyCoverage {
    /// Host and port, which all of them have.
    host: String,
    /// Host, port and folder, below which all of them lie.
    folder: String,
}

impl KeyCoverage {
    /// What a key speaks for: the host where its file lies at the root, else the folder of the file, by http and https.
    pub fn new(base: &BaseUrl, location: Option<&KeyLocation>) -> Self {
        let folder = location.map_or(base.as_str(), KeyLocation::folder);
        Self {
            host: base.host().to_owned(),
            folder: without_scheme(folder).to_owned(),
        }
    }

    /// Whether the file of the key lies on the site's own host.
    pub fn is_of_host(&self) -> bool {
        self.folder
            .strip_prefix(self.host.as_str())
            .is_some_and(|rest| rest.starts_with('/'))
    }

    fn holds(&self, url: &str) -> bool {
        without_scheme(url).starts_with(self.folder.as_str())
    }
}

impl ChangedUrls {
    /// What has changed. A page that has lost its date has not changed for that: a shallow clone knows none.
    pub fn since(plan: &Plan, cover: &KeyCoverage, changes: &SitemapChanges) -> Self {
        let mut due = Self::default();
        let redated: Vec<u32> = changes
            .redated
            .iter()
            .copied()
            .filter(|&number| plan.is_dated(number))
            .collect();
        due.added = due.take(plan.urls(&changes.added).map(str::to_owned), cover);
        due.changed = due.take(plan.urls(&redated).map(str::to_owned), cover);
        due.removed = due.take(
            changes.removed.iter().map(|url| plan.in_normal_form(url)),
            cover,
        );
        for urls in [&mut due.urls, &mut due.not_covered] {
            urls.sort_unstable();
            urls.dedup();
        }
        due
    }

    /// Takes those in for which the key speaks, and counts them.
    fn take(&mut self, urls: impl Iterator<Item = String>, cover: &KeyCoverage) -> usize {
        let before = self.urls.len();
        for url in urls {
            if cover.holds(&url) {
                self.urls.push(url)
            } else {
                self.not_covered.push(url)
            }
        }
        self.urls.len() - before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_speaks_for_its_host_or_for_the_folder_of_its_file() {
        let check = |base: &str, location: Option<&str>, url: &str, expected: bool| {
            let base = BaseUrl::parse(base).expect("a base");
            let location =
                location.map(|location| KeyLocation::parse(location).expect("an address"));
            assert_eq!(
                KeyCoverage::new(&base, location.as_ref()).holds(url),
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
    fn a_key_of_another_host_is_told() {
        let base = BaseUrl::parse("https://example.com/").expect("a base");
        let is_of_host = |location: &str| {
            KeyCoverage::new(&base, KeyLocation::parse(location).as_ref()).is_of_host()
        };
        assert!(
            is_of_host("http://example.com/a/key.txt")
                && !is_of_host("https://example.com.example.org/key.txt")
        );
    }
}
