//! Checks each URL that a sitemap lists against the pages of the site: a page must exist, the URL must
//! be the page's own, the page must be indexable, and the date that of its last change.

use super::false_date::FalseDate;
use super::file_source::FileSource;
use super::known_pages::KnownPages;
use crate::decide::reason::{
    CANONICAL_DUPLICATE, CANONICAL_ELSEWHERE, DISALLOWED_BY_ROBOTS, NOINDEX, OUTSIDE_BASE, REDIRECT,
};
use crate::decide::{Exclusion, Reason, Verdict, candidate_files};
use crate::inventory::FindingTally;
use crate::inventory::InventoryPage;
use sitemaps::ListedEntry;
use sitemaps::site_paths::finding::{Code, Subject, code, quoted};
use sitemaps::site_paths::{PageUrl, SitePath};

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

/// Checks the pages that one sitemap lists.
pub(super) struct PageChecks<'a, 'f> {
    known: &'a KnownPages<'a>,
    source: &'a FileSource<'f>,
    tally: FindingTally,
}

impl<'a, 'f> PageChecks<'a, 'f> {
    pub(super) fn new(known: &'a KnownPages<'a>, source: &'a FileSource<'f>) -> Self {
        Self {
            known,
            source,
            tally: FindingTally::default(),
        }
    }

    pub(super) fn into_tally(self) -> FindingTally {
        self.tally
    }

    /// Checks an entry whose URL is this one.
    pub(super) fn check(&mut self, listed: &ListedEntry, url: &PageUrl) {
        let known = self.known;
        match known.plan.number_of(url.as_str()) {
            Some(number) => {
                if let Some(false_date) = FalseDate::of(known, number, &listed.lastmod) {
                    let hint =
                        "run `waypost`, which dates pages by their history, or omit the date";
                    let message = || false_date.message(known);
                    self.report(code::LASTMOD_UNTRUE, listed, message, hint);
                }
            }
            None if known.inventory.base.path_below(url).is_some() => self.check_page(url, listed),
            None => {}
        }
    }

    /// Reports a finding at the place of an entry.
    fn report(
        &mut self,
        code: &'static Code,
        listed: &ListedEntry,
        message: impl FnOnce() -> String,
        hint: &str,
    ) {
        self.source
            .report(&mut self.tally, code, listed.place, message, hint);
    }

    /// Reports a URL of the site that waypost would not list.
    fn check_page(&mut self, url: &PageUrl, listed: &ListedEntry) {
        // A static host serves the page, whatever the query.
        let without_query = url.as_str().split('?').next().unwrap_or_default();
        let page_url = url.resolve(without_query).unwrap_or_else(|_| url.clone());
        let files = candidate_files(&self.known.inventory.base, &page_url);
        let shown_url = quoted(url.as_str());
        let Some(line) = files
            .iter()
            .find_map(|file| self.known.inventory.page_of(file))
        else {
            let is_there = |file: &&SitePath| self.known.output_dir.has_file(file);
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
            let sitemap = &self.source.name;
            format!("`{sitemap}` lists `{shown_url}`, which is excluded: {reason} ({evidence})")
        };
        let in_page = exclusion
            .place
            .map(|place| Subject::Page(line.file.clone(), Some(place)));
        let subject = in_page.unwrap_or_else(|| (self.source.subject)(Some(listed.place)));
        self.tally.report(code, subject, message, hint);
    }
}
