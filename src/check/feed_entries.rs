//! Checks the entries of a feed as those of a sitemap: each has a link, and a date in the form that its
//! format requires.

use std::io::Read;

use super::entry_facts::{EntryChecks, VisitPage};
use sitemaps::feed_entries::{FeedDate, FeedEntry, FeedPart, read_feed};
use sitemaps::feed_form::{FeedError, FeedFormat};
use sitemaps::site_paths::PageUrl;
use sitemaps::site_paths::finding::{Place, code, quoted};
use sitemaps::{DateError, LastMod, ListedEntry, SitemapListing};
use url::Url;

/// Checks the entries of a feed, passes each to `visit`, and returns their number. The directory of
/// the feed is that of the URL that it states itself.
pub(super) fn check_feed(
    input: impl Read,
    format: FeedFormat,
    entries: &mut EntryChecks<'_, '_>,
    visit: &mut VisitPage<'_>,
) -> Result<usize, FeedError> {
    let mut count = 0;
    read_feed(input, format, &mut |part| match part {
        FeedPart::OwnUrl(url) => entries.set_dir(directory_of(&url)),
        FeedPart::Entry(entry) => {
            count += 1;
            check_entry(format, entry, entries, visit);
        }
    })?;
    Ok(count)
}

/// The directory of a URL: all URLs that a sitemap there may list begin with it.
fn directory_of(url: &str) -> Option<String> {
    let url = Url::parse(url).ok()?;
    PageUrl::from_url(&url).ok()?;
    url.join(".").ok().map(String::from)
}

fn check_entry(
    format: FeedFormat,
    entry: FeedEntry,
    entries: &mut EntryChecks<'_, '_>,
    visit: &mut VisitPage<'_>,
) {
    if let Some((loc, place)) = entry.link {
        let listed = ListedEntry {
            loc,
            place,
            ..ListedEntry::default()
        };
        let url = entries.check(SitemapListing::Pages, &listed);
        visit(&listed, url.as_ref());
    } else {
        let (message, hint) = ("an entry has no link to its page", "give each entry a link");
        entries.source.report(
            code::SITEMAP_INVALID,
            entry.place,
            || message.to_owned(),
            hint,
        );
    }
    match &entry.date {
        Some((date, place)) => check_date(format, date, *place, entries),
        None if format.requires_dates() => {
            let message = || format!("an entry has no `<{}>`", format.date_element());
            let hint = "give each entry the date of its last change";
            entries
                .source
                .report(code::SITEMAP_INVALID, entry.place, message, hint);
        }
        None => {}
    }
}

fn check_date(format: FeedFormat, date: &str, place: Place, entries: &mut EntryChecks<'_, '_>) {
    match format.parse_date(date) {
        FeedDate::Day => {}
        FeedDate::At(seconds) => {
            if LastMod::at(seconds, 0, entries.now()) == Err(DateError::Future) {
                let message = || format!("the date `{}` is in the future", quoted(date));
                let hint = "use the date of the last change";
                entries
                    .source
                    .report(code::LASTMOD_UNTRUE, place, message, hint);
            }
        }
        FeedDate::Invalid => {
            let (standard, hint) = match format {
                FeedFormat::Rss2 => ("RFC 822", "write `Mon, 06 May 2024 07:08:09 +0200`"),
                FeedFormat::Atom1 => ("RFC 3339", "write `2024-05-06T07:08:09+02:00`"),
                FeedFormat::Atom03 => ("the W3C", "write `2024-05-06T07:08:09+02:00`"),
            };
            let message = || {
                let (date, element) = (quoted(date), format.date_element());
                format!("`{date}` in `<{element}>` is not in the date format of {standard}")
            };
            entries
                .source
                .report(code::SITEMAP_INVALID, place, message, hint);
        }
    }
}
