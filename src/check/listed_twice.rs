//! Finds URLs that several sitemaps of one index list, and reports each repetition at its place.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use super::CheckContext;
use super::existing::ExistingSitemap;
use super::tally::FindingTally;
use crate::finding::{code, quoted};

/// Marks an entry that no sitemap lists.
const NOBODY: u32 = u32::MAX;

/// The first sitemap of an index that lists each entry of the plan. Sitemaps are read in parallel.
pub(super) struct FirstListing<'a> {
    sitemaps: &'a [&'a ExistingSitemap],
    /// By entry number; empty if the index has only one sitemap.
    first: Vec<AtomicU32>,
    /// The numbers of repeated entries, by the position of the sitemap that repeats them.
    again: Mutex<BTreeMap<u32, BTreeSet<usize>>>,
}

impl<'a> FirstListing<'a> {
    /// Starts with the sitemaps of one index and no entries.
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

    /// Records that a sitemap lists an entry. Call it once for each entry of a sitemap.
    ///
    /// The sitemaps may come in any order: all but the first are recorded as repetitions.
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

    /// Reports each repeated entry at its place. Only sitemaps with repetitions are read again.
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
                        "`{}` is already listed in `{}`",
                        quoted(&listed.loc),
                        first.file
                    )
                };
                let hint = "list each URL in one sitemap only";
                tally.tell(code::LOC_TWICE, sitemap.at(listed.place), message, hint);
            });
        }
    }
}
