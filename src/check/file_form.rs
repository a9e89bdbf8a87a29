//! Checks one sitemap, index or feed by itself: its form and its entries. The caller opens it, on disk
//! or from a server.

use super::conformance::check_conformance;
use super::entry_facts::{EntryChecks, EntryFacts, EntryRules, VisitPage};
use super::feed_entries::check_feed;
use super::file_source::FileSource;
use sitemaps::feed_form::{FeedError, FeedFormat};
use sitemaps::gzip::decompressed;
use sitemaps::set::{FileRead, SetFile, SetWalk, SitemapFileKind};
use sitemaps::site_paths::HintedError;
use sitemaps::site_paths::finding::{Finding, code};
use sitemaps::{EntryExtent, SitemapListing};

/// Reads a file of a set and checks its form and its entries. Each listed page is passed to
/// `visit`.
pub(super) fn check_form(
    walk: &SetWalk<'_>,
    file: &SetFile,
    source: &FileSource<'_>,
    rules: EntryRules<'_>,
    visit: &mut VisitPage<'_>,
) -> Result<(EntryFacts, FileRead), HintedError> {
    let mut entries = EntryChecks::new(source, rules);
    let mut listing = SitemapListing::Pages;
    let mut read = walk.read(
        file,
        source.open(),
        EntryExtent::All,
        &mut |kind, listed| {
            listing = kind;
            let url = entries.check(kind, listed);
            if kind == SitemapListing::Pages {
                visit(listed, url.as_ref());
            }
        },
    )?;
    if let SitemapFileKind::Feed(format) = read.kind {
        match check_feed_of(source, format, &mut entries, visit) {
            Ok(count) => read.entries = count,
            Err(error) => {
                let message = format!("the feed `{}`: {error}", source.name);
                source.add(Finding::new(
                    code::FEED_BROKEN,
                    source.subject(None),
                    message,
                ));
            }
        }
    } else {
        check_conformance(source, listing, &read);
    }
    Ok((entries.into_facts(), read))
}

/// Checks the entries of a feed that feed readers can read to its end, and returns their number.
fn check_feed_of(
    source: &FileSource<'_>,
    format: FeedFormat,
    entries: &mut EntryChecks<'_, '_>,
    visit: &mut VisitPage<'_>,
) -> Result<usize, FeedError> {
    let input = source.open().and_then(decompressed)?;
    check_feed(input, format, entries, visit)
}
