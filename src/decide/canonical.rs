//! What a page's canonical links come to.

use super::host_headers;
use super::page_case::PageCase;
use super::served_urls::serves;
use crate::finding::{Code, Finding, Place, Subject, code, quoted};
use crate::hosts::Header;
use crate::read::{CanonicalLink, PageFacts, Region, Stated};
use crate::site_paths::{PageUrl, ResolveError, SitePath};

/// The address that a canonical link names.
#[derive(Clone, Debug, PartialEq)]
pub struct CanonicalTarget {
    /// The address.
    pub url: PageUrl,
    /// What says so.
    pub said_by: CanonicalSource,
}

/// Where a canonical link stands.
#[derive(Clone, Debug, PartialEq)]
pub enum CanonicalSource {
    /// A tag of the page.
    Tag(Place),
    /// A header that the host was told to send.
    Header(Box<Header>),
}

impl CanonicalTarget {
    /// The link as evidence.
    pub(super) fn evidence(&self) -> String {
        match &self.said_by {
            CanonicalSource::Tag(_) => format!("canonical link to {}", self.url),
            CanonicalSource::Header(header) => header.to_string(),
        }
    }

    /// The tag, where it is one.
    pub(super) fn place(&self) -> Option<Place> {
        match self.said_by {
            CanonicalSource::Tag(place) => Some(place),
            CanonicalSource::Header(_) => None,
        }
    }

    /// What a finding about the link on this page is about.
    pub(super) fn subject(&self, file: &SitePath) -> Subject {
        match &self.said_by {
            CanonicalSource::Tag(place) => Subject::Page(file.clone(), Some(*place)),
            CanonicalSource::Header(header) => header.origin.subject(),
        }
    }
}

/// The page that the canonical links of a page agree on.
#[derive(Debug, Default)]
pub enum Canonical {
    /// None, or none that counts.
    #[default]
    None,
    /// The page itself, in its author's own spelling.
    Itself(PageUrl),
    /// The page itself, but on another host, port or scheme than the site's.
    ItselfOutside(CanonicalTarget),
    /// Another page.
    Elsewhere(CanonicalTarget),
    /// Several links that disagree; search engines then ignore them all
    /// (developers.google.com, "consolidate duplicate URLs").
    Conflict(Box<CanonicalTarget>),
}

impl Canonical {
    /// Resolves the links that count: in the head, and without hreflang, lang, media or type; and those in headers.
    pub fn of(case: &PageCase<'_>) -> Self {
        let in_head = counting_canonicals(case.facts).filter_map(|link| {
            let url = case.resolve(&link.value.href).ok()?;
            Some(CanonicalTarget {
                url,
                said_by: CanonicalSource::Tag(link.place),
            })
        });
        let in_headers = host_headers::canonicals(case).into_iter();
        let in_headers = in_headers.map(|(url, header)| {
            let said_by = CanonicalSource::Header(Box::new(header.clone()));
            CanonicalTarget { url, said_by }
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
        let (base, file) = (case.site.base, &case.page.file);
        if serves(base, file, &target.url) {
            return Self::Itself(target.url);
        }
        if target.url.origin() != base.origin() && serves_elsewhere(case, &target.url) {
            return Self::ItselfOutside(target);
        }
        Self::Elsewhere(target)
    }

    /// The author's own spelling of the page's address.
    pub fn itself(&self) -> Option<&PageUrl> {
        match self {
            Self::Itself(url) => Some(url),
            _ => None,
        }
    }

    /// The other page that is named.
    pub fn elsewhere(&self) -> Option<&CanonicalTarget> {
        match self {
            Self::Elsewhere(target) => Some(target),
            _ => None,
        }
    }
}

/// The canonical links that search engines use.
pub fn counting_canonicals(facts: &PageFacts) -> impl Iterator<Item = &Stated<CanonicalLink>> {
    facts
        .canonicals
        .iter()
        .filter(|link| link.value.region == Region::Head && !link.value.qualified)
}

/// Whether the address would be this very page if its scheme and host were the site's.
fn serves_elsewhere(case: &PageCase<'_>, target: &PageUrl) -> bool {
    let moved = format!("{}{}", case.site.base.origin(), target.path_and_query());
    case.url
        .resolve(&moved)
        .is_ok_and(|moved| serves(case.site.base, &case.page.file, &moved))
}

/// Reports links that do not do what their author surely meant.
pub(super) fn report(case: &PageCase<'_>, findings: &mut Vec<Finding>) {
    for link in &case.facts.canonicals {
        if let Some((code, message, hint)) = fault_of(case, &link.value) {
            findings.push(finding(case, code, link.place, message).with_hint(hint));
        }
    }
    match &case.canonical {
        Canonical::Conflict(other) => {
            let message =
                "several canonical links name different pages, so search engines ignore them all";
            let finding = Finding::new(
                code::CANONICAL_CONFLICT,
                other.subject(&case.page.file),
                message,
            );
            findings.push(finding.with_hint("keep one of them"));
        }
        Canonical::ItselfOutside(target) if differs_in_scheme_only(case, &target.url) => {
            let message = format!(
                "the canonical link names `{}`, but the site is at `{}`",
                target.url, case.site.base
            );
            let finding = Finding::new(
                code::CANONICAL_OTHER_SCHEME,
                target.subject(&case.page.file),
                message,
            );
            findings
                .push(finding.with_hint("set the same base URL in the generator and for waypost"));
        }
        _ => {}
    }
}

fn fault_of(
    case: &PageCase<'_>,
    link: &CanonicalLink,
) -> Option<(&'static Code, String, &'static str)> {
    let shown = || quoted(link.href.trim());
    match link.region {
        Region::Noscript => return None,
        Region::Body => {
            let message = format!(
                "the canonical link `{}` stands in the body, where search engines ignore it",
                shown()
            );
            return Some((
                code::CANONICAL_IN_BODY,
                message,
                "move it into the head, before any element that ends the head",
            ));
        }
        Region::Head => {}
    }
    match case.resolve(&link.href) {
        Err(ResolveError::TooLong) => {
            let message = format!(
                "the canonical link `{}` is longer than 8 KiB, so it counts as none",
                shown()
            );
            Some((
                code::CANONICAL_INVALID,
                message,
                "shorten it: no sitemap takes an address of 2,048 characters",
            ))
        }
        Err(ResolveError::Invalid) => {
            let message = format!(
                "the canonical link `{}` does not parse as a URL, so it counts as none",
                shown()
            );
            Some((
                code::CANONICAL_INVALID,
                message,
                "write the full address of a page",
            ))
        }
        Err(ResolveError::Scheme) => {
            let message = format!(
                "the canonical link `{}` is no http or https address, so it counts as none",
                shown()
            );
            Some((
                code::CANONICAL_INVALID,
                message,
                "write the full address of a page",
            ))
        }
        Ok(_) if link.href.contains('#') => {
            let message = format!(
                "the canonical link `{}` has a fragment, which is not part of an address",
                shown()
            );
            Some((
                code::CANONICAL_FRAGMENT,
                message,
                "leave out the `#` and what follows it",
            ))
        }
        Ok(_) => None,
    }
}

fn differs_in_scheme_only(case: &PageCase<'_>, target: &PageUrl) -> bool {
    target.host() == case.site.base.host()
}

fn finding(case: &PageCase<'_>, code: &'static Code, place: Place, message: String) -> Finding {
    Finding::new(
        code,
        Subject::Page(case.page.file.clone(), Some(place)),
        message,
    )
}
