//! Detects immediate redirects in a page.

use super::page_case::{PageCase, SiteView};
use super::served_urls::candidate_files;
use page_signals::{Refresh, Region, Stated, TagPlace};
use site_paths::{PageUrl, SitePath};

/// Returns the URL that the page redirects to immediately; `None` if that is the page itself.
///
/// Two forms count: an instant meta refresh, and a script that replaces the location if a refresh
/// in `<noscript>` names the same URL, which is how Zola writes its redirects. A script alone does
/// not count, nor does a refresh that only readers without scripts see. A refresh after some
/// seconds is temporary and leaves the page listed (developers.google.com, "redirects and Google
/// Search").
pub(super) fn instant_target(case: &PageCase<'_>) -> Option<Stated<PageUrl>> {
    let by_meta = instant_refreshes(case).filter(|(region, _)| *region != Region::Noscript);
    let by_script = case.facts.script_redirect.iter().filter_map(|stated| {
        let target = resolved(case, &stated.value, stated.place)?;
        let confirmed = instant_refreshes(case).any(|(_, refresh)| refresh.value == target.value);
        confirmed.then_some(target)
    });
    by_meta
        .map(|(_, target)| target)
        .chain(by_script)
        .find(|target| answering_page(case.site, &target.value) != Some(&case.page.file))
}

/// Returns the page that a host serves for a URL.
fn answering_page<'s>(site: &SiteView<'s>, url: &PageUrl) -> Option<&'s SitePath> {
    let files = candidate_files(site.base, url);
    let page_at = |file: &SitePath| site.pages.binary_search_by(|page| page.file.cmp(file)).ok();
    files
        .iter()
        .find_map(page_at)
        .map(|index| &site.pages[index].file)
}

/// Returns the targets of the page's instant refreshes, each with the region of its tag.
fn instant_refreshes<'c>(
    case: &'c PageCase<'_>,
) -> impl Iterator<Item = (Region, Stated<PageUrl>)> + 'c {
    case.facts.refreshes.iter().filter_map(|tag| {
        let refresh = Refresh::parse(&tag.value.content).filter(|refresh| refresh.seconds == 0)?;
        Some((
            tag.value.region,
            resolved(case, refresh.target?, tag.place)?,
        ))
    })
}

fn resolved(case: &PageCase<'_>, href: &str, place: TagPlace) -> Option<Stated<PageUrl>> {
    case.resolve(href).ok().map(|value| Stated { value, place })
}
