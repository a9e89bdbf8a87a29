//! Bytes of which many pieces share one allocation.
//!
//! A million pages have a path and an address each. One by one they would cost an allocation, a count and a length every
//! time; in blocks they cost the text alone.

use std::hash::{Hash, Hasher};

use triomphe::ThinArc;

/// A piece of a block of bytes; as large as a slice, and a clone shares the block.
#[derive(Clone)]
pub(super) struct SharedBytes {
    block: ThinArc<(), u8>,
    start: u32,
    end: u32,
}

impl SharedBytes {
    /// A piece that is its whole block.
    pub(super) fn alone(bytes: &[u8]) -> Self {
        Self {
            block: ThinArc::from_header_and_slice((), bytes),
            start: 0,
            end: offset(bytes.len()),
        }
    }

    /// Moves pieces to a block that they share, each after `before`.
    pub(super) fn move_together(pieces: &mut [&mut Self], before: &[u8]) {
        let mut text = Vec::with_capacity(
            pieces
                .iter()
                .map(|piece| before.len() + piece.as_bytes().len())
                .sum(),
        );
        for piece in &mut *pieces {
            text.extend_from_slice(before);
            text.extend_from_slice(piece.as_bytes());
        }
        let block = ThinArc::from_header_and_slice((), &text);
        let mut start = 0;
        for piece in pieces {
            start += before.len();
            let end = start + piece.as_bytes().len();
            **piece = Self {
                block: block.clone(),
                start: offset(start),
                end: offset(end),
            };
            start = end;
        }
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.block.slice[self.start as usize..self.end as usize]
    }

    /// The first `len` bytes together with what stands before them, where that is `before`.
    pub(super) fn beginning_with(&self, before: &[u8], len: usize) -> Option<Self> {
        let stands_before = self.block.slice[..self.start as usize].ends_with(before);
        stands_before.then(|| Self {
            block: self.block.clone(),
            start: self.start - offset(before.len()),
            end: self.start + offset(len),
        })
    }
}

/// Nothing that becomes a path or an address is read from more than the [`crate::bounds`] allow.
fn offset(bytes: usize) -> u32 {
    u32::try_from(bytes).expect("no block is 4 GiB long")
}

impl Default for SharedBytes {
    fn default() -> Self {
        Self::alone(b"")
    }
}

impl PartialEq for SharedBytes {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl Eq for SharedBytes {}

impl PartialOrd for SharedBytes {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for SharedBytes {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.as_bytes().cmp(other.as_bytes())
    }
}

impl Hash for SharedBytes {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_bytes().hash(state);
    }
}
