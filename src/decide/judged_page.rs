//! A page with its verdict, and the facts that it states for later steps.
//!
//! Every page has one such value until it is dated, so it must stay small.

use std::sync::Arc;

use super::REASONS;
use super::hreflang::{LanguageVersion, versions};
use super::page_case::{PageCase, place_of};
use super::statements::Canonical;
use super::verdict::{Exclusion, Verdict};
use crate::hosts::candidate_files;
use page_signals::{Stated, TagPlace};
use sitemaps::findings::{Subject, WithFindings};
use sitemaps::site_paths::{BaseUrl, PageUrl, SitePath};
use sitemaps::{EntryLinks, LastMod, ParsedDate};

/// A page with its verdict: [`judge`] looks at it alone, and
/// [`resolve_verdicts`](super::resolve_verdicts) compares it with all others.
#[derive(Clone, Debug)]
pub struct JudgedPage {
    /// The page's file, relative to the output directory.
    pub file: SitePath,
    /// The URL under which it is or would be listed.
    pub url: PageUrl,
    /// Whether it is listed.
    pub verdict: Verdict,
    /// The language versions that it states, in document order. Those to write are in `links` once
    /// all pages have been compared, and none is here.
    pub alternates: Box<[LanguageVersion]>,
    /// Its images, and its language versions to write, including itself.
    pub links: Option<Arc<EntryLinks>>,
    /// The modification date stated in a `<meta>`, if it is exact.
    pub exact_date: Option<LastMod>,
    /// Whether the page may state its modification date in JSON-LD or microdata, and does not in a
    /// `<meta>`.
    pub may_state_modified: bool,
    /// Facts that few pages have.
    pub rare: Option<Box<RareFacts>>,
}

/// Facts that few pages have.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RareFacts {
    /// The modification date stated in a `<meta>` if it is invalid, unreadable or ambiguous.
    pub doubtful_date: Option<Stated<String>>,
    /// The source that the page names.
    pub source_hint: Option<String>,
    /// A hash of its bytes, if pages are compared by content.
    pub fingerprint: Option<u64>,
    /// A canonical or language link of a listed page with two slashes where one belongs.
    pub two_slashes: Option<Subject>,
}

/// Judges a page without regard to other pages. Tries the reasons in the order of [`REASONS`]; the
/// first that applies decides.
pub fn judge(case: &PageCase<'_>) -> WithFindings<JudgedPage> {
    let mut findings = Vec::new();
    let exclusion = REASONS.iter().find_map(|reason| {
        let evidence = (reason.judge)(case).take_into(&mut findings)?;
        Some(Box::new(Exclusion {
            reason,
            evidence: evidence.text,
            place: evidence.place,
            target: evidence.target,
        }))
    });
    let alternates = if exclusion.is_none() {
        versions(case).take_into(&mut findings)
    } else {
        Box::default()
    };
    let modified = case.facts.modified.as_ref();
    let exact_date =
        modified.and_then(
            |stated| match LastMod::parse(&stated.value, case.site.now) {
                ParsedDate::Exact(date) => Some(date),
                _ => None,
            },
        );
    let rare = RareFacts {
        doubtful_date: modified.filter(|_| exact_date.is_none()).cloned(),
        source_hint: case
            .facts
            .source_hint
            .as_ref()
            .map(|hint| hint.value.clone()),
        fingerprint: case.facts.fingerprint,
        two_slashes: match &case.statements.canonical {
            Canonical::ItselfDoubled(target) if exclusion.is_none() => {
                Some(case.subject_of(target))
            }
            _ => None,
        },
    };
    let judged = JudgedPage {
        file: case.file.clone(),
        url: case.url.clone(),
        verdict: exclusion.map_or(Verdict::Listed, Verdict::Excluded),
        alternates,
        links: None,
        exact_date,
        may_state_modified: case.facts.may_state_modified && modified.is_none(),
        rare: (rare != RareFacts::default()).then(|| Box::new(rare)),
    };
    WithFindings::new(judged, findings)
}

impl JudgedPage {
    /// Returns the stated modification date if it is not exact.
    pub(crate) fn doubtful_date(&self) -> Option<&Stated<String>> {
        self.rare.as_ref()?.doubtful_date.as_ref()
    }

    pub(super) fn two_slashes(&self) -> Option<&Subject> {
        self.rare.as_ref()?.two_slashes.as_ref()
    }

    /// Notes a language link with two slashes.
    pub(super) fn note_two_slashes(&mut self, place: Option<TagPlace>) {
        let subject = Subject::Page(self.file.clone(), place.map(place_of));
        let rare = self.rare.get_or_insert_default();
        rare.two_slashes.get_or_insert(subject);
    }

    pub(super) fn fingerprint(&self) -> Option<u64> {
        self.rare.as_ref()?.fingerprint
    }
}

/// Returns the page that a host serves for a URL.
pub(super) fn answering(pages: &[JudgedPage], base: &BaseUrl, url: &PageUrl) -> Option<usize> {
    candidate_files(base, url)
        .iter()
        .find_map(|file| position_of(pages, file))
}

/// Returns the index of a file's page.
pub(super) fn position_of(pages: &[JudgedPage], file: &SitePath) -> Option<usize> {
    pages.binary_search_by(|page| page.file.cmp(file)).ok()
}
