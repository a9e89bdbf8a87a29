//! Detects the character encoding of a page from its first bytes, like a browser without a header.
//!
//! Checks for a byte order mark and a `<meta>` in the first 1,024 bytes. A page without either is
//! UTF-8. Source: HTML standard, 13.2.3.2 "Determining the character encoding".

use super::attributes::Tag;
use super::html_token::{HtmlToken, ListenerNext, TokenListener};
use super::ordinary_markup;
use super::statements::MetaAttributes;
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use std::ops::Range;

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
    fn on_token(&mut self, token: HtmlToken<'_>, _: Range<usize>) -> ListenerNext {
        if let HtmlToken::Start(tag) = token
            && tag.is("meta")
        {
            self.0 = declared_by(tag);
        }
        if self.0.is_some() {
            ListenerNext::Stop
        } else {
            ListenerNext::Continue
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
