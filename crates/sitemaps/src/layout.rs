//! Lays out entries into files: decides which files exist, and which entries each of them lists.
//!
//! `FORMATS` is the table of formats; each format lays out its own files within the same limits.
//! Nothing is written or opened, and the order of the entries does not matter.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::extras::{EntryExtras, Video};
use super::index::indexes_over;
use super::mark::opening_of;
use super::names::SetFileNames;
use super::plan::{Plan, PlannedFile};
use super::split::{HashBits, HashedUrl, halve, url_hash};
use super::stylesheet::stylesheet;
use super::{EntryLinks, SitemapEntry, feed, gzip, news, text, urlset};
use crate::group_name::GroupName;
use crate::lastmod::{DateFormat, LastMod};
use crate::settings::{GzipMode, SitemapFormat, SitemapSettings};
use site_paths::{BaseUrl, PageUrl};

/// Maximum number of images per page that Google reads
/// (developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps). The module that
/// reads the page reports a page with more.
pub const MAX_IMAGES: usize = 1000;

/// A sitemap format, with the function that lays out its files.
pub(super) struct FormatRow {
    pub format: SitemapFormat,
    pub lay_out: fn(&LayoutInput<'_>) -> Vec<PlannedFile>,
}

/// Every format, in the order in which the files are planned.
pub(super) const FORMATS: &[FormatRow] = &[urlset::ROW, text::ROW, feed::RSS, feed::ATOM];

/// Functions that measure and render one file that lists entries.
#[derive(Debug)]
pub(crate) struct FileLayout {
    /// Bytes before and after the entries.
    pub frame_len: fn(&FileFrame<'_>) -> usize,
    /// Bytes of one entry with these videos.
    pub entry_len: fn(&SitemapEntry, &[Video], DateFormat) -> usize,
    /// Appends the whole file.
    pub render: fn(&FileFrame<'_>, &mut dyn Iterator<Item = &SitemapEntry>, &mut String),
}

/// Parts of a file other than its entries.
pub(crate) struct FileFrame<'a> {
    /// Text at the start of every XML sitemap.
    pub opening: &'a str,
    /// Extensions whose namespaces are declared.
    pub used: UsedExtensions,
    /// Videos by page.
    pub videos: &'a BTreeMap<PageUrl, Vec<Video>>,
    /// Format of dates.
    pub dates: DateFormat,
}

/// Extensions that the entries of a file use.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct UsedExtensions {
    pub alternates: bool,
    pub images: bool,
    pub videos: bool,
}

/// Entries that share a file. Their numbers are in URL order.
pub(crate) struct SitemapPart<'a> {
    pub group: Option<&'a GroupName>,
    pub bits: HashBits,
    pub numbers: Vec<u32>,
    /// Size of the file in bytes.
    pub bytes: usize,
    pub used: UsedExtensions,
}

/// Input of a format.
pub(crate) struct LayoutInput<'a> {
    /// Sorted by the bytes of their URLs, without duplicates.
    pub entries: &'a [SitemapEntry],
    pub extras: &'a EntryExtras,
    pub settings: &'a SitemapSettings,
    /// Text at the start of every XML sitemap.
    pub opening: &'a str,
    pub dates: DateFormat,
    pub base: &'a BaseUrl,
}

impl Plan {
    /// Lays out the sitemaps of these entries. Without entries there are no files, because an empty
    /// `<urlset>` is invalid.
    ///
    /// Of entries with the same URL, the one with the newest date is kept. A file exceeds a limit
    /// only if a single entry does.
    pub fn lay_out(
        mut entries: Vec<SitemapEntry>,
        extras: EntryExtras,
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
        for entry in &mut entries {
            drop_disabled_extensions(entry, settings);
        }
        let plan = Self::of(entries, settings, date_format, base);
        let contents = plan.layout_input(&extras, settings);
        let rows = FORMATS
            .iter()
            .filter(|row| settings.formats.contains(&row.format) && !plan.entries.is_empty());
        let files = rows
            .flat_map(|row| (row.lay_out)(&contents))
            .chain(news::lay_out(&contents))
            .collect();
        Self {
            files,
            videos: extras.videos,
            ..plan
        }
    }

    /// Lays out an index over existing sitemaps, in the given order. Those below the base URL are
    /// not removed when the index is published, whichever tool wrote them.
    pub fn index_over(
        sitemaps: Vec<(PageUrl, Option<LastMod>)>,
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
        let files = indexes_over(
            &plan.layout_input(&EntryExtras::default(), settings),
            sitemaps.into_iter(),
        );
        Self {
            files,
            external_files: names,
            ..plan
        }
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
            videos: BTreeMap::new(),
            files: Vec::new(),
            external_files: BTreeSet::new(),
            root: settings.file.clone(),
            gzip: settings.gzip,
            dates,
            opening: opening_of(&settings.file) + &stylesheet,
            base: base.clone(),
        }
    }

    fn layout_input<'a>(
        &'a self,
        extras: &'a EntryExtras,
        settings: &'a SitemapSettings,
    ) -> LayoutInput<'a> {
        let Self {
            entries,
            opening,
            dates,
            base,
            ..
        } = self;
        LayoutInput {
            entries,
            extras,
            settings,
            opening,
            dates: *dates,
            base,
        }
    }
}

fn drop_disabled_extensions(entry: &mut SitemapEntry, settings: &SitemapSettings) {
    let images = if settings.images {
        entry.images().len().min(MAX_IMAGES)
    } else {
        0
    };
    if images == entry.images().len() && (settings.hreflang || entry.alternates().is_empty()) {
        return;
    }
    let alternates = if settings.hreflang {
        entry.alternates().into()
    } else {
        Box::default()
    };
    entry.links = EntryLinks {
        alternates,
        images: entry.images()[..images].into(),
    }
    .shared();
}

/// The videos of an entry's page; usually none.
pub(super) fn videos_of<'v>(
    videos: &'v BTreeMap<PageUrl, Vec<Video>>,
    entry: &SitemapEntry,
) -> &'v [Video] {
    if videos.is_empty() {
        &[]
    } else {
        videos.get(&entry.loc).map_or(&[], Vec::as_slice)
    }
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
        let lengths: Vec<u32> = self
            .entries
            .par_iter()
            .map(|entry| {
                let videos = videos_of(&self.extras.videos, entry);
                u32::try_from((shape.entry_len)(entry, videos, self.dates)).unwrap_or(u32::MAX)
            })
            .collect();
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
            used.videos |= !videos_of(&self.extras.videos, entry).is_empty();
            bytes += lengths[number as usize] as usize;
        }
        let frame = FileFrame {
            opening: self.opening,
            used,
            videos: &self.extras.videos,
            dates: self.dates,
        };
        (bytes + (shape.frame_len)(&frame), used)
    }
}

#[cfg(test)]
mod tests;
