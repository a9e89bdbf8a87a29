//! Checks one sitemap, index or feed by itself: whether it is well-formed for a strict parser and within
//! the protocol's limits, and its entries. Those of a feed are checked as those of a sitemap: each has a
//! link, and a date in the form that its format requires. The caller opens it, on disk or from a server.

use std::io::Read;
use std::path::Path;

use url::Url;

use super::entry_facts::{EntryChecks, EntryFacts, EntryRules, VisitPage, url_of};
use super::file_source::FileSource;
use crate::findings::{Finding, code};
use crate::survey::{ChildRule, FileRead, SetFile, SetPlace, SetWalk, WalkedFile};
use sitemaps::FeedFormat;
use sitemaps::feed_form::{FeedContents, read_feed};
use sitemaps::gzip::name_without_gz;
use sitemaps::site_paths::{MAX_SITEMAP_BYTES, MAX_SITEMAP_ENTRIES, PageUrl, SitePath};
use sitemaps::{
    Conformance, EntryExtent, ListedEntry, SitemapFileKind, SitemapFlawKind, SitemapListing,
    SitemapReadError, quoted, read_sitemap, validate,
};

/// A file of a set, with the facts of its entries.
pub type CheckedFile = WalkedFile<EntryFacts>;

/// Reads the files of a directory, those of one level in parallel, and checks the form and the entries
/// of each. Each listed page is passed to `visit`.
pub(super) fn check_files<'r, 's>(
    children: ChildRule<'_>,
    roots: impl IntoIterator<Item = SitePath>,
    source_of: impl Fn(&SetFile) -> FileSource<'s> + Sync,
    rules_of: impl Fn(&SetFile) -> EntryRules<'r> + Sync,
    visit: impl Fn(&FileSource<'s>, &ListedEntry, Option<&PageUrl>) + Sync,
) -> Vec<CheckedFile> {
    let roots = roots.into_iter().map(SetPlace::Below);
    SetWalk::new(children).in_parallel(roots, |walk, file| {
        let source = source_of(file);
        check_form(walk, file, &source, rules_of(file), &mut |listed, url| {
            visit(&source, listed, url);
        })
    })
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
    walk: &SetWalk<'_>,
    file: &SetFile,
    source: &FileSource<'_>,
    rules: EntryRules<'_>,
    visit: &mut VisitPage<'_>,
) -> (EntryFacts, FileRead) {
    let mut entries = EntryChecks::new(source, rules);
    let mut read = walk.read(
        file,
        source.open(),
        EntryExtent::All,
        &mut |listing, listed| {
            let url = entries.check(listing, listed);
            if listing == SitemapListing::Pages {
                visit(listed, url.as_ref());
            }
        },
    );
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
        entries.facts.is_rejected = check_conformance(source, &read);
    }
    (entries.facts, read)
}

/// Checks the entries of a feed, passes each to `visit`, and returns their number. The directory of
/// the feed is that of the URL that it states itself.
fn check_feed(
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
    PageUrl::from_url(&url)?;
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
    let is_linked = !entry.loc.is_empty();
    let unlinked = (!is_linked).then(|| "an entry has no link to its page".to_owned());
    let hint = "give each entry a link and the date of its last change";
    for message in unlinked.into_iter().chain(wrong) {
        checks
            .source
            .report(code::SITEMAP_INVALID, entry.place, message, hint);
    }
    if is_linked {
        entry.lastmod = date.unwrap_or_default();
        let url = checks.check(SitemapListing::Pages, &entry);
        // The date of an RSS item is that of its publication.
        entry.lastmod.clear();
        visit(&entry, url.as_ref());
    }
}

/// Checks the form of one sitemap. Returns whether a flaw at one place makes readers reject all of it.
fn check_conformance(source: &FileSource<'_>, seen: &FileRead) -> bool {
    let name = &source.name;
    if seen.entries == 0 && is_html(source) {
        let message =
            format!("`{name}` is an HTML page, not a sitemap: perhaps the error page of a server");
        source.report_whole(code::SITEMAP_INVALID, message);
        return false;
    }
    let read = source.open().map_err(Into::into).and_then(validate);
    match &read {
        Ok(conformance) if conformance.bytes > MAX_SITEMAP_BYTES as u64 => {
            let message = format!(
                "`{name}` has {} bytes, more than the {MAX_SITEMAP_BYTES} that the protocol allows",
                conformance.bytes
            );
            source.report_whole(code::SITEMAP_LIMITS, message);
        }
        Ok(_) => {}
        Err(error) => {
            let message = format!("`{name}` cannot be read completely: {error}");
            source.report_whole(code::SITEMAP_INVALID, message);
        }
    }
    if seen.entries > MAX_SITEMAP_ENTRIES {
        let message = format!(
            "`{name}` has {} entries, more than the {MAX_SITEMAP_ENTRIES} that the protocol allows",
            seen.entries
        );
        source.report_whole(code::SITEMAP_LIMITS, message);
    }
    let ending = Path::new(name_without_gz(name)).extension();
    let what = match &read {
        Ok(read) if seen.entries > 0 && read.is_text && ending.is_some_and(|end| end == "xml") => {
            Some("is a list of URLs, for which readers expect a name that ends in `.txt`")
        }
        _ if seen.entries > 0 || seen.error.is_some() => None,
        // A flaw explains why no entry was found.
        Ok(read)
            if read.flaws.iter().any(|flaw| {
                !matches!(
                    flaw.kind,
                    SitemapFlawKind::Namespace | SitemapFlawKind::Line
                )
            }) =>
        {
            None
        }
        Ok(read) if read.is_text && read.bytes == 0 => Some("is not a sitemap: the file is empty"),
        Ok(read) if read.is_text => Some("is not a sitemap: neither XML nor a list of URLs"),
        _ if seen.head.kind == SitemapFileKind::Index => Some("lists no sitemaps"),
        _ => Some("lists no URLs"),
    };
    if let Some(what) = what {
        source.report_whole(code::SITEMAP_INVALID, format!("`{name}` {what}"));
    }
    read.is_ok_and(|conformance| add_flaws(source, seen, &conformance))
}

/// Whether a file begins as a page does.
fn is_html(source: &FileSource<'_>) -> bool {
    let mut start = Vec::new();
    if let Ok(file) = source.open() {
        // The reader of sets reports an error.
        drop(file.take(256).read_to_end(&mut start));
    }
    let start = String::from_utf8_lossy(&start).to_lowercase();
    let start = start.trim_start_matches('\u{feff}').trim_start();
    start.starts_with("<!doctype html") || start.starts_with("<html")
}

/// Reports the flaws of a file, and returns whether one of them makes readers reject all of it.
fn add_flaws(source: &FileSource<'_>, seen: &FileRead, conformance: &Conformance) -> bool {
    // A text file without any URL is reported as a whole.
    let is_other_text = conformance.is_text && seen.entries == 0;
    let mut is_rejected = false;
    for flaw in &conformance.flaws {
        if is_other_text && flaw.kind == SitemapFlawKind::Line {
            continue;
        }
        let (code, hint) = match flaw.kind {
            SitemapFlawKind::Line => (
                code::LOC_INVALID,
                "write one full URL per line, with scheme and host, and nothing else",
            ),
            SitemapFlawKind::Namespace => (
                code::SITEMAP_INVALID,
                "set `xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"` in the root element",
            ),
            SitemapFlawKind::Extension => {
                (code::SITEMAP_INVALID, "correct the `xmlns:` of its prefix")
            }
            SitemapFlawKind::RoundedDate => (
                code::SITEMAP_INVALID_NOTE,
                "write a day (2024-05-06) or a time with seconds, which all readers accept",
            ),
            _ => (
                code::SITEMAP_INVALID,
                "regenerate the file; strict readers reject it",
            ),
        };
        let message = format!("`{}`: {}", source.name, flaw.message);
        let finding = Finding::new(code, source.subject.at(flaw.place), message);
        source.add(Finding {
            count: flaw.count,
            ..finding.with_hint(hint)
        });
        is_rejected |= matches!(
            flaw.kind,
            SitemapFlawKind::Malformed | SitemapFlawKind::Namespace
        );
    }
    is_rejected
}
