//! Lays out entries into files: decides which files exist, and which entries each of them lists.
//!
//! Each format lays out its own files within the same limits: entries are split by group, and each
//! group by hash until its parts fit. Nothing is written or opened, and the order of the entries does
//! not matter.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use crate::feed::Newest;
use crate::lastmod::{DateFormat, LastMod};
use crate::mark::{KEPT, OMITTED, opening_of};
use crate::plan::{FileRole, Plan, PlannedFile, PlannedFileKind, SitemapPart};
use crate::settings::{SitemapFormat, SitemapSettings};
use crate::site_paths::{BaseUrl, PageUrl};
use crate::split::{HashBits, halve, url_hash};
use crate::stylesheet::stylesheet;
use crate::urlset::indexes_of;
use crate::values::GroupName;
use crate::{EntryLinks, SitemapEntry, feed, urlset, urlset_text};

/// Maximum number of images per page that Google reads
/// (developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps).
pub const MAX_IMAGES: usize = 1000;

impl Plan {
    /// Lays out the sitemaps of these entries. Without entries there are no files, because an empty
    /// `<urlset>` is invalid.
    ///
    /// Of entries with the same URL, the one with the newest date is kept. A file exceeds a limit
    /// only if a single entry does.
    pub fn lay_out(
        mut entries: Vec<SitemapEntry>,
        newest: &Newest,
        settings: &SitemapSettings,
        date_format: DateFormat,
        base: &BaseUrl,
    ) -> Self {
        entries.sort_unstable_by(|one, other| {
            one.loc
                .cmp(&other.loc)
                .then_with(|| Reverse(one.lastmod).cmp(&Reverse(other.lastmod)))
        });
        entries.dedup_by(|later, first| later.loc == first.loc);
        if !settings.hreflang {
            entries.iter_mut().for_each(drop_language_links);
        }
        let mut plan = Self::of(entries, settings, date_format, base);
        let mut marks = String::new();
        if plan
            .entries
            .iter()
            .any(|entry| entry.has_kept_links() || !entry.images().is_empty())
        {
            marks = format!("<!--{KEPT}-->\n");
        }
        if !settings.omitted.is_empty() {
            let hashes: Vec<String> = settings
                .omitted
                .iter()
                .map(|hash| format!("{hash:016x}"))
                .collect();
            marks.extend(["<!--", OMITTED, &hashes.join(" "), " -->\n"]);
        }
        plan.opening
            .insert_str(opening_of(&plan.root).len(), &marks);
        plan.urlset = urlset_text::beginning(&plan.opening, &plan.entries);
        let mut files = Vec::new();
        for (_, format) in SitemapFormat::WORDS {
            if !plan.entries.is_empty() && settings.formats.contains(&format) {
                match format {
                    SitemapFormat::Xml => files.append(&mut urlset::lay_out(&plan, settings)),
                    SitemapFormat::Txt => files.append(&mut plan.text_files(settings)),
                    SitemapFormat::Rss => files.extend(feed::lay_out_rss(&plan, newest)),
                    SitemapFormat::Atom => files.extend(feed::lay_out_atom(&plan, newest)),
                }
            }
        }
        Self { files, ..plan }
    }

    /// Lays out an index over existing sitemaps, in the given order. Those below the base URL are
    /// not removed when the index is published, whichever tool wrote them.
    pub fn index_over(
        sitemaps: &[(PageUrl, Option<LastMod>)],
        settings: &SitemapSettings,
        date_format: DateFormat,
        base: &BaseUrl,
    ) -> Self {
        let names = sitemaps
            .iter()
            .filter_map(|(url, _)| base.path_below(url))
            .map(str::to_owned)
            .collect();
        let plan = Self::of(Vec::new(), settings, date_format, base);
        Self {
            files: indexes_of(&plan, sitemaps),
            external_files: names,
            ..plan
        }
    }

    /// Lays out `sitemap.txt`: one URL per line and nothing else (sitemaps.org protocol, "Text file").
    ///
    /// robots.txt names text files; the index does not. Of five index readers that we tested, four
    /// ignore a text file that an index names.
    fn text_files(&self, settings: &SitemapSettings) -> Vec<PlannedFile> {
        let kind = PlannedFileKind::Text;
        self.split_entries(kind, settings, |_| None)
            .into_iter()
            .map(|part| {
                let name = self.file_name(&part.bits.to_string(), ".txt");
                PlannedFile::from_part(name, kind, FileRole::Root, part)
            })
            .collect()
    }

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

    fn of(
        entries: Vec<SitemapEntry>,
        settings: &SitemapSettings,
        dates: DateFormat,
        base: &BaseUrl,
    ) -> Self {
        let stylesheet = if settings.stylesheet {
            stylesheet()
        } else {
            String::new()
        };
        Self {
            entries,
            files: Vec::new(),
            external_files: BTreeSet::new(),
            root: settings.file.clone(),
            gzip: settings.gzip,
            dates,
            opening: opening_of(&settings.file) + &stylesheet,
            urlset: String::new(),
            base: base.clone(),
        }
    }
}

fn drop_language_links(entry: &mut SitemapEntry) {
    if entry.alternates().is_some() {
        let images = entry.images().into();
        entry.links = EntryLinks {
            images,
            ..EntryLinks::default()
        }
        .shared();
    }
}

#[cfg(test)]
mod tests;
