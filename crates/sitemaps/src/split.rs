//! Splits URLs into files: a group over a limit is halved by the leading bits of a URL hash until
//! each part fits.
//!
//! The part of a URL depends only on the URL's own hash and on which parts are full. Adding or
//! changing a page therefore rewrites one file, or splits one.

use std::fmt;

/// Leading bits that the hashes of a part's URLs share; empty for a group that is not split.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct HashBits {
    /// The bits, left-aligned.
    value: u64,
    count: u32,
}

impl HashBits {
    /// Parses the output of `Display`: 1 to 64 digits, each 0 or 1.
    pub fn parse(text: &str) -> Option<Self> {
        let digits =
            (1..=64).contains(&text.len()) && text.bytes().all(|byte| matches!(byte, b'0' | b'1'));
        let value = u64::from_str_radix(text, 2).ok().filter(|_| digits)?;
        let count = u32::try_from(text.len()).ok()?;
        Some(Self {
            value: value << (64 - count),
            count,
        })
    }

    pub(crate) fn is_empty(self) -> bool {
        self.count == 0
    }

    /// How many bits there are.
    pub fn count(self) -> u32 {
        self.count
    }

    /// Whether a URL with this hash belongs to the part.
    pub fn contains_hash(self, hash: u64) -> bool {
        (hash ^ self.value).leading_zeros() >= self.count
    }

    /// The lower and the upper half; `None` if every bit is used.
    fn halves(self) -> Option<[Self; 2]> {
        let next = 1_u64 << 63_u32.checked_sub(self.count)?;
        let count = self.count + 1;
        Some([
            Self { count, ..self },
            Self {
                value: self.value | next,
                count,
            },
        ])
    }
}

impl fmt::Display for HashBits {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        (0..self.count).try_for_each(|at| write!(out, "{}", (self.value >> (63 - at)) & 1))
    }
}

/// Hash that decides which part a URL belongs to: FNV-1a followed by the last step of SplitMix64,
/// because the leading bits of FNV alone hardly differ between URLs that differ only at their end.
///
/// It must never change: every split sitemap in use would be rewritten, and pages could be missing
/// after a killed run.
pub fn url_hash(url: &str) -> u64 {
    let fnv = url.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let mixed = (fnv ^ (fnv >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Halves a group, sorted by hash, until each part fits, and passes each non-empty part to `emit`.
/// A group that fits need not be sorted.
///
/// A part with a single URL, or with URLs of equal hash, is passed even if it does not fit, because
/// it cannot be halved.
pub fn halve(
    group: &[u32],
    bits: HashBits,
    hash_of: &dyn Fn(u32) -> u64,
    fits: &dyn Fn(&[u32]) -> bool,
    emit: &mut dyn FnMut(HashBits, &[u32]),
) {
    let [first, last] = [group.first(), group.last()].map(|end| end.map(|&url| hash_of(url)));
    let halves = bits.halves().filter(|_| first != last && !fits(group));
    match halves {
        _ if group.is_empty() => {}
        None => emit(bits, group),
        Some([lower, upper]) => {
            let middle = group.partition_point(|&url| lower.contains_hash(hash_of(url)));
            halve(&group[..middle], lower, hash_of, fits, emit);
            halve(&group[middle..], upper, hash_of, fits, emit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_hash_of_a_url_never_changes() {
        let check = |url: &str, expected: u64| {
            assert_eq!(url_hash(url), expected, "{url}: {:#x}", url_hash(url));
        };
        check("", 0xf52a_15e9_a9b5_e89b);
        check("https://example.com/", 0xb023_fe6e_1fae_c4dd);
    }

    #[test]
    fn bits_are_written_as_digits_and_read_back() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(
                HashBits::parse(text)
                    .map(|bits| bits.to_string())
                    .as_deref(),
                expected
            );
        };
        check("0", Some("0"));
        check("0101", Some("0101"));
        check(&"1".repeat(64), Some(&"1".repeat(64)));
        check("", None);
        check("+1", None);
        check("2", None);
        check(&"0".repeat(65), None);
    }

    proptest! {
        #[test]
        fn each_url_is_in_the_one_part_whose_bits_it_has(
            mut hashes: Vec<u64>, limit in 1_usize..5
        ) {
            hashes.sort_unstable();
            let group: Vec<u32> = (0..).take(hashes.len()).collect();
            let hash_of = |url: u32| hashes[url as usize];
            let mut landed = Vec::new();
            let fits = |part: &[u32]| part.len() <= limit;
            halve(&group, HashBits::default(), &hash_of, &fits, &mut |bits, part| {
                let equal = part.iter().all(|&url| hash_of(url) == hash_of(part[0]));
                assert!(part.iter().all(|&url| bits.contains_hash(hash_of(url))));
                assert!(fits(part) || equal);
                landed.extend_from_slice(part);
            });
            prop_assert_eq!(landed, group);
        }
    }
}
