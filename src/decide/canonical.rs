//! Evaluates a page's canonical links.

use super::host_headers;
use super::page_case::{PageCase, place_of};
use crate::hosts::{Header, serves};
use page_signals::{CanonicalLink, PageFacts, Region, Stated};
use sitemaps::site_paths::finding::{Finding, Place, Subject, code, quoted};
use sitemaps::site_paths::{PageUrl, SitePath, decode};

/// Target of a canonical link.
#[derive(Clone, Debug, PartialEq)]
pub struct CanonicalTarget {
    /// The URL.
    pub url: PageUrl,
    /// The origin of the link.
    pub source: CanonicalSource,
}

/// Origin of a canonical link.
#[derive(Clone, Debug, PartialEq)]
pub enum CanonicalSource {
    /// A tag in the page.
    Tag(Place),
    /// A header configured for the host.
    Header(Box<Header>),
}

impl CanonicalTarget {
    /// Formats the link as evidence.
    pub(super) fn evidence(&self) -> String {
        match &self.source {
            CanonicalSource::Tag(_) => format!("canonical link to {}", self.url),
            CanonicalSource::Header(header) => header.to_string(),
        }
    }

    /// Returns the place of the tag; `None` for a header.
    pub(super) fn place(&self) -> Option<Place> {
        match self.source {
            CanonicalSource::Tag(place) => Some(place),
            CanonicalSource::Header(_) => None,
        }
    }

    /// Returns the subject for a finding about this link.
    pub(super) fn subject(&self, file: &SitePath) -> Subject {
        match &self.source {
            CanonicalSource::Tag(place) => Subject::Page(file.clone(), Some(*place)),
            CanonicalSource::Header(header) => header.origin.subject(),
        }
    }
}

/// Result of the canonical links of a page.
#[derive(Debug, Default)]
pub enum Canonical {
    /// No link counts.
    #[default]
    None,
    /// The page itself, in the spelling of the link.
    Itself(PageUrl),
    /// The page itself, but on a host, port or scheme other than the site's.
    ItselfOutside(CanonicalTarget),
    /// Another page.
    Elsewhere(CanonicalTarget),
    /// Several links that disagree; search engines then ignore all of them (developers.google.com,
    /// "consolidate duplicate URLs").
    Conflict(Box<CanonicalTarget>),
}

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
            let source = CanonicalSource::Header(Box::new(header.clone()));
            CanonicalTarget { url, source }
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

    /// Returns the page's URL as spelled by the link.
    pub fn itself(&self) -> Option<&PageUrl> {
        match self {
            Self::Itself(url) => Some(url),
            _ => None,
        }
    }

    /// Returns the target of the link, if it is not this page's URL.
    pub(super) fn other(&self) -> Option<&CanonicalTarget> {
        match self {
            Self::ItselfOutside(target) | Self::Elsewhere(target) => Some(target),
            _ => None,
        }
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
            let finding = case.finding(code::CANONICAL_IGNORED, Some(link.place), message);
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
            let place = link.map(|link| link.place);
            let finding = case.finding(code::CANONICAL_IGNORED, place, message);
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
