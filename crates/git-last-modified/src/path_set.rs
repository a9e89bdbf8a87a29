//! A set of path numbers, such as the paths that have reached a commit.

use std::ops::Range;

/// A bit set that stores only the words between its first and last element.
///
/// Sets are split and joined at every merge. Most splits take a few neighbors out of a big set, so
/// the small part must not cost as much as the big one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct PathSet {
    first_word: usize,
    words: Vec<u64>,
}

impl PathSet {
    /// Creates a set of every number in the ranges.
    pub(super) fn from_ranges(ranges: &[Range<u32>]) -> Self {
        let mut paths = Self::default();
        ranges
            .iter()
            .cloned()
            .flatten()
            .for_each(|path| paths.insert(path));
        paths
    }

    pub(super) fn insert(&mut self, path: u32) {
        let (word, bit) = place(path);
        self.cover(word..word + 1);
        self.words[word - self.first_word] |= bit;
    }

    pub(super) fn contains(&self, path: u32) -> bool {
        self.any_in(&(path..path + 1))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// Whether a number in the range is in the set.
    pub(super) fn any_in(&self, range: &Range<u32>) -> bool {
        self.masked_words(range).any(|(_, word)| word != 0)
    }

    /// Removes the numbers in the ranges and returns them.
    pub(super) fn remove_ranges(&mut self, ranges: &[Range<u32>]) -> Self {
        let mut taken = Self::default();
        for range in ranges {
            for at in self.word_range(range) {
                let found = self.words[at] & mask(at + self.first_word, range);
                if found != 0 {
                    let word = at + self.first_word;
                    taken.cover(word..word + 1);
                    taken.words[word - taken.first_word] |= found;
                    self.words[at] &= !found;
                }
            }
        }
        taken
    }

    /// Adds all numbers of another set.
    pub(super) fn union_with(&mut self, other: &Self) {
        self.cover(other.first_word..other.first_word + other.words.len());
        let start = other.first_word.saturating_sub(self.first_word);
        for (mine, theirs) in self.words[start..].iter_mut().zip(&other.words) {
            *mine |= theirs;
        }
    }

    /// The numbers in ascending order.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().enumerate().flat_map(move |(at, word)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                let bit = rest.trailing_zeros();
                rest &= rest.checked_sub(1)?;
                Some(number(at + self.first_word, bit))
            })
        })
    }

    /// Grows `words` to cover a range of words, at either end.
    fn cover(&mut self, wanted: Range<usize>) {
        if wanted.is_empty() {
            return;
        }
        if self.words.is_empty() {
            self.first_word = wanted.start;
        }
        if wanted.start < self.first_word {
            self.words
                .splice(0..0, std::iter::repeat_n(0, self.first_word - wanted.start));
            self.first_word = wanted.start;
        }
        let length = wanted.end - self.first_word;
        if length > self.words.len() {
            self.words.resize(length, 0);
        }
    }

    /// The indices in `words` that a range of numbers covers.
    fn word_range(&self, range: &Range<u32>) -> Range<usize> {
        if range.is_empty() {
            return 0..0;
        }
        let (first, last) = (place(range.start).0, place(range.end - 1).0);
        let start = first.saturating_sub(self.first_word).min(self.words.len());
        let end = (last + 1)
            .saturating_sub(self.first_word)
            .min(self.words.len());
        start..end
    }

    fn masked_words<'a>(
        &'a self,
        range: &'a Range<u32>,
    ) -> impl Iterator<Item = (usize, u64)> + 'a {
        self.word_range(range)
            .map(move |at| (at, self.words[at] & mask(at + self.first_word, range)))
    }
}

fn place(path: u32) -> (usize, u64) {
    (path as usize / 64, 1 << (path % 64))
}

fn number(word: usize, bit: u32) -> u32 {
    u32::try_from(word * 64).expect("the set contains only u32 numbers") + bit
}

/// The bits of a word that are in a range of numbers.
fn mask(word: usize, range: &Range<u32>) -> u64 {
    let base = word as u64 * 64;
    let from = u64::from(range.start).saturating_sub(base).min(64);
    let to = u64::from(range.end).saturating_sub(base).min(64);
    let below = |count: u64| {
        if count == 64 {
            u64::MAX
        } else {
            (1 << count) - 1
        }
    };
    below(to) & !below(from)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn set(numbers: &BTreeSet<u32>) -> PathSet {
        let mut paths = PathSet::default();
        numbers
            .iter()
            .rev()
            .for_each(|number| paths.insert(*number));
        paths
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
            prop_assert!((0..700).all(|number| paths.contains(number) == every.contains(&number)));
        }
    }
}
