//! Places in files.

use std::ops::Range;

/// A byte range in the text of a file, after decompression and decoding to UTF-8.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Place {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Place {
    /// The place of a range.
    pub fn of(range: Range<usize>) -> Self {
        let [start, end] = [range.start, range.end].map(to_offset);
        Self { start, end }
    }

    /// Shifts the range by a number of bytes, for a text that starts that much earlier.
    #[must_use]
    pub fn shifted_by(self, bytes: usize) -> Self {
        Self {
            start: self.start.saturating_add(to_offset(bytes)),
            end: self.end.saturating_add(to_offset(bytes)),
        }
    }
}

/// Converts a byte offset. It fits, because at most 64 MiB of a file are read.
pub(crate) fn to_offset(at: impl TryInto<u32>) -> u32 {
    at.try_into().unwrap_or(u32::MAX)
}
