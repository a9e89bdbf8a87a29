//! Language alternates of all pages: only those that are returned are written.

use std::collections::HashMap;

use super::{Judged, Verdict, Version};
use crate::finding::{Finding, Subject, code};
use crate::location::{BaseUrl, PageUrl};
use crate::read::Said;

/// The alternates of one page as they are written.
type Written = Box<[(Box<str>, PageUrl)]>;

/// For each page, by its index, the language versions to write.
///
/// A version on this site is written only if that page is listed and names this one back; engines ignore it otherwise
/// (developers.google.com, "localized versions"). A version on another host cannot be checked from here and is kept.
/// A page that is left with no version but itself has nothing to say.
pub(super) fn settle(pages: &[Judged], base: &BaseUrl, findings: &mut Vec<Finding>) -> HashMap<usize, Written> {
    let by_url: HashMap<&PageUrl, &[Said<Version>]> = pages
        .iter()
        .filter(|page| page.verdict == Verdict::Listed && !page.alternates.is_empty())
        .map(|page| (&page.url, &*page.alternates))
        .collect();
    let mut written = HashMap::new();
    for (index, page) in pages.iter().enumerate() {
        if page.verdict != Verdict::Listed || page.alternates.is_empty() {
            continue;
        }
        let returned = |version: &Version| {
            version.url == page.url
                || base.path_below(&version.url).is_none()
                || by_url.get(&version.url).is_some_and(|back| back.iter().any(|said| said.value.url == page.url))
        };
        let (mut kept, dropped): (Vec<_>, Vec<_>) = page.alternates.iter().partition(|said| returned(&said.value));
        findings.extend(dropped.into_iter().map(|said| not_returned(page, said)));
        if !kept.iter().any(|said| said.value.url == page.url) {
            let others = kept.iter().filter_map(|said| by_url.get(&said.value.url)).flat_map(|back| back.iter());
            kept.extend(named_by_others(page, others));
        }
        if kept.iter().any(|said| said.value.url != page.url) {
            written.insert(index, to_write(&kept));
        }
    }
    written
}

/// What the other versions call a page that does not name itself, as every version has to.
fn named_by_others<'v>(
    page: &Judged,
    mut others: impl Iterator<Item = &'v Said<Version>>,
) -> Option<&'v Said<Version>> {
    others.find(|said| said.value.url == page.url && !said.value.hreflang.eq_ignore_ascii_case("x-default"))
}

/// Each code once: the first address that it was given.
fn to_write(kept: &[&Said<Version>]) -> Written {
    let mut versions: Vec<(Box<str>, PageUrl)> = Vec::with_capacity(kept.len());
    for said in kept {
        let Version { hreflang, url } = &said.value;
        if !versions.iter().any(|(language, _)| language.eq_ignore_ascii_case(hreflang)) {
            versions.push((hreflang.clone(), url.clone()));
        }
    }
    versions.into_boxed_slice()
}

fn not_returned(page: &Judged, said: &Said<Version>) -> Finding {
    let Version { hreflang, url } = &said.value;
    let message =
        format!("the hreflang link `{hreflang}` to `{url}` is not returned by that page, so it is not written");
    Finding::new(code::HREFLANG_NOT_RETURNED, Subject::Page(page.file.clone(), Some(said.place)), message)
        .with_hint("let every language version name all the others and itself, by the addresses that are listed")
}
