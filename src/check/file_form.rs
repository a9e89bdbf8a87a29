//! Checks one sitemap, index or feed by itself: its form, its URLs and its dates. The caller opens it,
//! on disk or from a server.

use std::collections::HashSet;
use std::io::{self, BufReader, Read};

use super::conformance::{ParsedSitemap, check_conformance};
use super::dates::DateProblem;
use super::feed_entries::{CheckedFeed, check_feed};
use super::tally::FindingTally;
use site_paths::finding::{Finding, Place, Subject, WithFindings, code, quoted};
use site_paths::{MAX_URL_CHARS, PageUrl};
use sitemaps::feed_form::{FeedError, FeedFormat, detect_format};
use sitemaps::gzip::decompressed;
use sitemaps::set::{FileRead, SetFile, SetProblem, SetWalk, SitemapFileKind};
use sitemaps::{EntryExtent, ListedEntry, Now, SitemapListing};

/// A file that can be opened several times.
pub(super) struct FileSource<'a> {
    /// Its name in messages.
    pub(super) name: &'a str,
    /// Builds the subject of a finding about it.
    pub(super) subject: &'a dyn Fn(Option<Place>) -> Subject,
    /// Opens it from its start.
    pub(super) open: &'a dyn Fn() -> io::Result<Box<dyn Read + 'a>>,
}

/// Reads a file of a set and checks its form. Each page that it lists is passed to `visit`.
pub(super) fn check_form(
    walk: &SetWalk<'_>,
    file: &SetFile,
    source: &FileSource<'_>,
    now: Now,
    visit: &mut dyn FnMut(&ListedEntry),
) -> Result<(FindingTally, FileRead), SetProblem> {
    let mut entries = EntryForms::new(source.subject, now);
    let mut listing = SitemapListing::Pages;
    let mut read = walk.read(
        file,
        (source.open)(),
        EntryExtent::Urls,
        &mut |kind, listed| {
            listing = kind;
            entries.see(listed);
            if kind == SitemapListing::Pages {
                visit(listed);
            }
        },
    )?;
    let mut tally = entries.tally;
    let findings = if let SitemapFileKind::Feed(format) = read.kind {
        let checked = check_entries(source, format, now);
        tally.absorb(checked.value.tally);
        read.entries = checked.value.entries;
        checked.findings
    } else {
        let seen = ParsedSitemap {
            name: source.name,
            subject: source.subject,
            listing,
            entries: read.entries,
            is_complete: read.error.is_none(),
        };
        check_conformance((source.open)(), &seen)
    };
    for finding in findings {
        tally.add(finding);
    }
    Ok((tally, read))
}

/// Checks the entries of a feed that feed readers can read to its end.
fn check_entries(
    source: &FileSource<'_>,
    format: FeedFormat,
    now: Now,
) -> WithFindings<CheckedFeed> {
    let input = || (source.open)().and_then(decompressed).map(BufReader::new);
    let checked = input()
        .map_err(FeedError::from)
        .and_then(detect_format)
        .and_then(|_| check_feed(input()?, format, source.subject, now));
    match checked {
        Ok(checked) => checked.into(),
        Err(error) => {
            let message = format!("the feed `{}`: {error}", source.name);
            let broken = Finding::new(code::FEED_BROKEN, (source.subject)(None), message);
            WithFindings::new(CheckedFeed::default(), vec![broken])
        }
    }
}

/// Checks the entries of one file.
struct EntryForms<'a> {
    subject: &'a dyn Fn(Option<Place>) -> Subject,
    now: Now,
    seen: HashSet<Box<str>>,
    last_date: String,
    tally: FindingTally,
}

impl<'a> EntryForms<'a> {
    fn new(subject: &'a dyn Fn(Option<Place>) -> Subject, now: Now) -> Self {
        Self {
            subject,
            now,
            seen: HashSet::new(),
            last_date: String::new(),
            tally: FindingTally::default(),
        }
    }

    fn see(&mut self, listed: &ListedEntry) {
        let subject = || (self.subject)(Some(listed.place));
        let loc = listed.loc.as_str();
        let is_web = |url: &url::Url| PageUrl::from_url(url).is_ok();
        if !url::Url::parse(loc).as_ref().is_ok_and(is_web) {
            let message = || format!("`{}` is not an absolute http or https URL", quoted(loc));
            let hint = "use the full URL, with scheme and host";
            self.tally
                .report(code::LOC_INVALID, subject(), message, hint);
        } else if !self.seen.insert(loc.into()) {
            let message = || format!("`{}` is listed twice", quoted(loc));
            let hint = "list each URL once";
            self.tally.report(code::LOC_TWICE, subject(), message, hint);
        }
        let chars = loc.chars().count();
        if chars > MAX_URL_CHARS {
            let message = || format!("a URL has {chars} characters; the limit is 2,047");
            let hint = "shorten the URL of the page";
            self.tally
                .report(code::LOC_INVALID, subject(), message, hint);
        }
        let date = listed.lastmod.as_str();
        if date.is_empty() || date == self.last_date {
            return;
        }
        if let Some(problem) = DateProblem::of(date, self.now) {
            let message = || problem.message(date);
            self.tally
                .report(problem.code(), subject(), message, problem.hint());
        }
        date.clone_into(&mut self.last_date);
    }
}
