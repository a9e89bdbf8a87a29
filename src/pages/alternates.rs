//! Selects the language alternates to write: those of the page and, if its head states none, of the
//! sitemap that is replaced; only those with a return link.

use std::collections::{HashMap, HashSet};
use std::mem;
use std::sync::Arc;

use super::page::{Page, Pages};
use crate::decide::{
    INVALID_CODE_HINT, LanguageVersion, LinkBack, ReturnLinks, is_language_code, place_of,
};
use crate::findings::{Finding, Findings, Subject, code};
use crate::survey::ReplacedEntry;
use sitemaps::site_paths::{BaseUrl, PageUrl};
use sitemaps::{EntryLinks, LanguageLinks, LinkNames, quoted};

/// Gives links to listed pages the URLs under which those are listed: generators link to their own
/// form of a URL (Docusaurus to `/fr/intro`), which the host may redirect to the listed one, or write
/// two slashes where one belongs, which is noted.
pub(super) fn name_listed_urls(pages: &mut Pages) {
    let known: HashSet<&PageUrl> = pages
        .iter()
        .filter(|page| !page.alternates.is_empty())
        .map(|page| &page.url)
        .collect();
    let mut renamed = HashMap::new();
    for (number, url) in (0..).zip(&pages.link_names.urls) {
        if known.contains(url) {
            continue;
        }
        let single = url.with_single_slashes();
        let answer = pages.at_url(single.as_ref().unwrap_or(url));
        if let Some(page) = answer.filter(|page| page.is_listed()) {
            renamed.insert(number, (page.url.clone(), single.is_some()));
        }
    }
    if renamed.is_empty() {
        return;
    }
    let Pages {
        all, link_names, ..
    } = pages;
    for page in all {
        let mut doubled = None;
        for version in &mut page.alternates {
            if let Some((url, is_doubled)) = renamed.get(&version.link.url) {
                version.link.url = link_names.url_number(url.clone());
                doubled = doubled.or(is_doubled.then_some(version.place));
            }
        }
        if let Some(place) = doubled {
            page.note_two_slashes(place);
        }
    }
}

/// Replaces the language versions that each page states by those to write.
///
/// A version on this site is written only if that page is listed and links back to this one; search
/// engines ignore it otherwise (developers.google.com, "localized versions"). A version on another
/// host cannot be checked and is kept. If a page has no version other than itself, none is written.
pub(super) fn select(pages: &mut Pages, findings: &Findings) {
    let names = Arc::new(mem::take(&mut pages.link_names));
    let graph = VersionGraph::new(pages, &names);
    for (number, index) in (0..).zip(0..pages.len()) {
        let stated = mem::take(&mut pages[index].alternates);
        let page = &pages[index];
        if stated.is_empty() || !page.is_listed() {
            continue;
        }
        let is_own = |version: &LanguageVersion| graph.page_of(version) == Some(number);
        let (mut kept, dropped): (Vec<LanguageVersion>, Vec<LanguageVersion>) =
            stated.iter().partition(|&version| {
                is_elsewhere(&pages.base, names.url(version.link))
                    || graph.is_returned(number, version)
            });
        for version in dropped {
            // The link to an excluded page is dropped with that page, whose reason is reported already.
            let answer = pages.at_url(names.url(version.link));
            if answer.is_none_or(Page::is_listed) {
                findings.add(not_returned(page, &version, &names, answer.is_none()));
            }
        }
        if !stated.iter().any(is_own) {
            // Every version must name itself; if this page does not, use the code that the others
            // use for it.
            let link = kept
                .iter()
                .find_map(|version| graph.link_back(number, version));
            kept.extend(link);
        }
        if kept.iter().any(|version| !is_own(version)) {
            let are_kept = kept.iter().all(|version| version.place.is_none());
            // Of several URLs for one code, the first counts.
            let mut seen = HashSet::with_capacity(kept.len());
            kept.retain(|version| seen.insert(graph.first_codes[version.link.code as usize]));
            let links = kept.iter().map(|version| version.link).collect();
            pages[index].links = EntryLinks {
                alternates: LanguageLinks::new(links, Arc::clone(&names)),
                are_kept,
                ..EntryLinks::default()
            }
            .shared();
        }
    }
}

/// The listed pages that state language versions, by number, with the links between them.
struct VersionGraph {
    /// The page that each URL is of, if any.
    pages_at: Vec<Option<u32>>,
    links: ReturnLinks<u32>,
    /// The links of a version to a page that does not link to itself.
    links_back: HashMap<(u32, u32), LanguageVersion>,
    /// For each code, the number of the first that is equal but for case.
    first_codes: Vec<u32>,
}

impl VersionGraph {
    fn new(pages: &Pages, names: &LinkNames) -> Self {
        let mut first_codes = HashMap::new();
        let codes = (0..).zip(&names.codes).map(|(number, code)| {
            let first = first_codes.entry(code.to_ascii_lowercase());
            *first.or_insert(number)
        });
        let first_codes = codes.collect();

        let states_versions = |page: &Page| page.is_listed() && !page.alternates.is_empty();
        let mut pages_at = vec![None; names.urls.len()];
        let mut listed = HashSet::new();
        let mut without_own_link = HashSet::new();
        for (number, page) in (0..).zip(pages).filter(|(_, page)| states_versions(page)) {
            listed.insert(number);
            let own_url = names.urls.get_index_of(&page.url);
            if let Some(own_url) = own_url {
                pages_at[own_url] = Some(number);
            }
            if !page
                .alternates
                .iter()
                .any(|version| own_url == Some(version.link.url as usize))
            {
                without_own_link.insert(number);
            }
        }
        let mut links = Vec::new();
        let mut links_back = HashMap::new();
        for (from, page) in (0..).zip(pages).filter(|(_, page)| states_versions(page)) {
            for version in &page.alternates {
                let Some(to) = pages_at[version.link.url as usize].filter(|&to| to != from) else {
                    continue;
                };
                links.push((from, to));
                if without_own_link.contains(&to)
                    && !names.code(version.link).eq_ignore_ascii_case("x-default")
                {
                    links_back.entry((from, to)).or_insert(*version);
                }
            }
        }
        Self {
            pages_at,
            links: ReturnLinks::new(listed, links),
            links_back,
            first_codes,
        }
    }

    /// The page that a version is, if it is one of them.
    fn page_of(&self, version: &LanguageVersion) -> Option<u32> {
        self.pages_at[version.link.url as usize]
    }

    /// Whether a version that a page states is the page itself, or links back to it.
    fn is_returned(&self, page: u32, version: &LanguageVersion) -> bool {
        self.page_of(version)
            .is_some_and(|to| self.links.answer(page, to) == LinkBack::Returned)
    }

    /// The link of a version to a page that does not link to itself.
    fn link_back(&self, page: u32, version: &LanguageVersion) -> Option<&LanguageVersion> {
        self.links_back.get(&(self.page_of(version)?, page))
    }
}

/// Whether a URL is on another site; another scheme or port of this host is none.
fn is_elsewhere(base: &BaseUrl, url: &PageUrl) -> bool {
    base.path_below(url).is_none() && (url.host() != base.host() || url.origin() == base.origin())
}

fn not_returned(
    page: &Page,
    version: &LanguageVersion,
    names: &LinkNames,
    is_missing: bool,
) -> Finding {
    let (what, hint) = if is_missing {
        ("leads to no page", "remove the link, or build that page")
    } else {
        (
            "has no return link from that page",
            "link every language version to all others and to itself, using the listed URLs",
        )
    };
    let message = format!(
        "the hreflang link `{}` to `{}` {what}, so it is not written",
        names.code(version.link),
        names.url(version.link)
    );
    let subject = Subject::Page(page.file.clone(), version.place.map(place_of));
    Finding::new(code::HREFLANG_IGNORED, subject, message).with_hint(hint)
}

/// Adds them to the listed pages; links that search engines ignore are reported. The links are then
/// checked like those of heads.
pub(super) fn add_replaced(pages: &mut Pages, replaced: &[ReplacedEntry], findings: &Findings) {
    let base = pages.base.clone();
    let resolve = |href: &str| base.resolve(href);
    for entry in replaced.iter().filter(|entry| !entry.alternates.is_empty()) {
        let url = resolve(&entry.loc).filter(|url| base.path_below(url).is_some());
        let Some(index) = url.and_then(|url| pages.index_at(&url)) else {
            continue;
        };
        let page = &pages[index];
        if !page.is_listed() || !page.alternates.is_empty() {
            continue;
        }
        let mut versions = Vec::with_capacity(entry.alternates.len());
        for (hreflang, href) in &entry.alternates {
            let code = hreflang.replace('_', "-");
            if !is_language_code(&code) {
                findings.add(invalid_code(entry, &code));
            } else if let Some(url) = resolve(href) {
                versions.push(LanguageVersion {
                    link: pages.link_names.link(&code, url),
                    place: None,
                });
            }
        }
        pages[index].alternates = versions.into_boxed_slice();
    }
}

fn invalid_code(entry: &ReplacedEntry, hreflang: &str) -> Finding {
    let message = format!(
        "`{}` in the replaced sitemap is not a valid hreflang code, so the link of `{}` is not kept",
        quoted(hreflang),
        quoted(&entry.loc)
    );
    Finding::new(code::HREFLANG_IGNORED, &entry.file, message).with_hint(INVALID_CODE_HINT)
}
