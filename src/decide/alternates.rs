//! Language alternates of all pages: only those that are returned are written.

use std::collections::{HashMap, HashSet};

use super::settle::answering;
use super::{Judged, LeftOut, Verdict, Version};
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
pub(super) fn settle(
    pages: &[Judged],
    base: &BaseUrl,
    findings: &mut Vec<Finding>,
) -> HashMap<usize, Written> {
    let by_url: HashMap<&PageUrl, Named<'_>> = pages
        .iter()
        .filter(|page| page.verdict == Verdict::Listed && !page.alternates.is_empty())
        .map(|page| (&page.url, Named::by(page)))
        .collect();
    let mut written = HashMap::new();
    for (index, page) in pages.iter().enumerate() {
        if page.verdict != Verdict::Listed || page.alternates.is_empty() {
            continue;
        }
        let returned = |version: &Version| {
            version.url == page.url
                || base.path_below(&version.url).is_none()
                || by_url
                    .get(&version.url)
                    .is_some_and(|back| !back.under(&page.url).is_empty())
        };
        let (mut kept, dropped): (Vec<_>, Vec<_>) = page
            .alternates
            .iter()
            .partition(|said| returned(&said.value));
        findings.extend(dropped.into_iter().map(|said| {
            match left_out_at(pages, base, &said.value.url) {
                Some(left_out) => names_one_left_out(page, said, left_out),
                None => not_returned(page, said),
            }
        }));
        if !kept.iter().any(|said| said.value.url == page.url) {
            let mut asked = HashSet::new();
            let others = kept
                .iter()
                .map(|said| &said.value.url)
                .filter(|url| asked.insert(*url));
            let names = others
                .filter_map(|url| by_url.get(url))
                .flat_map(|back| back.under(&page.url));
            let own = names
                .copied()
                .find(|said| !said.value.hreflang.eq_ignore_ascii_case("x-default"));
            // Every version has to name itself, so that what the others call it stands for that.
            kept.extend(own);
        }
        if kept.iter().any(|said| said.value.url != page.url) {
            written.insert(index, to_write(&kept));
        }
    }
    written
}

/// The versions that a page names, sorted by their addresses: a page may name any number.
struct Named<'p>(Vec<&'p Said<Version>>);

impl<'p> Named<'p> {
    fn by(page: &'p Judged) -> Self {
        let mut versions: Vec<_> = page.alternates.iter().collect();
        versions.sort_by(|left, right| left.value.url.cmp(&right.value.url));
        Self(versions)
    }

    /// Those that have this address.
    fn under(&self, url: &PageUrl) -> &[&'p Said<Version>] {
        let from = self.0.partition_point(|said| said.value.url < *url);
        let to = from + self.0[from..].partition_point(|said| said.value.url == *url);
        &self.0[from..to]
    }
}

/// Each code once: the first address that it was given.
fn to_write(kept: &[&Said<Version>]) -> Written {
    let mut seen = HashSet::with_capacity(kept.len());
    let new = kept
        .iter()
        .filter(|said| seen.insert(said.value.hreflang.to_ascii_lowercase()));
    new.map(|said| (said.value.hreflang.clone(), said.value.url.clone()))
        .collect()
}

/// Why the page at an address is left out, where it is: what its links return does not matter then.
fn left_out_at<'p>(pages: &'p [Judged], base: &BaseUrl, url: &PageUrl) -> Option<&'p LeftOut> {
    match &pages[answering(pages, base, url)?].verdict {
        Verdict::Listed => None,
        Verdict::LeftOut(left_out) => Some(left_out),
    }
}

fn not_returned(page: &Judged, said: &Said<Version>) -> Finding {
    finding(page, said, "is not returned by that page")
        .with_hint("let every language version name all the others and itself, by the addresses that are listed")
}

fn names_one_left_out(page: &Judged, said: &Said<Version>, left_out: &LeftOut) -> Finding {
    finding(
        page,
        said,
        &format!(
            "names a page that is left out ({})",
            left_out.reason.code.name
        ),
    )
    .with_hint("name a version that may be listed; `waypost explain` tells why a page is left out")
}

fn finding(page: &Judged, said: &Said<Version>, what: &str) -> Finding {
    let Version { hreflang, url } = &said.value;
    let message = format!("the hreflang link `{hreflang}` to `{url}` {what}, so it is not written");
    Finding::new(
        code::HREFLANG_NOT_RETURNED,
        Subject::Page(page.file.clone(), Some(said.place)),
        message,
    )
}
