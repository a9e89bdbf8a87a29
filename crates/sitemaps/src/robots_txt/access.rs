//! Decides whether a crawler may fetch a page, and which rule decides.

use super::path_rule::{PathRule, comparable};
use super::records::RobotsField;
use crate::site_paths::{LiteralIndex, PageUrl};

/// The rules for one crawler, merged from all its groups.
#[derive(Debug)]
pub struct PathRules<'r> {
    /// The rules in the order of their precedence.
    rules: Vec<&'r PathRule>,
    index: LiteralIndex,
}

/// The rules for several crawlers, and how messages name those.
#[derive(Debug)]
pub struct AgentRules<'r> {
    pub(super) rules: Vec<PathRules<'r>>,
    /// The crawlers, for messages.
    pub crawlers: String,
}

impl<'r> AgentRules<'r> {
    /// The rule that keeps the first crawler from a page, if none of them may fetch it.
    pub fn disallowing(&self, url: &PageUrl) -> Option<&'r PathRule> {
        let disallowing: Option<Vec<_>> = self
            .rules
            .iter()
            .map(|rules| rules.disallowing(url))
            .collect();
        disallowing?.first().copied()
    }

    /// The crawlers and the line that disallow a page in the named file, for messages.
    pub fn disallowed_by(&self, url: &PageUrl, file: &str) -> Option<String> {
        Some(self.name_rule(self.disallowing(url)?, file))
    }

    /// The crawlers and the line of a rule that disallows a page in the named file, for messages.
    pub fn name_rule(&self, rule: &PathRule, file: &str) -> String {
        let (crawlers, line) = (&self.crawlers, rule.line);
        format!("disallowed for {crawlers} by line {line} of {file}: `{rule}`")
    }
}

impl<'r> PathRules<'r> {
    pub(super) fn new(rules: impl Iterator<Item = &'r PathRule>) -> Self {
        let mut rules: Vec<_> = rules.collect();
        rules.sort_by_key(|rule| rule.rank());
        let literals: Vec<_> = rules.iter().map(|rule| rule.literals()).collect();
        let index = LiteralIndex::new(&literals);
        Self { rules, index }
    }

    /// The rule that keeps the crawler from a page, if it may not fetch it.
    pub fn disallowing(&self, url: &PageUrl) -> Option<&'r PathRule> {
        self.deciding(url)
            .filter(|rule| rule.field == RobotsField::Disallow)
    }

    /// The rule that allows or disallows a page; `None` if no rule matches it.
    pub(super) fn deciding(&self, url: &PageUrl) -> Option<&'r PathRule> {
        let path = comparable(url.path_and_query());
        let path = path.as_bytes();
        let candidates = self.index.candidates(path).into_iter();
        candidates
            .map(|position| self.rules[position])
            .find(|rule| rule.matches(path))
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
                let compiled = robots_txt.rules_for("*");
                for file in &files {
                    let path = format!("/{file}");
                    let expected = rules
                        .iter()
                        .filter(|(_, pattern)| plainly_matches(pattern.as_bytes(), path.as_bytes()))
                        .max_by_key(|(allow, pattern)| (pattern.len(), *allow))
                        .map(|(allow, pattern)| (*allow, pattern.len()));
                    let base = BaseUrl::parse("https://example.com/").expect("a valid base URL");
                    let page = base.path_url(file.as_bytes());
                    let decided = compiled.deciding(&page);
                    let decided = decided
                        .map(|rule| (rule.field == RobotsField::Allow, rule.path.len()));
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
                let page = base.path_url(&file);
                let robots_txt = RobotsTxt::parse(&text);
                let rules = robots_txt.rules_for("*");
                let is_disallowed = rules.disallowing(&page).is_some();
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
                let page = base.path_url(&file);
                robots_txt.rules_for("*").deciding(&page);
            }
        }
}
