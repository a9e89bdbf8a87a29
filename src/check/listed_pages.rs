//! Checks each URL that a sitemap lists against the pages of the site: a page must exist, the URL must
//! be the page's own, the page must be indexable, and the date that of its last change.

use super::false_date::FalseDate;
use super::file_source::FileSource;
use super::known_pages::KnownPages;
use crate::decide::reason::{
    CANONICAL_DUPLICATE, CANONICAL_ELSEWHERE, DISALLOWED_BY_ROBOTS, NOINDEX, OUTSIDE_BASE, REDIRECT,
};
use crate::decide::{Exclusion, Reason, Verdict};
use crate::hosts::candidate_files;
use crate::inventory::InventoryPage;
use sitemaps::ListedEntry;
use sitemaps::site_paths::finding::{Finding, Subject, code, quoted};
use sitemaps::site_paths::{PageUrl, SitePath};

/// The reasons of exclusion that contradict an entry: the page itself, the host or robots.txt states
/// them.
const CONTRADICTIONS: &[&Reason] = &[
    NOINDEX,
    REDIRECT,
    CANONICAL_ELSEWHERE,
    CANONICAL_DUPLICATE,
    OUTSIDE_BASE,
    DISALLOWED_BY_ROBOTS,
];

/// Checks the pages that one sitemap lists.
pub(super) struct PageChecks<'a, 'f> {
    pub(super) known: &'a KnownPages<'a>,
    pub(super) source: &'a FileSource<'f>,
}

impl PageChecks<'_, '_> {
    /// Checks an entry whose URL is this one.
    pub(super) fn check(&self, listed: &ListedEntry, url: &PageUrl) {
        let known = self.known;
        match known.plan.number_of(url.as_str()) {
            Some(number) => {
                if let Some(false_date) = FalseDate::of(known, number, &listed.lastmod) {
                    let hint =
                        "run `waypost`, which dates pages by their history, or omit the date";
                    let message = || false_date.message(known);
                    self.source
                        .report(code::LASTMOD_UNTRUE, listed.place, message, hint);
                }
            }
            None if known.inventory.base.path_below(url).is_some() => self.check_page(url, listed),
            None => {}
        }
    }

    /// Reports a URL of the site that waypost would not list.
    fn check_page(&self, url: &PageUrl, listed: &ListedEntry) {
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
                self.source.report(
                    code::LOC_EXCLUDED,
                    listed.place,
                    message,
                    "remove it, or add its extension to `extensions`",
                );
            } else {
                let message = || format!("no built file matches `{shown_url}`");
                let hint = "remove it from the sitemap, or build the page";
                self.source
                    .report(code::LOC_WITHOUT_FILE, listed.place, message, hint);
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
                self.source
                    .report(code::LOC_SPELLING, listed.place, message, hint);
            }
            Verdict::Excluded(exclusion) => {
                self.report_exclusion(line, exclusion, listed, &shown_url);
            }
        }
    }

    /// Reports an excluded page, at the tag that excludes it if there is one.
    fn report_exclusion(
        &self,
        line: &InventoryPage,
        exclusion: &Exclusion,
        listed: &ListedEntry,
        shown_url: &str,
    ) {
        let (code, hint) = if CONTRADICTIONS.contains(&exclusion.reason) {
            let hint = "remove it from the sitemap, or what excludes it";
            (code::LOC_CONTRADICTED, hint)
        } else {
            (code::LOC_EXCLUDED, "remove it from the sitemap")
        };
        let (reason, evidence) = (exclusion.reason.code.name, &exclusion.evidence);
        let sitemap = &self.source.name;
        let message =
            format!("`{sitemap}` lists `{shown_url}`, which is excluded: {reason} ({evidence})");
        let subject = match exclusion.place {
            Some(place) => Subject::Page(line.file.clone(), Some(place)),
            None => self.source.subject(Some(listed.place)),
        };
        let finding = Finding::new(code, subject, message);
        self.source.add(finding.with_hint(hint));
    }
}
