//! Reads a page and decodes it to UTF-8 text.
//!
//! No other file of this crate reads the disk. UTF-8 pages are neither copied nor checked: invalid
//! bytes stay, and the code that takes text out replaces them. Offsets count a byte order mark.

use std::borrow::Cow;
use std::fs::File;
use std::io;

use encoding_rs::{REPLACEMENT, UTF_8};

use super::encoding::encoding_of;

/// Size limit of a page, in bytes. Google reads 15 MB of a page (developers.google.com, "Google's
/// crawlers").
pub(super) const LONGEST_PAGE: usize = 16 << 20;

/// The first read; nine of ten pages are not longer.
const FIRST_BLOCK: usize = 64 << 10;

/// How large a buffer remains after a huge page. Memory that is returned and requested for page after
/// page costs more than reading it.
pub(super) const KEPT_BUFFER: usize = 4 << 20;

/// Magic number of gzip. Some deployments compress pages in place, under their own name. Unlike other
/// binary data, such a file may be a page.
const GZIP: &[u8] = b"\x1f\x8b";

/// Reads a file from its start, whatever the position of its handle, up to a byte more than `limit`.
/// The buffer is used for file after file.
pub(super) fn read_bytes<'b>(
    file: &File,
    buffer: &'b mut Vec<u8>,
    limit: usize,
) -> io::Result<&'b [u8]> {
    buffer.truncate(KEPT_BUFFER);
    buffer.shrink_to(KEPT_BUFFER);
    let mut filled = 0;
    while filled <= limit {
        if filled == buffer.len() {
            buffer.resize((2 * filled).clamp(FIRST_BLOCK, limit + 1), 0);
        }
        match read_at(file, &mut buffer[filled..], filled as u64) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(&buffer[..filled])
}

#[cfg(unix)]
fn read_at(file: &File, block: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, block, offset)
}

#[cfg(not(unix))]
fn read_at(mut file: &File, block: &mut [u8], offset: u64) -> io::Result<usize> {
    use std::io::{Read, Seek, SeekFrom};
    file.seek(SeekFrom::Start(offset))?;
    file.read(block)
}

/// Decodes the bytes of a page.
pub(super) fn decode(bytes: &[u8]) -> io::Result<Cow<'_, [u8]>> {
    if bytes.starts_with(GZIP) {
        return Err(io::Error::other("it is compressed with gzip"));
    }
    let encoding = encoding_of(bytes);
    if encoding == REPLACEMENT {
        let why = "it declares an encoding that browsers do not support";
        return Err(io::Error::other(why));
    }
    if encoding == UTF_8 {
        return Ok(Cow::Borrowed(bytes));
    }
    let (text, _) = encoding.decode_without_bom_handling(bytes);
    Ok(Cow::Owned(text.into_owned().into_bytes()))
}

/// Returns the text of a page in a file; what is longer than a page may be is cut off.
pub(super) fn page_text(page: &File) -> io::Result<Vec<u8>> {
    text_within(page, LONGEST_PAGE)
}

/// Returns the text of a page in a file, up to about this number of bytes.
pub(super) fn text_within(page: &File, limit: usize) -> io::Result<Vec<u8>> {
    let mut buffer = Vec::new();
    let bytes = read_bytes(page, &mut buffer, limit)?;
    Ok(decode(bytes)?.into_owned())
}
