//! Extracts facts from pages' HTML: robots tags, canonical links, redirects, dates, images.
//!
//! A page goes through four steps: its bytes (`page_bytes`), its text in UTF-8 (`text`),
//! its tokens (`tokens`) and its statements (`statements`; `document` finds the region of each).
//! Facts are not judged here.
//!
//! Pages are read in blocks of 64 KiB, into a buffer that is used for page after page.
//! `ordinary_markup.rs` tokenizes ordinary markup: text and whole tags, up to the first element
//! whose content has rules of its own (`<textarea>`, `<svg>`). From the first construct that may
//! need a real parser, `tokens.rs` continues with lol_html; a property test compares the tokens
//! of both. `document.rs` tracks the part of the document each tag belongs to and stops at the
//! start of the body. The body is searched as bytes for tags that could matter (`shortcut.rs`),
//! and the page is parsed in full only where one is found. `text.rs` searches the text for
//! `dateModified`: only such a page is read once more for the date in its structured data, if no
//! better source dates it.

#![doc = include_str!("../README.md")]
#![cfg_attr(
    test,
    allow(
        clippy::disallowed_methods,
        clippy::disallowed_types,
        reason = "tests set up files and compare with the system"
    )
)]

mod attributes;
mod document;
mod edit_links;
mod encoding;
mod facts;
mod foreign_content;
mod html_token;
mod images;
mod links;
mod main_item;
mod main_text;
mod metadata;
mod ordinary_markup;
mod page_bytes;
#[cfg(test)]
mod page_cases;
#[cfg(test)]
mod page_content_cases;
mod place;
#[cfg(test)]
mod property_tests;
mod read_options;
mod refresh;
mod script;
pub mod script_tokens;
mod shortcut;
mod statements;
mod templates;
mod text;
mod tokens;

pub use edit_links::{EditLink, EditLinkForm, edit_links_of, repository_in};
pub use facts::{Alternate, CanonicalLink, FileContent, MetaTag, PageFacts, Region, Stated};
pub use links::{PageLinks, links_of};
pub use main_item::is_page_type;
pub use main_text::{have_same_main_text, main_text_hash};
pub use metadata::{Metadata, MetadataRequest, metadata_of};
pub use page_bytes::Fingerprint;
pub use place::TagPlace;
pub use read_options::{ImageMode, ROBOTS_NAMES, ReadOptions};
pub use refresh::Refresh;

use attributes::is_space;
use document::{Document, ReadExtent};
use page_bytes::PageOrigin;
use shortcut::body_may_matter;
use std::fs::File;
use std::io;
use text::{PageText, USUAL_SIZES, WindowBuffers, WindowSizes};
use tokens::{TokenizeOutcome, tokenize};

/// Size limit of a text to show, in bytes; a sitemap may have 50 MiB.
const LONGEST_SHOWN: usize = 64 << 20;

/// Reads pages one after the other. Each thread has its own: the buffers are reused from page to
/// page.
pub struct PageReader {
    options: ReadOptions,
    sizes: WindowSizes,
    buffers: WindowBuffers,
}

impl PageReader {
    /// Creates a reader with these options.
    pub fn new(options: ReadOptions) -> Self {
        Self {
            options,
            sizes: USUAL_SIZES,
            buffers: WindowBuffers::default(),
        }
    }

    /// Reads the facts of the page in a file, from its start. A pipe or a socket is an error.
    /// [`PageFacts::unreadable`] makes facts of an error.
    pub fn read(&mut self, page: &File) -> io::Result<PageFacts> {
        self.try_facts(PageOrigin::File(page), ReadExtent::Head)
    }

    /// Reads the facts of a page from its bytes.
    pub fn facts_of(&mut self, bytes: &[u8]) -> PageFacts {
        self.facts(PageOrigin::Memory(bytes), ReadExtent::Head)
    }

    fn facts(&mut self, origin: PageOrigin<'_>, first: ReadExtent) -> PageFacts {
        self.try_facts(origin, first)
            .unwrap_or_else(|error| PageFacts::unreadable(&error))
    }

    fn try_facts(&mut self, origin: PageOrigin<'_>, first: ReadExtent) -> io::Result<PageFacts> {
        let text = PageText::open(
            origin,
            self.options.fingerprint,
            std::mem::take(&mut self.buffers),
            self.sizes,
        )?;
        let (mut text, mut facts) = if is_binary(text.window()) {
            (
                text,
                PageFacts {
                    content: FileContent::Binary,
                    ..PageFacts::default()
                },
            )
        } else {
            self.parse(text, first)?
        };
        text.drain()?;
        facts.fingerprint = text.fingerprint();
        self.buffers = text.into_buffers();
        Ok(facts)
    }

    /// Parses the head, then the whole page if a byte search of the body finds a tag that may
    /// matter.
    fn parse<'p>(
        &self,
        mut text: PageText<'p>,
        first: ReadExtent,
    ) -> io::Result<(PageText<'p>, PageFacts)> {
        let mut document = Document::new(&self.options, first);
        let mut outcome = tokenize(&mut text, &mut document)?;
        if let TokenizeOutcome::Stopped(body) = outcome
            && document.body_counts()
            && body_may_matter(&mut text, body, document.statements())?
        {
            text = text.rewind()?;
            document = Document::new(&self.options, ReadExtent::Whole);
            outcome = tokenize(&mut text, &mut document)?;
        }
        let is_cut = document.is_cut_at_body();
        let mut facts = document.into_facts();
        facts.may_state_modified = is_cut || text.mentions_modified();
        if matches!(outcome, TokenizeOutcome::OutOfMemory) {
            facts.may_state_modified = true;
            facts.cut_short = Some("it contains a tag or comment longer than 16 MiB".to_owned());
        } else if text.is_too_long() {
            facts.cut_short = Some("it is longer than 4 GiB".to_owned());
        }
        Ok((text, facts))
    }
}

/// Decodes a page to the text that the [`TagPlace`]s of its facts refer to.
///
/// The text is UTF-8, begins with U+FEFF if the file has a byte order mark, and has `?` for each
/// invalid byte of a UTF-8 page. A text longer than 64 MiB is an error: to show one line, it would
/// take more memory than the whole run.
pub fn text_of(page: &File) -> io::Result<String> {
    // The file may grow, and its text may be longer, so the loop checks it again.
    if page.metadata()?.len() > LONGEST_SHOWN as u64 {
        return Err(too_long_to_show());
    }
    let mut text = PageText::of(PageOrigin::File(page))?;
    while text.read_more(0)? {
        if text.window_end() > LONGEST_SHOWN {
            return Err(too_long_to_show());
        }
    }
    Ok(readable_text(text.window().to_vec()))
}

/// Returns bytes as text, with `?` for each invalid byte, so that offsets stay the same.
pub fn readable_text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| {
        let bytes = error.into_bytes();
        let mut text = String::with_capacity(bytes.len());
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            text.extend(chunk.invalid().iter().map(|_| '?'));
        }
        text
    })
}

fn too_long_to_show() -> io::Error {
    io::Error::other("it is too long to show")
}

/// Whether a browser would treat the bytes as binary, by the control bytes that text does not have
/// (WHATWG MIME Sniffing, "binary data byte"). Anything that begins with markup is a page.
fn is_binary(window: &[u8]) -> bool {
    const SEARCHED: usize = 1445; // the standard's "resource header"
    let start = window.strip_prefix("\u{feff}".as_bytes()).unwrap_or(window);
    let start = &start[..start.len().min(SEARCHED)];
    let first = start
        .iter()
        .position(|&byte| !is_space(byte))
        .unwrap_or(start.len());
    match start[first..] {
        [b'<', b'!' | b'/' | b'?', ..] => false,
        [b'<', letter, ..] if letter.is_ascii_alphabetic() => false,
        _ => start
            .iter()
            .any(|byte| matches!(byte, 0..=8 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_bytes_do_not_move_the_text_after_them() {
        assert_eq!(
            readable_text(b"a\xff\xe2\x82b\xc3\xa9".to_vec()),
            "a???b\u{e9}"
        );
    }

    #[test]
    fn text_is_shown_as_it_is_read_unless_it_is_too_long() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let path = dir.path().join("page.html");
        std::fs::write(&path, b"a\xffb").expect("a file");
        let shown = || text_of(&File::open(&path).expect("it exists"));
        assert_eq!(shown().expect("the text is short"), "a?b");
        std::fs::File::create(&path)
            .and_then(|file| file.set_len(10 << 30))
            .expect("a sparse file");
        assert_eq!(
            shown().expect_err("the text is too long").to_string(),
            "it is too long to show"
        );
    }
}
