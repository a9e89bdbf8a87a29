//! Extracts facts from pages' HTML: robots tags, canonical links, redirects, dates.
//!
//! A page goes through three steps: its text in UTF-8 (`page_text`), its tokens (`tokens`) and its
//! statements (`statements`; `document` finds the region of each). Facts are not judged here.
//!
//! A page is read completely, into a buffer that is used for page after page.
//! `ordinary_markup.rs` tokenizes ordinary markup: text and whole tags, up to the first element
//! whose content has rules of its own (`<textarea>`, `<svg>`). From the first construct that may
//! need a real parser, `tokens.rs` continues with lol_html; a property test compares the tokens
//! of both. `document.rs` tracks the part of the document each tag belongs to and stops at the
//! start of the body. The body is searched as bytes for tags that could matter (`shortcut.rs`),
//! and the page is parsed in full only where one is found. The text is also searched for
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
mod facts;
mod foreign_content;
mod html_token;
mod links;
mod main_item;
mod main_text;
mod metadata;
mod ordinary_markup;
#[cfg(test)]
mod page_cases;
#[cfg(test)]
mod page_content_cases;
mod page_text;
#[cfg(test)]
mod property_tests;
mod refresh;
mod shortcut;
mod statements;
mod tokens;

pub use edit_links::{EditLink, EditLinkForm, edit_links_of, repository_in};
pub use facts::{
    Alternate, CanonicalLink, FileContent, MetaTag, PageFacts, ROBOTS_NAMES, ReadOptions, Region,
    Stated, TagPlace,
};
pub use links::{PageLinks, links_of};
pub use main_item::is_page_type;
pub use main_text::{have_same_main_text, main_text_hash, main_text_links};
pub use metadata::{Metadata, MetadataRequest, metadata_of};
pub use refresh::Refresh;

use aho_corasick::packed::Searcher;
use attributes::is_space;
use document::{Document, ReadExtent};
use page_text::{LONGEST_PAGE, decode, read_bytes};
use shortcut::{BodySearch, may_state_modified, search_body};
use std::fs::File;
use std::io;
use std::sync::LazyLock;
use tokens::{TokenizeOutcome, tokenize};
use twox_hash::XxHash3_64;

/// Size limit of a page that a program writes as it is, in bytes: Zola's has 1,500, rustdoc's have 2,800.
const LONGEST_OF_PROGRAM: usize = 4 << 10;

/// Texts of the page that Zola writes in place of a template that it did not find (`default_tpl.html`, the
/// same since 2018). It has all of them.
const WITHOUT_TEMPLATE: [&[u8]; 2] = [
    b"<title>Zola</title>",
    b"we couldn't find a template to render",
];

/// Texts of pages that are about a program: the two that rustdoc adds to those of crates, and those below `search/`
/// that Doxygen shows in a frame. A page has all texts of one of these.
const OF_PROGRAMS: [&[&[u8]]; 3] = [
    &[GENERATOR_RUSTDOC, b"<h1>Rustdoc settings</h1>"],
    &[GENERATOR_RUSTDOC, b"<h1>Rustdoc help</h1>"],
    &[b"<body class=\"SRPage\">"],
];

const GENERATOR_RUSTDOC: &[u8] = b"<meta name=\"generator\" content=\"rustdoc\">";

/// The ends of the tags that load the editors which succeeded Netlify CMS, in the page of their documentation.
const EDITORS: [&[u8]; 3] = [
    b"/netlify-cms.js\">",
    b"/decap-cms.js\">",
    b"/sveltia-cms.js\">",
];

/// The beginnings of tags that no page of an editor has.
const TAGS_OF_TEXT: [&[u8]; 3] = [b"<h1", b"<p", b"<a "];

/// Finds one of the texts above that each such page has. Most small pages have none, and one search for all of them
/// takes a fraction of the time of one for each. `None` on processors without the vector instructions that it needs.
static PROGRAM_TEXTS: LazyLock<Option<Searcher>> = LazyLock::new(|| {
    let of_programs = OF_PROGRAMS.iter().filter_map(|marks| marks.last());
    let texts = WITHOUT_TEMPLATE.iter().take(1).chain(of_programs);
    Searcher::new(texts.chain(&EDITORS))
});

/// Size limit of a text to show, in bytes; a sitemap may have 50 MiB.
const LONGEST_SHOWN: usize = 64 << 20;

/// Reads pages one after the other. Each thread has its own: the buffer is reused from page to page.
pub struct PageReader {
    options: ReadOptions,
    buffer: Vec<u8>,
}

impl PageReader {
    /// Creates a reader with these options.
    pub fn new(options: ReadOptions) -> Self {
        Self {
            options,
            buffer: Vec::new(),
        }
    }

    /// Reads the facts of the page in a file, from its start. A pipe or a socket is an error.
    /// [`PageFacts::unreadable`] makes facts of an error.
    pub fn read(&mut self, page: &File) -> io::Result<PageFacts> {
        let bytes = read_bytes(page, &mut self.buffer, LONGEST_PAGE)?;
        facts_in(bytes, &self.options, ReadExtent::Head)
    }

    /// Reads the facts of a page from its bytes.
    pub fn facts_of(&self, bytes: &[u8]) -> PageFacts {
        facts_in(bytes, &self.options, ReadExtent::Head)
            .unwrap_or_else(|error| PageFacts::unreadable(&error))
    }
}

fn facts_in(bytes: &[u8], options: &ReadOptions, first: ReadExtent) -> io::Result<PageFacts> {
    let is_cut = bytes.len() > LONGEST_PAGE;
    let text = decode(&bytes[..bytes.len().min(LONGEST_PAGE)])?;
    let mut facts = if is_binary(&text) {
        PageFacts {
            content: FileContent::Binary,
            ..PageFacts::default()
        }
    } else {
        parse(&text, first)
    };
    let is_html = facts.content == FileContent::Html;
    if is_html && facts.canonicals.is_empty() && text.len() <= LONGEST_OF_PROGRAM {
        facts.content = fixed_content(&text);
    }
    if is_cut {
        facts.cut_short = Some("it is longer than 16 MiB".to_owned());
    }
    let wants_hash = options.fingerprint && !is_cut;
    // It does not resist deliberate collisions, but those would only exclude pages of the author's own
    // site.
    facts.fingerprint = wants_hash.then(|| XxHash3_64::oneshot(bytes));
    Ok(facts)
}

/// The kind of a small page, which a program may have written as it is.
fn fixed_content(text: &[u8]) -> FileContent {
    let searcher = PROGRAM_TEXTS.as_ref();
    if searcher.is_some_and(|searcher| searcher.find(text).is_none()) {
        return FileContent::Html;
    }
    let has = |mark: &&[u8]| memchr::memmem::find(text, mark).is_some();
    if WITHOUT_TEMPLATE.iter().all(has) {
        FileContent::NoTemplate
    } else if OF_PROGRAMS.iter().any(|marks| marks.iter().all(has))
        || loads_editor(text) && !TAGS_OF_TEXT.iter().any(has)
    {
        FileContent::Program
    } else {
        FileContent::Html
    }
}

/// Whether a tag loads an editor. An article about it shows the tag, with its `<` escaped.
fn loads_editor(text: &[u8]) -> bool {
    EDITORS.iter().any(|end| {
        let before = memchr::memmem::find(text, end).map(|at| &text[..at]);
        before.is_some_and(|before| {
            let tag = memchr::memrchr(b'<', before).map(|start| &before[start..]);
            tag.is_some_and(|tag| tag.starts_with(b"<script"))
        })
    })
}

/// Parses the head, then the whole page if a byte search of the body finds a tag that may matter.
fn parse(text: &[u8], first: ReadExtent) -> PageFacts {
    let mut document = Document::new(first);
    let mut outcome = tokenize(text, &mut document);
    let mut unsearched = text;
    let mut body_states_modified = false;
    if let TokenizeOutcome::Stopped(body) = outcome
        && document.body_counts()
    {
        match search_body(&text[body..], document.statements()) {
            BodySearch::MayMatter => {
                document = Document::new(ReadExtent::Whole);
                outcome = tokenize(text, &mut document);
            }
            BodySearch::StatesNothing { may_state_modified } => {
                unsearched = &text[..body];
                body_states_modified = may_state_modified;
            }
        }
    }
    let mut facts = document.into_facts();
    facts.may_state_modified = body_states_modified || may_state_modified(unsearched);
    if matches!(outcome, TokenizeOutcome::OutOfMemory) {
        facts.cut_short = Some("it has too many nested elements in `<svg>` or `<math>`".to_owned());
    }
    facts
}

/// Decodes a page to the text that the [`TagPlace`]s of its facts refer to.
///
/// The text is UTF-8, begins with U+FEFF if the file has a byte order mark, and has `?` for each
/// invalid byte of a UTF-8 page. A text longer than 64 MiB is an error: to show one line, it would
/// take more memory than the whole run.
pub fn text_of(page: &File) -> io::Result<String> {
    let mut buffer = Vec::new();
    let bytes = read_bytes(page, &mut buffer, LONGEST_SHOWN)?;
    if bytes.len() > LONGEST_SHOWN {
        return Err(io::Error::other("it is too long to show"));
    }
    Ok(readable_text(decode(bytes)?.into_owned()))
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

/// Whether a browser would treat the bytes as binary, by the control bytes that text does not have
/// (WHATWG MIME Sniffing, "binary data byte"). Anything that begins with markup is a page.
fn is_binary(text: &[u8]) -> bool {
    const SEARCHED: usize = 1445; // the standard's "resource header"
    let start = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text);
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
