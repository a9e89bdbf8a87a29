//! Finds the rules that match a path. Exact paths, of which hosts allow thousands, are looked up in
//! a map; each pattern with a wildcard is compared.

use std::collections::{BTreeSet, HashMap};

use super::path_pattern::{HostPathPattern, PatternShape};
use super::request_path::{PathForm, RequestPath};

/// Rules with the paths that they apply to.
#[derive(Debug)]
pub(super) struct RuleTable<R> {
    rules: Vec<(HostPathPattern, R)>,
    /// The numbers of the rules for one path.
    exact: HashMap<Box<[u8]>, Vec<usize>>,
    /// The numbers of the rules with a wildcard.
    wild: Vec<usize>,
    /// The forms of a path that the patterns are compared with.
    forms: Vec<PathForm>,
}

impl<R> Default for RuleTable<R> {
    fn default() -> Self {
        Self {
            rules: Vec::new(),
            exact: HashMap::new(),
            wild: Vec::new(),
            forms: Vec::new(),
        }
    }
}

impl<R> RuleTable<R> {
    /// Adds a rule after all others.
    pub(super) fn push(&mut self, pattern: HostPathPattern, rule: R) {
        let number = self.rules.len();
        if !self.forms.contains(&pattern.form) {
            self.forms.push(pattern.form);
        }
        match &pattern.shape {
            PatternShape::Exact(path) => {
                self.exact.entry(path.clone()).or_default().push(number);
            }
            PatternShape::Regex(_) => self.wild.push(number),
        }
        self.rules.push((pattern, rule));
    }

    /// Whether it has no rule.
    pub(super) fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// The rules that match a path, in order.
    pub(super) fn matching(
        &self,
        path: &RequestPath,
    ) -> impl Iterator<Item = &(HostPathPattern, R)> {
        let texts = self.forms.iter().flat_map(|form| path.texts(*form));
        let exact = texts.filter_map(|text| self.exact.get(text)).flatten();
        let numbers: BTreeSet<usize> = exact.chain(&self.wild).copied().collect();
        let rules = numbers.into_iter().map(|number| &self.rules[number]);
        rules.filter(|(pattern, _)| pattern.matches(path))
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
        fn the_table_finds_the_same_patterns_as_a_linear_search(
            texts in prop::collection::vec("/[ab/]{0,3}[*]?[ab/]{0,2}(/:n)?", 0..8),
            path in "/[ab/]{0,6}",
        ) {
            let patterns = patterns(&texts);
            let path = RequestPath::new(&path);
            let expected: Vec<usize> = (0..patterns.len())
                .filter(|&number| patterns[number].matches(&path))
                .collect();
            let mut table = RuleTable::default();
            for (number, pattern) in patterns.into_iter().enumerate() {
                table.push(pattern, number);
            }
            let found: Vec<usize> = table.matching(&path).map(|(_, number)| *number).collect();
            prop_assert_eq!(found, expected, "{:?} on {:?}", texts, &path.decoded);
        }
    }
}
