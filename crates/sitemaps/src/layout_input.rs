//! The entries to lay out, and how a format splits them into files within the limits.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::extras::Newest;
use super::file_shape::{FileFrame, FileLayout, SitemapPart, UsedExtensions};
use super::names::SetFileNames;
use super::plan::PlannedFile;
use super::split::{HashBits, HashedUrl, halve, url_hash};
use super::{SitemapEntry, gzip};
use crate::group_name::GroupName;
use crate::lastmod::{DateFormat, LastMod};
use crate::settings::{GzipMode, SitemapSettings};
use crate::site_paths::BaseUrl;

/// Input of a format.
pub(crate) struct LayoutInput<'a> {
    /// Sorted by the bytes of their URLs, without duplicates.
    pub entries: &'a [SitemapEntry],
    /// The pages for the feeds.
    pub newest_pages: &'a Newest,
    pub settings: &'a SitemapSettings,
    /// Text at the start of every XML sitemap.
    pub opening: &'a str,
    pub dates: DateFormat,
    pub base: &'a BaseUrl,
}

impl<'a> LayoutInput<'a> {
    /// The newest date in a file.
    pub(super) fn newest(&self, file: &PlannedFile) -> Option<LastMod> {
        file.numbers()
            .iter()
            .filter_map(|&number| self.entries[number as usize].lastmod)
            .max()
    }

    /// The public name of a file: with `.gz` if only compressed files are written.
    pub(super) fn file_name(&self, suffix: &str, ending: &str) -> String {
        let separator = if suffix.is_empty() { "" } else { "-" };
        let gz = if self.settings.gzip == GzipMode::Only {
            gzip::ENDING
        } else {
            ""
        };
        format!(
            "{}{separator}{suffix}{ending}{gz}",
            SetFileNames {
                root: &self.settings.file
            }
            .stem()
        )
    }

    /// Splits the entries by group, and each group by hash until its parts fit.
    pub(super) fn split_entries(
        &self,
        shape: &FileLayout,
        group_of: fn(&SitemapEntry) -> Option<&GroupName>,
    ) -> Vec<SitemapPart<'a>> {
        let length = |text: &mut String, entry: &SitemapEntry| {
            text.clear();
            (shape.push_entry)(entry, self.dates, text);
            u32::try_from(text.len()).unwrap_or(u32::MAX)
        };
        let entries = self.entries.par_iter();
        let lengths: Vec<u32> = entries.map_init(String::new, length).collect();
        let mut groups: BTreeMap<Option<&GroupName>, Vec<u32>> = BTreeMap::new();
        for (number, entry) in (0..).zip(self.entries) {
            groups.entry(group_of(entry)).or_default().push(number);
        }
        let measure =
            |numbers: &mut dyn Iterator<Item = u32>| self.measure(shape, &lengths, numbers);
        let within = |urls: usize, bytes: usize| {
            urls <= self.settings.max_urls && bytes <= self.settings.max_bytes
        };
        let mut parts = Vec::new();
        for (group, numbers) in groups {
            let (bytes, used) = measure(&mut numbers.iter().copied());
            if within(numbers.len(), bytes) {
                parts.push(SitemapPart {
                    group,
                    bits: HashBits::default(),
                    numbers,
                    bytes,
                    used,
                });
                continue;
            }
            let fits = |part: &[HashedUrl]| {
                within(part.len(), measure(&mut part.iter().map(|url| url.1)).0)
            };
            halve(
                &self.sort_by_hash(numbers),
                HashBits::default(),
                &fits,
                &mut |bits, part| {
                    let mut numbers: Vec<u32> = part.iter().map(|url| url.1).collect();
                    numbers.sort_unstable();
                    let (bytes, used) = measure(&mut numbers.iter().copied());
                    parts.push(SitemapPart {
                        group,
                        bits,
                        numbers,
                        bytes,
                        used,
                    });
                },
            );
        }
        parts
    }

    /// The URLs of a group, sorted by hash.
    fn sort_by_hash(&self, numbers: Vec<u32>) -> Vec<HashedUrl> {
        let hash = |number: u32| (url_hash(self.entries[number as usize].loc.as_str()), number);
        let mut hashed: Vec<HashedUrl> = numbers.into_par_iter().map(hash).collect();
        hashed.sort_unstable();
        hashed
    }

    /// The size of a file with these entries, and the extensions that it uses.
    fn measure(
        &self,
        shape: &FileLayout,
        lengths: &[u32],
        numbers: &mut dyn Iterator<Item = u32>,
    ) -> (usize, UsedExtensions) {
        let (mut bytes, mut used) = (0, UsedExtensions::default());
        for number in numbers {
            let entry = &self.entries[number as usize];
            used.alternates |= !entry.alternates().is_empty();
            used.images |= !entry.images().is_empty();
            bytes += lengths[number as usize] as usize;
        }
        let frame = FileFrame {
            opening: self.opening,
            used,
        };
        (
            bytes + (shape.beginning)(&frame).len() + shape.end.len(),
            used,
        )
    }
}
