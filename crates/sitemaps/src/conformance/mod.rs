//! Strict sitemap reader: reports violations of XML, of namespaces and of the schemas, each with its
//! place.
//!
//! Readers tolerate different mistakes: one repairs what makes another drop the rest of the file.
//! This reader therefore tolerates none. A file that is not well-formed has one flaw.
//! `tests/slow/schemas.py` compares it with a schema validator.

mod document;
mod flaws;
mod schema;
mod value_rule;

#[cfg(test)]
mod tests;

use std::io::Read;

use super::gzip::{MAGIC, read_whole};
use super::reader::MAX_BYTES;
use super::xml::SitemapReadError;
use crate::site_paths::quoted;

pub use flaws::{Conformance, SitemapFlaw, SitemapFlawKind};
pub use value_rule::is_full_url;

use document::check_document;
use flaws::MAX_SHOWN;

/// Reads a sitemap or an index strictly.
pub fn validate(input: impl Read) -> Result<Conformance, SitemapReadError> {
    let bytes = read_whole(input, MAX_BYTES - 1)?;
    let mut found = Conformance {
        bytes: bytes.len() as u64,
        ..Conformance::default()
    };
    check_text(&bytes, &mut found);
    Ok(found)
}

/// Checks the whole text of a file.
fn check_text(bytes: &[u8], found: &mut Conformance) {
    // A text with two bytes per letter, by its byte order mark or its first letter.
    if let [0xff, 0xfe, ..] | [b'<', 0, ..] | [0xfe, 0xff, ..] | [0, b'<', ..] = bytes {
        let message = "it is UTF-16, but the protocol requires UTF-8".to_owned();
        return found.report(SitemapFlawKind::Malformed, 0..2, message);
    }
    if bytes.starts_with(&MAGIC) {
        let message = "it is compressed twice".to_owned();
        return found.report(SitemapFlawKind::Malformed, 0..2, message);
    }
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let at = error.valid_up_to();
            found.is_text = !bytes.trim_ascii_start().starts_with(b"<");
            let message = "it is not UTF-8, which the protocol requires".to_owned();
            return found.report(SitemapFlawKind::Malformed, at..at + 1, message);
        }
    };
    let bare = text.strip_prefix('\u{feff}').unwrap_or(text);
    let start = text.len() - bare.len();
    // Of XML with other text before it, the text is what is wrong.
    found.is_text = !bare.trim_start().starts_with('<') && !bare.contains("<?xml");
    if found.is_text {
        check_lines(bare, start, found);
    } else {
        check_document(bare, start, found);
    }
}

/// Reports each line of a text sitemap that is not a URL: it has one URL per line, and nothing else
/// (sitemaps.org protocol, "Text file"). `start` is the offset of the text in the file.
fn check_lines(text: &str, start: usize, found: &mut Conformance) {
    let mut from = start;
    for line in text.split_inclusive('\n') {
        let wrong = line.split('\r').map(str::trim).find(|part| !is_line(part));
        if let Some(part) = wrong {
            let shown: String = part.chars().take(MAX_SHOWN).collect();
            let shown = quoted(&shown);
            let message = format!("the line `{shown}` is not an absolute http or https URL");
            found.report(SitemapFlawKind::Line, from..from + line.len(), message);
        }
        from += line.len();
    }
}

/// Whether a line is empty or a URL.
fn is_line(text: &str) -> bool {
    let rest = text
        .strip_prefix("http://")
        .or_else(|| text.strip_prefix("https://"));
    text.is_empty()
        || rest.is_some_and(|rest| !rest.is_empty() && !rest.contains(char::is_whitespace))
}
