//! Chooses the pages of a set that a live check requests: the same ones each time, from everywhere in
//! the set.

use std::collections::BTreeMap;

use crate::findings::Subject;
use sitemaps::ListedEntry;
use sitemaps::site_paths::PageUrl;

use crate::check::entry_facts::hash_of;

/// A page of a set.
#[derive(Debug)]
pub(super) struct ChosenPage<'s> {
    /// Its URL.
    pub(super) url: &'s PageUrl,
    /// Its entry in the sitemap.
    pub(super) subject: &'s Subject,
}

/// Chooses pages while a set is read: those with the smallest hashes, and the home page. So neither
/// the order of the entries nor new pages elsewhere change the choice.
#[derive(Debug)]
pub struct PageSample {
    size: usize,
    /// Scheme, host and port of the pages to choose from.
    origin: String,
    kept: BTreeMap<(u64, PageUrl), Subject>,
    /// The number of entries of the set.
    pub(super) listed: usize,
    /// The number of entries on other hosts, which are not requested.
    pub(super) elsewhere: usize,
}

impl PageSample {
    /// Chooses up to `size` pages of one host. `origin` is its scheme, host and port.
    pub fn new(size: usize, origin: String) -> Self {
        Self {
            size,
            origin,
            kept: BTreeMap::new(),
            listed: 0,
            elsewhere: 0,
        }
    }

    /// Considers an entry of a file of the set, whose URL is this one if it has any.
    pub(in crate::check) fn see(
        &mut self,
        listed: &ListedEntry,
        url: Option<&PageUrl>,
        file: &Subject,
    ) {
        if self.size == 0 {
            return;
        }
        self.listed += 1;
        let Some(url) = url.filter(|url| url.origin() == self.origin) else {
            self.elsewhere += 1;
            return;
        };
        let rank = rank_of(url);
        let largest = self.kept.last_key_value().map(|((rank, _), _)| *rank);
        if self.kept.len() < self.size || largest.is_some_and(|largest| rank < largest) {
            self.kept
                .entry((rank, url.clone()))
                .or_insert_with(|| file.at(listed.place));
            if self.kept.len() > self.size {
                self.kept.pop_last();
            }
        }
    }

    /// Whether a page is chosen.
    pub(in crate::check) fn has(&self, url: &PageUrl) -> bool {
        self.kept.contains_key(&(rank_of(url), url.clone()))
    }

    /// The chosen pages, sorted by URL.
    pub(super) fn pages(&self) -> Vec<ChosenPage<'_>> {
        let mut pages: Vec<ChosenPage<'_>> = self
            .kept
            .iter()
            .map(|((_, url), subject)| ChosenPage { url, subject })
            .collect();
        pages.sort_by_key(|page| page.url);
        pages
    }
}

/// The turn of a page: the home page comes first.
fn rank_of(url: &PageUrl) -> u64 {
    if url.path_and_query() == "/" {
        0
    } else {
        hash_of(url)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use url::Url;

    const ORIGIN: &str = "https://example.com";

    fn see(sample: &mut PageSample, url: &str) {
        let parsed = Url::parse(url).ok();
        let url = parsed.and_then(|url| PageUrl::from_url(&url));
        sample.see(&ListedEntry::default(), url.as_ref(), &Subject::Site);
    }

    fn chosen(size: usize, urls: &[String]) -> Vec<String> {
        let mut sample = PageSample::new(size, ORIGIN.to_owned());
        for url in urls {
            see(&mut sample, url);
        }
        assert_eq!(sample.listed, urls.len());
        sample
            .pages()
            .iter()
            .map(|page| page.url.to_string())
            .collect()
    }

    fn urls(section: &str, count: usize) -> Vec<String> {
        let url = |number| format!("https://example.com/{section}{number}/");
        (0..count).map(url).collect()
    }

    #[test]
    fn the_home_page_is_always_chosen_and_the_others_from_everywhere() {
        let home = vec!["https://example.com/".to_owned()];
        let all = [urls("a/", 500), home.clone(), urls("b/", 500)].concat();
        let pages = chosen(20, &all);
        let count = |start: &str| pages.iter().filter(|url| url.starts_with(start)).count();
        assert_eq!(pages.len(), 20);
        assert!(pages.contains(&home[0]));
        assert!(count("https://example.com/a/") >= 4, "{pages:?}");
        assert!(count("https://example.com/b/") >= 4, "{pages:?}");
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
            see(&mut sample, url);
        }
        assert_eq!((sample.pages().len(), sample.elsewhere), (1, 3));
    }
}
