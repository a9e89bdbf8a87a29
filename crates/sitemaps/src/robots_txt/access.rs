//! Decides whether a crawler may fetch a page, and which rule decides.

use std::collections::{BTreeSet, HashMap};

use super::path_rule::{Directive, PathRule, comparable};
use crate::site_paths::PageUrl;

/// Whether a page may be fetched, and the rule that decides.
#[derive(Debug, Clone, Copy)]
pub enum RobotsAccess<'r> {
    /// Allowed by this rule, or because no rule matches.
    Allowed(Option<&'r PathRule>),
    /// Disallowed by this rule.
    Disallowed(&'r PathRule),
}

/// The rules for one crawler, merged from all its groups.
#[derive(Debug, Default)]
pub struct PathRules<'r> {
    /// By the text before the first wildcard, in the order of their precedence: so only the rules
    /// that may match a path are compared with it.
    by_prefix: HashMap<&'r [u8], Vec<&'r PathRule>>,
    /// The lengths of those texts.
    lengths: BTreeSet<usize>,
}

/// The rules for several crawlers, and how messages name those.
#[derive(Debug)]
pub struct AgentRules<'r> {
    rules: Vec<PathRules<'r>>,
    crawlers: String,
}

impl<'r> AgentRules<'r> {
    pub(super) fn new(rules: Vec<PathRules<'r>>, crawlers: String) -> Self {
        Self { rules, crawlers }
    }

    /// The crawlers, for messages.
    pub fn crawlers(&self) -> &str {
        &self.crawlers
    }

    /// Decides whether a page may be fetched by any of the crawlers. If none may, the rule for the
    /// first one is returned.
    pub fn access(&self, url: &PageUrl) -> RobotsAccess<'r> {
        let mut first = None;
        for rules in &self.rules {
            match rules.access(url) {
                RobotsAccess::Disallowed(rule) => first = first.or(Some(rule)),
                allowed @ RobotsAccess::Allowed(_) => return allowed,
            }
        }
        first.map_or(RobotsAccess::Allowed(None), RobotsAccess::Disallowed)
    }
}

impl<'r> PathRules<'r> {
    pub(super) fn new(rules: impl Iterator<Item = &'r PathRule>) -> Self {
        let mut rules: Vec<_> = rules.collect();
        rules.sort_by_key(|rule| rule.rank());
        let mut found = Self::default();
        for rule in rules {
            found.lengths.insert(rule.prefix().len());
            found.by_prefix.entry(rule.prefix()).or_default().push(rule);
        }
        found
    }

    /// Decides whether a page may be fetched.
    pub fn access(&self, url: &PageUrl) -> RobotsAccess<'r> {
        let path = comparable(url.path_and_query());
        let path = path.as_bytes();
        let prefixes = self.lengths.iter().map_while(|&length| path.get(..length));
        let first_match = |prefix| {
            let mut rules = self.by_prefix.get(prefix)?.iter().copied();
            rules.find(|rule| rule.matches(path))
        };
        let matching = prefixes.filter_map(first_match);
        match matching.min_by_key(|rule| rule.rank()) {
            Some(rule) if rule.directive == Directive::Disallow => RobotsAccess::Disallowed(rule),
            rule => RobotsAccess::Allowed(rule),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::robots_txt::RobotsTxt;
    use crate::site_paths::BaseUrl;
    use proptest::prelude::*;

    /// A literal, byte-by-byte implementation of RFC 9309 sections 2.2.2 and 2.2.3: too slow for
    /// use, but short enough to be obviously right.
    ///
    /// No crate can serve as the oracle: `robotstxt` 0.3, a port of Google's parser, does not find
    /// `/*/draft` in `/a/b/draft`, and treats `/%7Ejo/` and `/~jo/` as different paths, contrary to
    /// the RFC.
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
            fn the_deciding_rule_is_that_of_the_reference_implementation(
                rules in prop::collection::vec((any::<bool>(), "[/ab*]{1,6}[$]?"), 0..12),
                files in prop::collection::vec("[/ab]{0,8}", 1..12),
            ) {
                let line = |(allow, path): &(bool, String)| {
                    format!("{}llow: {path}", if *allow { "A" } else { "Disa" })
                };
                let lines: Vec<_> = rules.iter().map(line).collect();
                let text = format!("User-agent: *\n{}", lines.join("\n"));
                let robots_txt = RobotsTxt::parse(text.as_bytes());
                let compiled = robots_txt.rules_for_everyone();
                for file in &files {
                    let path = format!("/{file}");
                    let expected = rules
                        .iter()
                        .filter(|(_, pattern)| plainly_matches(pattern.as_bytes(), path.as_bytes()))
                        .max_by_key(|(allow, pattern)| (pattern.len(), *allow))
                        .map(|(allow, pattern)| (*allow, pattern.len()));
                    let base = BaseUrl::parse("https://example.com/").expect("a valid base URL");
                    let page = base.of_path(file.as_bytes());
                    let decided = match compiled.access(&page) {
                        RobotsAccess::Allowed(rule) => rule.map(|rule| (true, rule.path.len())),
                        RobotsAccess::Disallowed(rule) => Some((false, rule.path.len())),
                    };
                    prop_assert_eq!(decided, expected, "{:?} {}", lines, path);
                }
            }

            #[test]
            fn a_rule_matches_its_path_in_any_percent_encoding(
                file: Vec<u8>,
                spellings in prop::collection::vec(0..3, 1..50),
            ) {
                let spelt: Vec<_> = file
                    .iter()
                    .zip(spellings.iter().cycle())
                    .map(|(&byte, spelling)| match (byte, spelling) {
                        (b'/' | b'!' | b'&' | b'\'' | b'(' | b')' | b'+' | b',' | b';' | b'=' | b':' |
    b'@', _) | (b'a'..=b'z' | b'-' | b'_' | b'[' | b'|' | 0x80.., 0) => vec![byte],
                        (_, 1) => format!("%{byte:02x}").into_bytes(),
                        _ => format!("%{byte:02X}").into_bytes(),
                    })
                    .collect();
                let text = [b"User-agent: *\nDisallow: /", spelt.concat().as_slice(), b"$\n"].concat();
                let base = BaseUrl::parse("https://example.com/").expect("a valid base URL");
                let page = base.of_path(&file);
                let robots_txt = RobotsTxt::parse(&text);
                let rules = robots_txt.rules_for_everyone();
                let is_disallowed = matches!(rules.access(&page), RobotsAccess::Disallowed(_));
                prop_assert!(is_disallowed, "{} {}", text.escape_ascii(), page);
            }

            #[test]
            fn any_bytes_can_be_parsed_and_queried(
                bytes in prop::collection::vec(any::<u8>(), 0..300),
                file: Vec<u8>,
            ) {
                let text = [b"User-agent: *\nDisallow: ", bytes.as_slice()].concat();
                let robots_txt = RobotsTxt::parse(&text);
                let base = BaseUrl::parse("https://example.com/").expect("a valid base URL");
                let page = base.of_path(&file);
                robots_txt.rules_for_everyone().access(&page);
            }
        }
}
