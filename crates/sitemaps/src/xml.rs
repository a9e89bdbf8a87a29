//! XML text: escapes what goes into a sitemap, and reads the URLs and dates in one.
//!
//! It opens no files.

use std::collections::BTreeMap;
use std::io::{self, BufRead};

use quick_xml::Reader;
use quick_xml::escape::{escape, resolve_predefined_entity, unescape};
use quick_xml::events::{BytesRef, BytesStart, Event};
use roxmltree::{Document, ParsingOptions};
use thiserror::Error;

use crate::entry::KEPT_LINKS;
use crate::mark::FileHead;
use crate::place::{Place, to_offset};

/// Namespace of `<urlset>` and `<sitemapindex>` (sitemaps.org protocol).
pub(super) const NAMESPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

/// How many pages are a sample.
const SAMPLE: usize = 64;

/// Maximum nesting of elements. A sitemap with every extension has four levels, and the reader
/// keeps the name of each open element.
pub(super) const MAX_DEPTH: usize = 64;

/// Maximum number of attributes of an element. roxmltree compares each with all others of its element.
const MAX_ATTRIBUTES: usize = 1_000;

/// The offset of the first tag with more attributes than any sitemap or feed has. A DTD may define more
/// elements in its quoted values.
pub(crate) fn crowded_tag(text: &str) -> Option<usize> {
    text.match_indices('<').map(|(at, _)| at).find(|&at| {
        let tag = &text.as_bytes()[at + 1..];
        let is_dtd = tag.starts_with(b"!") && !tag.starts_with(b"!--") && !tag.starts_with(b"![");
        let (mut quotes, mut open) = (0, None);
        for &byte in tag {
            match (byte, open) {
                (b'<', _) => break,
                (b'>', None) if !is_dtd => break,
                (b'"' | b'\'', _) if is_dtd => quotes += 1,
                (b'"' | b'\'', None) => (quotes, open) = (quotes + 1, Some(byte)),
                (_, Some(quote)) if byte == quote => (quotes, open) = (quotes + 1, None),
                _ => {}
            }
        }
        quotes > 2 * MAX_ATTRIBUTES
    })
}

/// Parses a whole text. A DTD, which XML allows, does not matter.
pub(crate) fn parse_document(text: &str) -> Result<Document<'_>, roxmltree::Error> {
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    Document::parse_with_options(text, options)
}

/// Appends text with `& ' " < >` as named entities (sitemaps.org protocol, "Entity escaping").
pub(super) fn push_escaped(text: &str, out: &mut String) {
    out.push_str(&escape(text));
}

/// Appends an element that contains only this text, escaped as by `push_escaped` and without the
/// characters that XML does not allow (XML 1.0 section 2.2).
pub(super) fn push_element(name: &str, text: &str, out: &mut String) {
    out.extend(["<", name, ">"]);
    for part in text.split(|letter| {
        matches!(
            letter,
            '\u{0}'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}'
        )
    }) {
        push_escaped(part, out);
    }
    out.extend(["</", name, ">"]);
}

/// A `<url>` or `<sitemap>` that was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListedEntry {
    /// Text of `<loc>`, trimmed.
    pub loc: String,
    /// Text of `<lastmod>`, trimmed; empty if there is none.
    pub lastmod: String,
    /// Bytes between the tags of `<loc>`, or the line of a text file, in the decompressed file.
    pub place: Place,
    /// Language and URL of each `<xhtml:link>`, as written.
    pub alternates: Vec<(String, String)>,
    /// Text of the `<image:loc>` in each `<image:image>`.
    pub images: Vec<String>,
    /// Whether waypost kept the links to language versions from a sitemap that it replaced.
    pub has_kept_links: bool,
    /// The parts that are not read.
    pub unread: UnreadContent,
}

/// How often content occurs that is not read, because no page states it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UnreadContent {
    /// `<priority>`.
    pub priorities: usize,
    /// `<changefreq>`.
    pub changefreqs: usize,
    /// Comments that waypost did not write.
    pub comments: usize,
    /// Other elements by their names: `video`, `news`.
    pub elements: BTreeMap<String, usize>,
}

impl UnreadContent {
    /// Adds the counts of other content.
    pub fn absorb(&mut self, other: &Self) {
        self.priorities += other.priorities;
        self.changefreqs += other.changefreqs;
        self.comments += other.comments;
        for (name, count) in &other.elements {
            *self.elements.entry(name.clone()).or_default() += count;
        }
    }
}

/// How much of each entry to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryExtent {
    /// The entries of an index only; reading stops at a list of pages.
    Index,
    /// The first pages only, which show where the site is.
    Sample,
    /// All entries.
    All,
}

/// Kind of a sitemap, by its root element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SitemapListing {
    /// `<urlset>`: pages.
    Pages,
    /// `<sitemapindex>`: sitemaps.
    Sitemaps,
}

/// Error that ends the reading of a sitemap early.
#[derive(Debug, Error)]
pub enum SitemapReadError {
    /// Reading the file or stream failed.
    #[error("{0}")]
    Input(#[from] io::Error),
    /// The XML is not well-formed.
    #[error("it is not well-formed: {0}")]
    Xml(String),
    /// An element is still open at the end of the input.
    #[error("it is cut short: an element is not closed")]
    CutShort,
    /// Elements are nested more deeply than in any sitemap.
    #[error("its elements are nested too deeply")]
    TooDeep,
    /// An element has more attributes than in any sitemap.
    #[error("an element has more than {MAX_ATTRIBUTES} attributes")]
    TooManyAttributes,
    /// The input is larger than a sitemap may be.
    #[error("it is too large for a sitemap")]
    TooLarge,
    /// A set of a server lists more pages than fit in memory.
    #[error("the set lists more URLs than can be compared")]
    TooManyPages,
}

/// Reads a sitemap or an index as a stream, and passes each entry to `visit` with the kind of file.
///
/// Ignores namespaces, prefixes and the order of elements. Entries passed before an error are
/// valid. `start` is the offset of the input in the file, and `head` gets what precedes the entries.
pub(super) fn read_listing(
    input: impl BufRead,
    start: u64,
    extent: EntryExtent,
    head: &mut FileHead,
    visit: &mut dyn FnMut(SitemapListing, &ListedEntry),
) -> Result<(), SitemapReadError> {
    let mut reader = Reader::from_reader(input);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    let mut state = ListingState::default();
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        let before = start + reader.buffer_position();
        match reader
            .read_event_into(&mut buffer)
            .map_err(|error| SitemapReadError::Xml(error.to_string()))?
        {
            Event::Start(_) if state.depth == MAX_DEPTH => return Err(SitemapReadError::TooDeep),
            Event::Start(tag) => {
                head.kind.record(state.depth, &tag);
                state.open(tag.local_name().as_ref());
                if extent == EntryExtent::Index && state.listing == Some(SitemapListing::Pages) {
                    return Ok(());
                }
                state.record_loc_start(start + reader.buffer_position());
                state.record_alternate(&tag, state.depth);
            }
            Event::Empty(tag) => {
                head.kind.record(state.depth, &tag);
                state.record_alternate(&tag, state.depth + 1);
                state.record_empty_image(tag.local_name().as_ref());
            }
            Event::End(_) => {
                state.close(before, visit);
                if extent == EntryExtent::Sample && state.pages == SAMPLE {
                    return Ok(());
                }
            }
            Event::Text(text) => state.text.push_str(&text),
            Event::CData(text) => state.text.push_str(&text),
            Event::GeneralRef(reference) => state.push_reference(&reference),
            Event::Comment(comment) if state.in_entry => state.record_comment(&comment),
            Event::Comment(comment) => head.record_comment(before, &comment),
            Event::Eof => break,
            _ => {}
        }
    }
    match state.depth {
        0 => Ok(()),
        _ => Err(SitemapReadError::CutShort),
    }
}

/// Whether the start tag at the beginning of a text has an attribute twice.
pub(crate) fn has_repeated_attribute(text: &str) -> bool {
    match Reader::from_str(text).read_event() {
        Ok(Event::Start(tag) | Event::Empty(tag)) => tag.attributes().any(|found| found.is_err()),
        _ => false,
    }
}

/// Position in the document: only the path root, entry, field matters.
#[derive(Default)]
struct ListingState {
    depth: usize,
    listing: Option<SitemapListing>,
    /// The number of pages so far.
    pages: usize,
    /// Whether the open element at depth 2 is an entry.
    in_entry: bool,
    field: Option<ListingField>,
    /// Whether a `<loc>` at depth 4 is open.
    in_loc: bool,
    text: String,
    entry: ListedEntry,
}

#[derive(Clone, Copy)]
enum ListingField {
    Loc,
    Lastmod,
    /// `<image:image>`: only the `<image:loc>` in it is read.
    Image,
}

impl ListingState {
    fn open(&mut self, name: &str) {
        self.depth += 1;
        match (self.depth, name) {
            (1, "urlset") => self.listing = Some(SitemapListing::Pages),
            (1, "sitemapindex") => self.listing = Some(SitemapListing::Sitemaps),
            (2, "url" | "sitemap") => self.in_entry = true,
            (3, "loc") => self.field = Some(ListingField::Loc),
            (3, "lastmod") => self.field = Some(ListingField::Lastmod),
            (3, "image") => self.field = Some(ListingField::Image),
            (3, "changefreq") => self.entry.unread.changefreqs += 1,
            (3, "priority") => self.entry.unread.priorities += 1,
            (3, "link") => {}
            (3, name) if self.in_entry => {
                *self
                    .entry
                    .unread
                    .elements
                    .entry(name.to_owned())
                    .or_default() += 1;
            }
            (4, "loc") => self.in_loc = true,
            _ => {}
        }
        self.text.clear();
    }

    /// Records a link to a language version, if the element is one.
    fn record_alternate(&mut self, tag: &BytesStart<'_>, depth: usize) {
        if depth != 3 || !self.in_entry || tag.local_name().as_ref() != "link" {
            return;
        }
        let (mut language, mut url) = (None, None);
        for attribute in tag.attributes().with_checks(false).flatten() {
            match attribute.key.as_ref() {
                "hreflang" => language = language.or(Some(attribute)),
                "href" => url = url.or(Some(attribute)),
                _ => {}
            }
        }
        if let (Some(language), Some(url)) = (language, url)
            && let (Ok(language), Ok(url)) = (unescape(&language.value), unescape(&url.value))
        {
            let version = (language.trim().to_owned(), url.trim().to_owned());
            self.entry.alternates.push(version);
        }
    }

    /// Records an image without a URL, if the empty element is its `<image:loc/>`.
    fn record_empty_image(&mut self, name: &str) {
        if let (3, "loc", Some(ListingField::Image)) = (self.depth, name, self.field) {
            self.entry.images.push(String::new());
        }
    }

    /// Records that waypost kept some content of the entry, or another comment in it.
    fn record_comment(&mut self, comment: &str) {
        match comment {
            KEPT_LINKS => self.entry.has_kept_links = true,
            _ => self.entry.unread.comments += 1,
        }
    }

    /// Records where the text of `<loc>` starts.
    fn record_loc_start(&mut self, at: u64) {
        if let Some(ListingField::Loc) = self.field {
            self.entry.place.start = to_offset(at);
        }
    }

    /// Closes the open element, whose end tag starts at offset `at`.
    fn close(&mut self, at: u64, visit: &mut dyn FnMut(SitemapListing, &ListedEntry)) {
        match self.depth {
            2 => {
                if let Some(listing) = self
                    .listing
                    .filter(|_| self.in_entry && !self.entry.loc.is_empty())
                {
                    visit(listing, &self.entry);
                    self.pages += usize::from(listing == SitemapListing::Pages);
                }
                self.in_entry = false;
                self.entry.clear();
            }
            3 => {
                let text = self.text.trim_ascii();
                let field = match self.field.take() {
                    Some(ListingField::Loc) => {
                        self.entry.place.end = to_offset(at);
                        &mut self.entry.loc
                    }
                    Some(ListingField::Lastmod) => &mut self.entry.lastmod,
                    Some(ListingField::Image) | None => &mut String::new(),
                };
                field.clear();
                field.push_str(text);
            }
            4 if self.in_loc => {
                self.in_loc = false;
                if let Some(ListingField::Image) = self.field {
                    let image = self.text.trim_ascii().to_owned();
                    self.entry.images.push(image);
                }
            }
            _ => {}
        }
        self.text.clear();
        self.depth = self.depth.saturating_sub(1);
    }

    fn push_reference(&mut self, reference: &BytesRef<'_>) {
        match reference.resolve_char_ref() {
            Ok(Some(character)) => self.text.push(character),
            Ok(None) => self
                .text
                .push_str(resolve_predefined_entity(reference).unwrap_or("\u{fffd}")),
            Err(_) => self.text.push('\u{fffd}'),
        }
    }
}

impl ListedEntry {
    /// Empties the entry, and keeps the memory of its texts.
    fn clear(&mut self) {
        let Self { loc, lastmod, .. } = std::mem::take(self);
        (self.loc, self.lastmod) = (loc, lastmod);
        self.loc.clear();
        self.lastmod.clear();
    }
}

#[cfg(test)]
mod tests;
