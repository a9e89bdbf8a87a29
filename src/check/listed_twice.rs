//! Finds URLs that several sitemaps of one index list, and reports each repetition at its place.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use super::context::CheckContext;
use super::existing::ExistingSitemap;
use super::tally::FindingTally;
use site_paths::finding::{code, quoted};

/// Marks an entry that no sitemap lists.
const UNLISTED: u32 = u32::MAX;

/// The first sitemap of an index that lists each entry of the plan. Sitemaps are read in parallel.
pub(super) struct FirstListing<'a> {
    sitemaps: &'a [&'a ExistingSitemap],
    /// By entry number; empty if the index has only one sitemap.
    first: Vec<AtomicU32>,
    /// The numbers of repeated entries, by the position of the sitemap that repeats them.
    repeated: Mutex<BTreeMap<u32, BTreeSet<usize>>>,
}

impl<'a> FirstListing<'a> {
    /// Starts with the sitemaps of one index and no entries.
    pub(super) fn new(case: &CheckContext<'_>, sitemaps: &'a [&'a ExistingSitemap]) -> Self {
        let entries = if sitemaps.len() > 1 {
            case.plan.entries().len()
        } else {
            0
        };
        let first = (0..entries).map(|_| AtomicU32::new(UNLISTED)).collect();
        Self {
            sitemaps,
            first,
            repeated: Mutex::default(),
        }
    }

    /// The sitemap at a position.
    pub(super) fn sitemap(&self, at: u32) -> &'a ExistingSitemap {
        self.sitemaps[at as usize]
    }

    /// Records that a sitemap lists an entry. Call it once for each entry of a sitemap.
    ///
    /// The sitemaps may come in any order: all but the first are recorded as repetitions.
    pub(super) fn record(&self, number: usize, sitemap: u32) {
        let Some(first) = self.first.get(number) else {
            return;
        };
        let other = first.fetch_min(sitemap, Ordering::Relaxed);
        if other != UNLISTED {
            let mut again = self.repeated.lock().unwrap_or_else(PoisonError::into_inner);
            again.entry(other.max(sitemap)).or_default().insert(number);
        }
    }

    /// Reports each repeated entry at its place. Only sitemaps with repetitions are read again.
    pub(super) fn report(&mut self, case: &CheckContext<'_>) -> FindingTally {
        let mut tally = FindingTally::default();
        let again = std::mem::take(
            self.repeated
                .get_mut()
                .unwrap_or_else(PoisonError::into_inner),
        );
        for (at, mut numbers) in again {
            let sitemap = self.sitemap(at);
            sitemap.read_again(case.output_dir, &mut |listed| {
                let number = case
                    .plan
                    .number_of_equivalent(&listed.loc)
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
                tally.report(
                    code::LOC_TWICE,
                    sitemap.subject_at(listed.place),
                    message,
                    hint,
                );
            });
        }
        tally
    }
}
