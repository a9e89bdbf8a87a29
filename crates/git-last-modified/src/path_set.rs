//! A set of path numbers, such as the paths that have reached a commit.

use std::collections::BTreeMap;
use std::ops::Range;

/// A bit set that stores only the words that are not zero, by their place.
///
/// Sets are split and joined at every merge. Most splits take a few neighbors out of a big set, so
/// the small part must not cost as much as the big one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct PathSet(BTreeMap<u32, u64>);

impl PathSet {
    /// Creates a set of every number in the ranges.
    pub(super) fn from_ranges(ranges: &[Range<u32>]) -> Self {
        let mut paths = Self::default();
        for range in ranges {
            for word in words(range) {
                *paths.0.entry(word).or_default() |= mask(word, range);
            }
        }
        paths
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a number in the range is in the set.
    pub(super) fn any_in(&self, range: &Range<u32>) -> bool {
        self.0
            .range(words(range))
            .any(|(word, bits)| bits & mask(*word, range) != 0)
    }

    /// Removes the numbers in the ranges and returns them.
    pub(super) fn remove_ranges(&mut self, ranges: &[Range<u32>]) -> Self {
        let mut taken = Self::default();
        for range in ranges {
            for (word, bits) in self.0.range_mut(words(range)) {
                let found = *bits & mask(*word, range);
                if found != 0 {
                    *taken.0.entry(*word).or_default() |= found;
                    *bits &= !found;
                }
            }
        }
        for word in taken.0.keys() {
            if self.0[word] == 0 {
                self.0.remove(word);
            }
        }
        taken
    }

    /// Removes all numbers of another set.
    pub(super) fn remove_all(&mut self, other: &Self) {
        for (word, bits) in &other.0 {
            if let Some(own) = self.0.get_mut(word) {
                *own &= !bits;
                if *own == 0 {
                    self.0.remove(word);
                }
            }
        }
    }

    /// Adds all numbers of another set.
    pub(super) fn union_with(&mut self, other: &Self) {
        for (word, bits) in &other.0 {
            *self.0.entry(*word).or_default() |= bits;
        }
    }

    /// The numbers in ascending order.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().flat_map(|(word, bits)| {
            let numbers = word * 64..=word * 64 + 63;
            numbers.filter(move |number| bits >> (number % 64) & 1 != 0)
        })
    }
}

/// The places of the words that a range of numbers covers.
fn words(range: &Range<u32>) -> Range<u32> {
    if range.is_empty() {
        return 0..0;
    }
    range.start / 64..range.end.div_ceil(64)
}

/// The bits of a word that are in a range of numbers, of which the word has at least one.
fn mask(word: u32, range: &Range<u32>) -> u64 {
    let first = range.start.saturating_sub(word * 64);
    let last = (range.end - 1 - word * 64).min(63);
    u64::MAX << first & u64::MAX >> (63 - last)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn set(numbers: &BTreeSet<u32>) -> PathSet {
        let ranges: Vec<_> = numbers
            .iter()
            .rev()
            .map(|number| *number..number + 1)
            .collect();
        PathSet::from_ranges(&ranges)
    }

    proptest! {
        #[test]
        fn it_behaves_like_a_set_of_numbers(
            mine in prop::collection::btree_set(0u32..500, 0..60),
            theirs in prop::collection::btree_set(0u32..500, 0..60),
            bounds in prop::collection::vec((0u32..500, 0u32..130), 0..4),
        ) {
            let ranges: Vec<_> = bounds
                .iter()
                .map(|(start, length)| *start..start + length)
                .collect();
            let in_ranges = |number: &u32| ranges.iter().any(|range| range.contains(number));
            let mut rest = set(&mine);
            rest.remove_all(&set(&theirs));
            let remaining: BTreeSet<u32> = mine.difference(&theirs).copied().collect();
            prop_assert_eq!(rest, set(&remaining));
            let mut joined = set(&mine);
            joined.union_with(&set(&theirs));
            let all: BTreeSet<u32> = mine.union(&theirs).copied().collect();
            prop_assert_eq!(
                joined.iter().collect::<Vec<_>>(),
                all.iter().copied().collect::<Vec<_>>()
            );
            for range in &ranges {
                prop_assert_eq!(joined.any_in(range), all.range(range.clone()).next().is_some());
            }
            let taken = joined.remove_ranges(&ranges);
            let (inside, outside): (Vec<u32>, Vec<u32>) =
                all.iter().partition(|number| in_ranges(number));
            prop_assert_eq!(taken.is_empty(), inside.is_empty());
            prop_assert_eq!(taken.iter().collect::<Vec<_>>(), inside);
            prop_assert_eq!(joined.iter().collect::<Vec<_>>(), outside);
            let every: BTreeSet<u32> = ranges.iter().cloned().flatten().collect();
            let paths = PathSet::from_ranges(&ranges);
            prop_assert_eq!(
                paths.iter().collect::<Vec<_>>(),
                every.iter().copied().collect::<Vec<_>>()
            );
        }
    }
}
