//! Finds the patterns that match a path, fast enough for a thousand rules and a million pages.
//!
//! Exact paths are looked up in a map. For the other patterns, one pass over the path finds those
//! whose longest literal it contains, and only these are matched.

use std::collections::HashMap;

use aho_corasick::AhoCorasick;

use super::path_pattern::{HostPathPattern, TrailingSlash};

/// Patterns, indexed by a literal that every matching path contains.
#[derive(Debug, Default)]
pub(super) struct PatternIndex {
    exact: HashMap<Box<[u8]>, Vec<usize>>,
    /// Finds the literals of the patterns numbered in `of_literal`.
    literals: Option<AhoCorasick>,
    of_literal: Vec<usize>,
    /// Patterns without a literal.
    always: Vec<usize>,
}

impl PatternIndex {
    /// Indexes the patterns of all rules, which are numbered from 0.
    pub(super) fn of<'p>(patterns: impl Iterator<Item = &'p HostPathPattern>) -> Self {
        let mut index = Self::default();
        let mut literals: Vec<&[u8]> = Vec::new();
        for (number, pattern) in patterns.enumerate() {
            match (pattern, pattern.longest_literal()) {
                (HostPathPattern::Exact(path), _) => {
                    index.exact.entry(path.clone()).or_default().push(number);
                }
                (_, []) => index.always.push(number),
                (_, literal) => {
                    literals.push(literal);
                    index.of_literal.push(number);
                }
            }
        }
        match AhoCorasick::new(literals) {
            Ok(literals) => index.literals = Some(literals),
            // The automaton cannot hold this many literals, so every pattern is matched.
            Err(_) => index.always.append(&mut index.of_literal),
        }
        index
    }

    /// The numbers of the rules that match a path, in order. `rule` returns the pattern of a rule
    /// and whether a trailing slash matters to it.
    pub(super) fn matching<'p>(
        &self,
        path: &[u8],
        rule: impl Fn(usize) -> (&'p HostPathPattern, TrailingSlash),
    ) -> Vec<usize> {
        let bare = match path {
            [shorter @ .., b'/'] if !shorter.is_empty() => shorter,
            _ => path,
        };
        let slashed = [bare, b"/"].concat();
        let forms = [bare, slashed.as_slice()];
        let is_asked =
            |slash: TrailingSlash, form: &[u8]| slash == TrailingSlash::Ignored || form == path;
        let matches = |number: &usize| {
            let (pattern, slash) = rule(*number);
            forms
                .iter()
                .any(|form| is_asked(slash, form) && pattern.matches(form))
        };
        // The form with the slash contains every literal of the form without it.
        let hits = self
            .literals
            .iter()
            .flat_map(|literals| literals.find_overlapping_iter(&slashed));
        let exact = forms
            .iter()
            .filter_map(|form| self.exact.get(*form))
            .flatten()
            .copied();
        let mut requested: Vec<usize> = hits
            .map(|hit| self.of_literal[hit.pattern().as_usize()])
            .chain(self.always.iter().copied())
            .chain(exact)
            .collect();
        requested.sort_unstable();
        requested.dedup();
        requested.retain(matches);
        requested
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use site_paths::BaseUrl;

    fn patterns(texts: &[String]) -> Vec<HostPathPattern> {
        let base = BaseUrl::parse("https://example.com/").expect("a valid base URL");
        let read = |text: &String| {
            HostPathPattern::read(text, TrailingSlash::Counts, &base)
                .expect("a valid path")
                .expect("a path of this host")
        };
        texts.iter().map(read).collect()
    }

    proptest! {
        #[test]
        fn the_index_finds_the_same_patterns_as_a_linear_search(
            texts in prop::collection::vec("/[ab/]{0,3}[*]?[ab/]{0,2}(/:n)?", 0..8),
            path in "/[ab/]{0,6}",
        ) {
            let patterns = patterns(&texts);
            let expected: Vec<usize> = (0..patterns.len())
                .filter(|&number| patterns[number].matches(path.as_bytes()))
                .collect();
            let rule = |number: usize| (&patterns[number], TrailingSlash::Counts);
            let found = PatternIndex::of(patterns.iter()).matching(path.as_bytes(), rule);
            prop_assert_eq!(found, expected, "{:?} on {}", texts, path);
        }
    }
}
