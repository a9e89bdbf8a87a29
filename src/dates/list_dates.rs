//! Dates list pages as `lastmod.lists` says: terms have no date by default, and with
//! `newest-below`, home pages, sections, terms and their further pages take the newest date of the
//! pages below them or tagged with them.
//!
//! Only pages made by a generator count as list pages, and only if they have no source or that of a
//! section.

use std::collections::HashMap;

use crate::generators::{ContentFile, ContentIndex, Site, Taxonomies};
use crate::pages::{DateOrigin, Page, Pages};
use crate::settings::ListDates;
use crate::sources::{Pagers, SiteSources};
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
    site: &Site,
    sources: &SiteSources,
    lists: ListDates,
    pages: &mut Pages,
) {
    let Some(site_lists) = SiteLists::of(site, sources) else {
        return;
    };
    match lists {
        ListDates::Own => {}
        ListDates::Members => {
            for page in pages.iter_mut().filter(|page| page.is_listed()) {
                if site_lists.contain(page) && site_lists.taxonomies.contain(&page.file) {
                    (page.lastmod, page.dated) = (None, DateOrigin::Term);
                }
            }
        }
        ListDates::None => {
            for page in pages.iter_mut().filter(|page| site_lists.contain(page)) {
                (page.lastmod, page.dated) = (None, DateOrigin::List);
            }
        }
        ListDates::NewestBelow => site_lists.date(pages),
    }
}

impl<'s> SiteLists<'s> {
    fn of(site: &'s Site, sources: &'s SiteSources) -> Option<Self> {
        let generator = site.generator?;
        let show_below = generator.has_lists;
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
    fn contain(&self, page: &Page) -> bool {
        let is_own = page.source.as_ref().is_none_or(|source| {
            let file = source.file().and_then(|file| self.content.file(file));
            file.is_some_and(|file| file.is_list)
        });
        let has_fixed_date =
            page.rule_outcome.lastmod.is_some() || page.rule_outcome.page.lastmod.is_some();
        page.file.file_name() == b"index.html" && is_own && !has_fixed_date
    }

    /// Returns the directory of a list. A pagination page has that of the list which it continues.
    fn dir_of<'l>(&self, list: &'l Page) -> &'l [u8] {
        self.pagers
            .list_of(&list.file)
            .unwrap_or_else(|| list.file.dir())
    }

    /// Returns the directories of the lists that show a page, among them its own.
    fn dirs_with(&self, page: &Page, pages: &Pages) -> Vec<Vec<u8>> {
        let mut dirs = Vec::new();
        let language = language_dir(page.file.as_bytes(), &self.languages);
        if self.show_below {
            // The home page shows its own language only.
            let above = dirs_above(page.file.as_bytes())
                .filter(|dir| !dir.is_empty() || language.is_empty());
            dirs.extend(above.map(<[u8]>::to_vec));
        }
        let Some(file) = self.file_of(page) else {
            return dirs;
        };
        let terms = self
            .taxonomies
            .pages_of(file, &String::from_utf8_lossy(language));
        for term in terms {
            // The home page is already among the directories above the page itself.
            if pages.index_of(&term).is_some() {
                let above = dirs_above(term.as_bytes()).filter(|dir| !dir.is_empty());
                dirs.extend(above.map(<[u8]>::to_vec));
            }
        }
        dirs
    }

    fn file_of(&self, page: &Page) -> Option<&'s ContentFile> {
        self.content.file(page.source.as_ref()?.file()?)
    }

    /// Gives each list page the newest date of the listed pages that it shows, if that date is newer
    /// than its own.
    fn date(&self, pages: &mut Pages) {
        let newest = self.newest_by_dir(pages);
        let mut dated = Vec::new();
        for (index, page) in pages.iter().enumerate() {
            if page.is_listed()
                && self.contain(page)
                && let Some(&(date, by)) = newest.get(self.dir_of(page))
                && page.lastmod.is_none_or(|own| own < date)
            {
                dated.push((index, date, pages[by].file.clone()));
            }
        }
        for (index, date, by) in dated {
            (pages[index].lastmod, pages[index].dated) =
                (Some(date), DateOrigin::PageBelow(Box::new(by)));
        }
    }

    /// Returns the newest date for each directory, with the index of the page that has it. The own
    /// date of a list page also counts for the lists above it, because it is one of their pages.
    fn newest_by_dir(&self, pages: &Pages) -> HashMap<Vec<u8>, (LastMod, usize)> {
        let mut newest: HashMap<Vec<u8>, (LastMod, usize)> = HashMap::new();
        for (index, page) in pages.iter().enumerate() {
            let Some(date) = page.lastmod.filter(|_| page.is_listed()) else {
                continue;
            };
            for dir in self.dirs_with(page, pages) {
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
    memchr::memrchr_iter(b'/', file)
        .map(|at| &file[..=at])
        .chain([&b""[..]])
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
