//! Evaluates a page's canonical links.

use super::canonical_target::{Canonical, CanonicalSource, CanonicalTarget};
use super::host_headers;
use super::page_case::PageCase;
use super::tag_place::place_of;
use crate::hosts::serves;
use page_signals::{CanonicalLink, PageFacts, Region, Stated};
use sitemaps::site_paths::finding::{Finding, Subject, code, quoted};
use sitemaps::site_paths::{PageUrl, decode};

impl Canonical {
    /// Resolves the links that count: those in the head without hreflang, lang, media or type, and
    /// those in headers.
    pub fn of(case: &PageCase<'_>) -> Self {
        let in_head = counting_canonicals(case.facts).filter_map(|link| {
            let url = case.resolve(&link.value.href).ok()?;
            Some(CanonicalTarget {
                url,
                source: CanonicalSource::Tag(place_of(link.place)),
            })
        });
        let in_headers = host_headers::canonicals(case).into_iter();
        let in_headers = in_headers.map(|(url, header)| {
            let said_by = CanonicalSource::Header(Box::new(header.clone()));
            CanonicalTarget {
                url,
                source: said_by,
            }
        });
        let mut targets = in_head.chain(in_headers);
        let Some(agreed) = targets.next() else {
            return Self::None;
        };
        match targets.find(|target| target.url != agreed.url) {
            Some(other) => Self::Conflict(Box::new(other)),
            None => Self::named(case, agreed),
        }
    }

    fn named(case: &PageCase<'_>, target: CanonicalTarget) -> Self {
        let (base, file) = (case.site.base, case.file);
        if serves(base, file, &target.url) {
            return Self::Itself(target.url);
        }
        if target.url.origin() != base.origin() && serves_elsewhere(case, &target.url) {
            return Self::ItselfOutside(target);
        }
        Self::Elsewhere(target)
    }
}

/// Returns the canonical links that search engines use.
pub fn counting_canonicals(facts: &PageFacts) -> impl Iterator<Item = &Stated<CanonicalLink>> {
    facts
        .canonicals
        .iter()
        .filter(|link| link.value.region == Region::Head && !link.value.qualified)
}

/// Whether the URL names this page apart from its scheme and host.
fn serves_elsewhere(case: &PageCase<'_>, target: &PageUrl) -> bool {
    let moved = format!("{}{}", case.site.base.origin(), target.path_and_query());
    case.url
        .resolve(&moved)
        .is_ok_and(|moved| serves(case.site.base, case.file, &moved))
}

/// Reports links that do not have the intended effect.
pub(super) fn report(case: &PageCase<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for link in &case.facts.canonicals {
        if let Some((message, hint)) = fault_of(case, &link.value) {
            let subject = Subject::Page(case.file.clone(), Some(place_of(link.place)));
            let finding = Finding::new(code::CANONICAL_IGNORED, subject, message);
            findings.push(finding.with_hint(hint));
        }
    }
    match &case.canonical {
        Canonical::Conflict(other) => {
            let message = "several canonical links name different pages, so search engines ignore \
                           all of them";
            let finding = Finding::new(code::CANONICAL_IGNORED, other.subject(case.file), message);
            findings.push(finding.with_hint("keep only one"));
        }
        // The codes of reserved characters are the matter of the host.
        Canonical::Itself(url)
            if !case.is_served_at(url) && decode(url.as_str()) != decode(case.url.as_str()) =>
        {
            let message = format!(
                "the canonical link names `{url}`, but the host serves the page at `{}`",
                case.url
            );
            let link = counting_canonicals(case.facts).next();
            let place = link.map(|link| place_of(link.place));
            let subject = Subject::Page(case.file.clone(), place);
            let finding = Finding::new(code::CANONICAL_IGNORED, subject, message);
            findings.push(finding.with_hint("use this URL in the link, or set `host`"));
        }
        Canonical::ItselfOutside(target) if target.url.host() == case.site.base.host() => {
            let message = format!(
                "the canonical link names `{}`, but the site is at `{}`",
                target.url, case.site.base
            );
            let finding = Finding::new(
                code::CANONICAL_OTHER_SCHEME,
                target.subject(case.file),
                message,
            );
            findings
                .push(finding.with_hint("use the same base URL in the generator and in waypost"));
        }
        _ => {}
    }
    findings
}

/// Returns what is wrong with a link, and the remedy.
fn fault_of(case: &PageCase<'_>, link: &CanonicalLink) -> Option<(String, &'static str)> {
    let (fault, hint) = match link.region {
        Region::Body => (
            "is in the body, where search engines ignore it",
            "move it into the head, before any element that ends the head",
        ),
        Region::Head if case.resolve(&link.href).is_err() => (
            "is not a valid http or https URL, so it is ignored",
            "use the full URL of a page",
        ),
        Region::Head if link.href.contains('#') => (
            "has a fragment, which is not part of a canonical URL",
            "remove the fragment (`#…`)",
        ),
        Region::Head | Region::Noscript => return None,
    };
    let link = quoted(link.href.trim());
    Some((format!("the canonical link `{link}` {fault}"), hint))
}
