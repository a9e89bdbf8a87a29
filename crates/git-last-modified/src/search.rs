//! Finds an id in a sorted list of ids by interpolation search.
//!
//! Ids are hashes and so evenly distributed, which makes their position predictable. In an index of
//! a million objects this takes 2 or 3 steps, most of them to neighboring ids; binary search takes
//! 20, most of them cache misses.

use std::cmp::Ordering;

use super::ObjectId;

/// Interpolation steps before binary search: enough for a normal index, a bound for any other.
const MAX_INTERPOLATION_STEPS: usize = 8;

/// A sorted list of ids, represented by the number of ids whose first byte is at most each value
/// (gitformat-pack(5), "fan-out table").
pub(super) struct FanOut(Vec<u32>);

impl FanOut {
    /// Takes the 256 counts of a list of `count` ids; `None` if they are inconsistent.
    pub(super) fn new(counts: Vec<u32>, count: u32) -> Option<Self> {
        (counts.len() == 256 && counts.is_sorted() && counts.last() == Some(&count))
            .then_some(Self(counts))
    }

    /// Finds the index of an id; `id_at` returns the raw id at an index.
    pub(super) fn position<'a>(
        &self,
        id: &ObjectId,
        id_at: impl Fn(u32) -> &'a [u8],
    ) -> Option<u32> {
        let wanted = leading_number(id.as_bytes());
        let first = wanted >> 56;
        let (mut lowest, mut highest) = (first << 56, first << 56 | u64::MAX >> 8);
        let bucket = usize::from(*id.as_bytes().first()?);
        let (mut low, mut high) = (
            bucket.checked_sub(1).map_or(0, |before| self.0[before]),
            self.0[bucket],
        );
        for look in 0.. {
            if low >= high {
                break;
            }
            let at = match look {
                0..MAX_INTERPOLATION_STEPS => {
                    low + interpolate(high - low, wanted, lowest, highest)
                }
                _ => low + (high - low) / 2,
            };
            let found = id_at(at);
            let number = leading_number(found);
            match number.cmp(&wanted).then_with(|| found.cmp(id.as_bytes())) {
                Ordering::Equal => return Some(at),
                Ordering::Less => (low, lowest) = (at + 1, number),
                Ordering::Greater => (high, highest) = (at, number),
            }
        }
        None
    }
}

/// Returns the first 8 bytes as a number that sorts like the ids.
fn leading_number(raw: &[u8]) -> u64 {
    raw.first_chunk()
        .map_or(0, |bytes| u64::from_be_bytes(*bytes))
}

/// Estimates the index of `wanted` among `count` evenly distributed numbers from `lowest` to
/// `highest`, using the upper half of their bits.
fn interpolate(count: u32, wanted: u64, lowest: u64, highest: u64) -> u32 {
    let above = |number: u64| number.saturating_sub(lowest) >> 32;
    let place = above(wanted).min(above(highest)) * u64::from(count) / (above(highest) + 1);
    u32::try_from(place).unwrap_or(count).min(count - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(ids: &[ObjectId]) {
        let up_to = |first| ids.iter().filter(|id| id.as_bytes()[0] <= first).count();
        let counts = (0..=u8::MAX)
            .map(|first| u32::try_from(up_to(first)).expect("a small number"))
            .collect();
        let count = u32::try_from(ids.len()).expect("a small number");
        let fan_out = FanOut::new(counts, count).expect("the counts are consistent");
        let find = |id: &ObjectId| fan_out.position(id, |at| ids[at as usize].as_bytes());
        for (id, at) in ids.iter().zip(0..) {
            assert_eq!(find(id), Some(at), "{id}");
            let mut other = id.as_bytes().to_vec();
            other[19] ^= 1;
            let other = ObjectId::from_bytes(&other).expect("the length of SHA-1");
            assert_eq!(
                find(&other),
                ids.binary_search(&other)
                    .ok()
                    .and_then(|at| u32::try_from(at).ok()),
                "{other}"
            );
        }
    }

    /// Creates an id that starts with a number.
    fn id(number: u64, last: u8) -> ObjectId {
        let mut bytes = [0; 20];
        bytes[..8].copy_from_slice(&number.to_be_bytes());
        bytes[19] = last;
        ObjectId::from_bytes(&bytes).expect("the length of SHA-1")
    }

    #[test]
    fn every_id_is_found_however_ids_are_distributed() {
        check(&[]);
        check(&[id(0, 2), id(u64::MAX, 2)]);
        check(&(0..200).map(|last| id(7, last)).collect::<Vec<_>>());
        check(&(0..500).map(|number| id(number, 4)).collect::<Vec<_>>());
        check(&(0..60).map(|bits| id(1 << bits, 4)).collect::<Vec<_>>());
        let mut spread: Vec<_> = (0_u64..5000)
            .map(|at| id(at.wrapping_mul(0x9e37_79b9_7f4a_7c15), 4))
            .collect();
        spread.sort_unstable();
        check(&spread);
    }

    #[test]
    fn inconsistent_counts_are_rejected() {
        let mut counts = vec![5; 256];
        assert!(FanOut::new(counts.clone(), 5).is_some());
        assert!(FanOut::new(counts.clone(), 6).is_none());
        assert!(FanOut::new(counts[1..].to_vec(), 5).is_none());
        counts[7] = 4;
        assert!(FanOut::new(counts, 5).is_none());
    }
}
