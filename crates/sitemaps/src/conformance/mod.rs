//! Strict sitemap reader: reports violations of XML, of namespaces and of the schemas, each with its
//! place.
//!
//! Readers tolerate different mistakes: one repairs what makes another drop the rest of the file.
//! This reader therefore tolerates none. It keeps at most one event in memory, and stops at the
//! first bytes that are not XML. `tests/slow/schemas.py` compares it with a schema validator.

mod flaw_list;
mod namespaces;
mod open_element;
mod schema;
mod strict_lines;
mod strict_reader;
mod value_rule;

#[cfg(test)]
mod tests;

use std::io::{self, BufRead, Read};

use super::gzip::decompressed;
use super::set::{MAX_BYTES, skip_to_content};
use super::xml::SitemapReadError;

pub use flaw_list::{SitemapFlaw, SitemapFlawKind};

use flaw_list::FlawList;
use strict_lines::check_lines;
use strict_reader::StrictReader;

/// Byte order mark of UTF-8.
const BYTE_ORDER_MARK: [u8; 3] = [0xef, 0xbb, 0xbf];

/// Result of reading a sitemap strictly.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Conformance {
    /// The first flaws, in the order in which the reader detects them.
    pub flaws: Vec<SitemapFlaw>,
    /// Number of further flaws.
    pub unreported: usize,
    /// Size of the decompressed file.
    pub bytes: u64,
    /// Whether it is a text file: one URL per line.
    pub is_text: bool,
}

impl Conformance {
    /// Whether the file is not UTF-8.
    pub fn is_of_other_encoding(&self) -> bool {
        let mut flaws = self.flaws.iter();
        flaws.any(|flaw| flaw.kind == SitemapFlawKind::Encoding)
    }
}

/// Reads a sitemap or an index strictly.
pub fn validate(input: impl Read) -> Result<Conformance, SitemapReadError> {
    let mut input = decompressed(input)?.take(MAX_BYTES);
    let mut flaws = FlawList::default();
    let mut is_text = false;
    if let Some(encoding) = wide_encoding(&mut input)? {
        flaws.report(
            SitemapFlawKind::Encoding,
            0..2,
            format!("it is {encoding}, but the protocol requires UTF-8"),
        );
    } else {
        let text_start = skip_byte_order_mark(&mut input)?;
        let first = skip_to_content(&mut input)?;
        let start = MAX_BYTES - input.limit();
        if first == Some(b'<') {
            StrictReader::new(&mut flaws, text_start).read_all(&mut input, start);
        } else {
            is_text = true;
            check_lines(&mut input, start, &mut flaws)?;
        }
    }
    io::copy(&mut input, &mut io::sink())?;
    if input.limit() == 0 {
        return Err(SitemapReadError::TooLarge);
    }
    Ok(Conformance {
        flaws: flaws.first,
        unreported: flaws.unreported,
        bytes: MAX_BYTES - input.limit(),
        is_text,
    })
}

/// The name of an encoding with two bytes per letter, by its byte order mark or its first letter.
fn wide_encoding(input: &mut impl BufRead) -> io::Result<Option<&'static str>> {
    Ok(match *input.fill_buf()? {
        [0xff, 0xfe, ..] | [b'<', 0, ..] | [0xfe, 0xff, ..] | [0, b'<', ..] => Some("UTF-16"),
        _ => None,
    })
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
