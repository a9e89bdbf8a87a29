//! Places of tags in the text of a page.

/// The byte range of a tag in a page's text, after decompression and decoding to UTF-8.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct TagPlace {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}
