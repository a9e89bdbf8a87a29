//! Compares the date of an entry with the page's last change, and says who is right.

use super::context::CheckContext;
use crate::decide::candidate_files;
use crate::inventory::InventoryPage;
use crate::sources::DateOrigin;
use site_paths::PageUrl;
use site_paths::finding::quoted;
use sitemaps::{DateFormat, LastMod, ListedDate};

/// Characters of a commit hash in a message, as in Git's short hashes.
const SHORT_HASH: usize = 7;

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
    pub(super) fn of(case: &CheckContext<'a>, number: usize, listed: &'a str) -> Option<Self> {
        let entry = &case.plan.entries()[number];
        let known = entry.lastmod.filter(|_| !listed.is_empty())?;
        // Formatting is faster than parsing.
        if known.to_text(DateFormat::Datetime) == listed {
            return None;
        }
        let is_false = !ListedDate::parse(listed)?.includes(known);
        is_false.then_some(Self {
            url: &entry.loc,
            listed,
            known,
        })
    }

    /// The message of its finding, with both dates.
    pub(super) fn message(self, case: &CheckContext<'_>) -> String {
        let files = candidate_files(&case.inventory.base, self.url);
        let page = files
            .iter()
            .find_map(|file| case.inventory.page_of(file))
            .filter(|page| page.url == *self.url);
        format!(
            "`{}`: the sitemap says {}, the last change is {}{}",
            quoted(self.url.as_str()),
            quoted(self.listed),
            self.known,
            page.map(origin).unwrap_or_default()
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
