//! Checks the entries of a feed as those of a sitemap: each has a URL below the feed's directory, and
//! a date in the form that its format requires.

use std::collections::HashSet;
use std::io::BufRead;

use super::tally::FindingTally;
use site_paths::finding::{Place, Subject, code, quoted};
use site_paths::{MAX_URL_CHARS, PageUrl};
use sitemaps::feed_entries::{FeedDate, FeedEntry, FeedPart, read_feed};
use sitemaps::feed_form::{FeedError, FeedFormat};
use sitemaps::{DateError, LastMod, Now};
use url::Url;

/// The entries of a feed that were checked.
#[derive(Default)]
pub(super) struct CheckedFeed {
    pub(super) entries: usize,
    pub(super) tally: FindingTally,
}

/// Checks the entries of a feed. Its own URL is the one that it states.
pub(super) fn check_feed(
    input: impl BufRead,
    format: FeedFormat,
    subject: &dyn Fn(Option<Place>) -> Subject,
    now: Now,
) -> Result<CheckedFeed, FeedError> {
    let mut case = FeedCase {
        format,
        subject,
        now,
        directory: None,
        seen: HashSet::new(),
        checked: CheckedFeed::default(),
    };
    read_feed(input, format, &mut |part| match part {
        FeedPart::OwnUrl(url) => case.directory = directory_of(&url),
        FeedPart::Entry(entry) => case.check(&entry),
    })?;
    Ok(case.checked)
}

/// The directory of a URL: all URLs that a sitemap there may list begin with it.
fn directory_of(url: &str) -> Option<Url> {
    let url = Url::parse(url).ok()?;
    PageUrl::from_url(&url).ok()?;
    url.join(".").ok()
}

struct FeedCase<'a> {
    format: FeedFormat,
    subject: &'a dyn Fn(Option<Place>) -> Subject,
    now: Now,
    /// The directory of the feed, if it states its own URL.
    directory: Option<Url>,
    seen: HashSet<String>,
    checked: CheckedFeed,
}

impl FeedCase<'_> {
    fn check(&mut self, entry: &FeedEntry) {
        self.checked.entries += 1;
        match &entry.link {
            Some((link, place)) => self.check_link(link, *place),
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
        let (subject, hint) = (self.subject(place), "give each entry a link");
        let tally = &mut self.checked.tally;
        tally.report(code::SITEMAP_INVALID, subject, message, hint);
    }

    fn report_missing_date(&mut self, place: Place) {
        let element = self.format.date_element();
        let message = || format!("an entry has no `<{element}>`");
        let hint = "give each entry the date of its last change";
        let (subject, tally) = (self.subject(place), &mut self.checked.tally);
        tally.report(code::SITEMAP_INVALID, subject, message, hint);
    }

    fn subject(&self, place: Place) -> Subject {
        (self.subject)(Some(place))
    }

    fn check_link(&mut self, link: &str, place: Place) {
        let subject = self.subject(place);
        let tally = &mut self.checked.tally;
        let url = Url::parse(link).ok();
        let Some(url) = url.filter(|url| PageUrl::from_url(url).is_ok()) else {
            let message = || format!("`{}` is not an absolute http or https URL", quoted(link));
            let hint = "use the full URL, with scheme and host";
            return tally.report(code::LOC_INVALID, subject, message, hint);
        };
        let chars = link.chars().count();
        if chars > MAX_URL_CHARS {
            let message = || format!("a URL has {chars} characters; the limit is 2,047");
            let hint = "shorten the URL of the page";
            tally.report(code::LOC_INVALID, subject.clone(), message, hint);
        }
        let outside = self.directory.as_ref();
        let outside = outside.filter(|directory| !url.as_str().starts_with(directory.as_str()));
        if let Some(directory) = outside {
            let message = || {
                let link = quoted(link);
                format!("`{link}` is not below `{directory}`, the directory of the feed")
            };
            let hint = "serve the feed at the top of the host whose pages it lists";
            tally.report(code::SITEMAP_ELSEWHERE, subject.clone(), message, hint);
        }
        if !self.seen.insert(link.to_owned()) {
            let message = || format!("`{}` is listed twice", quoted(link));
            let hint = "list each URL once";
            tally.report(code::LOC_TWICE, subject, message, hint);
        }
    }

    fn check_date(&mut self, date: &str, place: Place) {
        let subject = self.subject(place);
        let tally = &mut self.checked.tally;
        match self.format.parse_date(date) {
            FeedDate::Day => {}
            FeedDate::At(seconds) => {
                if LastMod::at(seconds, 0, self.now) == Err(DateError::Future) {
                    let message = || format!("the date `{}` is in the future", quoted(date));
                    let hint = "use the date of the last change";
                    tally.report(code::LASTMOD_UNTRUE, subject, message, hint);
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
                tally.report(code::SITEMAP_INVALID, subject, message, hint);
            }
        }
    }
}
