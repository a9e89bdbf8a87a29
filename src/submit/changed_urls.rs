//! Selects the changed URLs to submit to search engines.

use serde::Serialize;

use super::index_now::IndexNowSender;
use sitemaps::{Plan, SitemapChanges};

/// URLs to submit to search engines.
#[derive(Debug, Default, Serialize)]
pub struct ChangedUrls {
    /// The number of new URLs.
    pub added: usize,
    /// The number of URLs with another date.
    pub changed: usize,
    /// The number of URLs that are no longer listed.
    pub removed: usize,
    /// URLs that the key does not cover, in byte order.
    pub not_covered: Vec<String>,
    /// Added, changed and removed URLs, in byte order and without duplicates.
    #[serde(skip)]
    pub urls: Vec<String>,
}

impl ChangedUrls {
    /// Selects the URLs to submit. A page that only lost its date has not changed, because a
    /// shallow clone has no dates. One that has a date for the first time has changed if that date is
    /// later than every earlier one.
    pub fn since(plan: &Plan, sender: &IndexNowSender, changes: &SitemapChanges) -> Self {
        let mut due = Self::default();
        let mut redated: Vec<u32> = changes.redated.iter().map(|(number, _)| *number).collect();
        redated.extend(&changes.changed_since);
        due.added = due.add_covered(plan.urls(&changes.added).map(str::to_owned), sender);
        due.changed = due.add_covered(plan.urls(&redated).map(str::to_owned), sender);
        let removed = changes.removed.iter().map(|url| plan.normalize_url(url));
        due.removed = due.add_covered(removed, sender);
        for urls in [&mut due.urls, &mut due.not_covered] {
            urls.sort_unstable();
            urls.dedup();
        }
        due
    }

    /// Adds the URLs that the key covers and returns their number. The others go to `not_covered`.
    fn add_covered(&mut self, urls: impl Iterator<Item = String>, key: &IndexNowSender) -> usize {
        let (covered, others): (Vec<_>, Vec<_>) = urls.partition(|url| key.covers(url));
        let count = covered.len();
        self.urls.extend(covered);
        self.not_covered.extend(others);
        count
    }
}
