//! Checks the entries of a feed as those of a sitemap: each has a link, and a date in the form that its
//! format requires.

use std::io::Read;

use super::entry_facts::{EntryChecks, VisitPage};
use sitemaps::feed_form::{FeedContents, FeedEntry, FeedFormat, read_feed};
use sitemaps::site_paths::PageUrl;
use sitemaps::site_paths::finding::{code, quoted};
use sitemaps::{ListedEntry, SitemapListing, SitemapReadError};
use url::Url;

/// Checks the entries of a feed, passes each to `visit`, and returns their number. The directory of
/// the feed is that of the URL that it states itself.
pub(super) fn check_feed(
    input: impl Read,
    format: FeedFormat,
    checks: &mut EntryChecks<'_, '_>,
    visit: &mut VisitPage<'_>,
) -> Result<usize, SitemapReadError> {
    let FeedContents { own_url, entries } = read_feed(input, format)?;
    if let Some(url) = own_url {
        checks.set_dir(directory_of(&url));
    }
    let count = entries.len();
    for entry in entries {
        check_entry(format, entry, checks, visit);
    }
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
    checks: &mut EntryChecks<'_, '_>,
    visit: &mut VisitPage<'_>,
) {
    let place = entry.place;
    let element = format.date_element();
    let date = entry.date.as_ref().and_then(|date| format.date_of(date));
    let wrong = match &entry.date {
        // Only Atom requires a date in each entry (RFC 4287 section 4.1.2).
        None if format != FeedFormat::Rss2 => Some(format!("an entry has no `<{element}>`")),
        Some(text) if date.is_none() => {
            let standard = match format {
                FeedFormat::Rss2 => "RFC 822, `Mon, 06 May 2024 07:08:09 +0200`",
                _ => "RFC 3339, `2024-05-06T07:08:09+02:00`",
            };
            let text = quoted(text);
            Some(format!(
                "`{text}` in `<{element}>` is not in the form of {standard}"
            ))
        }
        _ => None,
    };
    let hint = "give each entry a link and the date of its last change";
    let unlinked = entry
        .link
        .is_none()
        .then(|| "an entry has no link to its page".to_owned());
    for message in unlinked.into_iter().chain(wrong) {
        let source = checks.source;
        source.report(code::SITEMAP_INVALID, place, message, hint);
    }
    if let Some(loc) = entry.link {
        let mut listed = ListedEntry {
            loc,
            lastmod: date.unwrap_or_default(),
            place,
            ..ListedEntry::default()
        };
        let url = checks.check(SitemapListing::Pages, &listed);
        // The date of an RSS item is that of its publication.
        listed.lastmod.clear();
        visit(&listed, url.as_ref());
    }
}
