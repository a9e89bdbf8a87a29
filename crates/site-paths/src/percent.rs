//! Percent-encodes and decodes paths by RFC 3986.

use std::borrow::Cow;

const HEX: &[u8; 16] = b"0123456789ABCDEF";

/// Whether a byte is unreserved (RFC 3986 section 2.3): it never needs encoding, and the URL is the
/// same with and without it.
fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

/// Whether a byte is allowed unencoded in a path segment (RFC 3986 section 3.3), or is the `/`
/// between segments.
fn is_path_byte(byte: u8) -> bool {
    is_unreserved(byte)
        || matches!(
            byte,
            b'!' | b'$'
                | b'&'
                | b'\''
                | b'('
                | b')'
                | b'*'
                | b'+'
                | b','
                | b';'
                | b'='
                | b':'
                | b'@'
                | b'/'
        )
}

fn push_encoded(byte: u8, out: &mut String) {
    out.push('%');
    out.push(HEX[usize::from(byte >> 4)] as char);
    out.push(HEX[usize::from(byte & 15)] as char);
}

/// Appends a file's path as a URL path: bytes that are not allowed in a path become `%XX`.
///
/// A `%` in a file name is encoded too: on disk it is an ordinary character.
pub fn encode_path(path: &[u8], out: &mut String) {
    out.reserve(path.len());
    for &byte in path {
        if is_path_byte(byte) {
            out.push(byte as char);
        } else {
            push_encoded(byte, out);
        }
    }
}

/// Whether [`encode_path`] leaves a path unchanged.
pub(super) fn is_encoded_already(path: &[u8]) -> bool {
    path.iter().all(|&byte| is_path_byte(byte))
}

/// Decodes every well-formed `%XX`; any other `%` stays.
pub fn decode(text: &str) -> Cow<'_, [u8]> {
    if !text.contains('%') {
        return Cow::Borrowed(text.as_bytes());
    }
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        if let Some(byte) = pair_at(bytes, at) {
            out.push(byte);
            at += 3;
        } else {
            out.push(bytes[at]);
            at += 1;
        }
    }
    Cow::Owned(out)
}

/// Normalizes a URL path or query (RFC 3986 section 6.2.2): `%XX` in upper case, unreserved
/// characters decoded, and all other bytes that are not allowed encoded.
///
/// `raw` lists further bytes to leave unencoded: `?` in a query. The input is bytes because
/// robots.txt may not be UTF-8.
pub fn normalize(text: impl AsRef<[u8]>, raw: &[u8]) -> String {
    let bytes = text.as_ref();
    let mut out = String::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        match pair_at(bytes, at) {
            Some(byte) if is_unreserved(byte) => out.push(byte as char),
            Some(byte) => push_encoded(byte, &mut out),
            None if is_path_byte(bytes[at]) || raw.contains(&bytes[at]) => {
                out.push(bytes[at] as char);
            }
            None => push_encoded(bytes[at], &mut out),
        }
        at += if pair_at(bytes, at).is_some() { 3 } else { 1 };
    }
    out
}

/// Decodes the `%XX` at this offset, if there is one.
fn pair_at(bytes: &[u8], at: usize) -> Option<u8> {
    let [b'%', high, low] = *bytes.get(at..at + 3)? else {
        return None;
    };
    let digit = |byte: u8| (byte as char).to_digit(16);
    u8::try_from(digit(high)? * 16 + digit(low)?).ok()
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
        let check = |text: &str, expected: &str| assert_eq!(normalize(text, b""), expected);
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
            prop_assert_eq!(normalize(&encoded, b""), encoded);
        }
    }
}
