//! What a page's canonical links come to.

use super::case::Case;
use super::served::serves;
use crate::finding::{Code, Finding, Place, Subject, code};
use crate::location::{PageUrl, ResolveError};
use crate::read::{CanonicalLink, Region, Said};

/// The page that the canonical links of a page agree on.
#[derive(Debug, Default)]
pub enum Canonical {
    /// None, or none that counts.
    #[default]
    None,
    /// The page itself, in its author's own spelling.
    Itself(PageUrl),
    /// The page itself, but on another host, port or scheme than the site's.
    ItselfOutside(Said<PageUrl>),
    /// Another page.
    Elsewhere(Said<PageUrl>),
    /// Several links that disagree; search engines then ignore them all
    /// (developers.google.com, "consolidate duplicate URLs").
    Conflict(Place),
}

impl Canonical {
    /// Resolves the links that count: in the head, and without hreflang, lang, media or type.
    pub fn of(case: &Case<'_>) -> Self {
        let mut agreed: Option<Said<PageUrl>> = None;
        for link in counting(case) {
            let Ok(target) = case.document_base().resolve(&link.value.href) else { continue };
            match &agreed {
                Some(before) if before.value != target => return Self::Conflict(link.place),
                Some(_) => {}
                None => agreed = Some(Said { value: target, place: link.place }),
            }
        }
        agreed.map_or(Self::None, |target| Self::named(case, target))
    }

    fn named(case: &Case<'_>, target: Said<PageUrl>) -> Self {
        let (base, file) = (case.site.base, &case.page.file);
        if serves(base, file, &target.value) {
            return Self::Itself(target.value);
        }
        if target.value.origin() != base.origin() && serves_elsewhere(case, &target.value) {
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
    pub fn elsewhere(&self) -> Option<Said<PageUrl>> {
        match self {
            Self::Elsewhere(target) => Some(target.clone()),
            _ => None,
        }
    }
}

/// The canonical links that search engines use.
fn counting<'a>(case: &'a Case<'_>) -> impl Iterator<Item = &'a Said<CanonicalLink>> {
    case.facts.canonicals.iter().filter(|link| link.value.region == Region::Head && !link.value.qualified)
}

/// Whether the address would be this very page if its scheme and host were the site's.
fn serves_elsewhere(case: &Case<'_>, target: &PageUrl) -> bool {
    let moved = format!("{}{}", case.site.base.origin(), target.path_and_query());
    case.url.resolve(&moved).is_ok_and(|moved| serves(case.site.base, &case.page.file, &moved))
}

/// Reports links that do not do what their author surely meant.
pub(super) fn report(case: &Case<'_>, findings: &mut Vec<Finding>) {
    for link in &case.facts.canonicals {
        if let Some((code, message, hint)) = fault_of(case, &link.value) {
            findings.push(finding(case, code, link.place, message).with_hint(hint));
        }
    }
    match &case.canonical {
        Canonical::Conflict(place) => {
            let message = "several canonical links name different pages, so search engines ignore them all".to_owned();
            findings.push(finding(case, code::CANONICAL_CONFLICT, *place, message).with_hint("keep one of them"));
        }
        Canonical::ItselfOutside(target) if differs_in_scheme_only(case, &target.value) => {
            let message =
                format!("the canonical link names `{}`, but the site is at `{}`", target.value, case.site.base);
            let finding = finding(case, code::CANONICAL_OTHER_SCHEME, target.place, message)
                .with_hint("set the same base URL in the generator and for waypost");
            findings.push(finding);
        }
        _ => {}
    }
}

fn fault_of(case: &Case<'_>, link: &CanonicalLink) -> Option<(&'static Code, String, &'static str)> {
    let shown = link.href.trim().escape_debug();
    match link.region {
        Region::Noscript => return None,
        Region::Body => {
            let message = format!("the canonical link `{shown}` stands in the body, where search engines ignore it");
            return Some((
                code::CANONICAL_IN_BODY,
                message,
                "move it into the head, before any element that ends the head",
            ));
        }
        Region::Head => {}
    }
    match case.document_base().resolve(&link.href) {
        Err(ResolveError::Invalid) => {
            let message = format!("the canonical link `{shown}` does not parse as a URL, so it counts as none");
            Some((code::CANONICAL_INVALID, message, "write the full address of a page"))
        }
        Err(ResolveError::Scheme) => {
            let message = format!("the canonical link `{shown}` is no http or https address, so it counts as none");
            Some((code::CANONICAL_INVALID, message, "write the full address of a page"))
        }
        Ok(_) if link.href.contains('#') => {
            let message = format!("the canonical link `{shown}` has a fragment, which is not part of an address");
            Some((code::CANONICAL_FRAGMENT, message, "leave out the `#` and what follows it"))
        }
        Ok(_) => None,
    }
}

fn differs_in_scheme_only(case: &Case<'_>, target: &PageUrl) -> bool {
    let host = |origin: &str| origin.split_once("://").map(|(_, host)| host.to_owned());
    host(target.origin()) == host(case.site.base.origin())
}

fn finding(case: &Case<'_>, code: &'static Code, place: Place, message: String) -> Finding {
    Finding::new(code, Subject::Page(case.page.file.clone(), Some(place)), message)
}
