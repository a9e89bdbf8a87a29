//! Parses a tag's name and attributes by the rules of the HTML standard's tokenizer.
//!
//! The attributes of a tag are split once, whatever is asked of them, and in place; only values that need
//! decoding are allocated.

use std::borrow::Cow;

/// Tag in the text of a page.
#[derive(Clone, Copy)]
pub(super) struct Tag<'t> {
    name: &'t [u8],
    attributes: &'t [Attribute<'t>],
}

/// Reads tags one after the other.
#[derive(Default)]
pub(super) struct TagReader<'t> {
    attributes: Vec<Attribute<'t>>,
}

/// Attribute as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Attribute<'t> {
    name: &'t [u8],
    /// Bytes between the quotes; empty if there is no value.
    value: &'t [u8],
}

impl<'t> TagReader<'t> {
    /// Reads the tag whose `<` (or `</` for an end tag) is at the start of a text. Returns it with its
    /// length, or `None` if it does not end.
    pub(super) fn read(&mut self, text: &'t [u8]) -> Option<(Tag<'_>, usize)> {
        let name = tag_name(text);
        let after = 1 + usize::from(text.get(1) == Some(&b'/')) + name.len();
        self.attributes.clear();
        let mut cursor = Cursor { text, at: after };
        while let Some(attribute) = cursor.next_attribute() {
            self.attributes.push(attribute);
        }
        let tag = Tag {
            name,
            attributes: &self.attributes,
        };
        (text.get(cursor.at) == Some(&b'>')).then_some((tag, cursor.at + 1))
    }
}

/// The name of the tag whose `<` or `</` is at the start of a text; compare it without case.
pub(super) fn tag_name(text: &[u8]) -> &[u8] {
    let tag = text.get(1..).unwrap_or_default();
    let inside = tag.strip_prefix(b"/").unwrap_or(tag);
    let length = inside.iter().position(|&byte| ends_a_name(byte));
    &inside[..length.unwrap_or(inside.len())]
}

impl<'t> Tag<'t> {
    /// Name as written; compare it without case.
    pub(super) fn name(self) -> &'t [u8] {
        self.name
    }

    /// Whether the name is `name`, which must be lower case.
    #[inline]
    pub(super) fn is(self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name.as_bytes())
    }

    /// Whether the name is this one, as written in another tag.
    pub(super) fn has_name(self, name: &[u8]) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// Whether the name is one of these, which must be lower case.
    pub(super) fn is_any(self, names: &[&str]) -> bool {
        names.iter().any(|name| self.is(name))
    }

    /// The attributes, including repeated ones, of which only the first counts.
    pub(super) fn attributes(self) -> &'t [Attribute<'t>] {
        self.attributes
    }

    /// Value of the attribute `name`, which must be lower case.
    pub(super) fn value(self, name: &str) -> Option<Cow<'t, str>> {
        let mut attributes = self.attributes.iter();
        Some(attributes.find(|attribute| attribute.is(name))?.value())
    }
}

impl<'t> Attribute<'t> {
    /// Whether the name is `name`, which must be lower case.
    #[inline]
    pub(super) fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name.as_bytes())
    }

    /// Whether the value is `word`, trimmed and compared without case.
    pub(super) fn has_value(&self, word: &str) -> bool {
        self.value().trim().eq_ignore_ascii_case(word)
    }

    /// Value as a browser sees it: line ends are `\n`, NUL and invalid UTF-8 are U+FFFD, and
    /// character references are decoded.
    pub(super) fn value(&self) -> Cow<'t, str> {
        let text = to_text(self.value);
        if memchr::memchr3(b'&', b'\r', 0, self.value).is_none() {
            return text;
        }
        let text = text
            .replace("\r\n", "\n")
            .replace('\r', "\n")
            .replace('\0', "\u{fffd}");
        Cow::Owned(htmlize::unescape_attribute(text).into_owned())
    }
}

/// A place in a text while the attributes of a tag are split.
struct Cursor<'t> {
    text: &'t [u8],
    at: usize,
}

impl<'t> Cursor<'t> {
    /// The next attribute; `None` at the `>` of the tag or at the end of the text.
    fn next_attribute(&mut self) -> Option<Attribute<'t>> {
        if self.skip(|byte| is_space(byte) || byte == b'/')? == b'>' {
            return None;
        }
        let text = self.text;
        // The first byte of a name may be anything, even `=`.
        let start = self.at;
        self.at += 1;
        self.skip(|byte| !ends_a_name(byte) && byte != b'=');
        let name = &text[start..self.at];
        let value = if self.skip(is_space) == Some(b'=') {
            self.at += 1;
            self.take_value()
        } else {
            &[]
        };
        Some(Attribute { name, value })
    }

    fn take_value(&mut self) -> &'t [u8] {
        let text = self.text;
        let first = self.skip(is_space);
        if let Some(quote @ (b'"' | b'\'')) = first {
            let inside = &text[self.at + 1..];
            let length = memchr::memchr(quote, inside).unwrap_or(inside.len());
            self.at = text.len().min(self.at + length + 2);
            return &inside[..length];
        }
        let start = self.at;
        // A slash belongs to the value.
        self.skip(|byte| !is_space(byte) && byte != b'>');
        &text[start..self.at]
    }

    /// Skips bytes for which `may_skip` is true, and returns the first other byte.
    #[inline]
    fn skip(&mut self, may_skip: impl Fn(u8) -> bool) -> Option<u8> {
        loop {
            match self.text.get(self.at) {
                Some(&byte) if may_skip(byte) => self.at += 1,
                next => return next.copied(),
            }
        }
    }
}

/// Converts bytes to text; invalid UTF-8 becomes U+FFFD.
pub(super) fn to_text(bytes: &[u8]) -> Cow<'_, str> {
    // Validating is several times faster than locating the first invalid byte.
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// Whether a byte is white space in HTML.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c')
}

/// Whether a byte ends a tag name.
pub(super) fn ends_a_name(byte: u8) -> bool {
    is_space(byte) || matches!(byte, b'/' | b'>')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn attributes(tag: &str) -> Vec<(String, String)> {
        let name = |attribute: &Attribute<'_>| String::from_utf8_lossy(attribute.name).into_owned();
        let mut reader = TagReader::default();
        let (tag, _) = reader.read(tag.as_bytes()).expect("it ends");
        let attributes = tag.attributes().iter();
        attributes
            .map(|it| (name(it), it.value().into_owned()))
            .collect()
    }

    #[test]
    fn attributes_are_split_as_in_the_standard() {
        let check = |tag: &str, expected: &[(&str, &str)]| {
            let expected: Vec<_> = expected
                .iter()
                .map(|&(n, v)| (n.to_owned(), v.to_owned()))
                .collect();
            assert_eq!(attributes(tag), expected, "{tag}");
        };
        check("<meta>", &[]);
        check("<meta name=a>rest=b", &[("name", "a")]);
        check(
            "<meta name='a'content=\"b\">",
            &[("name", "a"), ("content", "b")],
        );
        check(
            "<meta\n\tname\n=\n\"a\"\r\ncontent = 'b'\n>",
            &[("name", "a"), ("content", "b")],
        );
        check("<meta content=noindex/>", &[("content", "noindex/")]);
        check("<meta hidden/name=a/ />", &[("hidden", ""), ("name", "a/")]);
        check("<meta a=\"x > y\" b>", &[("a", "x > y"), ("b", "")]);
        check("<meta =a=b>", &[("=a", "b")]);
        check("<meta a= >", &[("a", "")]);
    }

    #[test]
    fn values_are_decoded_as_in_a_browser() {
        let check = |value: &str, expected: &str| {
            assert_eq!(
                attributes(&format!("<a href=\"{value}\">"))[0].1,
                expected,
                "{value}"
            );
        };
        check("no&#105;ndex", "noindex");
        check("/a&amp;b", "/a&b");
        check("x&copy=2", "x&copy=2");
        check("x&copy;2", "x©2");
        check("a\r\nb\rc", "a\nb\nc");
        check("a\0b", "a\u{fffd}b");
        check("&#0;&#x80;", "\u{fffd}€");
        check("a & b", "a & b");
    }

    proptest! {
        #[test]
        fn a_name_is_compared_without_case(name in "[a-zA-Z0-9-][a-zA-Z0-9\0-]{0,9}", other in "[a-z]{1,9}") {
            for known in [name.to_ascii_lowercase(), other] {
                let tag = format!("<{name}>");
                let mut reader = TagReader::default();
                let (tag, _) = reader.read(tag.as_bytes()).expect("it ends");
                let is_it = name.eq_ignore_ascii_case(&known);
                prop_assert_eq!(tag.is(&known), is_it);
            }
        }
    }

    #[test]
    fn a_tag_ends_at_the_first_bracket_outside_quotes() {
        let check = |text: &str, expected: Option<usize>| {
            let mut reader = TagReader::default();
            let length = reader.read(text.as_bytes()).map(|(_, length)| length);
            assert_eq!(length, expected, "{text}");
        };
        check("<a>b", Some(3));
        check("</a title='>'>b", Some(14));
        check("<a href=\">", None);
        check("<a", None);
        check("<", None);
        check("<meta a=\"never closed>", None);
    }
}
