//! Chooses the pages of a set that a live check requests: the same ones each time, spread over the
//! sections of the site.

use std::collections::{BTreeMap, HashMap};

use site_paths::finding::Subject;
use twox_hash::XxHash3_64;

/// A page of a set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SampledPage {
    /// Its URL, as written in the sitemap.
    pub url: String,
    /// Its entry in the sitemap.
    pub subject: Subject,
}

/// Chooses pages while a set is read.
///
/// A section is the first directory of a path. Of each section, the pages with the smallest hashes
/// are kept, so that neither the order of the entries nor new pages elsewhere change the choice.
#[derive(Debug)]
pub struct PageSample {
    size: usize,
    /// Scheme, host and port of the pages to choose from.
    origin: String,
    sections: HashMap<Box<str>, BTreeMap<(u64, String), Subject>>,
    listed: usize,
    elsewhere: usize,
}

/// The pages that were chosen.
#[derive(Debug, Default)]
pub struct ChosenPages {
    /// The pages, sorted by URL.
    pub pages: Vec<SampledPage>,
    /// The number of entries of the set.
    pub listed: usize,
    /// The number of entries on other hosts, which are not requested.
    pub elsewhere: usize,
}

impl PageSample {
    /// Chooses up to `size` pages of one host. `origin` is its scheme, host and port.
    pub fn new(size: usize, origin: String) -> Self {
        Self {
            size,
            origin,
            sections: HashMap::new(),
            listed: 0,
            elsewhere: 0,
        }
    }

    /// Considers an entry of the set.
    pub fn see(&mut self, url: &str, subject: impl FnOnce() -> Subject) {
        if self.size == 0 {
            return;
        }
        self.listed += 1;
        let (origin, path) = split_origin(url);
        if origin != self.origin {
            self.elsewhere += 1;
            return;
        }
        let is_home = matches!(path, "" | "/");
        let hash = if is_home {
            0
        } else {
            XxHash3_64::oneshot(url.as_bytes())
        };
        let section = if is_home { "/" } else { section_of(path) };
        if !self.sections.contains_key(section) {
            self.sections.insert(section.into(), BTreeMap::new());
        }
        let kept = self
            .sections
            .get_mut(section)
            .expect("it has been inserted");
        let is_small = |((largest, _), _): ((&u64, &String), &Subject)| hash < *largest;
        let largest = kept
            .last_key_value()
            .map(|((hash, url), subject)| ((hash, url), subject));
        if kept.len() < self.size || largest.is_some_and(is_small) {
            kept.entry((hash, url.to_owned())).or_insert_with(subject);
            if kept.len() > self.size {
                kept.pop_last();
            }
        }
    }

    /// The chosen pages: one of each section, then a second one, and so on.
    pub fn choose(self) -> ChosenPages {
        let mut ranked = Vec::new();
        for section in self.sections.into_values() {
            for (rank, ((hash, url), subject)) in section.into_iter().enumerate() {
                ranked.push((rank, hash, SampledPage { url, subject }));
            }
        }
        ranked.sort_by(|left, right| {
            (left.0, left.1, &left.2.url).cmp(&(right.0, right.1, &right.2.url))
        });
        ranked.truncate(self.size);
        let mut pages: Vec<SampledPage> = ranked.into_iter().map(|(.., page)| page).collect();
        pages.sort_by(|left, right| left.url.cmp(&right.url));
        ChosenPages {
            pages,
            listed: self.listed,
            elsewhere: self.elsewhere,
        }
    }
}

/// Splits a URL after its host.
fn split_origin(url: &str) -> (&str, &str) {
    let host = url.find("://").map_or(0, |at| at + 3);
    let end = url[host..]
        .find(['/', '?', '#'])
        .map_or(url.len(), |at| host + at);
    url.split_at(end)
}

/// The first directory of a path; empty for a page at the top, whether its URL ends in a slash or not.
fn section_of(path: &str) -> &str {
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let path = path.trim_matches('/');
    path.split_once('/').map_or("", |(first, _)| first)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORIGIN: &str = "https://example.com";

    fn chosen(size: usize, urls: &[String]) -> Vec<String> {
        let mut sample = PageSample::new(size, ORIGIN.to_owned());
        for url in urls {
            sample.see(url, || Subject::Site);
        }
        let chosen = sample.choose();
        assert_eq!(chosen.listed, urls.len());
        chosen.pages.into_iter().map(|page| page.url).collect()
    }

    fn urls(section: &str, count: usize) -> Vec<String> {
        let url = |number| format!("https://example.com/{section}{number}/");
        (0..count).map(url).collect()
    }

    #[test]
    fn every_section_is_represented_and_the_home_page_always() {
        let home = vec!["https://example.com/".to_owned()];
        let all = [
            home.clone(),
            urls("", 500),
            urls("blog/", 5_000),
            urls("docs/a/", 3),
        ]
        .concat();
        let pages = chosen(8, &all);
        let count = |start: &str| pages.iter().filter(|url| url.starts_with(start)).count();
        assert_eq!(pages.len(), 8);
        assert!(pages.contains(&home[0]));
        assert!(count("https://example.com/docs/") >= 2, "{pages:?}");
        assert!(count("https://example.com/blog/") >= 2, "{pages:?}");
        assert_eq!(chosen(1, &all), home);
    }

    #[test]
    fn the_order_of_the_entries_does_not_change_the_choice() {
        let all = [urls("", 50), urls("a/", 50)].concat();
        let mut reversed = all.clone();
        reversed.reverse();
        assert_eq!(chosen(7, &all), chosen(7, &reversed));
        let twice = [all.clone(), all.clone()].concat();
        assert_eq!(chosen(7, &all), chosen(7, &twice));
        assert_eq!(chosen(100, &all).len(), 100);
    }

    #[test]
    fn pages_of_one_host_are_chosen() {
        let mut sample = PageSample::new(9, ORIGIN.to_owned());
        for url in [
            "https://example.com/a",
            "https://example.org/b",
            "http://example.com/c",
            "x",
        ] {
            sample.see(url, || Subject::Site);
        }
        let chosen = sample.choose();
        assert_eq!((chosen.pages.len(), chosen.elsewhere), (1, 3));
    }
}
