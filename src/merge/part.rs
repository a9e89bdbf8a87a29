//! Reads one of the sitemaps to combine: its entries, its newest date and its problems.

use super::argument::{SitemapSource, parse_url};
use super::text::SitemapText;
use super::{AllowedHosts, MergePurpose};
use crate::check::{FindingTally, ParsedSitemap, check_conformance};
use site_paths::finding::{Code, Finding, Place, Subject, code, quoted};
use site_paths::{MAX_URL_CHARS, PageUrl};
use sitemaps::{DateError, LastMod, ParsedDate, is_w3c_datetime};
use sitemaps::{ListedEntry, SitemapListing, SitemapReadError};

/// A sitemap that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartSitemap {
    /// Where it was read.
    pub source: SitemapSource,
    /// The URL where it is served, if that matters.
    pub url: Option<PageUrl>,
    /// Whether it lists pages or sitemaps.
    pub listing: SitemapListing,
    /// The number of entries.
    pub entries: usize,
    /// The newest date.
    pub newest: Option<LastMod>,
}

/// A sitemap while it is read.
pub(super) struct PartReader<'a> {
    pub(super) purpose: &'a MergePurpose<'a>,
    /// The prefix that the URLs in it must have.
    url_prefix: &'a str,
    pub(super) member: PartSitemap,
    pub(super) tally: FindingTally,
    last_date: (String, Option<LastMod>),
}

impl<'a> PartReader<'a> {
    pub(super) fn new(
        purpose: &'a MergePurpose<'a>,
        home: &'a str,
        source: SitemapSource,
        url: Option<PageUrl>,
    ) -> Self {
        let member = PartSitemap {
            source,
            url,
            listing: SitemapListing::Pages,
            entries: 0,
            newest: None,
        };
        Self {
            purpose,
            url_prefix: home,
            member,
            tally: FindingTally::default(),
            last_date: Default::default(),
        }
    }

    /// Checks an entry, and returns its URL and its date if they are valid.
    pub(super) fn see(
        &mut self,
        listing: SitemapListing,
        listed: &ListedEntry,
    ) -> (Option<PageUrl>, Option<LastMod>) {
        self.member.listing = listing;
        self.member.entries += 1;
        let date = self.date(listed);
        self.member.newest = self.member.newest.max(date);
        (self.loc(listed), date)
    }

    fn loc(&mut self, listed: &ListedEntry) -> Option<PageUrl> {
        let loc = listed.loc.as_str();
        let Some(url) = parse_url(loc) else {
            let message = || format!("`{}` is not an absolute http or https URL", quoted(loc));
            self.report(
                code::LOC_INVALID,
                listed.place,
                message,
                "use the full URL, with scheme and host",
            );
            return None;
        };
        if loc.len() > MAX_URL_CHARS && loc.chars().count() > MAX_URL_CHARS {
            let message = || {
                format!(
                    "a URL has {} characters; the limit is 2,047",
                    loc.chars().count()
                )
            };
            self.report(
                code::LOC_INVALID,
                listed.place,
                message,
                "shorten the URL of the page",
            );
        }
        if !self.is_allowed(&url) {
            let home = self.url_prefix;
            let message = || format!("`{}` is outside `{home}`", quoted(loc));
            let hint = "use one base URL for all builds, or allow all hosts with `--other-hosts`";
            self.report(code::LOC_ELSEWHERE, listed.place, message, hint);
        }
        Some(url)
    }

    /// Whether a URL has the required prefix, or any host is allowed.
    pub(super) fn is_allowed(&self, url: &PageUrl) -> bool {
        let is_below = || {
            url.as_str().starts_with(self.url_prefix)
                || self.url_prefix.strip_suffix('/') == Some(url.as_str())
        };
        self.purpose.hosts == AllowedHosts::Any || is_below()
    }

    /// Parses the date of an entry. Equal dates often follow each other, so the last result is
    /// kept.
    fn date(&mut self, listed: &ListedEntry) -> Option<LastMod> {
        let text = listed.lastmod.as_str();
        if text.is_empty() || text == self.last_date.0 {
            return self.last_date.1.filter(|_| !text.is_empty());
        }
        let date = match LastMod::parse(text, self.purpose.now) {
            ParsedDate::Exact(date) | ParsedDate::ZoneAssumed(date) => Some(date),
            ParsedDate::Invalid(DateError::Future) => {
                let message = || {
                    format!(
                        "the date `{}` is in the future, so it is ignored",
                        quoted(text)
                    )
                };
                let hint = "use the date of the last change, or omit it";
                self.report(code::LASTMOD_UNTRUE, listed.place, message, hint);
                None
            }
            ParsedDate::Invalid(why) => {
                let message = || format!("the date `{}` {why}, so it is ignored", quoted(text));
                self.report(
                    code::LASTMOD_OMITTED,
                    listed.place,
                    message,
                    "use the date of the last change, or omit it",
                );
                None
            }
            ParsedDate::Unreadable => {
                let is_of_protocol = is_w3c_datetime(text);
                let what = if is_of_protocol {
                    "is not a complete date"
                } else {
                    "is not in the W3C date format"
                };
                let message = || format!("`{}` {what}, so it is ignored", quoted(text));
                self.report(
                    code::LASTMOD_OMITTED,
                    listed.place,
                    message,
                    "write `2024-05-06` or `2024-05-06T07:08:09+02:00`",
                );
                None
            }
        };
        self.last_date = (text.to_owned(), date);
        date
    }

    /// Reports an index where only sitemaps of pages are allowed.
    pub(super) fn nested(&mut self, hint: &str) {
        let (name, path) = (self.member.source.name(), self.member.source.path());
        let message = || format!("`{name}` is an index itself, and an index may not name another");
        self.tally.report(
            code::SITEMAP_MISSING,
            Subject::File(path, None),
            message,
            hint,
        );
    }

    /// Checks the form of the content, after all its entries were read.
    pub(super) fn finish(
        mut self,
        text: &SitemapText,
        read_error: Option<&SitemapReadError>,
    ) -> (PartSitemap, Vec<Finding>) {
        let (name, path) = (self.member.source.name(), self.member.source.path());
        let subject = |place| Subject::File(path.clone(), place);
        let PartSitemap {
            listing, entries, ..
        } = self.member;
        let seen = ParsedSitemap {
            name: &name,
            subject: &subject,
            listing,
            entries,
            is_complete: read_error.is_none(),
        };
        for finding in check_conformance(text.open(), &seen) {
            self.tally.add(finding);
        }
        (self.member, self.tally.into_findings())
    }

    /// Reports a finding at a place in the sitemap.
    pub(super) fn report(
        &mut self,
        code: &'static Code,
        place: Place,
        message: impl FnOnce() -> String,
        hint: &str,
    ) {
        self.tally.report(
            code,
            Subject::File(self.member.source.path(), Some(place)),
            message,
            hint,
        );
    }
}
