//! Byte slices that share one reference-counted allocation.
//!
//! A million pages have a path and a URL each. Separately, each would cost an allocation, a
//! reference count and a length; in blocks they cost little more than their bytes.

use std::hash::{Hash, Hasher};

use triomphe::ThinArc;

/// Slice of a shared block of bytes. It is as large as a slice reference, and a clone shares the
/// block.
#[derive(Clone)]
pub(super) struct SharedBytes {
    block: ThinArc<(), u8>,
    start: u32,
    end: u32,
}

impl SharedBytes {
    /// Copies the bytes to a block of their own.
    pub(super) fn alone(bytes: &[u8]) -> Self {
        Self {
            block: ThinArc::from_header_and_slice((), bytes),
            start: 0,
            end: offset(bytes.len()),
        }
    }

    /// Moves slices to one shared block, each preceded by `before`.
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

    /// Returns the first `len` bytes together with the bytes in front of them, if those are
    /// `before`.
    pub(super) fn prefix_with(&self, before: &[u8], len: usize) -> Option<Self> {
        let is_preceded = self.block.slice[..self.start as usize].ends_with(before);
        is_preceded.then(|| Self {
            block: self.block.clone(),
            start: self.start - offset(before.len()),
            end: self.start + offset(len),
        })
    }
}

/// Converts an offset; limits of what is read keep every path and URL below 4 GiB.
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
