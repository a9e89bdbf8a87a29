//! Dates list pages as `lastmod.lists` says: terms have no date by default, and with
//! `newest-below`, home pages, sections, terms and their further pages take the newest date of the
//! pages below them or tagged with them.
//!
//! Only pages made by a generator count as list pages, and only if they have no source or that of a
//! section.

use std::collections::HashMap;

use crate::inventory::InventoryPage;
use crate::settings::ListDates;
use crate::sources::{DateOrigin, PageSource, Pagers, SiteSources};
use page_sources::generator::{ContentFile, ContentIndex, Site, Taxonomies};
use sitemaps::LastMod;

/// The lists of a site, and the pages that they show.
struct SiteLists<'s> {
    content: &'s ContentIndex,
    pagers: &'s Pagers,
    taxonomies: Taxonomies<'s>,
    /// Whether lists show the pages below their directory, not only those with their term.
    show_below: bool,
    /// Top-level directories of other languages, which do not count for the home page.
    languages: Vec<&'s str>,
}

/// Dates the list pages of a site according to the settings.
pub(crate) fn date_lists_of(
    site: &Site<'_>,
    sources: &SiteSources,
    lists: ListDates,
    lines: &mut [InventoryPage],
) {
    let Some(site_lists) = SiteLists::of(site, sources) else {
        return;
    };
    match lists {
        ListDates::Own => {}
        ListDates::Members => {
            let is_term = |line: &&mut InventoryPage| {
                site_lists.contain(line) && site_lists.taxonomies.contain(&line.file)
            };
            for line in lines.iter_mut().filter(is_term) {
                if line.is_listed() {
                    (line.lastmod, line.dated) = (None, DateOrigin::Term);
                }
            }
        }
        ListDates::None => {
            for line in lines.iter_mut().filter(|line| site_lists.contain(line)) {
                (line.lastmod, line.dated) = (None, DateOrigin::List);
            }
        }
        ListDates::NewestBelow => site_lists.date(lines),
    }
}

impl<'s> SiteLists<'s> {
    fn of(site: &'s Site<'_>, sources: &'s SiteSources) -> Option<Self> {
        let generator = site.generator?;
        let show_below = generator.own.has_lists;
        if !show_below && generator.terms.literals().next().is_none() {
            return None;
        }
        Some(Self {
            content: &sources.content,
            pagers: &sources.pagers,
            taxonomies: Taxonomies::new(generator, &site.config),
            show_below,
            languages: site.language_codes(),
        })
    }

    /// Whether a page is a list, or a further page of one, that may take the date of another page.
    fn contain(&self, line: &InventoryPage) -> bool {
        let file_of = |source: &PageSource| self.content.file(source.file()?);
        let is_own = line
            .source
            .as_ref()
            .is_none_or(|source| file_of(source).is_some_and(|file| file.is_list));
        let has_fixed_date =
            line.rule_outcome.lastmod.is_some() || line.rule_outcome.page.lastmod.is_some();
        line.file.file_name() == b"index.html" && is_own && !has_fixed_date
    }

    /// Returns the directory of a list. A pagination page has that of the list which it continues.
    fn dir_of<'l>(&self, list: &'l InventoryPage) -> &'l [u8] {
        self.pagers
            .list_of(&list.file)
            .unwrap_or_else(|| list.file.dir())
    }

    /// Returns the directories of the lists that show a page, among them its own.
    fn dirs_with(&self, line: &InventoryPage, lines: &[InventoryPage]) -> Vec<Vec<u8>> {
        let mut dirs = Vec::new();
        let language = language_dir(line.file.as_bytes(), &self.languages);
        if self.show_below {
            let above = dirs_above(line.file.as_bytes());
            // The home page shows its own language only.
            let above = above.filter(|dir| !dir.is_empty() || language.is_empty());
            dirs.extend(above.map(<[u8]>::to_vec));
        }
        let Some(file) = self.file_of(line) else {
            return dirs;
        };
        let terms = self
            .taxonomies
            .pages_of(file, &String::from_utf8_lossy(language));
        for term in terms {
            // The home page is already among the directories above the page itself.
            if lines.binary_search_by(|line| line.file.cmp(&term)).is_ok() {
                let above = dirs_above(term.as_bytes()).filter(|dir| !dir.is_empty());
                dirs.extend(above.map(<[u8]>::to_vec));
            }
        }
        dirs
    }

    fn file_of(&self, line: &InventoryPage) -> Option<&'s ContentFile> {
        self.content.file(line.source.as_ref()?.file()?)
    }

    /// Gives each list page the newest date of the listed pages that it shows, if that date is newer
    /// than its own.
    fn date(&self, lines: &mut [InventoryPage]) {
        let newest = self.newest_by_dir(lines);
        let mut dated = Vec::new();
        for (index, line) in lines.iter().enumerate() {
            if line.is_listed()
                && self.contain(line)
                && let Some(&(date, by)) = newest.get(self.dir_of(line))
                && line.lastmod.is_none_or(|own| own < date)
            {
                dated.push((index, date, lines[by].file.clone()));
            }
        }
        for (index, date, by) in dated {
            (lines[index].lastmod, lines[index].dated) =
                (Some(date), DateOrigin::PageBelow(Box::new(by)));
        }
    }

    /// Returns the newest date for each directory, with the index of the page that has it. The own
    /// date of a list page also counts for the lists above it, because it is one of their pages.
    fn newest_by_dir(&self, lines: &[InventoryPage]) -> HashMap<Vec<u8>, (LastMod, usize)> {
        let mut newest: HashMap<Vec<u8>, (LastMod, usize)> = HashMap::new();
        for (index, line) in lines.iter().enumerate() {
            let Some(date) = line.lastmod.filter(|_| line.is_listed()) else {
                continue;
            };
            for dir in self.dirs_with(line, lines) {
                let entry = newest.entry(dir).or_insert((date, index));
                if entry.0 < date {
                    *entry = (date, index);
                }
            }
        }
        newest
    }
}

/// Returns the directories above a file, innermost first, each with its trailing `/`; the top level
/// is empty.
fn dirs_above(file: &[u8]) -> impl Iterator<Item = &[u8]> {
    let ends = memchr::memrchr_iter(b'/', file).map(|at| at + 1);
    ends.chain([0]).map(|end| &file[..end])
}

/// Returns the language directory that contains a file, with its trailing `/`; empty for the
/// language of the home page.
fn language_dir<'f>(file: &'f [u8], languages: &[&str]) -> &'f [u8] {
    let first = file.split(|&byte| byte == b'/').next().unwrap_or_default();
    let is_language = languages
        .iter()
        .any(|language| language.as_bytes().eq_ignore_ascii_case(first));
    if is_language && first.len() < file.len() {
        &file[..=first.len()]
    } else {
        b""
    }
}
