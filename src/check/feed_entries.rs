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
    let mut case = FeedCase {
        format,
        entries,
        visit,
        count: 0,
    };
    read_feed(input, format, &mut |part| match part {
        FeedPart::OwnUrl(url) => case.entries.set_dir(directory_of(&url)),
        FeedPart::Entry(entry) => case.check(entry),
    })?;
    Ok(case.count)
}

/// The directory of a URL: all URLs that a sitemap there may list begin with it.
fn directory_of(url: &str) -> Option<String> {
    let url = Url::parse(url).ok()?;
    PageUrl::from_url(&url).ok()?;
    url.join(".").ok().map(String::from)
}

struct FeedCase<'a, 'e, 'f> {
    format: FeedFormat,
    entries: &'a mut EntryChecks<'e, 'f>,
    visit: &'a mut VisitPage<'a>,
    count: usize,
}

impl FeedCase<'_, '_, '_> {
    fn check(&mut self, entry: FeedEntry) {
        self.count += 1;
        match entry.link {
            Some((loc, place)) => {
                let listed = ListedEntry {
                    loc,
                    place,
                    ..ListedEntry::default()
                };
                let url = self.entries.check(SitemapListing::Pages, &listed);
                (self.visit)(&listed, url.as_ref());
            }
            None => self.report_missing_link(entry.place),
        }
        match &entry.date {
            Some((date, place)) => self.check_date(date, *place),
            None if self.format.requires_dates() => self.report_missing_date(entry.place),
            None => {}
        }
    }

    fn report_missing_link(&mut self, place: Place) {
        let message = || "an entry has no link to its page".to_owned();
        let hint = "give each entry a link";
        self.entries
            .report_at(code::SITEMAP_INVALID, place, message, hint);
    }

    fn report_missing_date(&mut self, place: Place) {
        let element = self.format.date_element();
        let message = || format!("an entry has no `<{element}>`");
        let hint = "give each entry the date of its last change";
        self.entries
            .report_at(code::SITEMAP_INVALID, place, message, hint);
    }

    fn check_date(&mut self, date: &str, place: Place) {
        match self.format.parse_date(date) {
            FeedDate::Day => {}
            FeedDate::At(seconds) => {
                if LastMod::at(seconds, 0, self.entries.now()) == Err(DateError::Future) {
                    let message = || format!("the date `{}` is in the future", quoted(date));
                    let hint = "use the date of the last change";
                    self.entries
                        .report_at(code::LASTMOD_UNTRUE, place, message, hint);
                }
            }
            FeedDate::Invalid => {
                let (standard, hint) = match self.format {
                    FeedFormat::Rss2 => ("RFC 822", "write `Mon, 06 May 2024 07:08:09 +0200`"),
                    FeedFormat::Atom1 => ("RFC 3339", "write `2024-05-06T07:08:09+02:00`"),
                    FeedFormat::Atom03 => ("the W3C", "write `2024-05-06T07:08:09+02:00`"),
                };
                let element = self.format.date_element();
                let message = || {
                    let date = quoted(date);
                    format!("`{date}` in `<{element}>` is not in the date format of {standard}")
                };
                self.entries
                    .report_at(code::SITEMAP_INVALID, place, message, hint);
            }
        }
    }
}
