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
use crate::config::{GzipMode, SitemapFormat, SitemapSettings};
use crate::dates::{DateFormat, LastMod};
use crate::rules::GroupName;
use crate::site_paths::{BaseUrl, PageUrl};

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
pub(super) struct FileLayout {
    /// Bytes before and after the entries.
    pub frame_len: fn(&FileFrame<'_>) -> usize,
    /// Bytes of one entry with these videos.
    pub entry_len: fn(&SitemapEntry, &[Video], DateFormat) -> usize,
    /// Appends the whole file.
    pub render: fn(&FileFrame<'_>, &mut dyn Iterator<Item = &SitemapEntry>, &mut String),
}

/// Parts of a file other than its entries.
pub(super) struct FileFrame<'a> {
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
pub(super) struct UsedExtensions {
    pub alternates: bool,
    pub images: bool,
    pub videos: bool,
}

/// Entries that share a file. Their numbers are in URL order.
pub(super) struct SitemapPart<'a> {
    pub group: Option<&'a GroupName>,
    pub bits: HashBits,
    pub numbers: Vec<u32>,
    /// Size of the file in bytes.
    pub bytes: usize,
    pub used: UsedExtensions,
}

/// Input of a format.
pub(super) struct LayoutInput<'a> {
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
mod tests {
    use proptest::prelude::*;

    use super::super::fixture::{at_most, base, date, entries, entry, grouped, plan, rendered};
    use super::super::gzip::FileCompression;
    use super::super::{FileRole, PlannedFileKind};
    use super::*;

    #[test]
    fn a_file_is_split_only_beyond_its_limit() {
        let check = |count: usize, settings: &SitemapSettings, expected: usize| {
            assert_eq!(
                plan(entries(count), settings).files().len(),
                expected,
                "{count}"
            );
        };
        check(50_000, &SitemapSettings::default(), 1);
        check(50_001, &SitemapSettings::default(), 3);
        let bytes = plan(entries(100), &SitemapSettings::default()).files()[0].bytes;
        check(
            100,
            &SitemapSettings {
                max_bytes: bytes,
                ..SitemapSettings::default()
            },
            1,
        );
        check(
            100,
            &SitemapSettings {
                max_bytes: bytes - 1,
                ..SitemapSettings::default()
            },
            3,
        );
    }

    #[test]
    fn no_entries_give_no_file() {
        assert!(
            plan(Vec::new(), &SitemapSettings::default())
                .files()
                .is_empty()
        );
    }

    #[test]
    fn of_two_entries_with_one_url_the_newer_is_kept() {
        let dated = |seconds| SitemapEntry {
            lastmod: date(seconds),
            ..entry("a")
        };
        let plan = plan(
            vec![entry("a"), dated(1), dated(2), dated(1)],
            &SitemapSettings::default(),
        );
        assert_eq!(plan.entries(), [dated(2)]);
    }

    #[test]
    fn every_name_has_the_gz_extension_if_only_compressed_files_are_written() {
        let settings = SitemapSettings {
            gzip: GzipMode::Only,
            formats: vec![SitemapFormat::Xml, SitemapFormat::Txt],
            ..at_most(2)
        };
        let plan = plan(entries(3), &settings);
        assert!(
            plan.files()
                .iter()
                .all(|file| FileCompression::of_name(&file.name) == FileCompression::Gzip)
        );
        assert!(plan.render(&plan.files()[0]).contains(".xml.gz</loc>"));
    }

    /// Pages of a small site, each URL once: a name, whether it has language versions and images,
    /// and a group.
    fn site() -> impl Strategy<Value = Vec<SitemapEntry>> {
        let page = ("[a-d&']{1,5}", 0_u8..4, prop::option::of("[bc]"), 0_i64..3);
        prop::collection::vec(page, 1..60).prop_map(|pages| {
            let by_url: BTreeMap<_, _> = pages
                .into_iter()
                .map(page_of)
                .map(|page| (page.loc.clone(), page))
                .collect();
            by_url.into_values().collect()
        })
    }

    fn page_of((name, extensions, group, day): (String, u8, Option<String>, i64)) -> SitemapEntry {
        let url = base().of_path(name.as_bytes());
        let page = group.map_or_else(|| entry(&name), |group| grouped(&name, &group));
        let alternates = if extensions & 1 == 0 {
            Box::default()
        } else {
            [("de".into(), url.clone())].into()
        };
        let images = if extensions & 2 == 0 {
            Box::default()
        } else {
            [url].into()
        };
        SitemapEntry {
            lastmod: date(day),
            links: EntryLinks { alternates, images }.shared(),
            ..page
        }
    }

    fn limits() -> impl Strategy<Value = SitemapSettings> {
        (1_usize..9, 700_usize..2000).prop_map(|(max_urls, max_bytes)| SitemapSettings {
            max_bytes,
            images: true,
            formats: vec![SitemapFormat::Xml, SitemapFormat::Txt],
            ..at_most(max_urls)
        })
    }

    proptest! {
        #[test]
        fn each_format_lists_every_url_in_one_file_and_no_file_exceeds_a_limit(
            pages in site(), settings in limits()
        ) {
            let plan = plan(pages.clone(), &settings);
            for file in plan.files() {
                prop_assert_eq!(file.bytes, plan.render(file).len(), "{}", file.name);
                let is_index = file.kind == PlannedFileKind::Index;
                prop_assert!(is_index || file.urls <= settings.max_urls);
                prop_assert!(is_index || file.bytes <= settings.max_bytes);
            }
            let expected: Vec<_> = pages.iter().map(|page| page.loc.as_str()).collect();
            for kind in [PlannedFileKind::Urlset, PlannedFileKind::Text] {
                let files = plan.files().iter().filter(|file| file.kind == kind);
                let numbers = files.flat_map(|file| file.numbers().iter());
                let mut listed: Vec<_> =
                    numbers.map(|&number| plan.entries()[number as usize].loc.as_str()).collect();
                listed.sort_unstable();
                prop_assert_eq!(&listed, &expected);
            }
        }

        #[test]
        fn the_order_of_the_entries_does_not_matter(pages in site(), settings in limits()) {
            let reversed = pages.iter().rev().cloned().collect();
            let reversed = plan(reversed, &settings);
            prop_assert_eq!(rendered(&plan(pages, &settings)), rendered(&reversed));
        }

        #[test]
        fn a_new_page_rewrites_one_child_or_splits_one(
            pages in site(), added in "[e-f]{1,5}", settings in limits()
        ) {
            let settings = SitemapSettings { formats: vec![SitemapFormat::Xml], ..settings };
            let children = |plan: &Plan| -> BTreeMap<String, String> {
                let children = plan.files().iter().filter(|file| file.role == FileRole::Child);
                children.map(|file| (file.name.clone(), plan.render(file))).collect()
            };
            let before = children(&plan(pages.clone(), &settings));
            let mut pages = pages;
            pages.push(entry(&added));
            let after = children(&plan(pages, &settings));
            let gone = before.keys().filter(|name| !after.contains_key(*name)).count();
            let is_rewritten = |(name, text): &(&String, &String)| {
                after.get(*name).is_some_and(|new| new != *text)
            };
            let rewritten = before.iter().filter(is_rewritten).count();
            prop_assert!(gone + rewritten <= 1, "{gone} gone, {rewritten} rewritten");
        }
    }
}
