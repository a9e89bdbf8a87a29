//! Which of many patterns match a path: a thousand rules over a million pages.
//!
//! Exact paths are looked up. Of the other patterns one pass over the path tells which have their longest literal in it,
//! and only those are asked.

use std::collections::HashMap;

use aho_corasick::AhoCorasick;

use super::path_pattern::{FinalSlash, HostPathPattern};

/// Patterns by what a path that they match must hold.
#[derive(Debug, Default)]
pub(super) struct PatternIndex {
    exact: HashMap<Box<[u8]>, Vec<usize>>,
    /// Finds the literals of the patterns whose numbers stand in `of_literal`.
    literals: Option<AhoCorasick>,
    of_literal: Vec<usize>,
    /// Patterns without any literal.
    always: Vec<usize>,
}

impl PatternIndex {
    /// Takes the patterns of all rules; a rule is known by its number.
    pub(super) fn of<'p>(patterns: impl Iterator<Item = &'p HostPathPattern>) -> Self {
        let mut index = Self::default();
        let mut literals: Vec<&[u8]> = Vec::new();
        for (number, pattern) in patterns.enumerate() {
            match (pattern, pattern.longest_literal()) {
                (HostPathPattern::Exact(path), _) => {
                    index.exact.entry(path.clone()).or_default().push(number)
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
            // There are more of them than it can hold: then each pattern is asked.
            Err(_) => index.always.append(&mut index.of_literal),
        }
        index
    }

    /// The numbers of the rules that match a path, in order. `rule` gives the pattern of a number and whether a final
    /// slash counts for it.
    pub(super) fn matching<'p>(
        &self,
        path: &[u8],
        rule: impl Fn(usize) -> (&'p HostPathPattern, FinalSlash),
    ) -> Vec<usize> {
        let bare = match path {
            [shorter @ .., b'/'] if !shorter.is_empty() => shorter,
            _ => path,
        };
        let slashed = [bare, b"/"].concat();
        let forms = [bare, slashed.as_slice()];
        let is_asked =
            |slash: FinalSlash, form: &[u8]| slash == FinalSlash::Ignored || form == path;
        let matches = |number: &usize| {
            let (pattern, slash) = rule(*number);
            forms
                .iter()
                .any(|form| is_asked(slash, form) && pattern.matches(form))
        };
        // The form with the slash holds whatever the bare one holds.
        let hits = self
            .literals
            .iter()
            .flat_map(|literals| literals.find_overlapping_iter(&slashed));
        let exact = forms
            .iter()
            .filter_map(|form| self.exact.get(*form))
            .flatten()
            .copied();
        let mut asked: Vec<usize> = hits
            .map(|hit| self.of_literal[hit.pattern().as_usize()])
            .chain(self.always.iter().copied())
            .chain(exact)
            .collect();
        asked.sort_unstable();
        asked.dedup();
        asked.retain(matches);
        asked
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site_paths::BaseUrl;
    use proptest::prelude::*;

    fn patterns(texts: &[String]) -> Vec<HostPathPattern> {
        let base = BaseUrl::parse("https://example.com/").expect("a base");
        let read = |text: &String| {
            HostPathPattern::read(text, FinalSlash::Counts, &base)
                .expect("a path")
                .expect("of this host")
        };
        texts.iter().map(read).collect()
    }

    proptest! {
        #[test]
        fn the_index_finds_what_asking_every_pattern_finds(
            texts in prop::collection::vec("/[ab/]{0,3}[*]?[ab/]{0,2}(/:n)?", 0..8), path in "/[ab/]{0,6}",
        ) {
            let patterns = patterns(&texts);
            let asked: Vec<usize> =
                (0..patterns.len()).filter(|&number| patterns[number].matches(path.as_bytes())).collect();
            let found = PatternIndex::of(patterns.iter()).matching(path.as_bytes(), |number| (&patterns[number], FinalSlash::Counts));
            prop_assert_eq!(found, asked, "{:?} on {}", texts, path);
        }
    }
}
