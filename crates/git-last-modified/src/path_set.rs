//! A set of path numbers, such as the paths that have reached a commit.

use std::ops::Range;

use roaring::RoaringBitmap;

/// Paths by their numbers.
///
/// Sets are split and joined at every merge. Most splits take a few neighbors out of a big set, so
/// the small part must not cost as much as the big one.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct PathSet(RoaringBitmap);

impl PathSet {
    /// Creates a set of every number in the ranges.
    pub(super) fn from_ranges(ranges: &[Range<u32>]) -> Self {
        let mut paths = RoaringBitmap::new();
        for range in ranges {
            paths.insert_range(range.clone());
        }
        Self(paths)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a number in the range is in the set.
    pub(super) fn any_in(&self, range: &Range<u32>) -> bool {
        self.0.range(range.clone()).next().is_some()
    }

    /// Removes the numbers in the ranges and returns them.
    pub(super) fn remove_ranges(&mut self, ranges: &[Range<u32>]) -> Self {
        let mut taken = Self::from_ranges(ranges);
        taken.0 &= &self.0;
        self.remove_all(&taken);
        taken
    }

    /// Removes all numbers of another set.
    pub(super) fn remove_all(&mut self, other: &Self) {
        self.0 -= &other.0;
    }

    /// Adds all numbers of another set.
    pub(super) fn union_with(&mut self, other: &Self) {
        self.0 |= &other.0;
    }

    /// The numbers in ascending order.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter()
    }
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
