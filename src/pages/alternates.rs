//! Selects the language alternates to write: only those with a return link.

use std::collections::{HashMap, HashSet};

use super::page::{Page, Pages};
use crate::decide::{LanguageVersion, LinkBack, ReturnLinks, place_of};
use sitemaps::EntryLinks;
use sitemaps::findings::{Finding, Subject, WithFindings, code};
use sitemaps::site_paths::{BaseUrl, PageUrl};

/// Gives links to listed pages the URLs under which those are listed: generators link to their own
/// form of a URL (Docusaurus to `/fr/intro`), which the host may redirect to the listed one, or write
/// two slashes where one belongs, which is noted.
pub(super) fn name_listed_urls(pages: &mut Pages, base: &BaseUrl) {
    let states_versions = |page: &&Page| !page.alternates.is_empty();
    let known = pages.iter().filter(states_versions).map(|page| &page.url);
    let known: HashSet<&PageUrl> = known.collect();
    let mut renamed = Vec::new();
    for (index, page) in pages.iter().enumerate() {
        for (number, stated) in page.alternates.iter().enumerate() {
            if known.contains(&stated.url) {
                continue;
            }
            let single = stated.url.with_single_slashes();
            let url = single.as_ref().unwrap_or(&stated.url);
            let answer = pages.at_url(base, url);
            if let Some(page) = answer.filter(|page| page.is_listed()) {
                renamed.push((index, number, page.url.clone(), single.is_some()));
            }
        }
    }
    for (index, number, url, is_doubled) in renamed {
        let page = &mut pages[index];
        if is_doubled {
            page.note_two_slashes(page.alternates[number].place);
        }
        page.alternates[number].url = url;
    }
}

/// Returns the language versions to write for each page, by the page's index.
///
/// A version on this site is written only if that page is listed and links back to this one; search
/// engines ignore it otherwise (developers.google.com, "localized versions"). A version on another
/// host cannot be checked and is kept. If a page has no version other than itself, none is written.
pub(super) fn select(pages: &Pages, base: &BaseUrl) -> WithFindings<HashMap<usize, EntryLinks>> {
    let mut findings = Vec::new();
    let mut numbers: HashMap<&PageUrl, u32> = HashMap::new();
    let mut without_own_link: HashSet<u32> = HashSet::new();
    for (number, page) in (0..).zip(pages) {
        if !page.is_listed() || page.alternates.is_empty() {
            continue;
        }
        numbers.insert(&page.url, number);
        if !page.alternates.iter().any(|stated| stated.url == page.url) {
            without_own_link.insert(number);
        }
    }
    let mut links = Vec::new();
    // The code that a version uses for a page without a link to itself.
    let mut codes: HashMap<(u32, u32), &LanguageVersion> = HashMap::new();
    for (&url, &from) in &numbers {
        for stated in &pages[from as usize].alternates {
            let Some(&to) = numbers.get(&stated.url).filter(|_| stated.url != *url) else {
                continue;
            };
            links.push((from, to));
            if without_own_link.contains(&to) && !stated.hreflang.eq_ignore_ascii_case("x-default")
            {
                codes.entry((from, to)).or_insert(stated);
            }
        }
    }
    let links = ReturnLinks::new(numbers.values().copied().collect(), links);
    let mut written = HashMap::new();
    for (index, page) in pages.iter().enumerate() {
        let Some(&own) = numbers.get(&page.url).filter(|&&own| own as usize == index) else {
            continue;
        };
        // Another scheme or port of this host is no other site.
        let is_elsewhere = |url: &PageUrl| {
            base.path_below(url).is_none()
                && (url.host() != base.host() || url.origin() == base.origin())
        };
        let is_returned = |version: &LanguageVersion| {
            let to = numbers.get(&version.url);
            to.is_some_and(|&to| links.answer(own, to) == LinkBack::Returned)
        };
        let (mut kept, dropped): (Vec<_>, Vec<_>) = page.alternates.iter().partition(|stated| {
            stated.url == page.url || is_elsewhere(&stated.url) || is_returned(stated)
        });
        // The link to an excluded page is dropped with that page, whose reason is reported already.
        let not_returned = dropped
            .into_iter()
            .filter(|stated| !is_excluded(pages, base, &stated.url))
            .map(|stated| not_returned(page, stated, pages.at_url(base, &stated.url).is_none()));
        findings.extend(not_returned);
        if without_own_link.contains(&own) {
            // Every version must name itself; if this page does not, use the code that the others
            // use for it.
            let code = kept.iter().find_map(|stated| {
                let version = numbers.get(&stated.url)?;
                codes.get(&(*version, own)).copied()
            });
            kept.extend(code);
        }
        if kept.iter().any(|stated| stated.url != page.url) {
            written.insert(index, to_write(&kept));
        }
    }
    WithFindings::new(written, findings)
}

/// Keeps the first URL for each code.
fn to_write(kept: &[&LanguageVersion]) -> EntryLinks {
    let mut seen = HashSet::with_capacity(kept.len());
    let new = kept
        .iter()
        .filter(|stated| seen.insert(stated.hreflang.to_ascii_lowercase()));
    let alternates = new.map(|stated| (stated.hreflang.clone(), stated.url.clone()));
    EntryLinks {
        alternates: alternates.collect(),
        are_kept: kept.iter().all(|stated| stated.place.is_none()),
        ..EntryLinks::default()
    }
}

/// Whether the page at a URL is excluded: then its return links do not matter.
fn is_excluded(pages: &Pages, base: &BaseUrl, url: &PageUrl) -> bool {
    pages
        .at_url(base, url)
        .is_some_and(|page| !page.is_listed())
}

fn not_returned(page: &Page, stated: &LanguageVersion, is_missing: bool) -> Finding {
    let LanguageVersion {
        hreflang,
        url,
        place,
    } = stated;
    let (what, hint) = if is_missing {
        ("leads to no page", "remove the link, or build that page")
    } else {
        (
            "has no return link from that page",
            "link every language version to all others and to itself, using the listed URLs",
        )
    };
    let message = format!("the hreflang link `{hreflang}` to `{url}` {what}, so it is not written");
    Finding::new(
        code::HREFLANG_IGNORED,
        Subject::Page(page.file.clone(), place.map(place_of)),
        message,
    )
    .with_hint(hint)
}
