//! Compares the date of an entry with the page's last change, and says who is right.

use super::known_pages::KnownPages;
use crate::hosts::candidate_files;
use crate::inventory::InventoryPage;
use crate::sources::DateOrigin;
use git_last_modified::SHORT_HASH;
use sitemaps::site_paths::PageUrl;
use sitemaps::site_paths::finding::quoted;
use sitemaps::{DateFormat, LastMod, ListedDate};

/// A date in a sitemap that excludes the page's last change.
#[derive(Debug, Clone, Copy)]
pub(super) struct FalseDate<'a> {
    url: &'a PageUrl,
    listed: &'a str,
    known: LastMod,
}

impl<'a> FalseDate<'a> {
    /// Compares the text of a date with the plan's entry of this number, as instants. A date that is
    /// unknown, or that cannot be read, is not false.
    pub(super) fn of(known_pages: &KnownPages<'a>, number: usize, listed: &'a str) -> Option<Self> {
        let entry = &known_pages.plan.entries()[number];
        let known = entry.lastmod.filter(|_| !listed.is_empty())?;
        // Formatting is faster than parsing.
        if known.to_text(DateFormat::Datetime) == listed {
            return None;
        }
        let date = ListedDate::parse(listed)?;
        if date.includes(known) {
            return None;
        }
        let found = Self {
            url: &entry.loc,
            listed,
            known,
        };
        let page = found.page(known_pages);
        let change = page.and_then(|page| page.dated.commit());
        // Hugo writes the author's date, and both dates of a commit are true.
        let is_other_date = change.is_some_and(|change| {
            let (seconds, offset) = (change.other_seconds, change.other_offset_minutes);
            let other = LastMod::at(seconds, offset, known_pages.now);
            other.is_ok_and(|other| date.includes(other))
        });
        let is_earlier = date.last_second() < known.seconds();
        let is_unknown = page.is_some_and(|page| match page.dated {
            // A list may also have changed with a page that it shows.
            DateOrigin::Members(_) => !is_earlier,
            // The content may have been published before.
            DateOrigin::Memory => is_earlier,
            _ => is_earlier && known_pages.is_deployed(page),
        });
        (!is_other_date && !is_unknown).then_some(found)
    }

    fn page(self, known_pages: &KnownPages<'a>) -> Option<&'a InventoryPage> {
        let files = candidate_files(&known_pages.inventory.base, self.url);
        let mut pages = files
            .iter()
            .filter_map(|file| known_pages.inventory.page_of(file));
        pages.next().filter(|page| page.url == *self.url)
    }

    /// The message of its finding, with both dates.
    pub(super) fn message(self, known_pages: &KnownPages<'a>) -> String {
        format!(
            "`{}`: the sitemap says {}, the last change is {}{}",
            quoted(self.url.as_str()),
            quoted(self.listed),
            self.known,
            self.page(known_pages).map(origin).unwrap_or_default()
        )
    }
}

/// The origin of a page's date, in parentheses.
fn origin(page: &InventoryPage) -> String {
    let commit = page.dated.commit().map(|change| change.commit.to_string());
    match (&page.dated, commit) {
        (_, Some(hash)) => format!(" (commit {})", &hash[..SHORT_HASH]),
        (DateOrigin::PageBelow(newest), None) => format!(" (that of `{newest}`)"),
        (DateOrigin::Rule, None) => " (set by a rule)".to_owned(),
        (DateOrigin::FrontMatter, None) => " (in the front matter)".to_owned(),
        (DateOrigin::Page, None) => " (stated by the page)".to_owned(),
        (DateOrigin::Mtime, None) => " (modification time of the source)".to_owned(),
        _ => String::new(),
    }
}
