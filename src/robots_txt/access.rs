//! Whether a page may be fetched: the rules of one crawler, and the one of them that decides.

use super::path_rule::{Directive, PathRule, comparable};
use crate::site_paths::PageUrl;

/// Whether a page may be fetched, and the rule that says so.
#[derive(Debug, Clone, Copy)]
pub enum RobotsAccess<'r> {
    /// It may; no rule matches, or this one allows it.
    Allowed(Option<&'r PathRule>),
    /// It may not.
    Disallowed(&'r PathRule),
}

/// The rules for one crawler, joined from all its groups.
///
/// They are kept by their literal beginning, in the order of its bytes, so that a page is compared with the rules whose
/// beginning it shares and with no others: thousands of rules without a `*` cost a page hardly more than ten.
#[derive(Debug, Default)]
pub struct PathRules<'r> {
    prefixes: Vec<RulePrefix<'r>>,
}

/// The rules with one literal beginning.
#[derive(Debug)]
struct RulePrefix<'r> {
    text: &'r [u8],
    /// The longest other prefix that this one begins with.
    parent: Option<usize>,
    /// By their rank, so that the first that matches decides among them.
    rules: Vec<&'r PathRule>,
}

impl<'r> PathRules<'r> {
    pub(super) fn new(rules: impl Iterator<Item = &'r PathRule>) -> Self {
        let mut rules: Vec<_> = rules.collect();
        rules.sort_by_key(|rule| (rule.prefix(), rule.rank()));
        let mut prefixes: Vec<RulePrefix<'r>> = Vec::new();
        for same in rules.chunk_by(|one, other| one.prefix() == other.prefix()) {
            let text = same[0].prefix();
            let mut parent = prefixes.len().checked_sub(1);
            while let Some(index) = parent
                && !text.starts_with(prefixes[index].text)
            {
                parent = prefixes[index].parent;
            }
            prefixes.push(RulePrefix {
                text,
                parent,
                rules: same.to_vec(),
            });
        }
        Self { prefixes }
    }

    /// Says whether a page may be fetched.
    ///
    /// Of all rules that match its path and query the one with the most octets decides, and `Allow` where two have as
    /// many (RFC 9309 section 2.2.2). Both sides are compared in one spelling of percent-encoding.
    pub fn access(&self, url: &PageUrl) -> RobotsAccess<'r> {
        match self.deciding_rule(comparable(url.path_and_query()).as_bytes()) {
            Some(rule) if rule.directive == Directive::Disallow => RobotsAccess::Disallowed(rule),
            rule => RobotsAccess::Allowed(rule),
        }
    }

    /// Every prefix that the path begins with is the last one up to the path in the order of bytes, or lies on the way
    /// up from that one: what stands between a prefix of the path and the path begins with that prefix too.
    fn deciding_rule(&self, path: &[u8]) -> Option<&'r PathRule> {
        let prefix_at = |index: usize| &self.prefixes[index];
        let last = self
            .prefixes
            .partition_point(|prefix| prefix.text <= path)
            .checked_sub(1);
        let way_up =
            std::iter::successors(last.map(prefix_at), |prefix| prefix.parent.map(prefix_at));
        let matching = way_up.filter_map(|prefix| {
            let rest = path.strip_prefix(prefix.text)?;
            prefix
                .rules
                .iter()
                .copied()
                .find(|rule| rule.matches_after_prefix(rest))
        });
        matching.min_by_key(|rule| rule.rank())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::robots_txt::RobotsTxt;
    use crate::site_paths::BaseUrl;
    use proptest::prelude::*;

    /// RFC 9309 section 2.2.2 and 2.2.3 word for word, one byte at a time: too slow for use, too short to be wrong.
    ///
    /// No crate can stand here: `robotstxt` 0.3, a port of Google's parser, does not find `/*/draft` in `/a/b/draft`,
    /// and takes `/%7Ejo/` and `/~jo/` for different paths, which the RFC does not.
    fn plainly_matches(pattern: &[u8], path: &[u8]) -> bool {
        match (pattern, path) {
            ([], _) | ([b'$'], []) => true,
            ([b'*', after @ ..], _) => {
                (0..=path.len()).any(|skipped| plainly_matches(after, &path[skipped..]))
            }
            ([wanted, after @ ..], [found, rest @ ..]) => {
                wanted == found && plainly_matches(after, rest)
            }
            _ => false,
        }
    }

    proptest! {
        #[test]
        fn the_deciding_rule_is_the_one_that_a_plain_reading_of_the_standard_gives(
            rules in prop::collection::vec((any::<bool>(), "[/ab*]{1,6}[$]?"), 0..12),
            files in prop::collection::vec("[/ab]{0,8}", 1..12),
        ) {
            let line = |(allow, path): &(bool, String)| format!("{}llow: {path}", if *allow { "A" } else { "Disa" });
            let lines: Vec<_> = rules.iter().map(line).collect();
            let robots_txt = RobotsTxt::parse(format!("User-agent: *\n{}", lines.join("\n")).as_bytes());
            let compiled = robots_txt.rules_for_everyone();
            for file in &files {
                let path = format!("/{file}");
                let expected = rules
                    .iter()
                    .filter(|(_, pattern)| plainly_matches(pattern.as_bytes(), path.as_bytes()))
                    .max_by_key(|(allow, pattern)| (pattern.len(), *allow))
                    .map(|(allow, pattern)| (*allow, pattern.len()));
                let page = BaseUrl::parse("https://example.com/").expect("a base").of_path(file.as_bytes());
                let decided = match compiled.access(&page) {
                    RobotsAccess::Allowed(rule) => rule.map(|rule| (true, rule.path.len())),
                    RobotsAccess::Disallowed(rule) => Some((false, rule.path.len())),
                };
                prop_assert_eq!(decided, expected, "{:?} {}", lines, path);
            }
        }

        #[test]
        fn a_rule_matches_its_path_in_whatever_spelling(file: Vec<u8>, spellings in prop::collection::vec(0..3, 1..50)) {
            let spelt: Vec<_> = file
                .iter()
                .zip(spellings.iter().cycle())
                .map(|(&byte, spelling)| match (byte, spelling) {
                    (b'/' | b'!' | b'&' | b'\'' | b'(' | b')' | b'+' | b',' | b';' | b'=' | b':' | b'@', _)
                    | (b'a'..=b'z' | b'-' | b'_' | b'[' | b'|' | 0x80.., 0) => vec![byte],
                    (_, 1) => format!("%{byte:02x}").into_bytes(),
                    _ => format!("%{byte:02X}").into_bytes(),
                })
                .collect();
            let text = [b"User-agent: *\nDisallow: /", spelt.concat().as_slice(), b"$\n"].concat();
            let page = BaseUrl::parse("https://example.com/").expect("a base").of_path(&file);
            let robots_txt = RobotsTxt::parse(&text);
            let rules = robots_txt.rules_for_everyone();
            prop_assert!(matches!(rules.access(&page), RobotsAccess::Disallowed(_)), "{} {}", text.escape_ascii(), page);
        }

        #[test]
        fn any_bytes_can_be_read_and_asked(bytes in prop::collection::vec(any::<u8>(), 0..300), file: Vec<u8>) {
            let robots_txt = RobotsTxt::parse(&[b"User-agent: *\nDisallow: ", bytes.as_slice()].concat());
            let page = BaseUrl::parse("https://example.com/").expect("a base").of_path(&file);
            robots_txt.rules_for_everyone().access(&page);
        }
    }
}
