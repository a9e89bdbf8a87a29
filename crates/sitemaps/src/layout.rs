//! Lays out entries into files: decides which files exist, and which entries each of them lists.
//!
//! Each format lays out its own files within the same limits.
//! Nothing is written or opened, and the order of the entries does not matter.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::extras::Newest;
use super::index::indexes_of;
use super::mark::{COMMENT_END, KEPT_MARK, OMITTED_MARK, opening_of};
use super::plan::Plan;
use super::stylesheet::stylesheet;
use super::{EntryLinks, SitemapEntry, feed, text, urlset, urlset_text};
use crate::lastmod::{DateFormat, LastMod};
use crate::settings::{SitemapFormat, SitemapSettings};
use crate::site_paths::{BaseUrl, PageUrl};

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
            marks.push_str(KEPT_MARK);
        }
        if !settings.omitted.is_empty() {
            let hashes: Vec<String> = settings
                .omitted
                .iter()
                .map(|hash| format!("{hash:016x}"))
                .collect();
            marks = [&marks, OMITTED_MARK, &hashes.join(" "), COMMENT_END].concat();
        }
        plan.opening
            .insert_str(opening_of(&plan.root).len(), &marks);
        plan.urlset = urlset_text::beginning(&plan.opening, &plan.entries);
        let mut files = Vec::new();
        for (_, format) in SitemapFormat::WORDS {
            if !plan.entries.is_empty() && settings.formats.contains(&format) {
                files.append(&mut match format {
                    SitemapFormat::Xml => urlset::lay_out(&plan, settings),
                    SitemapFormat::Txt => text::lay_out(&plan, settings),
                    SitemapFormat::Rss => feed::lay_out_rss(&plan, newest),
                    SitemapFormat::Atom => feed::lay_out_atom(&plan, newest),
                });
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
