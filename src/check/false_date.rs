//! Compares the date of an entry with the page's last change, and says who is right.

use super::known_pages::KnownPages;
use crate::pages::{DateOrigin, Page};
use git_last_modified::SHORT_HASH;
use sitemaps::findings::quoted;
use sitemaps::{DateFormat, LastMod};

/// A day in seconds.
const DAY: i64 = 24 * 60 * 60;

/// Compares the text of a date with the plan's entry of this number, as instants; returns the
/// message of a finding if it excludes the page's last change. A date that is unknown, or that
/// cannot be read, is not false.
pub(super) fn false_date(
    known_pages: &KnownPages<'_>,
    number: usize,
    listed: &str,
) -> Option<String> {
    let entry = &known_pages.plan.entries()[number];
    let known = entry.lastmod.filter(|_| !listed.is_empty())?;
    // Formatting is faster than parsing.
    if known.to_text(DateFormat::Datetime) == listed {
        return None;
    }
    let date = LastMod::parse_listed(listed)?;
    if date.includes(known) {
        return None;
    }
    // A post is committed in the evening before its day, or has the day of its author's time zone.
    let day = (date.last_second() - date.seconds() < DAY).then_some(DAY);
    let near = day.filter(|_| !listed.contains(['T', 't']));
    if near.is_some_and(|day| {
        (date.seconds() - day..=date.last_second() + day).contains(&known.seconds())
    }) {
        return None;
    }
    let inventory = known_pages.inventory;
    let page = inventory.page_at(&entry.loc);
    let page = page.filter(|page| page.url == entry.loc);
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
    (!is_other_date && !is_unknown).then(|| {
        let (url, listed) = (quoted(entry.loc.as_str()), quoted(listed));
        let origin = page.map(origin).unwrap_or_default();
        format!("`{url}`: the sitemap says {listed}, the last change is {known}{origin}")
    })
}

/// The origin of a page's date, in parentheses.
fn origin(page: &Page) -> String {
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
