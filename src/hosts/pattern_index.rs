//! Finds the patterns that match a path. Exact paths, of which hosts allow thousands, are looked up in
//! a map; each pattern with a wildcard is compared.

use std::collections::HashMap;

use super::path_pattern::{HostPathPattern, PatternShape};
use super::request_path::{PathForm, RequestPath};

/// Patterns by the exact path that they match.
#[derive(Debug, Default)]
pub(super) struct PatternIndex {
    exact: HashMap<Box<[u8]>, Vec<usize>>,
    /// Patterns with a wildcard.
    wild: Vec<usize>,
    /// The forms of a path that the patterns are compared with.
    forms: Vec<PathForm>,
}

impl PatternIndex {
    /// Indexes the patterns of all rules, which are numbered from 0.
    pub(super) fn of<'p>(patterns: impl Iterator<Item = &'p HostPathPattern>) -> Self {
        let mut index = Self::default();
        for (number, pattern) in patterns.enumerate() {
            if !index.forms.contains(&pattern.form) {
                index.forms.push(pattern.form);
            }
            match &pattern.shape {
                PatternShape::Exact(path) => {
                    index.exact.entry(path.clone()).or_default().push(number);
                }
                PatternShape::Regex(_) => index.wild.push(number),
            }
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
        let texts = self.forms.iter().flat_map(|form| path.texts(*form));
        let exact = texts.filter_map(|text| self.exact.get(text)).flatten();
        let mut matching: Vec<usize> = exact.chain(&self.wild).copied().collect();
        matching.sort_unstable();
        matching.dedup();
        matching.retain(|number| pattern(*number).matches(path));
        matching
    }
}

#[cfg(test)]
mod tests {
    use super::super::netlify_pattern;
    use super::*;
    use proptest::prelude::*;
    use sitemaps::site_paths::BaseUrl;

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
