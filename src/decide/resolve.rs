//! Gives all pages their final verdicts: checks canonical links to other pages, URLs claimed twice,
//! identical pages and language alternates.

use super::alternates;
use super::answering::{answering, position_of};
use super::judged_page::JudgedPage;
use super::kept_links;
use super::reason::{
    CANONICAL_DUPLICATE, CANONICAL_ELSEWHERE, EXCLUDED_BY_PAGE, EXCLUDED_BY_SETTINGS,
};
use super::verdict::{Exclusion, Verdict};
use crate::hosts::UrlForm;
use sitemaps::site_paths::finding::{Finding, Subject, WithFindings, code};
use sitemaps::site_paths::{BaseUrl, HTML_EXTENSIONS, PageUrl, SitePath};
use sitemaps::{EntryLinks, ReplacedEntry};

/// A page with its final verdict.
#[derive(Clone, Debug)]
pub struct DecidedPage {
    /// The page's file, relative to the output directory.
    pub file: SitePath,
    /// The URL under which it is or would be listed.
    pub url: PageUrl,
    /// The final verdict.
    pub verdict: Verdict,
    /// The language versions to write, including itself, if there are any.
    pub links: Option<Box<EntryLinks>>,
}

/// Gives every page its final verdict. Takes and returns the pages sorted by file. `original` is the
/// page whose byte-identical copies are excluded: mdBook's `index.html`. `replaced` are the entries of the
/// sitemap that this run replaces.
pub fn resolve_verdicts(
    mut pages: Vec<JudgedPage>,
    base: &BaseUrl,
    form: UrlForm,
    original: Option<&SitePath>,
    replaced: &[ReplacedEntry],
) -> WithFindings<Vec<DecidedPage>> {
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
    let mut selected = alternates::select(&pages, base).take_into(&mut findings);
    let lines = pages
        .into_iter()
        .enumerate()
        .map(|(index, page)| DecidedPage {
            file: page.file,
            url: page.url,
            verdict: page.verdict,
            links: selected.remove(&index).map(Box::new),
        });
    WithFindings::new(lines.collect(), findings)
}

/// Excludes the pages that are byte-identical to `original`.
fn exclude_copies(pages: &mut [JudgedPage], original: &SitePath) {
    let Some(position) = position_of(pages, original) else {
        return;
    };
    let (fingerprint, url) = (pages[position].fingerprint, pages[position].url.clone());
    if fingerprint.is_none() || pages[position].verdict != Verdict::Listed {
        return;
    }
    for (index, page) in pages.iter_mut().enumerate() {
        if index != position && page.fingerprint == fingerprint && page.verdict == Verdict::Listed {
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
    listed.sort_unstable_by(|&left, &right| {
        pages[left]
            .url
            .cmp(&pages[right].url)
            .then(left.cmp(&right))
    });
    let same_address: Vec<Vec<usize>> = listed
        .chunk_by(|&left, &right| pages[left].url == pages[right].url)
        .filter(|group| group.len() > 1)
        .map(<[usize]>::to_vec)
        .collect();
    for group in same_address {
        let owner = owner_of(pages, base, form, &group);
        let message = |page: &JudgedPage| {
            format!(
                "`{}` and `{}` claim the same URL, `{}`",
                pages[owner].file, page.file, page.url
            )
        };
        let losers: Vec<usize> = group.into_iter().filter(|&index| index != owner).collect();
        for &index in &losers {
            let subject = Subject::Page(pages[index].file.clone(), None);
            let finding = Finding::new(code::URL_TAKEN_TWICE, subject, message(&pages[index]));
            findings.push(finding.with_hint("give each page a canonical link to its own URL"));
        }
        for index in losers {
            pages[index].verdict = duplicate_of(format!("`{}` has this URL", pages[owner].file));
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
            let finding = Finding::new(
                code::URL_TAKEN_TWICE,
                Subject::Page(page.file.clone(), None),
                message,
            );
            findings.push(finding.with_hint("give each page a canonical link to its own URL"));
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
        let Some(canonical) = &page.canonical else {
            continue;
        };
        let Some(path) = base.path_below(&canonical.url) else {
            continue;
        };
        let subject = canonical.subject(&page.file);
        match answering(pages, base, &canonical.url).map(|index| &pages[index]) {
            None if names_a_page(path) => {
                let message = format!(
                    "the canonical link names `{}`, which the build did not write",
                    canonical.url
                );
                let finding = Finding::new(code::CANONICAL_NOT_LISTED, subject, message)
                    .with_hint("name a page that exists, or remove the link");
                findings.push(finding);
            }
            Some(JudgedPage {
                verdict: Verdict::Excluded(exclusion),
                file,
                ..
            }) => {
                findings.push(dead_end(subject, &canonical.url, file, exclusion));
            }
            _ => {}
        }
    }
    findings
}

fn dead_end(subject: Subject, target: &PageUrl, file: &SitePath, exclusion: &Exclusion) -> Finding {
    if exclusion.reason.is(CANONICAL_ELSEWHERE) {
        let message = format!(
            "the canonical link names `{target}`, which itself names another page ({})",
            exclusion.evidence
        );
        return Finding::new(code::CANONICAL_NOT_LISTED, subject, message)
            .with_hint("name the last page of the chain");
    }
    let message = format!(
        "the canonical link names `{target}`, but `{file}` is itself excluded ({})",
        exclusion.reason.code.name
    );
    Finding::new(code::CANONICAL_NOT_LISTED, subject, message).with_hint("name an indexable page")
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
