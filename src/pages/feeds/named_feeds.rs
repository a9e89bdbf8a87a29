//! Collects the feeds that pages link to, while the pages are read.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use crate::decide::{PageCase, place_of};
use sitemaps::Place;
use sitemaps::site_paths::{PageUrl, SitePath};

/// Feeds, each with the first page that links to it and the place of the tag. Nearly all pages of a
/// site link to the same few.
#[derive(Default)]
pub(crate) struct NamedFeeds(Mutex<BTreeMap<PageUrl, (SitePath, Place)>>);

impl NamedFeeds {
    /// Records the feeds of one page; pages arrive in any order.
    pub(crate) fn record(&self, case: &PageCase<'_>) {
        for feed in &case.facts.feeds {
            let Ok(url) = case.resolve(&feed.value) else {
                continue;
            };
            let mut feeds = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let first = feeds
                .entry(url)
                .or_insert_with(|| (case.file.clone(), place_of(feed.place)));
            if *case.file < first.0 {
                *first = (case.file.clone(), place_of(feed.place));
            }
        }
    }

    /// Returns all recorded feeds.
    pub(crate) fn into_map(self) -> BTreeMap<PageUrl, (SitePath, Place)> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}
