//! Reads a page and decodes it to UTF-8 text.
//!
//! No other file of this crate reads the disk. UTF-8 pages are neither copied nor checked: invalid
//! bytes stay, and the code that takes text out replaces them. Offsets count a byte order mark.
//!
//! The encoding is that of a browser without a header: a byte order mark or a `<meta>` in the first 1,024
//! bytes states it, and a page without either is UTF-8. Source: HTML standard, 13.2.3.2 "Determining the
//! character encoding".

use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::ops::{ControlFlow, Range};

use encoding_rs::{Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

use super::attributes::Tag;
use super::html_token::{HtmlToken, TokenListener};
use super::ordinary_markup;
use super::statements::MetaAttributes;

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

/// Number of bytes that a browser searches for a `<meta>` with the encoding.
const SEARCHED: usize = 1024;

/// Detects the encoding of a page that starts with these bytes.
pub(super) fn encoding_of(start: &[u8]) -> &'static Encoding {
    if let Some((encoding, _)) = Encoding::for_bom(start) {
        return encoding;
    }
    let mut declared = DeclaredEncoding(None);
    ordinary_markup::tokenize(&start[..start.len().min(SEARCHED)], &mut declared);
    declared.0.unwrap_or(UTF_8)
}

/// Listener for the first `<meta>` with an encoding.
struct DeclaredEncoding(Option<&'static Encoding>);

impl TokenListener for DeclaredEncoding {
    fn on_token(&mut self, token: HtmlToken<'_>, _: Range<usize>) -> ControlFlow<()> {
        if let HtmlToken::Start(tag) = token
            && tag.is("meta")
        {
            self.0 = declared_by(tag);
        }
        if self.0.is_some() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// Encoding in a `<meta>`: `charset=…`, or `http-equiv=content-type` with `content="…charset=…"`.
fn declared_by(meta: Tag<'_>) -> Option<&'static Encoding> {
    let meta = MetaAttributes::of(meta);
    let encoding = match (meta.charset, meta.http_equiv) {
        (Some(label), _) => Encoding::for_label(label.as_bytes())?,
        (None, Some(name)) if name.eq_ignore_ascii_case("content-type") => {
            in_content(&meta.content?.value())?
        }
        _ => return None,
    };
    Some(as_read_from_markup(encoding))
}

/// The encoding in `text/html; charset=…`.
fn in_content(content: &str) -> Option<&'static Encoding> {
    let lower = content.to_ascii_lowercase();
    let (_, rest) = lower.split_once("charset=")?;
    let label = rest.split([';', ' ']).next().unwrap_or(rest);
    Encoding::for_label(label.trim_matches(['"', '\'']).as_bytes())
}

/// Maps UTF-16 to UTF-8, as a page whose declaration could be read as ASCII is not UTF-16, and
/// x-user-defined to windows-1252, as the standard's prescan does.
fn as_read_from_markup(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == UTF_16LE || encoding == UTF_16BE {
        UTF_8
    } else if encoding == X_USER_DEFINED {
        WINDOWS_1252
    } else {
        encoding
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_encoding_is_detected_as_in_a_browser() {
        let check = |start: &[u8], expected: &str| {
            assert_eq!(
                encoding_of(start).name(),
                expected,
                "{}",
                String::from_utf8_lossy(start)
            );
        };
        check(b"", "UTF-8");
        check(b"<p>x", "UTF-8");
        check(b"\xef\xbb\xbf<meta charset=iso-8859-1>", "UTF-8");
        check(b"\xff\xfe<\0", "UTF-16LE");
        check(b"\xfe\xff\0<", "UTF-16BE");
        check(b"<!DOCTYPE html><meta charset=iso-8859-1>", "windows-1252");
        check(b"<META CHARSET='Shift_JIS'>", "Shift_JIS");
        check(b"<meta charset=utf-16>", "UTF-8");
        check(b"<meta charset=x-user-defined>", "windows-1252");
        check(b"<meta charset=iso-2022-jp>", "ISO-2022-JP");
        check(b"<meta charset=nonsense><meta charset=koi8-r>", "KOI8-R");
        check(b"<meta charset=koi8-r", "UTF-8");
        check(
            b"<!-- <meta charset=koi8-r> --><p title='<meta charset=koi8-r>'>",
            "UTF-8",
        );
        check(
            b"<meta http-equiv=Content-Type content='text/html; charset=euc-kr'>",
            "EUC-KR",
        );
        check(
            b"<meta name=x content='text/html; charset=euc-kr'>",
            "UTF-8",
        );
        check(
            b"<?xml version='1.0' encoding='iso-8859-15'?><meta charset=koi8-r>",
            "KOI8-R",
        );
    }

    #[test]
    fn only_the_first_1024_bytes_are_searched() {
        let page =
            |padding: usize| [vec![b' '; padding], b"<meta charset=koi8-r>".to_vec()].concat();
        assert_eq!(encoding_of(&page(1003)).name(), "KOI8-R");
        assert_eq!(encoding_of(&page(1004)).name(), "UTF-8");
    }
}
