//! Gives all pages their final verdicts: checks canonical links to other pages, URLs claimed twice,
//! identical pages and language alternates.

use std::sync::Arc;

use super::alternates;
use super::judged_page::{JudgedPage, answering, position_of};
use super::kept_links;
use super::reason::{
    CANONICAL_DUPLICATE, CANONICAL_ELSEWHERE, EXCLUDED_BY_PAGE, EXCLUDED_BY_SETTINGS,
};
use super::verdict::{Exclusion, Verdict};
use crate::hosts::UrlForm;
use sitemaps::site_paths::finding::{Finding, Subject, WithFindings, code};
use sitemaps::site_paths::{BaseUrl, HTML_EXTENSIONS, SitePath};
use sitemaps::{EntryLinks, ReplacedEntry};

/// Gives every page its final verdict. Takes and returns the pages sorted by file. `original` is the
/// page whose byte-identical copies are excluded: mdBook's `index.html`. `replaced` are the entries of the
/// sitemap that this run replaces.
pub fn resolve_verdicts(
    mut pages: Vec<JudgedPage>,
    base: &BaseUrl,
    form: UrlForm,
    original: Option<&SitePath>,
    replaced: &[ReplacedEntry],
) -> WithFindings<Vec<JudgedPage>> {
    debug_assert!(
        pages.is_sorted_by(|left, right| left.file < right.file),
        "pages are sorted by file"
    );
    if let Some(original) = original {
        exclude_copies(&mut pages, original);
    }
    let mut findings = exclude_duplicates(&mut pages, base, form);
    findings.extend(exclude_hidden(&mut pages, base));
    findings.extend(report_canonicals(&pages, base));
    findings.extend(kept_links::add(&mut pages, base, replaced));
    alternates::name_listed_urls(&mut pages, base);
    let mut selected = alternates::select(&pages, base).take_into(&mut findings);
    for (index, page) in pages.iter_mut().enumerate() {
        page.alternates = Box::default();
        if let Some(languages) = selected.remove(&index) {
            let images = page.links.take().map(Arc::unwrap_or_clone);
            let images = images.unwrap_or_default().images;
            page.links = EntryLinks {
                images,
                ..languages
            }
            .shared();
        }
    }
    WithFindings::new(pages, findings)
}

/// Excludes the pages that are byte-identical to `original`.
fn exclude_copies(pages: &mut [JudgedPage], original: &SitePath) {
    let Some(position) = position_of(pages, original) else {
        return;
    };
    let (fingerprint, url) = (pages[position].fingerprint(), pages[position].url.clone());
    if fingerprint.is_none() || pages[position].verdict != Verdict::Listed {
        return;
    }
    for (index, page) in pages.iter_mut().enumerate() {
        if index != position && page.fingerprint() == fingerprint && page.verdict == Verdict::Listed
        {
            page.verdict = duplicate_of(format!("identical to {url}"));
        }
    }
}

/// Keeps one of the listed pages with the same URL: the one that a host serves, or else the first.
fn exclude_duplicates(pages: &mut [JudgedPage], base: &BaseUrl, form: UrlForm) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut listed: Vec<usize> = (0..pages.len())
        .filter(|&index| pages[index].verdict == Verdict::Listed)
        .collect();
    listed.sort_by(|&left, &right| pages[left].url.cmp(&pages[right].url));
    let same_address: Vec<Vec<usize>> = listed
        .chunk_by(|&left, &right| pages[left].url == pages[right].url)
        .filter(|group| group.len() > 1)
        .map(<[usize]>::to_vec)
        .collect();
    for group in same_address {
        let owner = owner_of(pages, base, form, &group);
        let first = pages[owner].file.clone();
        for index in group.into_iter().filter(|&index| index != owner) {
            let page = &mut pages[index];
            let message = format!(
                "`{first}` and `{}` claim the same URL, `{}`",
                page.file, page.url
            );
            findings.push(taken_twice(page, message));
            page.verdict = duplicate_of(format!("`{first}` has this URL"));
        }
    }
    findings
}

/// Excludes pages that claim the URL of an excluded page, because a host serves that page. An
/// exclusion by its author does not count: it may exist for the sake of the other page.
fn exclude_hidden(pages: &mut [JudgedPage], base: &BaseUrl) -> Vec<Finding> {
    let mut findings = Vec::new();
    for index in 0..pages.len() {
        let page = &pages[index];
        if page.verdict != Verdict::Listed
            || page.url == UrlForm::default().url_of(base, &page.file)
        {
            continue;
        }
        let Some(answer) = answering(pages, base, &page.url) else {
            continue;
        };
        if let JudgedPage {
            file,
            verdict: Verdict::Excluded(exclusion),
            ..
        } = &pages[answer]
            && ![EXCLUDED_BY_SETTINGS, EXCLUDED_BY_PAGE]
                .iter()
                .any(|reason| exclusion.reason.is(reason))
        {
            let reason = exclusion.reason.code.name;
            let message = format!(
                "`{}` claims `{}`, which is the URL of `{file}` ({reason})",
                page.file, page.url
            );
            findings.push(taken_twice(page, message));
            pages[index].verdict =
                duplicate_of(format!("`{file}` has this URL and is excluded ({reason})"));
        }
    }
    findings
}

/// Returns the page whose file a host tries first for the shared URL.
fn owner_of(pages: &[JudgedPage], base: &BaseUrl, form: UrlForm, group: &[usize]) -> usize {
    let tried = form.files_at(base, &pages[group[0]].url);
    let turn = |index: usize| {
        tried
            .iter()
            .position(|file| *file == pages[index].file)
            .unwrap_or(usize::MAX)
    };
    group
        .iter()
        .copied()
        .min_by_key(|&index| (turn(index), index))
        .expect("a group has at least two pages")
}

fn taken_twice(page: &JudgedPage, message: String) -> Finding {
    let subject = Subject::Page(page.file.clone(), None);
    Finding::new(code::URL_TAKEN_TWICE, subject, message)
        .with_hint("give each page a canonical link to its own URL")
}

fn duplicate_of(evidence: String) -> Verdict {
    Verdict::Excluded(Box::new(Exclusion {
        reason: CANONICAL_DUPLICATE,
        evidence,
        place: None,
        canonical: None,
    }))
}

/// Reports canonical links to missing or excluded pages: then neither page is listed.
fn report_canonicals(pages: &[JudgedPage], base: &BaseUrl) -> Vec<Finding> {
    let mut findings = Vec::new();
    for page in pages {
        let exclusion = page.verdict.exclusion();
        let Some(canonical) = exclusion.and_then(|exclusion| exclusion.canonical.as_ref()) else {
            continue;
        };
        let Some(path) = base.path_below(&canonical.url) else {
            continue;
        };
        let answer = answering(pages, base, &canonical.url).map(|index| &pages[index]);
        let (why, hint) = match answer {
            None if names_a_page(path) => (
                "which the build did not write".to_owned(),
                "name a page that exists, or remove the link",
            ),
            Some(JudgedPage {
                verdict: Verdict::Excluded(other),
                file,
                ..
            }) => dead_end(file, other),
            _ => continue,
        };
        let message = format!("the canonical link names `{}`, {why}", canonical.url);
        let subject = canonical.subject(&page.file);
        findings.push(Finding::new(code::CANONICAL_NOT_LISTED, subject, message).with_hint(hint));
    }
    findings
}

/// Returns what is wrong with a canonical link to an excluded page, and the remedy.
fn dead_end(file: &SitePath, exclusion: &Exclusion) -> (String, &'static str) {
    if exclusion.reason.is(CANONICAL_ELSEWHERE) {
        let why = format!("which itself names another page ({})", exclusion.evidence);
        return (why, "name the last page of the chain");
    }
    let reason = exclusion.reason.code.name;
    let why = format!("but `{file}` is itself excluded ({reason})");
    (why, "name an indexable page")
}

/// Whether a URL names a page, not a PDF or an image, which discovery does not look for.
fn names_a_page(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    match name.rsplit_once('.') {
        Some((_, ending)) => HTML_EXTENSIONS
            .iter()
            .any(|known| ending.eq_ignore_ascii_case(known)),
        None => true,
    }
}
