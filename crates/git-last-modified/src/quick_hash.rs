//! Hash tables for keys that are already hashes, or indices: one multiplication mixes them enough.
//!
//! The walk does some ten lookups per commit. The standard hasher, which resists keys chosen by an
//! attacker, took a twentieth of its time.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A hash table with a fast hasher.
pub(super) type QuickMap<K, V> = HashMap<K, V, BuildHasherDefault<QuickHasher>>;

/// 2^64 divided by the golden ratio (Knuth, The Art of Computer Programming, volume 3, 6.4).
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// A hasher that mixes numbers by multiplication.
#[derive(Default)]
pub(super) struct QuickHasher(u64);

impl Hasher for QuickHasher {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, number: u64) {
        // A product's upper bits are mixed best, but tables use the lower bits first.
        self.0 = (self.0 ^ number).wrapping_mul(SPREAD).rotate_left(29);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
