//! Parses a start tag's name and attributes by the rules of the HTML standard's tokenizer.
//!
//! Reads the tag in place, never beyond its end, and allocates only for values that need decoding.

use std::borrow::Cow;

/// Tag in the text of a page.
#[derive(Clone, Copy)]
pub(super) struct Tag<'t> {
    name: &'t [u8],
    /// Text after the name; it may extend beyond the tag.
    rest: &'t [u8],
}

/// Attribute as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Attribute<'t> {
    name: &'t [u8],
    /// Bytes between the quotes; empty if there is no value.
    value: &'t [u8],
}

impl<'t> Tag<'t> {
    /// Returns the tag whose `<` (or `</` for an end tag) is at the start of `bytes`.
    pub(super) fn at(bytes: &'t [u8]) -> Self {
        let inside = bytes.get(1..).unwrap_or_default();
        let inside = inside.strip_prefix(b"/").unwrap_or(inside);
        let end = inside
            .iter()
            .position(|&byte| ends_a_name(byte))
            .unwrap_or(inside.len());
        let (name, rest) = inside.split_at(end);
        Self { name, rest }
    }

    /// Name as written; compare it without case.
    #[cfg(test)]
    pub(super) fn name(self) -> &'t [u8] {
        self.name
    }

    /// Whether the name is `name`, which must be lower case.
    pub(super) fn is(self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name.as_bytes())
    }

    /// Name in lower case.
    pub(super) fn lower_case_name(self) -> Vec<u8> {
        self.name.to_ascii_lowercase()
    }

    pub(super) fn is_same_as(self, other: Tag<'_>) -> bool {
        self.name.eq_ignore_ascii_case(other.name)
    }

    pub(super) fn name_length(self) -> usize {
        self.name.len()
    }

    /// Iterates over the attributes, including repeated ones, of which only the first counts.
    pub(super) fn attributes(self) -> Attributes<'t> {
        Attributes {
            rest: self.rest,
            closed: false,
        }
    }

    /// Value of the attribute `name`, which must be lower case.
    pub(super) fn value(self, name: &str) -> Option<Cow<'t, str>> {
        self.attributes()
            .find(|attribute| attribute.is(name))
            .map(|attribute| attribute.value())
    }

    /// Number of bytes from `<` to `>`; `None` if the text ends first.
    pub(super) fn length(self, bytes: &[u8]) -> Option<usize> {
        let mut attributes = self.attributes();
        attributes.by_ref().for_each(drop);
        attributes
            .closed
            .then(|| bytes.len() - attributes.rest.len())
    }
}

impl<'t> Attribute<'t> {
    /// Whether the name is `name`, which must be lower case.
    pub(super) fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name.as_bytes())
    }

    /// Name as written.
    pub(super) fn name(&self) -> &'t [u8] {
        self.name
    }

    /// Whether the value is `word`, trimmed and compared without case. `word` must not contain
    /// control characters.
    pub(super) fn has_value(&self, word: &str) -> bool {
        let is_edge = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_graphic);
        // Without character references and white space the value is as written.
        let is_plain = is_edge(self.value.first())
            && is_edge(self.value.last())
            && !self.value.contains(&b'&');
        if is_plain {
            self.value.eq_ignore_ascii_case(word.as_bytes())
        } else {
            self.value().trim().eq_ignore_ascii_case(word)
        }
    }

    /// Value as a browser sees it: line ends are `\n`, NUL and invalid UTF-8 are U+FFFD, and
    /// character references are decoded.
    pub(super) fn value(&self) -> Cow<'t, str> {
        let text = to_text(self.value);
        if !self
            .value
            .iter()
            .any(|byte| matches!(byte, b'&' | b'\r' | 0))
        {
            return text;
        }
        let text = text
            .replace("\r\n", "\n")
            .replace('\r', "\n")
            .replace('\0', "\u{fffd}");
        Cow::Owned(htmlize::unescape_attribute(text).into_owned())
    }
}

/// Iterator over the attributes of a tag. It ends at the tag's `>` or at the end of the text.
pub(super) struct Attributes<'t> {
    rest: &'t [u8],
    closed: bool,
}

impl<'t> Attributes<'t> {
    /// Consumes bytes up to the first for which `ends` is true.
    fn take_until(&mut self, ends: impl Fn(u8) -> bool) -> &'t [u8] {
        let end = self
            .rest
            .iter()
            .position(|&byte| ends(byte))
            .unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    fn take_one(&mut self, byte: u8) -> bool {
        let rest = self.rest.strip_prefix(&[byte]);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn take_value(&mut self) -> &'t [u8] {
        self.take_until(|byte| !is_space(byte));
        for quote in [b'"', b'\''] {
            if self.take_one(quote) {
                let end = memchr::memchr(quote, self.rest).unwrap_or(self.rest.len());
                let (value, rest) = self.rest.split_at(end);
                self.rest = rest.get(1..).unwrap_or_default();
                return value;
            }
        }
        // Unquoted: a slash belongs to the value.
        self.take_until(|byte| is_space(byte) || byte == b'>')
    }
}

impl<'t> Iterator for Attributes<'t> {
    type Item = Attribute<'t>;

    fn next(&mut self) -> Option<Attribute<'t>> {
        if self.closed {
            return None;
        }
        self.take_until(|byte| !is_space(byte) && byte != b'/');
        self.closed = self.take_one(b'>');
        if self.closed || self.rest.is_empty() {
            return None;
        }
        // The first byte of a name may be anything, even `=`.
        let length = 1 + self.rest[1..]
            .iter()
            .position(|&byte| ends_a_name(byte) || byte == b'=')
            .unwrap_or(self.rest.len() - 1);
        let (name, rest) = self.rest.split_at(length);
        self.rest = rest;
        self.take_until(|byte| !is_space(byte));
        let value = if self.take_one(b'=') {
            self.take_value()
        } else {
            &[]
        };
        Some(Attribute { name, value })
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
        Tag::at(tag.as_bytes())
            .attributes()
            .map(|it| (name(&it), it.value().into_owned()))
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
        check("<meta a=\"never closed", &[("a", "never closed")]);
        check("<", &[]);
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
        fn a_value_is_compared_in_its_decoded_form(
            value in "([ \t\u{a0}é]|&nbsp;|&#32;|[\0\r\n&])?([Nn]one|n&#111;ne|no&shy;ne|robots)?\
                      ([ \u{b}]|&#9;|;|é)?",
        ) {
            let tag = format!("<meta name=\"{value}\">");
            let mut attributes = Tag::at(tag.as_bytes()).attributes();
            let attribute = attributes.next().expect("the tag has an attribute");
            let expected = attribute.value().trim().eq_ignore_ascii_case("none");
            prop_assert_eq!(attribute.has_value("none"), expected);
        }
    }

    #[test]
    fn a_tag_ends_at_the_first_bracket_outside_quotes() {
        let check = |text: &str, expected: Option<usize>| {
            assert_eq!(
                Tag::at(text.as_bytes()).length(text.as_bytes()),
                expected,
                "{text}"
            );
        };
        check("<a>b", Some(3));
        check("</a title='>'>b", Some(14));
        check("<a href=\">", None);
        check("<a", None);
    }
}
