//! Parses a start tag's name and attributes by the rules of the HTML standard's tokenizer.
//!
//! Reads the tag in place, never beyond its end, and allocates only for values that need decoding.

use std::borrow::Cow;

/// Name of up to eight letters, so that names are compared in one instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ShortName(u64);

/// Tag in the text of a page.
#[derive(Clone, Copy)]
pub(super) struct Tag<'t> {
    name: &'t [u8],
    /// The name in lower case; [`ShortName::NONE`] if it is longer.
    short_name: ShortName,
    /// Text after the name; it may extend beyond the tag.
    rest: &'t [u8],
}

/// Attribute as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Attribute<'t> {
    name: &'t [u8],
    /// The name in lower case; [`ShortName::NONE`] if it is longer.
    short_name: ShortName,
    /// Bytes between the quotes; empty if there is no value.
    value: &'t [u8],
}

impl ShortName {
    /// The name of no element.
    const NONE: Self = Self(0);

    /// Names in lower case, of up to eight letters each.
    pub(super) const fn of_all<const N: usize>(names: [&str; N]) -> [Self; N] {
        let mut all = [Self::NONE; N];
        let mut at = 0;
        while at < N {
            all[at] = Self::of(names[at]);
            at += 1;
        }
        all
    }

    /// A name in lower case, of up to eight letters.
    const fn of(name: &str) -> Self {
        assert!(name.len() <= 8, "the name is longer than eight letters");
        let mut word = 0;
        let mut at = 0;
        while at < name.len() {
            word = word << 8 | name.as_bytes()[at] as u64;
            at += 1;
        }
        Self(word)
    }

    /// The name of this length at the start of a text.
    #[inline]
    fn starting(text: &[u8], length: usize) -> Self {
        // Before a letter, NUL would not show.
        let is_short = length <= 8 && text.first().is_some_and(u8::is_ascii_alphabetic);
        if !is_short {
            return Self::NONE;
        }
        let bytes = text.first_chunk().copied().unwrap_or_else(|| {
            let mut bytes = [0; 8];
            bytes[..length].copy_from_slice(&text[..length]);
            bytes
        });
        let word = lower_case(u64::from_be_bytes(bytes));
        Self(word >> (64 - 8 * length))
    }

    /// Whether this is `known`, which must be lower case; `name` is the name as written.
    #[inline]
    fn is(self, name: &[u8], known: &str) -> bool {
        if known.len() <= 8 {
            self == Self::of(known)
        } else {
            name.eq_ignore_ascii_case(known.as_bytes())
        }
    }
}

impl<'t> Tag<'t> {
    /// Returns the tag whose `<` (or `</` for an end tag) is at the start of `bytes`.
    pub(super) fn at(bytes: &'t [u8]) -> Self {
        let inside = bytes.get(1..).unwrap_or_default();
        let inside = inside.strip_prefix(b"/").unwrap_or(inside);
        let length = inside.iter().position(|&byte| ends_a_name(byte));
        let (name, rest) = inside.split_at(length.unwrap_or(inside.len()));
        let short_name = ShortName::starting(inside, name.len());
        Self {
            name,
            short_name,
            rest,
        }
    }

    /// Name as written; compare it without case.
    #[cfg(test)]
    pub(super) fn name(self) -> &'t [u8] {
        self.name
    }

    /// Whether the name is `name`, which must be lower case.
    #[inline]
    pub(super) fn is(self, name: &str) -> bool {
        self.short_name.is(self.name, name)
    }

    /// Whether the name is one of these.
    #[inline]
    pub(super) fn is_any(self, names: &[ShortName]) -> bool {
        names.contains(&self.short_name)
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
        self.short_name.is(self.name, name)
    }

    /// Whether the value is `word`, trimmed and compared without case. `word` must not contain
    /// control characters.
    pub(super) fn has_value(&self, word: &str) -> bool {
        if self.starts_unlike(word) {
            return false;
        }
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

    /// Whether one of the words of the value is `word`, compared without case. `word` must consist
    /// of letters.
    pub(super) fn has_word(&self, word: &str) -> bool {
        // A character of the decoded value is written as at least one byte.
        if self.value.len() < word.len() {
            return false;
        }
        if self.value.contains(&b'&') {
            return self
                .value()
                .split_ascii_whitespace()
                .any(|one| one.eq_ignore_ascii_case(word));
        }
        // All other changes of a value are at bytes that are not letters.
        let mut words = self.value.split(u8::is_ascii_whitespace);
        words.any(|one| one.eq_ignore_ascii_case(word.as_bytes()))
    }

    /// Whether the first byte alone shows that the value is not `word`: most values end here. A
    /// character of the decoded value is written as at least one byte.
    fn starts_unlike(&self, word: &str) -> bool {
        let (Some(first), Some(wanted)) = (self.value.first(), word.as_bytes().first()) else {
            return false;
        };
        let is_plain = first.is_ascii_graphic() && *first != b'&';
        self.value.len() < word.len() || is_plain && !first.eq_ignore_ascii_case(wanted)
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
        let short_name = ShortName::starting(&text[start..], name.len());
        let value = if self.skip(is_space) == Some(b'=') {
            self.at += 1;
            self.take_value()
        } else {
            &[]
        };
        Some(Attribute {
            name,
            short_name,
            value,
        })
    }
}

/// Converts the ASCII letters of eight bytes to lower case, all at once.
fn lower_case(bytes: u64) -> u64 {
    const EACH: u64 = u64::MAX / 0xff;
    let low_bits = bytes & (0x7f * EACH);
    // In each byte, the highest bit of the sum is that of the comparison.
    let from_a = low_bits + (0x80 - u64::from(b'A')) * EACH;
    let after_z = low_bits + (0x7f - u64::from(b'Z')) * EACH;
    let is_upper_case = from_a & !after_z & !bytes & (0x80 * EACH);
    bytes | is_upper_case >> 2
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
        fn eight_bytes_are_converted_to_lower_case(bytes: [u8; 8]) {
            let expected = bytes.map(|byte| byte.to_ascii_lowercase());
            prop_assert_eq!(lower_case(u64::from_be_bytes(bytes)).to_be_bytes(), expected);
        }
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

    proptest! {
        #[test]
        fn words_are_compared_in_their_decoded_form(
            value in "([ \t\u{a0}é]|&nbsp;|&#32;|[\0\r\n\u{b}])?([Nn]one|n&#111;ne|é)?\
                      ([ \r\u{b}]|&#9;|é)?(none)?",
        ) {
            let tag = format!("<link rel=\"{value}\">");
            let attribute = Tag::at(tag.as_bytes()).attributes().next();
            let attribute = attribute.expect("the tag has an attribute");
            let decoded = attribute.value();
            let mut words = decoded.split_ascii_whitespace();
            let expected = words.any(|word| word.eq_ignore_ascii_case("none"));
            prop_assert_eq!(attribute.has_word("none"), expected);
        }

        #[test]
        fn a_name_is_compared_without_case(name in "[a-zA-Z0-9-][a-zA-Z0-9\0-]{0,9}", other in "[a-z]{1,9}") {
            for known in [name.to_ascii_lowercase(), other] {
                let tag = format!("<{name}>");
                let tag = Tag::at(tag.as_bytes());
                let is_it = name.eq_ignore_ascii_case(&known);
                let begins_with_letter = name.starts_with(|first: char| first.is_ascii_alphabetic());
                prop_assert_eq!(tag.is(&known), is_it && (begins_with_letter || known.len() > 8));
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
