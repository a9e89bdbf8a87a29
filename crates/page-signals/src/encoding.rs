//! Detects the character encoding of a page from its first bytes, like a browser without a header.
//!
//! Checks for a byte order mark, an XML declaration and a `<meta>` in the first 1,024 bytes. A page
//! without any of them is UTF-8. Source: HTML standard, 13.2.3.2 "Determining the character
//! encoding".

use super::attributes::{Tag, is_space};
use super::statements::MetaAttributes;
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use memchr::memmem;

/// Number of bytes that a browser searches for a `<meta>` with the encoding.
const SEARCHED: usize = 1024;

/// Detects the encoding of a page that starts with these bytes.
pub(super) fn encoding_of(start: &[u8]) -> &'static Encoding {
    if let Some((encoding, _)) = Encoding::for_bom(start) {
        return encoding;
    }
    let start = &start[..start.len().min(SEARCHED)];
    if start.starts_with(b"<\0?\0x\0") {
        return UTF_16LE;
    }
    if start.starts_with(b"\0<\0?\0x") {
        return UTF_16BE;
    }
    declared_in_meta(start)
        .or_else(|| declared_in_xml(start))
        .unwrap_or(UTF_8)
}

/// The standard's "prescan a byte stream to determine its encoding".
fn declared_in_meta(start: &[u8]) -> Option<&'static Encoding> {
    let mut from = 0;
    while let Some(at) = memchr::memchr(b'<', &start[from..]) {
        let rest = &start[from + at..];
        let length = if rest.starts_with(b"<!--") {
            // `<!-->` is a whole comment.
            memmem::find(&rest[2..], b"-->").map(|end| end + 5)?
        } else if rest.starts_with(b"<!") || rest.starts_with(b"<?") {
            memchr::memchr(b'>', rest)? + 1
        } else if is_tag(rest) {
            let tag = Tag::at(rest);
            let length = tag.length(rest)?;
            let is_meta = !rest.starts_with(b"</") && tag.is("meta");
            if is_meta && let Some(encoding) = declared_by(tag) {
                return Some(encoding);
            }
            length
        } else if rest.starts_with(b"</") {
            memchr::memchr(b'>', rest)? + 1
        } else {
            1
        };
        from += at + length;
    }
    None
}

fn is_tag(rest: &[u8]) -> bool {
    let name = rest
        .strip_prefix(b"</")
        .or(rest.strip_prefix(b"<"))
        .unwrap_or_default();
    name.first().is_some_and(u8::is_ascii_alphabetic)
}

/// Encoding in a `<meta>`: `charset=…`, or `http-equiv=content-type` with `content="…charset=…"`.
fn declared_by(meta: Tag<'_>) -> Option<&'static Encoding> {
    let meta = MetaAttributes::of(meta);
    let encoding = match (meta.charset, meta.http_equiv) {
        (Some(label), _) => of_label(label.value().as_bytes())?,
        (None, Some(name)) if name.value().eq_ignore_ascii_case("content-type") => {
            in_content(&meta.content?.value())?
        }
        _ => return None,
    };
    Some(as_read_from_markup(encoding))
}

/// The standard's "extracting a character encoding from a meta element".
fn in_content(content: &str) -> Option<&'static Encoding> {
    let lower = content.to_ascii_lowercase();
    let mut rest = lower.as_str();
    loop {
        rest = rest
            .split_once("charset")?
            .1
            .trim_start_matches(|letter: char| letter.is_ascii_whitespace());
        if let Some(value) = rest.strip_prefix('=') {
            let value = value.trim_start_matches(|letter: char| letter.is_ascii_whitespace());
            let label = match value.chars().next()? {
                quote @ ('"' | '\'') => value[1..].split_once(quote)?.0,
                _ => value
                    .split(|letter: char| letter == ';' || letter.is_ascii_whitespace())
                    .next()?,
            };
            return of_label(label.as_bytes());
        }
    }
}

fn of_label(label: &[u8]) -> Option<&'static Encoding> {
    // The table of labels takes several hundred instructions.
    if label.eq_ignore_ascii_case(b"utf-8") {
        return Some(UTF_8);
    }
    Encoding::for_label(label)
}

/// The standard's "get an XML encoding": `<?xml version="1.0" encoding="…"?>`.
fn declared_in_xml(start: &[u8]) -> Option<&'static Encoding> {
    let declaration =
        &start[..memchr::memchr(b'>', start.strip_prefix(b"<?xml").and(Some(start))?)?];
    let after = &declaration[memmem::find(declaration, b"encoding")? + "encoding".len()..];
    let value = after
        .trim_ascii_start()
        .strip_prefix(b"=")?
        .trim_ascii_start();
    let (quote, value) = value.split_first()?;
    if !matches!(quote, b'"' | b'\'') {
        return None;
    }
    let label = &value[..memchr::memchr(*quote, value)?];
    if label.iter().any(|&byte| is_space(byte)) {
        return None;
    }
    Encoding::for_label(label).map(as_read_from_markup)
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
        check(b"<\0?\0x\0m\0l\0", "UTF-16LE");
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
        check(b"<!--><meta charset=koi8-r>-->", "KOI8-R");
        check(
            b"<meta http-equiv=Content-Type content='text/html; charset=euc-kr'>",
            "EUC-KR",
        );
        check(
            b"<meta http-equiv=Content-Type content='charset charset = \"big5\"'>",
            "Big5",
        );
        check(
            b"<meta name=x content='text/html; charset=euc-kr'>",
            "UTF-8",
        );
        check(
            b"<?xml version='1.0' encoding='iso-8859-15'?><html>",
            "ISO-8859-15",
        );
        check(
            b"<?xml version='1.0' encoding='iso-8859-15'?><meta charset=koi8-r>",
            "KOI8-R",
        );
        check(b"<?xml version='1.0' encoding='utf-16'?>", "UTF-8");
    }

    #[test]
    fn only_the_first_1024_bytes_are_searched() {
        let page =
            |padding: usize| [vec![b' '; padding], b"<meta charset=koi8-r>".to_vec()].concat();
        assert_eq!(encoding_of(&page(1003)).name(), "KOI8-R");
        assert_eq!(encoding_of(&page(1004)).name(), "UTF-8");
    }
}
