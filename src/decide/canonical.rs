//! Reports canonical links that do not have the intended effect.

use super::page_case::PageCase;
use super::statements::{Canonical, counting_canonicals};
use crate::findings::{Finding, code};
use page_signals::{CanonicalLink, Region};
use sitemaps::quoted;
use sitemaps::site_paths::decode;

/// Reports links that do not have the intended effect. Those with two slashes are reported once for
/// the whole site.
pub(super) fn report(case: &PageCase<'_>) {
    let findings = case.site.findings;
    for link in &case.facts.canonicals {
        if let Some((message, hint)) = fault_of(case, &link.value) {
            case.report(
                code::CANONICAL_IGNORED,
                Some(link.place),
                message,
                Some(hint),
            );
        }
    }
    match &case.statements.canonical {
        Canonical::Conflict(other) => {
            let message = "several canonical links name different pages, so search engines ignore \
                           all of them";
            let finding = Finding::new(code::CANONICAL_IGNORED, case.subject_of(other), message);
            findings.add(finding.with_hint("keep only one"));
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
            let hint = Some("use this URL in the link, or set `host`");
            case.report(code::CANONICAL_IGNORED, place, message, hint);
        }
        Canonical::ItselfOutside(target) if target.url.host() == case.site.base.host() => {
            let message = format!(
                "the canonical link names `{}`, but the site is at `{}`",
                target.url, case.site.base
            );
            let subject = case.subject_of(target);
            let finding = Finding::new(code::CANONICAL_OTHER_SCHEME, subject, message);
            findings
                .add(finding.with_hint("use the same base URL in the generator and in waypost"));
        }
        _ => {}
    }
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
            "use the full URL of a page; `{{ … }}` and the like are left by a template that was not run",
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
