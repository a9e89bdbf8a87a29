//! Detects immediate redirects in a page.

use super::page_case::{PageCase, SiteView};
use crate::hosts::candidate_files;
use page_signals::{Refresh, Region, Stated};
use sitemaps::site_paths::{PageUrl, SitePath};

/// Returns the URL that the page redirects to immediately; `None` if that is the page itself.
///
/// An instant meta refresh counts. In `<noscript>` it does so only if a script redirects to the same
/// URL, which is how Zola writes its redirects; a script alone never does. A refresh after some
/// seconds is temporary and leaves the page listed (developers.google.com, "redirects and Google
/// Search"). Only the first valid one is run (HTML standard, "shared declarative refresh steps").
pub(super) fn instant_target(case: &PageCase<'_>) -> Option<Stated<PageUrl>> {
    let script = case.facts.redirect_script.as_deref();
    let mut valid = case.facts.refreshes.iter().filter_map(|tag| {
        let refresh = Refresh::parse(&tag.value.content)?;
        let counts = tag.value.region != Region::Noscript
            || script
                .zip(refresh.target)
                .is_some_and(|(script, target)| has_literal(script, target));
        let value = match refresh.target {
            Some(target) => case.resolve(target).ok()?,
            None => case.url.clone(),
        };
        let place = tag.place;
        counts.then_some((refresh.seconds, Stated { value, place }))
    });
    let (seconds, target) = valid.next()?;
    let is_elsewhere = answering_page(case.site, &target.value) != Some(case.file);
    (seconds == 0 && is_elsewhere).then_some(target)
}

/// Whether a script contains a string of this text.
fn has_literal(script: &str, text: &str) -> bool {
    let quotes = ["\"", "'", "`"];
    quotes
        .iter()
        .any(|quote| script.contains(&format!("{quote}{text}{quote}")))
}

/// Returns the page that a host serves for a URL.
fn answering_page<'s>(site: &SiteView<'s>, url: &PageUrl) -> Option<&'s SitePath> {
    let files = candidate_files(site.base, url);
    let index = files
        .iter()
        .find_map(|file| site.pages.binary_search(file).ok());
    index.map(|index| &site.pages[index])
}
