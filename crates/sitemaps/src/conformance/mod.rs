//! Strict sitemap reader: reports violations of XML, of namespaces and of the schemas, each with its
//! place.
//!
//! Readers tolerate different mistakes: one repairs what makes another drop the rest of the file.
//! This reader therefore tolerates none. A file that is not well-formed has one flaw.
//! `tests/slow/schemas.py` compares it with a schema validator.

mod document;
mod flaw_list;
mod schema;
mod strict_lines;
mod value_rule;

#[cfg(test)]
mod tests;

use std::io::Read;

use super::gzip::decompressed;
use super::set::MAX_BYTES;
use super::xml::SitemapReadError;

pub use flaw_list::{SitemapFlaw, SitemapFlawKind};
pub use value_rule::is_full_url;

use document::check_document;
use flaw_list::FlawList;
use strict_lines::check_lines;

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

/// Reads a sitemap or an index strictly.
pub fn validate(input: impl Read) -> Result<Conformance, SitemapReadError> {
    let mut bytes = Vec::new();
    let read = decompressed(input)?
        .take(MAX_BYTES)
        .read_to_end(&mut bytes)?;
    if read as u64 == MAX_BYTES {
        return Err(SitemapReadError::TooLarge);
    }
    let mut flaws = FlawList::default();
    let is_text = check_text(&bytes, &mut flaws);
    Ok(Conformance {
        flaws: flaws.first,
        unreported: flaws.unreported,
        bytes: read as u64,
        is_text,
    })
}

/// Checks the whole text of a file; returns whether it is a text file.
fn check_text(bytes: &[u8], flaws: &mut FlawList) -> bool {
    // A text with two bytes per letter, by its byte order mark or its first letter.
    if let [0xff, 0xfe, ..] | [b'<', 0, ..] | [0xfe, 0xff, ..] | [0, b'<', ..] = bytes {
        let message = "it is UTF-16, but the protocol requires UTF-8".to_owned();
        flaws.report(SitemapFlawKind::Malformed, 0..2, message);
        return false;
    }
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let at = error.valid_up_to() as u64;
            let message = "it is not UTF-8, which the protocol requires".to_owned();
            flaws.report(SitemapFlawKind::Malformed, at..at + 1, message);
            return !bytes.trim_ascii_start().starts_with(b"<");
        }
    };
    let bare = text.strip_prefix('\u{feff}').unwrap_or(text);
    let start = text.len() - bare.len();
    let is_text = !bare.trim_start().starts_with('<');
    if is_text {
        check_lines(bare, start, flaws);
    } else {
        check_document(bare, start, flaws);
    }
    is_text
}
