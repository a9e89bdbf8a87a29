//! Percent-encodes and decodes paths by RFC 3986.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode, percent_encode};

/// Everything but unreserved characters (RFC 3986 section 2.3): those never need encoding, and the
/// URL is the same with and without it.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// Everything that is not allowed unencoded in a path segment (RFC 3986 section 3.3), except the
/// `/` between segments.
const OUTSIDE_PATH: &AsciiSet = &RESERVED
    .remove(b'!')
    .remove(b'$')
    .remove(b'&')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b'+')
    .remove(b',')
    .remove(b';')
    .remove(b'=')
    .remove(b':')
    .remove(b'@')
    .remove(b'/');

/// Everything that is not allowed unencoded in a query (RFC 3986 section 3.4).
const OUTSIDE_QUERY: &AsciiSet = &OUTSIDE_PATH.remove(b'?');

/// Everything that JavaScript's `encodeURIComponent` encodes, except the `/` between segments.
const OUTSIDE_SEGMENT: &AsciiSet = &RESERVED
    .remove(b'!')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b'/');

/// The part of a URL that [`normalize`] takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UrlPart {
    /// A path.
    Path,
    /// A query, or a path with its query.
    Query,
}

/// Appends a file's path as a URL path: bytes that are not allowed in a path become `%XX`.
///
/// A `%` in a file name is encoded too: on disk it is an ordinary character.
pub fn encode_path(path: &[u8], out: &mut String) {
    out.reserve(path.len());
    out.extend(percent_encode(path, OUTSIDE_PATH));
}

/// Appends a file's path as a URL path in which reserved characters are encoded too.
pub(super) fn encode_segments(path: &[u8], out: &mut String) {
    out.extend(percent_encode(path, OUTSIDE_SEGMENT));
}

/// Whether [`encode_path`] leaves a path unchanged.
pub(super) fn is_encoded_already(path: &[u8]) -> bool {
    percent_encode(path, OUTSIDE_PATH)
        .map(str::len)
        .sum::<usize>()
        == path.len()
}

/// Decodes every well-formed `%XX`; any other `%` stays.
pub fn decode(text: &str) -> Cow<'_, [u8]> {
    // Most texts have no `%`, and to search for one takes a tenth of the time.
    if text.contains('%') {
        percent_decode(text.as_bytes()).into()
    } else {
        Cow::Borrowed(text.as_bytes())
    }
}

/// Normalizes a URL path or query (RFC 3986 section 6.2.2): `%XX` in upper case, unreserved
/// characters decoded, and all other bytes that are not allowed encoded.
///
/// The input is bytes because robots.txt may not be UTF-8.
pub fn normalize(text: impl AsRef<[u8]>, part: UrlPart) -> String {
    let outside = match part {
        UrlPart::Path => OUTSIDE_PATH,
        UrlPart::Query => OUTSIDE_QUERY,
    };
    let mut rest = text.as_ref();
    let mut out = String::with_capacity(rest.len());
    while let Some((_, after_first)) = rest.split_first() {
        rest = if let Some(byte) = pair_at_start(rest) {
            out.extend(percent_encode(&[byte], RESERVED));
            &rest[3..]
        } else {
            // The next `%` may begin a pair.
            let next = after_first.iter().position(|&byte| byte == b'%');
            let (plain, after) = rest.split_at(next.map_or(rest.len(), |next| next + 1));
            out.extend(percent_encode(plain, outside));
            after
        };
    }
    out
}

/// Decodes the `%XX` at the start, if there is one.
fn pair_at_start(bytes: &[u8]) -> Option<u8> {
    let mut decoded = percent_decode(bytes.get(..3)?);
    let byte = decoded.next()?;
    // Three bytes that decode to one are a pair.
    decoded.next().is_none().then_some(byte)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_path_is_encoded_from_its_bytes() {
        let check = |path: &[u8], expected: &str| {
            let mut out = String::new();
            encode_path(path, &mut out);
            assert_eq!(out, expected);
        };
        check(b"a b.html", "a%20b.html");
        check(b"a%20b.html", "a%2520b.html");
        check(b"-._~!$'()*+,;=:@.html", "-._~!$'()*+,;=:@.html");
        check(b"a[1]|^.html", "a%5B1%5D%7C%5E.html");
        check(b"caf\xe9.html", "caf%E9.html");
    }

    #[test]
    fn equivalent_paths_are_normalized_to_the_same_form() {
        let check =
            |text: &str, expected: &str| assert_eq!(normalize(text, UrlPart::Path), expected);
        check("/%70.html", "/p.html");
        check("/caf%c3%a9", "/caf%C3%A9");
        check("/%zz", "/%25zz");
        check("/a|b", "/a%7Cb");
        check("/a%2Fb", "/a%2Fb");
    }

    proptest! {
        #[test]
        fn an_encoded_path_decodes_to_the_same_bytes(path: Vec<u8>) {
            let mut encoded = String::new();
            encode_path(&path, &mut encoded);
            let decoded = decode(&encoded);
            prop_assert_eq!(decoded.as_ref(), path.as_slice());
            prop_assert_eq!(normalize(&encoded, UrlPart::Path), encoded);
        }
    }
}
