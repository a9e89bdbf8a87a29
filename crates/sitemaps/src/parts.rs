//! Splits the entries of a plan into files within the limits.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::plan::{Plan, PlannedFileKind, SitemapPart};
use super::split::{HashBits, halve, url_hash};
use crate::SitemapEntry;
use crate::group_name::GroupName;
use crate::settings::SitemapSettings;

impl Plan {
    /// Splits the entries by group, and each group by hash until its parts fit.
    pub(super) fn split_entries(
        &self,
        kind: PlannedFileKind,
        settings: &SitemapSettings,
        group_of: fn(&SitemapEntry) -> Option<&GroupName>,
    ) -> Vec<SitemapPart<'_>> {
        let lengths = self
            .entries
            .par_iter()
            .map_init(String::new, |text, entry| {
                text.clear();
                self.push_entry(kind, entry, text);
                u32::try_from(text.len()).unwrap_or(u32::MAX)
            });
        let lengths: Vec<u32> = lengths.collect();
        let [beginning, end] = self.frame_of(kind).map(str::len);
        let size_of = |numbers: &[u32]| {
            let entries = numbers
                .iter()
                .map(|&number| lengths[number as usize] as usize);
            beginning + entries.sum::<usize>() + end
        };
        let fits = |numbers: &[u32]| {
            numbers.len() <= settings.max_urls && size_of(numbers) <= settings.max_bytes
        };
        let hash_of = |number: u32| url_hash(self.entries[number as usize].loc.as_str());
        let mut groups: BTreeMap<Option<&GroupName>, Vec<u32>> = BTreeMap::new();
        for (number, entry) in (0..).zip(&self.entries) {
            groups.entry(group_of(entry)).or_default().push(number);
        }
        let mut parts = Vec::new();
        for (group, mut numbers) in groups {
            if !fits(&numbers) {
                numbers.sort_by_cached_key(|&number| hash_of(number));
            }
            let bits = HashBits::default();
            halve(&numbers, bits, &hash_of, &fits, &mut |bits, part| {
                let mut numbers = part.to_vec();
                numbers.sort_unstable();
                parts.push(SitemapPart {
                    group,
                    bits,
                    bytes: size_of(&numbers),
                    numbers,
                });
            });
        }
        parts
    }
}
