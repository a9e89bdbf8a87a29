//! Selects the language alternates to write: only those with a return link.

use std::collections::{HashMap, HashSet};

use super::judged_page::{JudgedPage, LanguageVersion, answering};
use super::page_case::place_of;
use super::verdict::Verdict;
use sitemaps::site_paths::finding::{Finding, Subject, WithFindings, code};
use sitemaps::site_paths::{BaseUrl, PageUrl};
use sitemaps::{EntryLinks, KeptContent};

/// Gives links to listed pages the URLs under which those are listed: generators link to their own
/// form of a URL (Docusaurus to `/fr/intro`), which the host may redirect to the listed one.
pub(super) fn name_listed_urls(pages: &mut [JudgedPage], base: &BaseUrl) {
    let states_versions = |page: &&JudgedPage| !page.alternates.is_empty();
    let known = pages.iter().filter(states_versions).map(|page| &page.url);
    let known: HashSet<&PageUrl> = known.collect();
    let mut renamed = Vec::new();
    for (index, page) in pages.iter().enumerate() {
        for (number, stated) in page.alternates.iter().enumerate() {
            let is_known = known.contains(&stated.url);
            let answer = (!is_known).then(|| answering(pages, base, &stated.url));
            let answer = answer.flatten().map(|answer| &pages[answer]);
            if let Some(page) = answer.filter(|page| page.verdict == Verdict::Listed) {
                renamed.push((index, number, page.url.clone()));
            }
        }
    }
    for (index, number, url) in renamed {
        pages[index].alternates[number].url = url;
    }
}

/// Returns the language versions to write for each page, by the page's index.
///
/// A version on this site is written only if that page is listed and links back to this one; search
/// engines ignore it otherwise (developers.google.com, "localized versions"). A version on another
/// host cannot be checked and is kept. If a page has no version other than itself, none is written.
pub(super) fn select(
    pages: &[JudgedPage],
    base: &BaseUrl,
) -> WithFindings<HashMap<usize, EntryLinks>> {
    let mut findings = Vec::new();
    let by_url: HashMap<&PageUrl, NamedVersions<'_>> = pages
        .iter()
        .filter(|page| page.verdict == Verdict::Listed && !page.alternates.is_empty())
        .map(|page| (&page.url, NamedVersions::by(page)))
        .collect();
    let mut written = HashMap::new();
    for (index, page) in pages.iter().enumerate() {
        if page.verdict != Verdict::Listed || page.alternates.is_empty() {
            continue;
        }
        // Another scheme or port of this host is no other site.
        let is_elsewhere = |url: &PageUrl| {
            base.path_below(url).is_none()
                && (url.host() != base.host() || url.origin() == base.origin())
        };
        let returned = |version: &LanguageVersion| {
            version.url == page.url
                || is_elsewhere(&version.url)
                || by_url
                    .get(&version.url)
                    .is_some_and(|back| !back.under(&page.url).is_empty())
        };
        let (mut kept, dropped): (Vec<_>, Vec<_>) =
            page.alternates.iter().partition(|stated| returned(stated));
        // The link to an excluded page is dropped with that page, whose reason is reported already.
        let not_returned = dropped
            .into_iter()
            .filter(|stated| !is_excluded(pages, base, &stated.url))
            .map(|stated| not_returned(page, stated));
        findings.extend(not_returned);
        if !kept.iter().any(|stated| stated.url == page.url) {
            let mut requested = HashSet::new();
            let others = kept
                .iter()
                .map(|stated| &stated.url)
                .filter(|url| requested.insert(*url));
            let names = others
                .filter_map(|url| by_url.get(url))
                .flat_map(|back| back.under(&page.url));
            let own = names
                .copied()
                .find(|stated| !stated.hreflang.eq_ignore_ascii_case("x-default"));
            // Every version must name itself; if this page does not, use the code that the others
            // use for it.
            kept.extend(own);
        }
        if kept.iter().any(|stated| stated.url != page.url) {
            written.insert(index, to_write(&kept));
        }
    }
    WithFindings::new(written, findings)
}

/// The versions that a page names, sorted by URL for fast lookup: a page may name any number.
struct NamedVersions<'p>(Vec<&'p LanguageVersion>);

impl<'p> NamedVersions<'p> {
    fn by(page: &'p JudgedPage) -> Self {
        let mut versions: Vec<_> = page.alternates.iter().collect();
        versions.sort_by(|left, right| left.url.cmp(&right.url));
        Self(versions)
    }

    /// Returns the versions with this URL.
    fn under(&self, url: &PageUrl) -> &[&'p LanguageVersion] {
        let from = self.0.partition_point(|stated| stated.url < *url);
        let to = from + self.0[from..].partition_point(|stated| stated.url == *url);
        &self.0[from..to]
    }
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
        kept: KeptContent {
            alternates: kept.iter().all(|stated| stated.place.is_none()),
            ..KeptContent::default()
        },
        ..EntryLinks::default()
    }
}

/// Whether the page at a URL is excluded: then its return links do not matter.
fn is_excluded(pages: &[JudgedPage], base: &BaseUrl, url: &PageUrl) -> bool {
    answering(pages, base, url).is_some_and(|index| pages[index].verdict != Verdict::Listed)
}

fn not_returned(page: &JudgedPage, stated: &LanguageVersion) -> Finding {
    let LanguageVersion {
        hreflang,
        url,
        place,
    } = stated;
    let message = format!(
        "the hreflang link `{hreflang}` to `{url}` has no return link from that page, so it is \
         not written"
    );
    Finding::new(
        code::HREFLANG_IGNORED,
        Subject::Page(page.file.clone(), place.map(place_of)),
        message,
    )
    .with_hint("link every language version to all others and to itself, using the listed URLs")
}
