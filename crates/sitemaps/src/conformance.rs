//! Strict sitemap reader: reports violations of XML and of the protocol's schema, each with its
//! place.
//!
//! Readers tolerate different mistakes: one repairs what makes another drop the rest of the file.
//! This reader therefore tolerates none. It keeps at most one event in memory, and stops at the
//! first bytes that are not XML.

use std::collections::BTreeSet;
use std::io::{self, BufRead, Read};

use quick_xml::Reader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesStart, Event};

use super::gzip::decompressed;
use super::set::{MAX_BYTES, skip_to_content};
use super::xml::{MAX_DEPTH, NAMESPACE, SitemapReadError, to_offset};
use site_paths::finding::{Place, quoted};

/// Byte order mark of UTF-8.
const BYTE_ORDER_MARK: [u8; 3] = [0xef, 0xbb, 0xbf];

/// Number of flaws to report per file; the rest is counted.
const MAX_REPORTED: usize = 20;

/// Order of the elements in an entry (sitemaps.org schema: a sequence). Elements of other
/// namespaces come last.
const ORDER: [&str; 4] = ["loc", "lastmod", "changefreq", "priority"];

/// Kind of a flaw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SitemapFlawKind {
    /// Not well-formed XML, or not a sitemap; the rest of the file is not read.
    Malformed,
    /// The elements of an entry are not in the schema's order.
    Order,
    /// The root element is not in the protocol's namespace.
    Namespace,
    /// An entry does not have exactly one URL.
    NoLoc,
}

/// A violation of XML or of the sitemap protocol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SitemapFlaw {
    /// Kind of the flaw.
    pub kind: SitemapFlawKind,
    /// Place in the decompressed file.
    pub place: Place,
    /// Message for the user, shown after the file name.
    pub message: String,
}

/// Result of reading a sitemap strictly.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Conformance {
    /// The first flaws, in the order in which the reader detects them.
    pub flaws: Vec<SitemapFlaw>,
    /// Number of further flaws.
    pub unreported: usize,
    /// Size of the decompressed file.
    pub bytes: u64,
    /// Whether it is a text file, which cannot have such flaws.
    pub is_text: bool,
}

/// Reads a sitemap or an index strictly.
pub fn validate(input: impl Read) -> Result<Conformance, SitemapReadError> {
    let mut input = decompressed(input)?.take(MAX_BYTES);
    let mut found = Conformance::default();
    let text_start = skip_byte_order_mark(&mut input)?;
    let first = skip_to_content(&mut input)?;
    let start = MAX_BYTES - input.limit();
    if first == Some(b'<') {
        let mut strict = StrictReader::new(&mut found, text_start);
        let mut reader = Reader::from_reader(&mut input);
        reader.config_mut().check_comments = true;
        let mut buffer = Vec::new();
        while strict.read_next(&mut reader, start, &mut buffer) {
            buffer.clear();
        }
    } else {
        found.is_text = true;
    }
    io::copy(&mut input, &mut io::sink())?;
    found.bytes = MAX_BYTES - input.limit();
    if input.limit() == 0 {
        Err(SitemapReadError::TooLarge)
    } else {
        Ok(found)
    }
}

/// Skips a byte order mark, which may precede the XML declaration; returns its length.
fn skip_byte_order_mark(input: &mut impl BufRead) -> io::Result<u64> {
    // Byte by byte, because a buffer may end within the mark.
    for byte in BYTE_ORDER_MARK {
        if input.fill_buf()?.first() != Some(&byte) {
            return Ok(0);
        }
        input.consume(1);
    }
    Ok(BYTE_ORDER_MARK.len() as u64)
}

/// State of the strict reader.
struct StrictReader<'f> {
    found: &'f mut Conformance,
    /// Offset of the text, after a byte order mark.
    text_start: u64,
    reported_kinds: BTreeSet<SitemapFlawKind>,
    depth: usize,
    has_root: bool,
    entry: EntryState,
}

/// State of the open entry.
#[derive(Default)]
struct EntryState {
    start: u32,
    locs: usize,
    rank: usize,
    is_in_order: bool,
}

impl<'f> StrictReader<'f> {
    fn new(found: &'f mut Conformance, text_start: u64) -> Self {
        Self {
            found,
            text_start,
            reported_kinds: BTreeSet::new(),
            depth: 0,
            has_root: false,
            entry: EntryState::default(),
        }
    }

    /// Processes the next event; returns whether another may follow.
    fn read_next<R: BufRead>(
        &mut self,
        reader: &mut Reader<R>,
        start: u64,
        buffer: &mut Vec<u8>,
    ) -> bool {
        let from = start + reader.buffer_position();
        let event = match reader.read_event_into(buffer) {
            Ok(event) => event,
            Err(error) => {
                // The parser gives no position for text that it cannot decode.
                let at = (start + reader.error_position()).max(from);
                return self.malformed(at..at + 1, error.to_string());
            }
        };
        let here = from..start + reader.buffer_position();
        match event {
            Event::Decl(_) if from > self.text_start && !self.has_root => self.malformed(
                self.text_start..from,
                "the XML declaration is not at the start of the file".to_owned(),
            ),
            Event::Start(tag) => self.open(&tag, here),
            Event::Empty(tag) => {
                let go_on = self.open(&tag, here.clone());
                self.close(here);
                go_on
            }
            Event::End(_) => {
                self.close(here);
                true
            }
            Event::Text(text) => self.text(&text, here),
            Event::GeneralRef(reference) => match reference.resolve_char_ref() {
                Ok(None) if resolve_predefined_entity(&reference).is_some() => true,
                Ok(Some(_)) => true,
                _ => self.malformed(
                    here,
                    format!("`&{};` is not an XML entity", quoted(&reference)),
                ),
            },
            Event::Eof => {
                self.end(here.start);
                false
            }
            _ => true,
        }
    }

    fn open(&mut self, tag: &BytesStart<'_>, here: std::ops::Range<u64>) -> bool {
        self.depth += 1;
        let (name, place) = (
            tag.local_name(),
            Place {
                start: to_offset(here.start),
                end: to_offset(here.end),
            },
        );
        if let Some(error) = tag.attributes().find_map(Result::err) {
            return self.malformed(here, error.to_string());
        }
        match self.depth {
            1 if self.has_root => {
                return self.malformed(here, "it has more than one root element".to_owned());
            }
            1 => {
                self.has_root = true;
                return self.root(tag, here);
            }
            2 => {
                self.entry = EntryState {
                    start: place.start,
                    is_in_order: true,
                    ..EntryState::default()
                }
            }
            3 => self.field(name.as_ref(), place),
            MAX_DEPTH.. => {
                return self.malformed(here, "its elements are nested too deeply".to_owned());
            }
            _ => {}
        }
        true
    }

    fn root(&mut self, tag: &BytesStart<'_>, here: std::ops::Range<u64>) -> bool {
        let name = tag.local_name();
        if !matches!(name.as_ref(), "urlset" | "sitemapindex") {
            let message = format!(
                "its root element is `<{}>`, not `<urlset>` or `<sitemapindex>`",
                quoted(name.as_ref())
            );
            return self.malformed(here, message);
        }
        let qualified = tag.name();
        let prefix = qualified
            .as_ref()
            .split_once(':')
            .map(|(prefix, _)| format!("xmlns:{prefix}"));
        let declaration = prefix.as_deref().unwrap_or("xmlns");
        let mut attributes = tag.attributes().filter_map(Result::ok);
        let namespace = attributes.find(|attribute| attribute.key.as_ref() == declaration);
        if namespace.is_none_or(|attribute| &*attribute.value != NAMESPACE) {
            let place = Place {
                start: to_offset(here.start),
                end: to_offset(here.end),
            };
            self.report(
                SitemapFlawKind::Namespace,
                place,
                format!("its root element is not in the namespace `{NAMESPACE}`"),
            );
        }
        true
    }

    fn field(&mut self, name: &str, place: Place) {
        let rank = ORDER
            .iter()
            .position(|known| *known == name)
            .unwrap_or(ORDER.len());
        self.entry.locs += usize::from(rank == 0);
        if rank < self.entry.rank && self.entry.is_in_order {
            self.entry.is_in_order = false;
            let order = "`loc`, `lastmod`, `changefreq`, `priority`, then other namespaces";
            self.report(
                SitemapFlawKind::Order,
                place,
                format!("`<{name}>` is out of order; the schema requires {order}"),
            );
        }
        self.entry.rank = self.entry.rank.max(rank);
    }

    fn close(&mut self, here: std::ops::Range<u64>) {
        if self.depth == 2 && self.entry.locs != 1 {
            let place = Place {
                start: self.entry.start,
                end: to_offset(here.end),
            };
            let message = format!("an entry has {} `<loc>` elements, not one", self.entry.locs);
            self.report(SitemapFlawKind::NoLoc, place, message);
        }
        self.depth = self.depth.saturating_sub(1);
    }

    fn text(&mut self, text: &str, here: std::ops::Range<u64>) -> bool {
        let is_forbidden = |byte: &u8| matches!(byte, 0..=8 | 0x0b | 0x0c | 0x0e..=0x1f);
        if text.as_bytes().iter().any(is_forbidden) {
            return self.malformed(
                here,
                "it contains a control character, which XML does not allow".to_owned(),
            );
        }
        if self.depth == 0 && !text.trim().is_empty() {
            return self.malformed(here, "it has text outside its root element".to_owned());
        }
        true
    }

    fn end(&mut self, at: u64) {
        if self.depth > 0 {
            self.malformed(
                at.saturating_sub(1)..at,
                "it is cut short: an element is not closed".to_owned(),
            );
        } else if !self.has_root {
            self.malformed(0..at, "it has no root element".to_owned());
        }
    }

    /// Records bytes that are not XML; returns `false`, since nothing more can be read.
    fn malformed(&mut self, here: std::ops::Range<u64>, message: String) -> bool {
        let place = Place {
            start: to_offset(here.start),
            end: to_offset(here.end),
        };
        self.report(SitemapFlawKind::Malformed, place, message);
        false
    }

    fn report(&mut self, kind: SitemapFlawKind, place: Place, message: String) {
        // The first flaw of each kind is always reported.
        if self.reported_kinds.insert(kind) || self.found.flaws.len() < MAX_REPORTED {
            self.found.flaws.push(SitemapFlaw {
                kind,
                place,
                message,
            });
        } else {
            self.found.unreported += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn flaws(text: &str) -> Vec<(SitemapFlawKind, String)> {
        let found = validate(text.as_bytes()).expect("the input can be read");
        let quoted = |flaw: &SitemapFlaw| {
            text[flaw.place.start as usize..flaw.place.end as usize].to_owned()
        };
        found
            .flaws
            .iter()
            .map(|flaw| (flaw.kind, quoted(flaw)))
            .collect()
    }

    #[test]
    fn each_violation_is_reported_at_its_place() {
        let urlset = format!("<urlset xmlns=\"{NAMESPACE}\">");
        let check = |text: &str, expected: &[(SitemapFlawKind, &str)]| {
            let expected: Vec<_> = expected
                .iter()
                .map(|&(kind, quoted)| (kind, quoted.to_owned()))
                .collect();
            assert_eq!(flaws(text), expected, "{text}");
        };
        check(
            &format!("{urlset}<url><loc>a</loc><lastmod>b</lastmod></url></urlset>"),
            &[],
        );
        check(
            &format!(
                "\u{feff}<?xml version=\"1.0\"?>\n\
                 {urlset}<url><loc>&amp;&#65;</loc></url></urlset>\n"
            ),
            &[],
        );
        check(
            &format!(
                "<s:urlset xmlns:s=\"{NAMESPACE}\"><s:url><s:loc>a</s:loc></s:url></s:urlset>"
            ),
            &[],
        );
        check("https://example.com/\n", &[]);
        check(
            &format!("\n<?xml version=\"1.0\"?>{urlset}</urlset>"),
            &[(SitemapFlawKind::Malformed, "\n")],
        );
        check(
            &format!("   <?xml version=\"1.0\"?>{urlset}</urlset>"),
            &[(SitemapFlawKind::Malformed, "   ")],
        );
        check(
            &format!("\u{feff} <?xml version=\"1.0\"?>{urlset}</urlset>"),
            &[(SitemapFlawKind::Malformed, " ")],
        );
        check(
            "<urlset><url><loc>a</loc></url></urlset>",
            &[(SitemapFlawKind::Namespace, "<urlset>")],
        );
        check(
            "<html><p>x</p></html>",
            &[(SitemapFlawKind::Malformed, "<html>")],
        );
        check(
            &format!("{urlset}<url><lastmod>b</lastmod><loc>a</loc></url></urlset>"),
            &[(SitemapFlawKind::Order, "<loc>")],
        );
        check(
            &format!("{urlset}<url><priority>1</priority></url></urlset>"),
            &[(SitemapFlawKind::NoLoc, "<url><priority>1</priority></url>")],
        );
        check(
            &format!("{urlset}<url><loc>a&nbsp;b</loc></url></urlset>"),
            &[(SitemapFlawKind::Malformed, "&nbsp;")],
        );
        check(
            &format!("{urlset}<url><loc>a</loc></url>"),
            &[(SitemapFlawKind::Malformed, ">")],
        );
        let broken = |text: &str| {
            assert_eq!(
                flaws(text).last().map(|flaw| flaw.0),
                Some(SitemapFlawKind::Malformed),
                "{text}"
            );
        };
        broken(&format!("{urlset}<url><loc>?a&b</loc></url></urlset>"));
        broken(&format!("{urlset}<url><loc>a</url></loc></urlset>"));
        broken(&format!("{urlset}<url><loc>a\u{1}</loc></url></urlset>"));
        broken(&format!("{urlset}</urlset>{urlset}</urlset>"));
    }

    proptest! {
        #[test]
        fn no_input_makes_it_panic(text in "[<>/&;!?a-z\\[\\]= \"\n]{0,60}") {
            prop_assert!(validate(text.as_bytes()).is_ok());
            let within = format!("<urlset><url>{text}");
            prop_assert!(validate(within.as_bytes()).is_ok());
        }
    }
}
