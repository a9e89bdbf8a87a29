//! Checks one sitemap, index or feed by itself: its form and its entries. The caller opens it, on disk
//! or from a server.

use std::convert::Infallible;

use super::checked_set::CheckedFile;
use super::conformance::check_conformance;
use super::entry_facts::{EntryChecks, EntryFacts, EntryRules, VisitPage, url_of};
use super::feed_entries::check_feed;
use super::file_source::FileSource;
use sitemaps::findings::code;
use sitemaps::set::{ChildRule, FileRead, SetFile, SetPlace, SetWalk, SitemapFileKind};
use sitemaps::site_paths::PageUrl;
use sitemaps::{EntryExtent, ListedEntry, SitemapListing, read_sitemap};

/// A file of a set that is being walked.
#[derive(Clone, Copy)]
pub(super) struct VisitedFile<'w> {
    walk: &'w SetWalk<'w>,
    pub(super) file: &'w SetFile,
}

/// Walks through a set; files of one level are checked in parallel.
pub(super) fn walk_in_parallel(
    children: ChildRule<'_>,
    roots: impl IntoIterator<Item = SetPlace>,
    check: impl Fn(VisitedFile<'_>) -> (EntryFacts, FileRead) + Sync,
) -> Vec<CheckedFile> {
    SetWalk::new(children).in_parallel(roots, |walk, file| check(VisitedFile { walk, file }))
}

/// Walks through a set of a server, one file after the other.
pub(super) fn walk_in_order(
    roots: impl IntoIterator<Item = SetPlace>,
    mut check: impl FnMut(VisitedFile<'_>) -> (EntryFacts, FileRead),
) -> Vec<CheckedFile> {
    let walk = SetWalk::new(ChildRule::OnHostOfIndex);
    let check = |walk: &SetWalk<'_>, file: &SetFile| Ok(check(VisitedFile { walk, file }));
    let Ok::<_, Infallible>(files) = walk.in_order(roots, check);
    files
}

/// Reads the entries of a file up to the first error, which was reported before.
pub(super) fn read_again(source: &FileSource<'_>, visit: &mut dyn FnMut(&PageUrl, &ListedEntry)) {
    if let Ok(input) = source.open() {
        let read = read_sitemap(input, &mut |_, listed| {
            if let Some(url) = url_of(&listed.loc, None) {
                visit(&url, listed);
            }
        });
        drop(read);
    }
}

/// Reads a file of a set and checks its form and its entries. Each listed page is passed to
/// `visit`.
pub(super) fn check_form(
    visited: VisitedFile<'_>,
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
    let mut read = visited
        .walk
        .read(visited.file, source.open(), EntryExtent::All, &mut check);
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
