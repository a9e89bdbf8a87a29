//! Checks the entries of a feed as those of a sitemap: each has a link, and a date in the form that its
//! format requires.

use std::io::Read;

use super::entry_facts::{EntryChecks, VisitPage};
use crate::findings::code;
use sitemaps::FeedFormat;
use sitemaps::feed_form::{FeedContents, read_feed};
use sitemaps::site_paths::PageUrl;
use sitemaps::{ListedEntry, SitemapListing, SitemapReadError, quoted};
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
        checks.rules.dir = directory_of(&url);
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
    mut entry: ListedEntry,
    checks: &mut EntryChecks<'_, '_>,
    visit: &mut VisitPage<'_>,
) {
    let element = format.date_element();
    let date = format.date_of(&entry.lastmod);
    let wrong = match entry.lastmod.as_str() {
        // Only Atom requires a date in each entry (RFC 4287 section 4.1.2).
        "" => (format != FeedFormat::Rss2).then(|| format!("an entry has no `<{element}>`")),
        text => date.is_none().then(|| {
            let standard = match format {
                FeedFormat::Rss2 => "RFC 822, `Mon, 06 May 2024 07:08:09 +0200`",
                _ => "RFC 3339, `2024-05-06T07:08:09+02:00`",
            };
            let text = quoted(text);
            format!("`{text}` in `<{element}>` is not in the form of {standard}")
        }),
    };
    let unlinked = entry.loc.is_empty();
    let unlinked = unlinked.then(|| "an entry has no link to its page".to_owned());
    let hint = "give each entry a link and the date of its last change";
    for message in [&unlinked, &wrong].into_iter().flatten() {
        let source = checks.source;
        source.report(code::SITEMAP_INVALID, entry.place, message.clone(), hint);
    }
    if unlinked.is_none() {
        entry.lastmod = date.unwrap_or_default();
        let url = checks.check(SitemapListing::Pages, &entry);
        // The date of an RSS item is that of its publication.
        entry.lastmod.clear();
        visit(&entry, url.as_ref());
    }
}
