//! Parses the lines of a robots.txt into fields and values with their places. The names of fields are
//! recognized as Google's parser does.

use std::ops::Range;

/// The UTF-8 byte-order mark, which some editors write and readers skip.
const BOM: &[u8] = b"\xef\xbb\xbf";

/// Splits off a leading byte-order mark; the first part is empty if there is none.
pub(super) fn split_bom(bytes: &[u8]) -> (&[u8], &[u8]) {
    bytes.split_at(if bytes.starts_with(BOM) { BOM.len() } else { 0 })
}

/// A line of the form `field: value`.
#[derive(Debug, Clone)]
pub(super) struct RobotsRecord<'b> {
    /// The text before the colon, trimmed.
    pub(super) field: &'b [u8],
    /// The text after the colon, trimmed, without a comment.
    pub(super) value: &'b [u8],
    /// Whether a colon or only a blank separates them.
    pub(super) separator: Separator,
    /// The line number, from 1.
    pub(super) line: usize,
    /// The bytes from the field to the end of the value.
    pub(super) place: Range<usize>,
    /// The bytes of the whole line, including its line break.
    pub(super) whole: Range<usize>,
}

/// What separates a field from its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Separator {
    Colon,
    /// Google accepts blanks if they separate exactly two words.
    Blanks,
}

/// All records of a file, in order. A line ends at CR, LF or CRLF; `#` starts a comment; a leading
/// BOM is skipped.
pub(super) fn records(bytes: &[u8]) -> impl Iterator<Item = RobotsRecord<'_>> {
    let (bom, _) = split_bom(bytes);
    lines(bytes, bom.len())
        .zip(1..)
        .filter_map(|(whole, line)| record(bytes, whole, line))
}

/// The byte range of each line, including its line break.
fn lines(bytes: &[u8], start: usize) -> impl Iterator<Item = Range<usize>> {
    let mut next = start;
    std::iter::from_fn(move || {
        let start = next;
        let rest = bytes.get(start..).filter(|rest| !rest.is_empty())?;
        next += match memchr::memchr2(b'\r', b'\n', rest) {
            Some(at) => at + line_end(&rest[at..]).len(),
            None => rest.len(),
        };
        Some(start..next)
    })
}

/// The line break at the start of the bytes: CRLF, CR, LF or nothing.
pub(super) fn line_end(bytes: &[u8]) -> &'static [u8] {
    match bytes {
        [b'\r', b'\n', ..] => b"\r\n",
        [b'\r', ..] => b"\r",
        [b'\n', ..] => b"\n",
        _ => b"",
    }
}

fn record(bytes: &[u8], whole: Range<usize>, line: usize) -> Option<RobotsRecord<'_>> {
    let text = &bytes[whole.clone()];
    let text = &text[..memchr::memchr(b'#', text).unwrap_or(text.len())];
    let start = whole.start + text.len() - text.trim_ascii_start().len();
    let end = whole.start + text.trim_ascii_end().len();
    let (separator, field, value) = fields(text.trim_ascii())?;
    Some(RobotsRecord {
        field,
        value,
        separator,
        line,
        place: start..end,
        whole,
    })
}

/// Splits a line at its first colon, or else two words at the blanks between them.
fn fields(text: &[u8]) -> Option<(Separator, &[u8], &[u8])> {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    if let Some(colon) = memchr::memchr(b':', text) {
        let (field, value) = (&text[..colon], &text[colon + 1..]);
        return Some((Separator::Colon, field.trim_ascii(), value.trim_ascii()));
    }
    let (field, rest) = text.split_at(text.iter().position(is_blank)?);
    let value = rest.trim_ascii();
    (!value.iter().any(is_blank)).then_some((Separator::Blanks, field, value))
}

/// A field that crawlers know. Of two rules of equal length, `Allow` comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum RobotsField {
    UserAgent,
    Allow,
    Disallow,
    Sitemap,
}

/// The spellings that Google accepts at the start of a field, in the order of its parser, which is
/// that of the fields; the first of each field is the right one (`robots.cc` of google/robotstxt).
const SPELLINGS: &[(RobotsField, &[&str])] = &[
    (
        RobotsField::UserAgent,
        &["User-agent", "useragent", "user agent"],
    ),
    (RobotsField::Allow, &["Allow"]),
    (
        RobotsField::Disallow,
        &[
            "Disallow",
            "dissallow",
            "dissalow",
            "disalow",
            "diasllow",
            "disallaw",
        ],
    ),
    (RobotsField::Sitemap, &["Sitemap", "site-map"]),
];

impl RobotsField {
    /// The field that begins with one of the accepted spellings, ignoring case.
    pub(super) fn parse(written: &[u8]) -> Option<Self> {
        for (field, spellings) in SPELLINGS {
            for spelling in *spellings {
                let start = written.get(..spelling.len());
                if start.is_some_and(|start| start.eq_ignore_ascii_case(spelling.as_bytes())) {
                    return Some(*field);
                }
            }
        }
        None
    }

    /// Its right spelling.
    pub(super) fn name(self) -> &'static str {
        SPELLINGS[self as usize].1[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_parsed_with_any_line_break() {
        let check = |bytes: &[u8], expected: &[(&str, &str, usize, Range<usize>)]| {
            let text = |bytes| std::str::from_utf8(bytes).expect("ASCII");
            let found: Vec<_> = records(bytes)
                .map(|record| {
                    (
                        text(record.field),
                        text(record.value),
                        record.line,
                        record.place,
                    )
                })
                .collect();
            assert_eq!(found, expected, "{}", bytes.escape_ascii());
        };
        check(
            b"A: 1\nB:2\r\nC :\t3\rD: 4",
            &[
                ("A", "1", 1, 0..4),
                ("B", "2", 2, 5..8),
                ("C", "3", 3, 10..15),
                ("D", "4", 4, 16..20),
            ],
        );
        check(
            b"\xef\xbb\xbfA: 1\n\n\nB: 2",
            &[("A", "1", 1, 3..7), ("B", "2", 4, 10..14)],
        );
        check(
            b"# A: 1\n  A: /x#y: 2  # z\nis no record\nword\n",
            &[("A", "/x", 2, 9..14)],
        );
        check(b"A \t1 # x", &[("A", "1", 1, 0..4)]);
        check(b"A:", &[("A", "", 1, 0..2)]);
        check(b":", &[("", "", 1, 0..1)]);
        check(b"", &[]);
    }
}
