//! Decodes a page's bytes to UTF-8 text, in a window that moves over it.
//!
//! UTF-8 pages are neither copied nor checked: invalid bytes stay, and the code that takes text out
//! replaces them. Offsets count a byte order mark. The window grows by at most one block beyond
//! what its user still needs.

use super::encoding::encoding_of;
use super::page_bytes::{Fingerprint, PageBytes, PageOrigin};
use encoding_rs::{Decoder, REPLACEMENT, UTF_8};
use memchr::memmem::Finder;
use std::io;
use std::sync::LazyLock;

/// Sizes of blocks and of the window, in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct WindowSizes {
    /// The first block, which must show the encoding, and each later one.
    pub(super) first_block: usize,
    pub(super) later_block: usize,
    /// A page up to this size stays in the window, so that it can be parsed twice.
    pub(super) kept_whole: usize,
}

/// The usual sizes: nine of ten pages need one block, and 98 of 100 are kept whole. A
/// window of four times the size was no faster.
pub(super) const USUAL_SIZES: WindowSizes = WindowSizes {
    first_block: 64 << 10,
    later_block: 64 << 10,
    kept_whole: 256 << 10,
};

/// Length limit of a text: places in a page are 32 bits wide.
const LONGEST: usize = u32::MAX as usize - (1 << 20);

/// The property with which JSON-LD and microdata state a modification date.
const MODIFIED: &str = "dateModified";

static MODIFIED_FINDER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(MODIFIED));

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Buffers of a window, reused for page after page.
#[derive(Default)]
pub(super) struct WindowBuffers {
    window: Vec<u8>,
    undecoded: Vec<u8>,
}

#[cfg(test)]
impl WindowBuffers {
    pub(super) fn size(&self) -> usize {
        self.window.capacity() + self.undecoded.capacity()
    }
}

/// Text of a page, with a window of it in memory.
pub(super) struct PageText<'p> {
    origin: PageOrigin<'p>,
    source: PageBytes<'p>,
    /// `None` for UTF-8.
    decoder: Option<Decoder>,
    buffers: WindowBuffers,
    /// Offset of the window in the text.
    start: usize,
    /// Number of bytes of the window's buffer that are text.
    filled: usize,
    next_block: usize,
    sizes: WindowSizes,
    ended: bool,
    mentions_modified: bool,
    /// Offset up to which the text was searched for the name of the property.
    searched: usize,
}

impl<'p> PageText<'p> {
    /// Opens the page and reads its first block.
    pub(super) fn open(
        origin: PageOrigin<'p>,
        fingerprint: Fingerprint,
        buffers: WindowBuffers,
        sizes: WindowSizes,
    ) -> io::Result<Self> {
        let source = PageBytes::open(origin, fingerprint);
        let next_block = sizes.first_block;
        let mut text = Self {
            origin,
            source,
            decoder: None,
            buffers,
            start: 0,
            filled: 0,
            next_block,
            sizes,
            ended: false,
            mentions_modified: false,
            searched: 0,
        };
        text.read_first_block()?;
        Ok(text)
    }

    /// Opens a page to read it completely, with new buffers.
    pub(super) fn of(origin: PageOrigin<'p>) -> io::Result<Self> {
        Self::open(
            origin,
            Fingerprint::Unwanted,
            WindowBuffers::default(),
            USUAL_SIZES,
        )
    }

    /// Wraps a text that is already in memory.
    pub(super) fn decoded(text: Vec<u8>) -> Self {
        let filled = text.len();
        let buffers = WindowBuffers {
            window: text,
            undecoded: Vec::new(),
        };
        let (origin, source) = (PageOrigin::Memory(&[]), PageBytes::empty());
        let sizes = USUAL_SIZES;
        Self {
            origin,
            source,
            decoder: None,
            buffers,
            start: 0,
            filled,
            next_block: 0,
            sizes,
            ended: true,
            mentions_modified: false,
            searched: 0,
        }
    }

    fn read_first_block(&mut self) -> io::Result<()> {
        self.read_more(0)?;
        let encoding = encoding_of(self.window());
        if encoding == REPLACEMENT {
            return Err(io::Error::other(
                "it declares an encoding that browsers do not support",
            ));
        }
        if encoding != UTF_8 {
            let mut decoder = encoding.new_decoder_without_bom_handling();
            let read = self.filled;
            self.buffers.undecoded.clear();
            self.buffers
                .undecoded
                .extend_from_slice(&self.buffers.window[..read]);
            self.filled = 0;
            self.decode(&mut decoder, read);
            self.decoder = Some(decoder);
        }
        Ok(())
    }

    pub(super) fn window(&self) -> &[u8] {
        &self.buffers.window[..self.filled]
    }

    /// Offset of the window's end in the text.
    pub(super) fn window_end(&self) -> usize {
        self.start + self.filled
    }

    /// Text from an offset in the window to the window's end.
    pub(super) fn from(&self, offset: usize) -> &[u8] {
        &self.window()[offset - self.start..]
    }

    /// Offset where the markup starts: after the byte order mark, if there is one. The window must
    /// be at the start.
    pub(super) fn markup_start(&self) -> usize {
        if self.window().starts_with(BYTE_ORDER_MARK) {
            BYTE_ORDER_MARK.len()
        } else {
            0
        }
    }

    /// Hash of the page's bytes, if requested.
    pub(super) fn fingerprint(&self) -> Option<u64> {
        self.source.fingerprint()
    }

    /// Whether the text that has been read contains the name of the property for modification
    /// dates.
    pub(super) fn mentions_modified(&mut self) -> bool {
        self.search_window();
        self.mentions_modified
    }

    /// Whether the page is longer than 32-bit places can address.
    pub(super) fn is_too_long(&self) -> bool {
        self.window_end() >= LONGEST
    }

    /// Reads the next block and returns whether there was one. Text before `needed` may leave the
    /// window.
    pub(super) fn read_more(&mut self, needed: usize) -> io::Result<bool> {
        if self.ended || self.is_too_long() {
            return Ok(false);
        }
        self.drop_before(needed);
        let block = self.next_block;
        self.next_block = self.sizes.later_block;
        let read = if let Some(mut decoder) = self.decoder.take() {
            self.buffers.undecoded.resize(block, 0);
            let read = self.source.fill(&mut self.buffers.undecoded)?;
            self.ended = read < block;
            self.decode(&mut decoder, read);
            self.decoder = Some(decoder);
            read
        } else {
            self.make_room(block);
            let room = &mut self.buffers.window[self.filled..self.filled + block];
            let read = self.source.fill(room)?;
            self.ended = read < block;
            self.filled += read;
            read
        };
        Ok(read > 0)
    }

    /// Reads to the end if the page's bytes require it; the window's content is lost.
    pub(super) fn drain(&mut self) -> io::Result<()> {
        while self.fingerprint().is_some() && self.read_more(self.window_end())? {}
        Ok(())
    }

    /// Moves the window back to the start of the text, reading the page again if the start has left it.
    pub(super) fn rewind(self) -> io::Result<Self> {
        if self.start == 0 {
            return Ok(self);
        }
        let fingerprint = if self.fingerprint().is_some() {
            Fingerprint::Wanted
        } else {
            Fingerprint::Unwanted
        };
        Self::open(self.origin, fingerprint, self.buffers, self.sizes)
    }

    /// Returns the buffers, shrunk if a huge page has enlarged them.
    pub(super) fn into_buffers(mut self) -> WindowBuffers {
        let usual = self.sizes.kept_whole + self.sizes.later_block;
        // It has up to twice the size that was needed.
        if self.buffers.window.capacity() > 2 * usual {
            self.buffers.window = Vec::new();
        }
        self.buffers
    }

    fn decode(&mut self, decoder: &mut Decoder, read: usize) {
        // If the bound overflows, memory cannot hold the text either.
        let most = decoder.max_utf8_buffer_length(read).unwrap_or(usize::MAX);
        self.make_room(most);
        let (_, _, written, _) = decoder.decode_to_utf8(
            &self.buffers.undecoded[..read],
            &mut self.buffers.window[self.filled..],
            self.ended,
        );
        self.filled += written;
    }

    fn make_room(&mut self, bytes: usize) {
        let needed = self.filled + bytes;
        if self.buffers.window.len() < needed {
            self.buffers.window.resize(needed, 0);
        }
    }

    /// Searches the window for the name of the property.
    fn search_window(&mut self) {
        if self.searched < self.window_end() && !self.mentions_modified {
            // The name may have begun in the text searched before.
            let start = self.searched.saturating_sub(MODIFIED.len() - 1);
            let text = &self.window()[start.max(self.start) - self.start..];
            self.mentions_modified = MODIFIED_FINDER.find(text).is_some();
        }
        self.searched = self.window_end();
    }

    /// Moves the window forward if it is large and at least half of it can go: each byte moves at
    /// most once on average.
    fn drop_before(&mut self, needed: usize) {
        // The name of the property may continue in the next block.
        let begun = self.window_end().saturating_sub(MODIFIED.len() - 1);
        let dropped = needed.min(begun).saturating_sub(self.start);
        if self.filled >= self.sizes.kept_whole && dropped >= self.filled / 2 {
            self.search_window();
            self.buffers.window.copy_within(dropped..self.filled, 0);
            self.filled -= dropped;
            self.start += dropped;
        }
    }
}
