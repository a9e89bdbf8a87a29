//! Addresses that several sitemaps of one index list: each is told where it stands once more.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use super::CheckContext;
use super::existing::ExistingSitemap;
use super::tally::FindingTally;
use crate::finding::{code, quoted};

/// Of an entry that no sitemap lists.
const NOBODY: u32 = u32::MAX;

/// Which of an index's sitemaps lists an entry of the plan first; they are read at the same time.
pub(super) struct FirstListing<'a> {
    sitemaps: &'a [&'a ExistingSitemap],
    /// By the entry's number; empty where there is one sitemap alone.
    first: Vec<AtomicU32>,
    /// Entries that stand once more in a sitemap, by its position.
    again: Mutex<BTreeMap<u32, BTreeSet<usize>>>,
}

impl<'a> FirstListing<'a> {
    /// The sitemaps of one index.
    pub(super) fn new(case: &CheckContext<'_>, sitemaps: &'a [&'a ExistingSitemap]) -> Self {
        let entries = if sitemaps.len() > 1 {
            case.plan.entries().len()
        } else {
            0
        };
        let first = (0..entries).map(|_| AtomicU32::new(NOBODY)).collect();
        Self {
            sitemaps,
            first,
            again: Mutex::default(),
        }
    }

    /// The sitemap at a position.
    pub(super) fn sitemap(&self, at: u32) -> &'a ExistingSitemap {
        self.sitemaps[at as usize]
    }

    /// Takes down an entry, once for each sitemap that lists it.
    ///
    /// Whatever the order in which the sitemaps come, all but the first of them are taken down as listing it again.
    pub(super) fn take_down(&self, number: usize, sitemap: u32) {
        let Some(first) = self.first.get(number) else {
            return;
        };
        let other = first.fetch_min(sitemap, Ordering::Relaxed);
        if other != NOBODY {
            let mut again = self.again.lock().unwrap_or_else(PoisonError::into_inner);
            again.entry(other.max(sitemap)).or_default().insert(number);
        }
    }

    /// Reports each such entry at its place; only sitemaps that have some are read again.
    pub(super) fn report(&mut self, case: &CheckContext<'_>, tally: &mut FindingTally) {
        let again = std::mem::take(self.again.get_mut().unwrap_or_else(PoisonError::into_inner));
        for (at, mut numbers) in again {
            let sitemap = self.sitemap(at);
            sitemap.read_again(case.folder, &mut |listed| {
                let number = case
                    .plan
                    .number_of_any_spelling(&listed.loc)
                    .filter(|number| numbers.remove(number));
                let Some(number) = number else { return };
                let first = self.sitemap(self.first[number].load(Ordering::Relaxed));
                let message = || {
                    format!(
                        "`{}` is listed in `{}` already",
                        quoted(&listed.loc),
                        first.file
                    )
                };
                let hint = "list each address in one sitemap";
                tally.tell(code::LOC_TWICE, sitemap.at(listed.place), message, hint);
            });
        }
    }
}
