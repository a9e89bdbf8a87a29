//! Random numbers for tests that try many inputs.

/// Random numbers that are the same on every machine (splitmix64).
pub(crate) struct RandomNumbers(pub(crate) u64);

impl RandomNumbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    pub(crate) fn one_of<T: Copy>(&mut self, values: &[T]) -> T {
        let count = u64::try_from(values.len()).expect("a short list");
        values[usize::try_from(self.below(count)).expect("below the length")]
    }
}
