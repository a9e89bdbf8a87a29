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
        let tag = bytes.get(1..).unwrap_or_default();
        let inside = tag.strip_prefix(b"/").unwrap_or(tag);
        let length = inside.iter().position(|&byte| ends_a_name(byte));
        let (name, rest) = inside.split_at(length.unwrap_or(inside.len()));
        Self { name, rest }
    }

    /// Name as written; compare it without case.
    #[cfg(test)]
    pub(super) fn name(self) -> &'t [u8] {
        self.name
    }

    /// Whether the name is `name`, which must be lower case.
    #[inline]
    pub(super) fn is(self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name.as_bytes())
    }

    /// Whether the name is one of these, which must be lower case.
    pub(super) fn is_any(self, names: &[&str]) -> bool {
        names.iter().any(|name| self.is(name))
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
            text: self.rest,
            at: 0,
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
        let unused = self.rest.len() - attributes.at;
        attributes.closed.then(|| bytes.len() - unused)
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

/// Iterator over the attributes of a tag. It ends at the tag's `>` or at the end of the text.
pub(super) struct Attributes<'t> {
    /// Text after the name of the tag; it may extend beyond the tag.
    text: &'t [u8],
    /// Offset after the attributes that were returned, and after the `>` at the end.
    at: usize,
    closed: bool,
}

impl<'t> Attributes<'t> {
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

impl<'t> Iterator for Attributes<'t> {
    type Item = Attribute<'t>;

    fn next(&mut self) -> Option<Attribute<'t>> {
        if self.closed || self.skip(|byte| is_space(byte) || byte == b'/')? == b'>' {
            self.at += usize::from(!self.closed);
            self.closed = true;
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
        fn a_name_is_compared_without_case(name in "[a-zA-Z0-9-][a-zA-Z0-9\0-]{0,9}", other in "[a-z]{1,9}") {
            for known in [name.to_ascii_lowercase(), other] {
                let tag = format!("<{name}>");
                let tag = Tag::at(tag.as_bytes());
                let is_it = name.eq_ignore_ascii_case(&known);
                prop_assert_eq!(tag.is(&known), is_it);
            }
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
