//! Tables for keys that are hashes already, or places in a list: one multiplication spreads them well enough.
//!
//! The walk looks something up some ten times a commit, and the standard hasher, made to withstand keys that an
//! attacker picks, took a twentieth of its time.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A table with a quick hasher.
pub(super) type QuickMap<K, V> = HashMap<K, V, BuildHasherDefault<QuickHasher>>;

/// 2^64 divided by the golden ratio (Knuth, The Art of Computer Programming, volume 3, section 6.4).
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Mixes numbers by multiplication.
#[derive(Default)]
pub(super) struct QuickHasher(u64);

impl Hasher for QuickHasher {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, number: u64) {
        // The upper bits of a product are mixed best, and tables look at the lower ones first.
        self.0 = (self.0 ^ number).wrapping_mul(SPREAD).rotate_left(29);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
