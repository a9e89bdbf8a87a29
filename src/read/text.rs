//! A page's bytes → its text in UTF-8, as a window that moves over it.
//!
//! UTF-8 pages are not copied and not checked: what is not UTF-8 in them stays as it is, and whoever takes text out
//! replaces it. Offsets count a byte order mark. The window must never grow by more than one block beyond what its
//! user still needs.

use super::encoding::encoding_of;
use super::page_bytes::{Fingerprint, PageBytes, PageOrigin};
use encoding_rs::{Decoder, REPLACEMENT, UTF_8};
use std::io;

/// How much is read at once, and kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct WindowSizes {
    /// The first block; those after it double.
    pub(super) first_block: usize,
    pub(super) largest_block: usize,
    /// A page up to this size stays in the window as a whole, so that it can be gone over twice.
    pub(super) kept_whole: usize,
}

/// 99 of 100 real heads fit in the first block.
pub(super) const USUAL_SIZES: WindowSizes = WindowSizes {
    first_block: 4 << 10,
    largest_block: 256 << 10,
    kept_whole: 1 << 20,
};

/// Places in a page are 32 bits wide.
const LONGEST: usize = u32::MAX as usize - (1 << 20);

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The memory of a window, to be used for page after page.
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

/// The text of a page, of which a window is in memory.
pub(super) struct PageText<'p> {
    origin: PageOrigin<'p>,
    source: PageBytes<'p>,
    /// `None` for UTF-8.
    decoder: Option<Decoder>,
    buffers: WindowBuffers,
    /// Where in the text the window starts.
    start: usize,
    /// How much of the window's buffer is text.
    filled: usize,
    next_block: usize,
    sizes: WindowSizes,
    ended: bool,
}

impl<'p> PageText<'p> {
    /// Opens the page and reads its first block.
    pub(super) fn open(
        origin: PageOrigin<'p>,
        fingerprint: Fingerprint,
        buffers: WindowBuffers,
        sizes: WindowSizes,
    ) -> io::Result<Self> {
        let source = PageBytes::open(origin, fingerprint)?;
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
        };
        text.read_first_block()?;
        Ok(text)
    }

    /// Opens a page that is read alone, with memory of its own.
    pub(super) fn of(origin: PageOrigin<'p>) -> io::Result<Self> {
        Self::open(
            origin,
            Fingerprint::Unwanted,
            WindowBuffers::default(),
            USUAL_SIZES,
        )
    }

    /// A text that is in memory already.
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
        }
    }

    fn read_first_block(&mut self) -> io::Result<()> {
        self.read_more(0)?;
        let encoding = encoding_of(self.window());
        if encoding == REPLACEMENT {
            return Err(io::Error::other(
                "it declares an encoding that browsers refuse to read",
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

    /// The text in memory.
    pub(super) fn window(&self) -> &[u8] {
        &self.buffers.window[..self.filled]
    }

    /// Where in the text the window ends.
    pub(super) fn window_end(&self) -> usize {
        self.start + self.filled
    }

    /// The text from an offset within the window to the window's end.
    pub(super) fn from(&self, offset: usize) -> &[u8] {
        &self.window()[offset - self.start..]
    }

    /// Where the markup starts: after the byte order mark, if there is one. Only for a window at the start.
    pub(super) fn markup_start(&self) -> usize {
        if self.window().starts_with(BYTE_ORDER_MARK) {
            BYTE_ORDER_MARK.len()
        } else {
            0
        }
    }

    /// The hash of the page's bytes, where one was asked for.
    pub(super) fn fingerprint(&self) -> Option<u64> {
        self.source.fingerprint()
    }

    /// Whether the page goes on after what can be told apart by 32-bit places.
    pub(super) fn is_too_long(&self) -> bool {
        self.window_end() >= LONGEST
    }

    /// Reads the next block, and says whether there was one. What lies before `needed` may leave the window.
    pub(super) fn read_more(&mut self, needed: usize) -> io::Result<bool> {
        if self.ended || self.is_too_long() {
            return Ok(false);
        }
        self.drop_before(needed);
        let block = self.next_block;
        self.next_block = (block * 2).min(self.sizes.largest_block);
        let read = if let Some(mut decoder) = self.decoder.take() {
            self.buffers.undecoded.resize(block, 0);
            let read = self.source.fill(&mut self.buffers.undecoded)?;
            self.ended = read < block;
            self.decode(&mut decoder, read);
            self.decoder = Some(decoder);
            read
        } else {
            self.make_room(block);
            let read = self
                .source
                .fill(&mut self.buffers.window[self.filled..self.filled + block])?;
            self.ended = read < block;
            self.filled += read;
            read
        };
        Ok(read > 0)
    }

    /// Reads on to the end only where that is owed to the source; the window's content is lost.
    pub(super) fn drain(&mut self) -> io::Result<()> {
        while self.source.must_be_read_to_its_end() && self.read_more(self.window_end())? {}
        Ok(())
    }

    /// Makes the window start at the start of the text again, reading anew where that has left it.
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

    /// Gives the memory back, less what a huge page has made of it.
    pub(super) fn into_buffers(mut self) -> WindowBuffers {
        let usual = self.sizes.kept_whole + self.sizes.largest_block;
        self.buffers.window.truncate(usual);
        self.buffers.window.shrink_to(usual);
        self.buffers
    }

    fn decode(&mut self, decoder: &mut Decoder, read: usize) {
        // A bound that cannot be counted is one that memory cannot hold.
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

    /// Moves the window on, when it is large and at least half of it goes: each byte moves at most once on average.
    fn drop_before(&mut self, needed: usize) {
        let dropped = needed - self.start;
        if self.filled >= self.sizes.kept_whole && dropped >= self.filled / 2 {
            self.buffers.window.copy_within(dropped..self.filled, 0);
            self.filled -= dropped;
            self.start = needed;
        }
    }
}
