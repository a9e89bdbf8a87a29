//! Evaluates the headers of a page: `X-Robots-Tag` and `Link: rel=canonical` count like their HTML
//! counterparts.

use super::robots_meta::{RULES_WITH_VALUES, forbids};
use crate::hosts::HeaderName;
use page_signals::ROBOTS_NAMES;
use sitemaps::Now;

/// A header of an answer.
#[derive(Clone, Copy, Debug)]
pub struct SentHeader<'h> {
    /// Its name.
    pub name: HeaderName,
    /// Its value as sent.
    pub value: &'h str,
    /// Whether it is sent after a comma in the same header as the previous value, whose crawler's name
    /// still applies.
    pub continues: bool,
}

impl<'h> SentHeader<'h> {
    /// A header that was received on its own.
    pub fn new(name: HeaderName, value: &'h str) -> Self {
        Self {
            name,
            value,
            continues: false,
        }
    }
}

/// Name for rules that apply to all crawlers: the robots tag of this name, and a header without a
/// name.
const EVERYONE: &str = "robots";

/// Returns the index of the first header that forbids indexing, or keeps readers without a password
/// out.
pub(super) fn forbidding_header(headers: &[SentHeader<'_>], now: Now) -> Option<usize> {
    let mut engine = EVERYONE;
    headers.iter().position(|header| {
        match header.name {
            HeaderName::BasicAuth => return true,
            HeaderName::Link | HeaderName::ContentSecurityPolicy => return false,
            HeaderName::XRobotsTag => {}
        }
        let first = if header.continues { engine } else { EVERYONE };
        let parts = by_engine(header.value, first);
        engine = parts.last().map_or(first, |(engine, _)| *engine);
        parts_forbid(&parts, now)
    })
}

fn parts_forbid(parts: &[(&str, String)], now: Now) -> bool {
    parts.iter().any(|(engine, rules)| {
        ROBOTS_NAMES
            .iter()
            .any(|name| name.eq_ignore_ascii_case(engine))
            && forbids(rules, now)
    })
}

/// Groups the rules of a header by crawler: in `nofollow, otherbot: noindex`, the first rule
/// applies to all crawlers, the second to `otherbot`. A name applies until the next one
/// (developers.google.com, "X-Robots-Tag"). A host may join several headers into such a list;
/// `first` is the crawler that the first rule applies to.
fn by_engine<'v>(value: &'v str, first: &'v str) -> Vec<(&'v str, String)> {
    let mut parts: Vec<(&str, String)> = Vec::new();
    for item in value.split(',') {
        let (engine, rules) =
            engine_of(item).map_or((None, item), |(engine, rules)| (Some(engine), rules));
        match (engine, parts.last_mut()) {
            (None, Some((_, before))) => {
                before.push(',');
                before.push_str(rules);
            }
            _ => parts.push((engine.unwrap_or(first), rules.to_owned())),
        }
    }
    parts
}

fn engine_of(item: &str) -> Option<(&str, &str)> {
    let (name, rules) = item.split_once(':')?;
    let name = name.trim();
    let is_word = name
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    let is_rule = RULES_WITH_VALUES
        .iter()
        .any(|rule| rule.eq_ignore_ascii_case(name));
    (is_word && !name.is_empty() && !is_rule).then_some((name, rules))
}

/// Returns the targets of a `Link` header with the relation `canonical`:
/// `<https://example.com/a>; rel="canonical", …`. As in HTML, a link with hreflang, lang, media or
/// type does not count, nor does one about another page (`anchor`).
pub(super) fn canonical_targets(value: &str) -> Vec<&str> {
    let mut targets = Vec::new();
    let mut rest = value;
    while let Some((_, from)) = rest.split_once('<') {
        let Some((href, after)) = from.split_once('>') else {
            break;
        };
        let end = end_of_link(after);
        let parameters: Vec<(&str, &str)> = after[..end]
            .split(';')
            .filter_map(|text| text.split_once('='))
            .collect();
        let is_canonical = parameters.iter().any(|(name, value)| {
            let mut words = value.trim().trim_matches('"').split_ascii_whitespace();
            name.trim().eq_ignore_ascii_case("rel")
                && words.any(|word| word.eq_ignore_ascii_case("canonical"))
        });
        let is_qualified = parameters.iter().any(|(name, _)| {
            let name = name.trim().trim_end_matches('*').to_ascii_lowercase();
            ["hreflang", "lang", "media", "type", "anchor"].contains(&name.as_str())
        });
        if is_canonical && !is_qualified {
            targets.push(href.trim());
        }
        rest = &after[end..];
    }
    targets
}

/// Returns where the parameters of a link end: at a comma outside quotes.
fn end_of_link(text: &str) -> usize {
    let mut is_quoted = false;
    text.bytes()
        .position(|byte| {
            is_quoted ^= byte == b'"';
            byte == b',' && !is_quoted
        })
        .unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_grouped_by_crawler() {
        let check = |value: &str, expected: &[(&str, &str)]| {
            let parts = by_engine(value, EVERYONE);
            let parts: Vec<(&str, &str)> = parts
                .iter()
                .map(|(engine, rules)| (*engine, rules.trim()))
                .collect();
            assert_eq!(parts, expected, "{value}");
        };
        check("noindex", &[("robots", "noindex")]);
        check("noindex, nofollow", &[("robots", "noindex, nofollow")]);
        check(
            "googlebot: noindex, nofollow",
            &[("googlebot", "noindex, nofollow")],
        );
        check(
            "nofollow, otherbot: noindex",
            &[("robots", "nofollow"), ("otherbot", "noindex")],
        );
        check(
            "max-snippet:0, noindex",
            &[("robots", "max-snippet:0, noindex")],
        );
        check(
            "unavailable_after: Wednesday, 25-Jun-30 15:00:00 UTC",
            &[(
                "robots",
                "unavailable_after: Wednesday, 25-Jun-30 15:00:00 UTC",
            )],
        );
    }

    #[test]
    fn only_canonical_links_of_the_page_itself_count() {
        let check = |value: &str, expected: &[&str]| {
            assert_eq!(canonical_targets(value), expected, "{value}");
        };
        check(
            "<https://example.com/a>; rel=\"canonical\"",
            &["https://example.com/a"],
        );
        check("</a>; rel=canonical", &["/a"]);
        check(
            "</x.css>; rel=preload; as=style, </a,b>; REL=\"Canonical\"",
            &["/a,b"],
        );
        check("</a>; title=\"x, y\"; rel=\"alternate canonical\"", &["/a"]);
        check("</a>; rel=canonical; hreflang=de", &[]);
        check("</a>; rel=canonical; anchor=\"#x\"", &[]);
        check("</a>; rel=next", &[]);
        check("</a; rel=canonical", &[]);
    }
}
