//! Git object ids: SHA-1 or SHA-256 hashes, small enough to copy.

use std::fmt;
use std::hash::{Hash, Hasher};

const EMPTY_TREE_SHA1: &[u8] = &[
    0x4b, 0x82, 0x5d, 0xc6, 0x42, 0xcb, 0x6e, 0xb9, 0xa0, 0x60, 0xe5, 0x4b, 0xf8, 0xd6, 0x92, 0x88,
    0xfb, 0xee, 0x49, 0x04,
];
const EMPTY_TREE_SHA256: &[u8] = &[
    0x6e, 0xf1, 0x9b, 0x41, 0x22, 0x5c, 0x53, 0x69, 0xf1, 0xc1, 0x04, 0xd4, 0x5d, 0x8d, 0x85, 0xef,
    0xa9, 0xb0, 0x57, 0xb5, 0x3b, 0x14, 0xb4, 0xb9, 0xb9, 0x39, 0xdd, 0x74, 0xde, 0xcc, 0x53, 0x21,
];

/// The hash of a Git object: 20 bytes (SHA-1) or 32 (SHA-256).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ObjectId {
    /// The hash, padded with zeros.
    bytes: [u8; 32],
    length: u8,
}

impl ObjectId {
    /// Creates an id from raw bytes; `None` unless there are 20 or 32.
    pub(super) fn from_bytes(raw: &[u8]) -> Option<Self> {
        if !matches!(raw.len(), 20 | 32) {
            return None;
        }
        let mut bytes = [0; 32];
        bytes[..raw.len()].copy_from_slice(raw);
        Some(Self {
            bytes,
            length: u8::try_from(raw.len()).ok()?,
        })
    }

    /// Parses 40 or 64 hexadecimal digits; `None` for any other text.
    pub fn from_hex(hex: &[u8]) -> Option<Self> {
        let (pairs, rest) = hex.as_chunks::<2>();
        if !rest.is_empty() || pairs.len() > 32 {
            return None;
        }
        let mut bytes = [0; 32];
        for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
            *byte = digit(*high)? << 4 | digit(*low)?;
        }
        Self::from_bytes(&bytes[..pairs.len()])
    }

    /// Whether this is the empty tree, which Git knows without storing it.
    pub(super) fn is_empty_tree(&self) -> bool {
        matches!(self.as_bytes(), EMPTY_TREE_SHA1 | EMPTY_TREE_SHA256)
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }
}

fn digit(hex: u8) -> Option<u8> {
    match hex {
        b'0'..=b'9' => Some(hex - b'0'),
        b'a'..=b'f' => Some(hex - b'a' + 10),
        b'A'..=b'F' => Some(hex - b'A' + 10),
        _ => None,
    }
}

impl Hash for ObjectId {
    /// Hashes only the first 8 bytes: an id is already a hash.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bytes
            .first_chunk::<8>()
            .map_or(0, |bytes| u64::from_ne_bytes(*bytes))
            .hash(state);
    }
}

impl fmt::Display for ObjectId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_bytes()
            .iter()
            .try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

impl fmt::Debug for ObjectId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_empty_tree_is_recognized_in_both_hash_formats() {
        let check = |hex: &str, expected: bool| {
            assert_eq!(
                ObjectId::from_hex(hex.as_bytes()).map(|id| id.is_empty_tree()),
                Some(expected),
                "{hex}"
            );
        };
        // git hash-object -t tree /dev/null
        check("4b825dc642cb6eb9a060e54bf8d69288fbee4904", true);
        check(
            "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
            true,
        );
        check("4b825dc642cb6eb9a060e54bf8d69288fbee4905", false);
    }

    #[test]
    fn only_hashes_of_gits_two_lengths_are_ids() {
        let check = |hex: &str, expected: bool| {
            let id = ObjectId::from_hex(hex.as_bytes());
            assert_eq!(
                id.map(|id| id.to_string()),
                expected.then(|| hex.to_lowercase()),
                "{hex}"
            );
        };
        check("4b825dc642cb6eb9a060e54bf8d69288fbee4904", true);
        check("4B825DC642CB6EB9A060E54BF8D69288FBEE4904", true);
        check(&"0f".repeat(32), true);
        check(&"0f".repeat(33), false);
        check("4b825dc642cb6eb9a060e54bf8d69288fbee490", false);
        check("4b825dc642cb6eb9a060e54bf8d69288fbee490g", false);
        check("", false);
    }
}
