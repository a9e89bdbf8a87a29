//! Pages → facts: what each page's HTML says of itself, and where.
//!
//! A page goes through four steps: its bytes (`source`, unpacked), its text (`text`, in UTF-8), its tokens
//! (`tokens`) and its statements (`document` says in which part of the page each stands). Nothing is judged here:
//! whether a page is listed is `decide/`'s affair.

mod attributes;
mod document;
mod edit_links;
mod encoding;
mod facts;
mod foreign_content;
mod links;
mod metadata;
mod ordinary_head;
mod page_bytes;
#[cfg(test)]
mod page_cases;
#[cfg(test)]
mod property_tests;
mod refresh;
mod script;
mod shortcut;
mod statements;
mod templates;
mod text;
mod tokens;

pub use edit_links::{EditLink, EditLinkForm, edit_links_of};
pub use facts::{Alternate, CanonicalLink, FileContent, MetaTag, PageFacts, Region, Stated};
pub use links::{PageLinks, links_of};
pub use metadata::{Metadata, MetadataRequest, metadata_of};
pub use page_bytes::Fingerprint;
pub use refresh::Refresh;

use attributes::is_space;
use document::{Document, ReadExtent};
use page_bytes::PageOrigin;
use shortcut::body_may_matter;
use std::io;
use std::path::Path;
use text::{PageText, USUAL_SIZES, WindowBuffers, WindowSizes};
use tokens::{TokenizeOutcome, tokenize};

/// No text is shown that is longer, in bytes; a sitemap may have 50 MiB.
const LONGEST_SHOWN: usize = 64 << 20;

/// Whether what stands in the body counts, images apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum BodyMode {
    /// It counts: every page is searched to its end.
    #[default]
    Counts,
    /// It does not: only heads are read, unless images are wanted.
    Ignored,
}

/// Whether the addresses of images are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ImageMode {
    /// They are not.
    #[default]
    Unwanted,
    /// They are, which takes a parse of every page with images.
    Wanted,
}

/// What to look for in pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// Names of the robots tags that count, in lower case.
    pub robots_names: Vec<String>,
    /// Whether the body counts.
    pub body: BodyMode,
    /// Whether images are wanted.
    pub images: ImageMode,
    /// Whether a hash of the page's bytes is wanted.
    pub fingerprint: Fingerprint,
}

impl Default for ReadOptions {
    /// `robots` and `googlebot`, head and body, nothing else.
    fn default() -> Self {
        Self {
            robots_names: vec!["robots".to_owned(), "googlebot".to_owned()],
            body: BodyMode::default(),
            images: ImageMode::default(),
            fingerprint: Fingerprint::default(),
        }
    }
}

/// Reads pages, one after the other. Each thread has its own: it keeps the memory that a page needs for the next.
pub struct PageReader {
    options: ReadOptions,
    sizes: WindowSizes,
    buffers: WindowBuffers,
}

impl PageReader {
    /// A reader that looks for what the options say.
    pub fn new(options: ReadOptions) -> Self {
        Self {
            options,
            sizes: USUAL_SIZES,
            buffers: WindowBuffers::default(),
        }
    }

    /// What the page in a file says. A file that cannot be read is [`Content::Unreadable`]. The path is to name a
    /// regular file: a pipe would be waited for.
    pub fn read(&mut self, path: &Path) -> PageFacts {
        self.facts(PageOrigin::File(path), ReadExtent::Head)
    }

    /// What a page says whose bytes are these.
    pub fn facts_of(&mut self, bytes: &[u8]) -> PageFacts {
        self.facts(PageOrigin::Memory(bytes), ReadExtent::Head)
    }

    fn facts(&mut self, origin: PageOrigin<'_>, first: ReadExtent) -> PageFacts {
        self.try_facts(origin, first).unwrap_or_else(|error| {
            let content = FileContent::Unreadable(error.to_string());
            PageFacts {
                content,
                ..PageFacts::default()
            }
        })
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

    /// Parses the head, then the whole page if a search of the body finds that worth while.
    fn parse<'p>(
        &self,
        mut text: PageText<'p>,
        first: ReadExtent,
    ) -> io::Result<(PageText<'p>, PageFacts)> {
        let mut document = Document::new(&self.options, first);
        let mut outcome = tokenize(&mut text, &mut document)?;
        if let TokenizeOutcome::Stopped(body) = outcome
            && document.body_counts()
            && body_may_matter(&mut text, body, &document)?
        {
            text = text.rewind()?;
            document = Document::new(&self.options, ReadExtent::Whole);
            outcome = tokenize(&mut text, &mut document)?;
        }
        let mut facts = document.into_facts();
        if matches!(outcome, TokenizeOutcome::OutOfMemory) {
            facts.cut_short = Some("a tag or comment in it is longer than 16 MiB".to_owned());
        } else if text.is_too_long() {
            facts.cut_short = Some("it is longer than 4 GiB".to_owned());
        }
        Ok((text, facts))
    }
}

/// The text in which the [`Place`](crate::finding::Place)s of a page's facts count, to show them in.
///
/// It is in UTF-8, begins with U+FEFF where the file has a byte order mark, and has `?` for each byte of a UTF-8 page
/// that is not UTF-8. A longer text than 64 MiB is an error: it would take more memory than the whole run, to show a line.
pub fn text_of(path: &Path) -> io::Result<String> {
    let mut text = PageText::of(PageOrigin::File(path))?;
    while text.read_more(0)? {
        if text.window_end() > LONGEST_SHOWN {
            return Err(io::Error::other("it is too long to be shown"));
        }
    }
    let mut shown = String::with_capacity(text.window().len());
    for chunk in text.window().utf8_chunks() {
        shown.push_str(chunk.valid());
        shown.extend(chunk.invalid().iter().map(|_| '?'));
    }
    Ok(shown)
}

/// Whether no browser would show this as a page, by the control bytes that text does not have (WHATWG MIME Sniffing,
/// "binary data byte"). What begins with markup is a page all the same.
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
    fn a_text_is_shown_as_it_is_read_unless_it_is_too_long() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("page.html");
        std::fs::write(&path, b"a\xffb").expect("a file");
        assert_eq!(text_of(&path).expect("it is short"), "a?b");
        std::fs::File::create(&path)
            .and_then(|file| file.set_len(10 << 30))
            .expect("a sparse file");
        assert_eq!(
            text_of(&path).expect_err("it is long").to_string(),
            "it is too long to be shown"
        );
    }
}
