//! A sorted list of ids + an id → its place, in a handful of looks.
//!
//! Ids are hashes and so spread evenly, which tells where one must stand, nearly. In an index of a million objects that
//! takes 3 or 4 looks, each a likely cache miss, where halving takes 20.

use std::cmp::Ordering;

use super::ObjectId;

/// Looks by proportion before halving: enough for every honest index, and a bound for others.
const LOOKS_BY_PROPORTION: usize = 8;

/// Finds an id in a list that `id_at` gives the ids of.
pub(super) fn position(count: u32, id: &ObjectId, id_at: impl Fn(u32) -> Option<ObjectId>) -> Option<u32> {
    let wanted = id.leading_number();
    let (mut low, mut high) = (0, count);
    let (mut lowest, mut highest) = (0, u64::MAX);
    for look in 0.. {
        if low >= high {
            break;
        }
        let at = match look {
            0..LOOKS_BY_PROPORTION => low + proportion(high - low, wanted, lowest, highest),
            _ => low + (high - low) / 2,
        };
        let found = id_at(at)?;
        match found.cmp(id) {
            Ordering::Equal => return Some(at),
            Ordering::Less => (low, lowest) = (at + 1, found.leading_number()),
            Ordering::Greater => (high, highest) = (at, found.leading_number()),
        }
    }
    None
}

/// The place among `count` that a number has among those from `lowest` to `highest`, by the upper half of their bits.
fn proportion(count: u32, wanted: u64, lowest: u64, highest: u64) -> u32 {
    let above = |number: u64| number.saturating_sub(lowest) >> 32;
    let place = above(wanted).min(above(highest)) * u64::from(count) / (above(highest) + 1);
    u32::try_from(place).unwrap_or(count).min(count - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(ids: &[ObjectId]) {
        let count = u32::try_from(ids.len()).expect("few");
        let find = |id: &ObjectId| position(count, id, |at| ids.get(at as usize).copied());
        for (id, at) in ids.iter().zip(0..) {
            assert_eq!(find(id), Some(at), "{id}");
            let mut other = id.as_bytes().to_vec();
            other[19] ^= 1;
            let other = ObjectId::from_bytes(&other).expect("as long as before");
            assert_eq!(find(&other), ids.binary_search(&other).ok().and_then(|at| u32::try_from(at).ok()), "{other}");
        }
    }

    /// An id that begins with a number.
    fn id(number: u64, last: u8) -> ObjectId {
        let mut bytes = [0; 20];
        bytes[..8].copy_from_slice(&number.to_be_bytes());
        bytes[19] = last;
        ObjectId::from_bytes(&bytes).expect("the length of SHA-1")
    }

    #[test]
    fn every_id_is_found_however_ids_are_spread() {
        check(&[]);
        check(&[id(0, 2), id(u64::MAX, 2)]);
        check(&(0..200).map(|last| id(7, last)).collect::<Vec<_>>());
        check(&(0..500).map(|number| id(number, 4)).collect::<Vec<_>>());
        check(&(0..60).map(|bits| id(1 << bits, 4)).collect::<Vec<_>>());
        let mut spread: Vec<_> = (0_u64..5000).map(|at| id(at.wrapping_mul(0x9e37_79b9_7f4a_7c15), 4)).collect();
        spread.sort_unstable();
        check(&spread);
    }
}
