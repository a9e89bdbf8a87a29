//! Reports canonical links and robots tags that do not have the intended effect.

use super::page_case::{PageCase, place_of};
use super::robots_meta::{NOINDEX, forbids, words};
use super::statements::{Canonical, counting_canonicals};
use crate::findings::{Finding, Subject, code};
use crate::generators::Manifest;
use page_signals::{CanonicalLink, MetaTag, Region, Stated};
use sitemaps::site_paths::decode;
use sitemaps::{Now, quoted};

/// Reports links that do not have the intended effect. Those with two slashes are reported once for
/// the whole site.
pub(super) fn report_canonicals(case: &PageCase<'_>) {
    let findings = case.site.findings;
    for link in &case.facts.canonicals {
        if let Some((message, hint)) = fault_of(case, &link.value) {
            let subject = case.subject_at(link.place);
            let finding = Finding::new(code::CANONICAL_IGNORED, subject, message);
            findings.add(finding.with_hint(hint));
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
            let place = link.map(|link| place_of(link.place));
            let subject = Subject::Page(case.file.clone(), place);
            let finding = Finding::new(code::CANONICAL_IGNORED, subject, message);
            findings.add(finding.with_hint("use this URL in the link, or set `host`"));
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
        Region::Head if case.resolve(&link.href).is_none() => (
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

/// Maximum edit distance of a misspelling.
const MOST_SLIPS: usize = 2;

/// Reports robots tags that do not have the intended effect.
pub(super) fn report_robots_tags(case: &PageCase<'_>) {
    let report = |tag: &Stated<MetaTag>, message: String, hint: &str| {
        let subject = case.subject_at(tag.place);
        let finding = Finding::new(code::ROBOTS_TAG_IGNORED, subject, message);
        case.site.findings.add(finding.with_hint(hint));
    };
    for tag in &case.facts.robots_lookalikes {
        let why = if tag.value.name == "property" {
            "`property=\"robots\"` is not a robots tag"
        } else {
            "`http-equiv=\"X-Robots-Tag\"` has no effect"
        };
        let message = format!("{why}, so `{}` is ignored", quoted(&tag.value.content));
        report(tag, message, "write `name=\"robots\"`");
    }
    for tag in &case.facts.robots {
        for (message, hint) in [in_noscript(&tag.value), misspelt(&tag.value)]
            .into_iter()
            .flatten()
        {
            report(tag, message, hint);
        }
    }
}

fn in_noscript(tag: &MetaTag) -> Option<(String, &'static str)> {
    if tag.region != Region::Noscript || !forbids(&tag.content, Now(i64::MIN)) {
        return None;
    }
    let content = quoted(&tag.content);
    let message = format!("the robots tag `{content}` is in `<noscript>`, so it is ignored");
    Some((message, "move it out of `<noscript>`"))
}

fn misspelt(tag: &MetaTag) -> Option<(String, &'static str)> {
    let lower = tag.content.to_ascii_lowercase();
    let word = quoted(words(&lower).find(|word| is_misspelt(word))?);
    let message = format!("`{word}` is not a known robots rule, so search engines ignore it");
    Some((message, "write `noindex`"))
}

/// Whether an unknown rule is a misspelling of `noindex`.
fn is_misspelt(word: &str) -> bool {
    let known = &Manifest::embedded().generic.robots_rules;
    // A longer word is not a misspelling, and its distance table would be large.
    let may_be_near = word.len() <= 4 * (NOINDEX.len() + MOST_SLIPS);
    may_be_near
        && !known.iter().any(|known| known == word)
        && !word.contains(':')
        && strsim::damerau_levenshtein(word, NOINDEX) <= MOST_SLIPS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_misspelt_noindex_is_reported() {
        let check = |word: &str, expected: bool| assert_eq!(is_misspelt(word), expected, "{word}");
        check("no-index", true);
        check("noindex/", true);
        check("noidnex", true);
        check("noindex", false);
        check("index", false);
        check("max-snippet:0", false);
        check("noodp", false);
    }
}
