//! Checks one sitemap, index or feed by itself: its form and its entries. The caller opens it, on disk
//! or from a server.

use super::conformance::check_conformance;
use super::entry_facts::{EntryChecks, EntryFacts, EntryRules, VisitPage};
use super::feed_entries::check_feed;
use super::file_source::FileSource;
use sitemaps::findings::code;
use sitemaps::set::{FileRead, SetFile, SetWalk, SitemapFileKind};
use sitemaps::{EntryExtent, ListedEntry, SitemapListing};

/// Reads a file of a set and checks its form and its entries. Each listed page is passed to
/// `visit`.
pub(super) fn check_form(
    walk: &SetWalk<'_>,
    file: &SetFile,
    source: &FileSource<'_>,
    rules: EntryRules<'_>,
    visit: &mut VisitPage<'_>,
) -> (EntryFacts, FileRead) {
    let mut entries = EntryChecks::new(source, rules);
    let mut listing = SitemapListing::Pages;
    let mut check = |kind, listed: &ListedEntry| {
        listing = kind;
        let url = entries.check(kind, listed);
        if kind == SitemapListing::Pages {
            visit(listed, url.as_ref());
        }
    };
    let mut read = walk.read(file, source.open(), EntryExtent::All, &mut check);
    if let SitemapFileKind::Feed(format) = read.head.kind {
        let input = source.open().map_err(Into::into);
        match input.and_then(|input| check_feed(input, format, &mut entries, visit)) {
            Ok(count) => read.entries = count,
            Err(error) => {
                let message = format!("the feed `{}`: {error}", source.name);
                source.report_whole(code::FEED_BROKEN, message);
            }
        }
    } else {
        check_conformance(source, listing, &read);
    }
    (entries.into_facts(), read)
}
