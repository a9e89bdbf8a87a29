//! All pages together: canonical links to other pages, addresses claimed twice, equal pages, language alternates.

use std::collections::HashMap;

use super::alternates;
use super::reason::{CANONICAL_DUPLICATE, CANONICAL_ELSEWHERE, EXCLUDED_BY_PAGE, EXCLUDED_BY_RULE};
use super::served_urls::{answering_files, own_address};
use super::{Exclusion, JudgedPage, Verdict};
use crate::config::UrlStyle;
use crate::finding::{Finding, Subject, code};
use crate::site_paths::{BaseUrl, HTML_EXTENSIONS, PageUrl, SitePath};

/// A page with its final verdict.
#[derive(Clone, Debug)]
pub struct DecidedPage {
    /// The page's file below the output folder.
    pub file: SitePath,
    /// The address under which it is or would be listed.
    pub url: PageUrl,
    /// What becomes of it.
    pub verdict: Verdict,
    /// Its language versions that are written, itself among them.
    pub alternates: Box<[(Box<str>, PageUrl)]>,
}

/// Gives every page its final verdict; the pages come and go sorted by file.
///
/// `same_as` names a page of which byte-identical copies are left out: mdBook's `index.html`.
pub fn settle(
    mut pages: Vec<JudgedPage>,
    base: &BaseUrl,
    same_as: Option<&SitePath>,
    findings: &mut Vec<Finding>,
) -> Vec<DecidedPage> {
    debug_assert!(
        pages.is_sorted_by(|left, right| left.file < right.file),
        "pages are sorted by file"
    );
    if let Some(original) = same_as {
        leave_out_copies(&mut pages, original);
    }
    leave_out_duplicates(&mut pages, base, findings);
    leave_out_hidden(&mut pages, base, findings);
    report_equal_pages(&pages, findings);
    report_canonicals(&pages, base, findings);
    let mut alternates = alternates::settle(&pages, base, findings);
    let lines = pages
        .into_iter()
        .enumerate()
        .map(|(index, page)| DecidedPage {
            file: page.file,
            url: page.url,
            verdict: page.verdict,
            alternates: alternates.remove(&index).unwrap_or_default(),
        });
    lines.collect()
}

/// Leaves out the pages that are `original` byte for byte.
fn leave_out_copies(pages: &mut [JudgedPage], original: &SitePath) {
    let Some(position) = position_of(pages, original) else {
        return;
    };
    let (fingerprint, url) = (pages[position].fingerprint, pages[position].url.clone());
    if fingerprint.is_none() || pages[position].verdict != Verdict::Listed {
        return;
    }
    for (index, page) in pages.iter_mut().enumerate() {
        if index != position && page.fingerprint == fingerprint && page.verdict == Verdict::Listed {
            page.verdict = duplicate_of(format!("the same page, byte for byte, as {url}"));
        }
    }
}

/// Reports listed pages that are the same byte for byte, where pages are compared by content at all.
fn report_equal_pages(pages: &[JudgedPage], findings: &mut Vec<Finding>) {
    let mut first_with: HashMap<u64, &JudgedPage> = HashMap::new();
    for page in pages.iter().filter(|page| page.verdict == Verdict::Listed) {
        let Some(fingerprint) = page.fingerprint else {
            continue;
        };
        let first = *first_with.entry(fingerprint).or_insert(page);
        if first.file != page.file {
            let message = format!(
                "`{}` is `{}` byte for byte, and both are listed",
                page.file, first.file
            );
            let finding = Finding::new(
                code::EQUAL_PAGES,
                Subject::Page(page.file.clone(), None),
                message,
            )
            .with_hint("give both one canonical link, or write the page once");
            findings.push(finding);
        }
    }
}

/// Of listed pages with one address, keeps the one that a host answers it with, or else the first.
fn leave_out_duplicates(pages: &mut [JudgedPage], base: &BaseUrl, findings: &mut Vec<Finding>) {
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
        let owner = owner_of(pages, base, &group);
        let message = |page: &JudgedPage| {
            format!(
                "`{}` and `{}` claim one address, `{}`",
                pages[owner].file, page.file, page.url
            )
        };
        let losers: Vec<usize> = group.into_iter().filter(|&index| index != owner).collect();
        for &index in &losers {
            let subject = Subject::Page(pages[index].file.clone(), None);
            let finding = Finding::new(code::ADDRESS_TAKEN_TWICE, subject, message(&pages[index]));
            findings.push(finding.with_hint("give each page a canonical link to its own address"));
        }
        for index in losers {
            pages[index].verdict =
                duplicate_of(format!("`{}` has this address", pages[owner].file));
        }
    }
}

/// Leaves out pages that claim the address of a page which is left out itself: a host answers with that one. That its
/// author excludes a page says nothing of another at its address, which may well be why.
fn leave_out_hidden(pages: &mut [JudgedPage], base: &BaseUrl, findings: &mut Vec<Finding>) {
    for index in 0..pages.len() {
        let page = &pages[index];
        if page.verdict != Verdict::Listed
            || page.url == own_address(base, &page.file, UrlStyle::Keep)
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
            && ![EXCLUDED_BY_RULE, EXCLUDED_BY_PAGE]
                .iter()
                .any(|reason| exclusion.reason.is(reason))
        {
            let reason = exclusion.reason.code.name;
            let message = format!(
                "`{}` claims `{}`, which is the address of `{file}` ({reason})",
                page.file, page.url
            );
            let finding = Finding::new(
                code::ADDRESS_TAKEN_TWICE,
                Subject::Page(page.file.clone(), None),
                message,
            );
            findings.push(finding.with_hint("give each page a canonical link to its own address"));
            pages[index].verdict = duplicate_of(format!(
                "`{file}` has this address, and is left out ({reason})"
            ));
        }
    }
}

/// The page whose file a host tries first for the address they share.
fn owner_of(pages: &[JudgedPage], base: &BaseUrl, group: &[usize]) -> usize {
    let tried = answering_files(base, &pages[group[0]].url);
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
        .expect("a group holds two pages at least")
}

fn duplicate_of(evidence: String) -> Verdict {
    Verdict::Excluded(Box::new(Exclusion {
        reason: CANONICAL_DUPLICATE,
        evidence,
        place: None,
    }))
}

/// Reports canonical links to pages that are missing or left out themselves: then neither page is listed.
fn report_canonicals(pages: &[JudgedPage], base: &BaseUrl, findings: &mut Vec<Finding>) {
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
                let finding = Finding::new(code::CANONICAL_MISSING_PAGE, subject, message)
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
}

fn dead_end(subject: Subject, target: &PageUrl, file: &SitePath, exclusion: &Exclusion) -> Finding {
    if exclusion.reason.is(CANONICAL_ELSEWHERE) {
        let message = format!(
            "the canonical link names `{target}`, which names another page in turn ({})",
            exclusion.evidence
        );
        return Finding::new(code::CANONICAL_CHAIN, subject, message)
            .with_hint("name the end of the chain");
    }
    let message = format!(
        "the canonical link names `{target}`, but `{file}` is left out itself ({})",
        exclusion.reason.code.name
    );
    Finding::new(code::CANONICAL_NOT_LISTED, subject, message)
        .with_hint("name a page that may be indexed")
}

/// Whether an address is that of a page, not of a PDF or an image, which the walk has not looked for.
fn names_a_page(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    match name.rsplit_once('.') {
        Some((_, ending)) => HTML_EXTENSIONS
            .iter()
            .any(|known| ending.eq_ignore_ascii_case(known)),
        None => true,
    }
}

/// The page that a host answers an address with.
pub(super) fn answering(pages: &[JudgedPage], base: &BaseUrl, url: &PageUrl) -> Option<usize> {
    answering_files(base, url)
        .iter()
        .find_map(|file| position_of(pages, file))
}

fn position_of(pages: &[JudgedPage], file: &SitePath) -> Option<usize> {
    pages.binary_search_by(|page| page.file.cmp(file)).ok()
}
