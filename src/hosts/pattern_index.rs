//! Finds the patterns that match a path, fast enough for a thousand rules and a million pages.
//!
//! Exact paths are looked up in a map. For the other patterns, one pass over the path finds those
//! whose longest literal it contains, and only these are matched.

use std::collections::HashMap;

use aho_corasick::AhoCorasick;

use super::path_pattern::{HostPathPattern, PatternShape};
use super::request_path::{PathForm, RequestPath};

/// Number of literals that one automaton finds: building one takes quadratic time.
const LITERALS_AT_ONCE: usize = 4096;

/// Patterns, indexed by a literal that every matching path contains.
#[derive(Debug, Default)]
pub(super) struct PatternIndex {
    exact: HashMap<Box<[u8]>, Vec<usize>>,
    /// Finds the literals of the patterns in `of_literal`.
    literals: Vec<AhoCorasick>,
    /// The numbers of the patterns of each literal.
    of_literal: Vec<Vec<usize>>,
    /// Patterns without a literal.
    always: Vec<usize>,
    /// The forms of a path that the patterns are compared with.
    forms: Vec<PathForm>,
}

impl PatternIndex {
    /// Indexes the patterns of all rules, which are numbered from 0.
    pub(super) fn of<'p>(patterns: impl Iterator<Item = &'p HostPathPattern>) -> Self {
        let mut index = Self::default();
        let mut literals: Vec<&[u8]> = Vec::new();
        // An automaton slows down if it has the same literal again and again.
        let mut known: HashMap<&[u8], usize> = HashMap::new();
        for (number, pattern) in patterns.enumerate() {
            if !index.forms.contains(&pattern.form) {
                index.forms.push(pattern.form);
            }
            match (&pattern.shape, pattern.longest_literal()) {
                (PatternShape::Exact(path), _) => {
                    index.exact.entry(path.clone()).or_default().push(number);
                }
                (_, []) => index.always.push(number),
                (_, literal) => {
                    let at = *known.entry(literal).or_insert(literals.len());
                    if at == literals.len() {
                        literals.push(literal);
                        index.of_literal.push(Vec::new());
                    }
                    index.of_literal[at].push(number);
                }
            }
        }
        // Most sites have no rules, and an automaton costs more than reading a page.
        let some = literals.chunks(LITERALS_AT_ONCE).map(AhoCorasick::new);
        match some.collect() {
            Ok(literals) => index.literals = literals,
            // An automaton cannot hold these literals, so every pattern is matched.
            Err(_) => index.always.extend(index.of_literal.drain(..).flatten()),
        }
        index
    }

    /// The numbers of the rules that match a path, in order. `pattern` returns the pattern of a
    /// rule.
    pub(super) fn matching<'p>(
        &self,
        path: &RequestPath,
        pattern: impl Fn(usize) -> &'p HostPathPattern,
    ) -> Vec<usize> {
        let mut candidates = self.always.clone();
        for text in self.forms.iter().flat_map(|form| path.texts(*form)) {
            candidates.extend(self.exact.get(text).into_iter().flatten());
            for (literals, of_literal) in self
                .literals
                .iter()
                .zip(self.of_literal.chunks(LITERALS_AT_ONCE))
            {
                let hits = literals.find_overlapping_iter(text);
                candidates.extend(hits.flat_map(|hit| &of_literal[hit.pattern().as_usize()]));
            }
        }
        candidates.sort_unstable();
        candidates.dedup();
        candidates.retain(|number| pattern(*number).matches(path));
        candidates
    }
}

#[cfg(test)]
mod tests {
    use super::super::netlify_pattern;
    use super::*;
    use proptest::prelude::*;
    use site_paths::BaseUrl;

    fn patterns(texts: &[String]) -> Vec<HostPathPattern> {
        let base = BaseUrl::parse("https://example.com/").expect("a valid base URL");
        let read = |text: &String| {
            let redirect = netlify_pattern::redirect(text, &base).ok().flatten();
            redirect.or_else(|| netlify_pattern::headers(text).ok())
        };
        texts.iter().filter_map(read).collect()
    }

    proptest! {
        #[test]
        fn the_index_finds_the_same_patterns_as_a_linear_search(
            texts in prop::collection::vec("/[ab/]{0,3}[*]?[ab/]{0,2}(/:n)?", 0..8),
            path in "/[ab/]{0,6}",
        ) {
            let patterns = patterns(&texts);
            let path = RequestPath::new(&path);
            let expected: Vec<usize> = (0..patterns.len())
                .filter(|&number| patterns[number].matches(&path))
                .collect();
            let found = PatternIndex::of(patterns.iter()).matching(&path, |number| &patterns[number]);
            prop_assert_eq!(found, expected, "{:?} on {:?}", texts, path.decoded());
        }
    }
}
