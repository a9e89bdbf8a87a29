//! Checks each URL that a sitemap lists: a page must exist, the URL must be the page's own, and the
//! page must be indexable. The dates are checked in the same pass.

use std::collections::HashSet;

use rayon::prelude::*;

use super::context::CheckContext;
use super::dates::DateProblem;
use super::existing::{ExistingSitemap, text_of_feed};
use super::false_date::FalseDate;
use super::listed_twice::FirstListing;
use super::tally::FindingTally;
use crate::decide::reason::{
    CANONICAL_DUPLICATE, CANONICAL_ELSEWHERE, DISALLOWED_BY_ROBOTS, NOINDEX, OUTSIDE_BASE, REDIRECT,
};
use crate::decide::{Exclusion, Reason, Verdict, candidate_files};
use crate::inventory::InventoryPage;
use site_paths::finding::{Code, Place, Subject, code, quoted};
use site_paths::{MAX_URL_CHARS, PageUrl, SitePath};
use sitemaps::ListedEntry;
use sitemaps::feed_entries::{FeedPart, read_feed};
use sitemaps::feed_form::{FeedError, FeedFormat};

/// Reports URLs that a sitemap should not list, or not in this form.
pub(super) fn check(case: &CheckContext<'_>) -> FindingTally {
    let mut tally = FindingTally::default();
    let sitemaps: Vec<_> = case.existing.pages().collect();
    // Root sitemaps may list the same URLs, such as a text sitemap next to an XML one. The sitemaps
    // of one index may not.
    for sitemaps in
        sitemaps.chunk_by(|left, right| left.parent.is_some() && left.parent == right.parent)
    {
        let mut siblings = FirstListing::new(case, sitemaps);
        let numbered: Vec<_> = (0_u32..).zip(sitemaps).collect();
        let looked_at: Vec<FindingTally> = numbered
            .into_par_iter()
            .map(|(at, _)| look_at(case, &siblings, at))
            .collect();
        tally.absorb(looked_at.into_iter().collect());
        tally.absorb(siblings.report(case));
    }
    for (file, format) in &case.existing.feeds {
        if let Ok(format) = format {
            tally.absorb(look_at_feed(case, file, *format));
        }
    }
    tally
}

/// The code and the hint for a listed page that is excluded for one of these reasons.
const CODES: &[(&[&Reason], &Code, &str)] = &[
    (
        &[NOINDEX],
        code::LOC_CONTRADICTED,
        "remove the page from the sitemap, or the tag from the page",
    ),
    (
        &[REDIRECT],
        code::LOC_CONTRADICTED,
        "list the target of the redirect",
    ),
    (
        &[CANONICAL_ELSEWHERE, CANONICAL_DUPLICATE, OUTSIDE_BASE],
        code::LOC_CONTRADICTED,
        "list the target of the canonical link",
    ),
    (
        &[DISALLOWED_BY_ROBOTS],
        code::LOC_CONTRADICTED,
        "allow it in robots.txt, or remove it from the sitemap",
    ),
];

fn look_at(case: &CheckContext<'_>, siblings: &FirstListing<'_>, at: u32) -> FindingTally {
    let sitemap = siblings.sitemap(at);
    let mut seen = HashSet::with_capacity(sitemap.entries);
    let mut seen_unplanned: HashSet<Box<str>> = HashSet::new();
    let mut entries = EntryChecks {
        case,
        file: &sitemap.file,
        dir_url: dir_url(case, sitemap),
        last_date: String::new(),
        tally: FindingTally::default(),
    };
    sitemap.read_again(case.output_dir, &mut |listed| {
        entries.check_date(listed);
        let Some(number) = entries.check_url(listed) else {
            if !seen_unplanned.insert(listed.loc.as_str().into()) {
                entries.report_repetition(listed);
            }
            return;
        };
        entries.check_last_change(number, listed);
        if seen.insert(number) {
            siblings.record(number, at);
        } else {
            entries.report_repetition(listed);
        }
    });
    entries.tally
}

/// Checks the pages that a feed links to. It was read to its end before, so it has no errors.
fn look_at_feed(case: &CheckContext<'_>, file: &SitePath, format: FeedFormat) -> FindingTally {
    let mut entries = EntryChecks {
        case,
        file,
        dir_url: None,
        last_date: String::new(),
        tally: FindingTally::default(),
    };
    let mut check_link = |part| {
        let link = match part {
            FeedPart::Entry(entry) => entry.link,
            FeedPart::OwnUrl(_) => None,
        };
        if let Some((loc, place)) = link {
            entries.check_url(&ListedEntry {
                loc,
                place,
                ..ListedEntry::default()
            });
        }
    };
    let opened = case.output_dir.open(file).map_err(FeedError::from);
    let read = opened
        .and_then(|opened| text_of_feed(file, opened))
        .and_then(|text| read_feed(text, format, &mut check_link));
    debug_assert!(read.is_ok(), "{file} changed during the check");
    entries.tally
}

/// Checks the entries of one sitemap.
struct EntryChecks<'a> {
    case: &'a CheckContext<'a>,
    file: &'a SitePath,
    /// The URL of the sitemap's directory, if that is not the top of the site and all URLs must be
    /// below it.
    dir_url: Option<String>,
    /// The date of the last entry that had one.
    last_date: String,
    tally: FindingTally,
}

impl EntryChecks<'_> {
    /// Reports a finding at the place of an entry.
    fn report(
        &mut self,
        code: &'static Code,
        listed: &ListedEntry,
        message: impl FnOnce() -> String,
        hint: &str,
    ) {
        let subject = self.subject_at(listed.place);
        self.tally.report(code, subject, message, hint);
    }

    fn subject_at(&self, place: Place) -> Subject {
        Subject::Page(self.file.clone(), Some(place))
    }

    /// Reports a date that is invalid or in the future. Of consecutive equal dates only the first
    /// is reported.
    fn check_date(&mut self, listed: &ListedEntry) {
        let date = listed.lastmod.as_str();
        if date.is_empty() || date == self.last_date {
            return;
        }
        date.clone_into(&mut self.last_date);
        if let Some(problem) = DateProblem::of(date, self.case.now) {
            let message = || problem.message(date);
            self.report(problem.code(), listed, message, problem.hint());
        }
    }

    /// Reports a date that is not that of the page's last change.
    fn check_last_change(&mut self, number: usize, listed: &ListedEntry) {
        if let Some(false_date) = FalseDate::of(self.case, number, &listed.lastmod) {
            let case = self.case;
            let hint = "run `waypost`, which dates pages by their history, or omit the date";
            let message = || false_date.message(case);
            self.report(code::LASTMOD_UNTRUE, listed, message, hint);
        }
    }

    /// The number of the plan's entry with this URL. Any other URL is reported.
    fn check_url(&mut self, listed: &ListedEntry) -> Option<usize> {
        let loc = listed.loc.as_str();
        if loc.len() > MAX_URL_CHARS && loc.chars().count() > MAX_URL_CHARS {
            let message = || {
                format!(
                    "a URL has {} characters; the limit is 2,047",
                    loc.chars().count()
                )
            };
            self.report(
                code::LOC_INVALID,
                listed,
                message,
                "shorten the URL of the page",
            );
        }
        if let Some(number) = self.case.plan.number_of(loc) {
            let url = &self.case.plan.entries()[number].loc;
            self.check_location(url, listed);
            return Some(number);
        }
        let base = &self.case.inventory.base;
        let has_scheme = ["http://", "https://"]
            .iter()
            .any(|scheme| starts_with_ignoring_case(loc, scheme));
        let Some(url) = base.of_path(b"").resolve(loc).ok().filter(|_| has_scheme) else {
            let message = || format!("`{}` is not an absolute http or https URL", quoted(loc));
            self.report(
                code::LOC_INVALID,
                listed,
                message,
                "use the full URL, with scheme and host",
            );
            return None;
        };
        if base.path_below(&url).is_none() {
            self.report_elsewhere(&url, listed);
            return None;
        }
        if url.as_str() != loc && !is_only_the_root(loc, &url) {
            let message = || {
                format!(
                    "`{}` is not in normal form (RFC 3986), which is `{}`",
                    quoted(loc),
                    quoted(url.as_str())
                )
            };
            let hint = "percent-encode URLs, and write host names in lower case";
            self.report(code::LOC_SPELLING, listed, message, hint);
        }
        self.check_location(&url, listed);
        let number = self.case.plan.number_of(url.as_str());
        if number.is_none() {
            self.check_page(&url, listed);
        }
        number
    }

    /// Reports a URL outside the directory of its sitemap.
    fn check_location(&mut self, url: &PageUrl, listed: &ListedEntry) {
        let Some(dir) = self.dir_url.as_deref() else {
            return;
        };
        if !url.as_str().starts_with(dir) {
            let file = self.file;
            let message = format!(
                "`{file}` lists `{}`, which is not below `{dir}`",
                quoted(url.as_str())
            );
            let hint = "move the sitemap to the top of the site, or name it in robots.txt";
            self.report(code::SITEMAP_ELSEWHERE, listed, || message, hint);
        }
    }

    fn report_repetition(&mut self, listed: &ListedEntry) {
        let message = || format!("`{}` is listed twice", quoted(&listed.loc));
        self.report(code::LOC_TWICE, listed, message, "list each URL once");
    }

    fn report_elsewhere(&mut self, url: &PageUrl, listed: &ListedEntry) {
        let base = &self.case.inventory.base;
        let what = if url.origin() == base.origin() {
            "in another directory than"
        } else if url.host() == base.host() {
            "under another scheme than"
        } else {
            "on another host than"
        };
        let message = || format!("`{}` is {what} the site at `{base}`", quoted(url.as_str()));
        self.report(
            code::LOC_ELSEWHERE,
            listed,
            message,
            "set one base URL for the generator and for waypost",
        );
    }

    /// Reports a URL of the site that waypost would not list.
    fn check_page(&mut self, url: &PageUrl, listed: &ListedEntry) {
        // A static host serves the page, whatever the query.
        let without_query = url.as_str().split('?').next().unwrap_or_default();
        let page_url = url.resolve(without_query).unwrap_or_else(|_| url.clone());
        let files = candidate_files(&self.case.inventory.base, &page_url);
        let shown_url = quoted(url.as_str());
        let Some(line) = files
            .iter()
            .find_map(|file| self.case.inventory.page_of(file))
        else {
            let is_there = |file: &&SitePath| self.case.output_dir.has_file(file);
            if let Some(file) = files.iter().find(is_there) {
                let message = || format!("`{shown_url}` is `{file}`, which is not a page");
                self.report(
                    code::LOC_EXCLUDED,
                    listed,
                    message,
                    "remove it, or add its extension to `extensions`",
                );
            } else {
                let message = || format!("no built file matches `{shown_url}`");
                let hint = "remove it from the sitemap, or build the page";
                self.report(code::LOC_WITHOUT_FILE, listed, message, hint);
            }
            return;
        };
        match &line.verdict {
            Verdict::Listed => {
                let message = || {
                    format!(
                        "`{shown_url}` is another form of the URL of `{}`, which is `{}`",
                        line.file, line.url
                    )
                };
                let hint = "list the URL in the form of the page's canonical link";
                self.report(code::LOC_SPELLING, listed, message, hint);
            }
            Verdict::Excluded(exclusion) => {
                self.report_exclusion(line, exclusion, listed, &shown_url);
            }
        }
    }

    /// Reports an excluded page, at the tag that excludes it if there is one.
    fn report_exclusion(
        &mut self,
        line: &InventoryPage,
        exclusion: &Exclusion,
        listed: &ListedEntry,
        shown_url: &str,
    ) {
        let of_reason = CODES
            .iter()
            .find(|(reasons, ..)| reasons.contains(&exclusion.reason));
        let (code, hint) = of_reason.map_or(
            (code::LOC_EXCLUDED, "remove it from the sitemap"),
            |&(_, code, hint)| (code, hint),
        );
        let message = || {
            let (reason, evidence) = (exclusion.reason.code.name, &exclusion.evidence);
            let sitemap = self.file;
            format!("`{sitemap}` lists `{shown_url}`, which is excluded: {reason} ({evidence})")
        };
        let in_page = exclusion
            .place
            .map(|place| Subject::Page(line.file.clone(), Some(place)));
        let subject = in_page.unwrap_or_else(|| self.subject_at(listed.place));
        self.tally.report(code, subject, message, hint);
    }
}

/// The URL of the directory of a sitemap in which all its URLs must be. robots.txt may name sitemaps
/// anywhere (sitemaps.org protocol, "Sitemap file location" and "Cross Submits").
fn dir_url(case: &CheckContext<'_>, sitemap: &ExistingSitemap) -> Option<String> {
    let in_robots = &case.existing.named_in_robots;
    let mut ways = [Some(&sitemap.file), sitemap.parent.as_ref()]
        .into_iter()
        .flatten();
    if ways.any(|file| in_robots.contains(file)) {
        return None;
    }
    let url = case.inventory.base.of_file(&sitemap.file);
    let (dir, _) = url.as_str().rsplit_once('/')?;
    (dir.len() + 1 > case.inventory.base.as_str().len()).then(|| format!("{dir}/"))
}

/// Whether only the slash of the root is missing: all clients treat `https://example.com` and
/// `https://example.com/` alike.
fn is_only_the_root(loc: &str, url: &PageUrl) -> bool {
    url.as_str().strip_suffix('/') == Some(loc) && url.path_and_query() == "/"
}

fn starts_with_ignoring_case(text: &str, start: &str) -> bool {
    text.get(..start.len())
        .is_some_and(|beginning| beginning.eq_ignore_ascii_case(start))
}
