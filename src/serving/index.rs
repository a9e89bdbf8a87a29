//! Which of many patterns match a path: a thousand rules over a million pages.
//!
//! Exact paths are looked up, and patterns are asked only where the path begins as they do.

use std::collections::{BTreeSet, HashMap};

use super::path_pattern::{FinalSlash, PathPattern};

/// Patterns by what they begin with.
#[derive(Debug, Default)]
pub(super) struct Index {
    by_prefix: HashMap<Box<[u8]>, Vec<usize>>,
    exact: HashMap<Box<[u8]>, Vec<usize>>,
    prefix_lengths: BTreeSet<usize>,
}

impl Index {
    /// Adds the pattern of a rule, which is known by its number.
    pub(super) fn add(&mut self, pattern: &PathPattern, number: usize) {
        let prefix: Box<[u8]> = pattern.prefix().into();
        if matches!(pattern, PathPattern::Exact(_)) {
            self.exact.entry(prefix).or_default().push(number);
        } else {
            self.prefix_lengths.insert(prefix.len());
            self.by_prefix.entry(prefix).or_default().push(number);
        }
    }

    /// The numbers of the rules that match a path, in order. `rule` gives the pattern of a number and whether a final
    /// slash counts for it.
    pub(super) fn matching<'p>(
        &self,
        path: &[u8],
        rule: impl Fn(usize) -> (&'p PathPattern, FinalSlash),
    ) -> Vec<usize> {
        let bare = match path {
            [shorter @ .., b'/'] if !shorter.is_empty() => shorter,
            _ => path,
        };
        let slashed = [bare, b"/"].concat();
        let forms = [bare, slashed.as_slice()];
        let mut found = BTreeSet::new();
        for form in forms {
            let at_prefixes = self.prefix_lengths.iter().filter_map(|&length| self.by_prefix.get(form.get(..length)?));
            for &number in at_prefixes.chain(self.exact.get(form)).flatten() {
                let (pattern, slash) = rule(number);
                if (slash == FinalSlash::Ignored || form == path) && pattern.matches(form) {
                    found.insert(number);
                }
            }
        }
        found.into_iter().collect()
    }
}
