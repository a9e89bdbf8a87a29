//! Places in files.

/// A byte range in the text of a file, after decompression and decoding to UTF-8.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Place {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Place {
    /// Shifts the range by a number of bytes, for a text that starts that much earlier.
    #[must_use]
    pub fn shifted_by(self, bytes: usize) -> Self {
        let moved = |at: u32| at.saturating_add(u32::try_from(bytes).unwrap_or(u32::MAX));
        Self {
            start: moved(self.start),
            end: moved(self.end),
        }
    }
}
