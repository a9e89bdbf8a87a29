//! Reports robots tags that do not have the intended effect.

use super::page_case::PageCase;
use super::robots_meta::{NOINDEX, forbids, words};
use crate::findings::code;
use page_signals::{MetaTag, Region};
use sitemaps::{Now, quoted};

/// Rules documented by search engines, which ignore anything else in a robots tag
/// (developers.google.com, "robots meta tag"; Bing's "robots meta tags").
const KNOWN_RULES: [&str; 16] = [
    "all",
    "index",
    "follow",
    "none",
    "noindex",
    "nofollow",
    "noarchive",
    "nocache",
    "nosnippet",
    "noimageindex",
    "notranslate",
    "indexifembedded",
    "nositelinkssearchbox",
    "noodp",
    "noydir",
    "nopagereadaloud",
];

/// Maximum edit distance of a misspelling.
const MOST_SLIPS: usize = 2;

/// Reports robots tags that do not have the intended effect.
pub(super) fn report(case: &PageCase<'_>) {
    for tag in &case.facts.robots_lookalikes {
        let why = if tag.value.name == "property" {
            "`property=\"robots\"` is not a robots tag"
        } else {
            "`http-equiv=\"X-Robots-Tag\"` has no effect"
        };
        let message = format!("{why}, so `{}` is ignored", quoted(&tag.value.content));
        let hint = Some("write `name=\"robots\"`");
        case.report(code::ROBOTS_TAG_IGNORED, Some(tag.place), message, hint);
    }
    for tag in &case.facts.robots {
        for (message, hint) in [in_noscript(&tag.value), misspelt(&tag.value)]
            .into_iter()
            .flatten()
        {
            case.report(
                code::ROBOTS_TAG_IGNORED,
                Some(tag.place),
                message,
                Some(hint),
            );
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
    // A longer word is not a misspelling, and its distance table would be large.
    let may_be_near = word.len() <= 4 * (NOINDEX.len() + MOST_SLIPS);
    may_be_near
        && !KNOWN_RULES.contains(&word)
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
