//! Reads one file of a set as a stream: XML or text, compressed or not, whichever tool wrote it.
//!
//! This reader is tolerant; `conformance` is the strict one. It only opens files of a directory
//! that it is given.

use std::io::{self, BufRead, Read};

use crate::file_kind::SitemapFileKind;
use crate::gzip::decompressed;
use crate::mark::FileHead;
use crate::place::Place;
use crate::xml::{EntryExtent, ListedEntry, SitemapListing, SitemapReadError, read_listing};

/// Maximum number of bytes to read. A sitemap has at most 50 MiB (sitemaps.org protocol); the limit
/// tolerates somewhat more, but not a decompression bomb.
pub const MAX_BYTES: u64 = 64 << 20;

/// Reads a sitemap, index or text file from any input, compressed or not, and passes each entry to
/// `visit` as it is read.
///
/// Entries passed before an error are valid.
pub fn read_sitemap(
    input: impl Read,
    visit: &mut dyn FnMut(SitemapListing, &ListedEntry),
) -> Result<(), SitemapReadError> {
    read_any(input, EntryExtent::All, visit).1
}

/// Reads one file; returns its head, which is known even if the file is damaged later, and the error
/// that ended the reading.
pub fn read_any(
    input: impl Read,
    extent: EntryExtent,
    visit: &mut dyn FnMut(SitemapListing, &ListedEntry),
) -> (FileHead, Result<(), SitemapReadError>) {
    let mut head = FileHead::default();
    let read = || {
        let mut input = decompressed(input)?.take(MAX_BYTES);
        let first = skip_to_content(&mut input)?;
        let start = MAX_BYTES - input.limit();
        if first == Some(b'<') {
            read_listing(&mut input, start, extent, &mut head, visit)?;
        } else {
            head.kind = SitemapFileKind::Text;
            if extent != EntryExtent::Index {
                read_lines(&mut input, start, visit)?;
            }
        }
        if input.limit() == 0 {
            return Err(SitemapReadError::TooLarge);
        }
        Ok(())
    };
    let result = read();
    (head, result)
}

/// Skips a byte order mark and whitespace; returns the next byte, if any.
pub(crate) fn skip_to_content(input: &mut impl BufRead) -> io::Result<Option<u8>> {
    loop {
        // Byte by byte, because a buffer may end within the mark.
        match input.fill_buf()?.first() {
            Some(0xef | 0xbb | 0xbf | b' ' | b'\t' | b'\r' | b'\n') => input.consume(1),
            first => return Ok(first.copied()),
        }
    }
}

/// Reads a text sitemap; skips lines that are not URLs.
fn read_lines(
    input: &mut impl BufRead,
    start: u64,
    visit: &mut dyn FnMut(SitemapListing, &ListedEntry),
) -> io::Result<()> {
    let mut line = Vec::new();
    let mut listed = ListedEntry::default();
    let mut end = usize::try_from(start).unwrap_or(usize::MAX);
    while input.read_until(b'\n', &mut line)? > 0 {
        let text = String::from_utf8_lossy(&line);
        listed.place = Place::of(end..end + line.len());
        end += line.len();
        for url in text
            .split('\r')
            .map(str::trim)
            .filter(|url| url.starts_with("http"))
        {
            url.clone_into(&mut listed.loc);
            visit(SitemapListing::Pages, &listed);
        }
        line.clear();
    }
    Ok(())
}
