//! Reads the events of an XML file strictly, and passes each element to its row of the schemas.

use std::io::BufRead;
use std::ops::Range;

use quick_xml::escape::{resolve_predefined_entity, unescape};
use quick_xml::events::{BytesDecl, BytesRef, BytesStart, Event};
use quick_xml::{Error, Reader};

use super::flaw_list::{FlawList, SitemapFlawKind};
use super::namespaces::{Namespace, Namespaces, near_miss};
use super::open_element::{ElementName, OpenElement};
use super::schema::{ElementRule, root_of};
use crate::xml::{MAX_DEPTH, NAMESPACE};
use site_paths::finding::quoted;

/// State of the strict reader.
pub(super) struct StrictReader<'f> {
    flaws: &'f mut FlawList,
    /// Offset of the text, after a byte order mark.
    text_start: u64,
    depth: usize,
    has_root: bool,
    namespaces: Namespaces,
    /// The open elements up to `depth`, then free places.
    elements: Vec<OpenElement>,
    /// The text of the open element, if it has a value.
    value: String,
}

/// Whether the file is XML up to here.
type Readable = Result<(), NotXml>;

/// A place that is not XML, so that nothing more can be read.
struct NotXml(SitemapFlawKind, Range<u64>, String);

fn malformed<T>(here: &Range<u64>, message: impl Into<String>) -> Result<T, NotXml> {
    Err(NotXml(
        SitemapFlawKind::Malformed,
        here.clone(),
        message.into(),
    ))
}

impl<'f> StrictReader<'f> {
    pub(super) fn new(flaws: &'f mut FlawList, text_start: u64) -> Self {
        Self {
            flaws,
            text_start,
            depth: 0,
            has_root: false,
            namespaces: Namespaces::new(),
            elements: Vec::new(),
            value: String::new(),
        }
    }

    /// Reads a file whose text begins at offset `start`.
    pub(super) fn read_all(mut self, input: impl BufRead, start: u64) {
        let mut reader = Reader::from_reader(input);
        reader.config_mut().check_comments = true;
        let mut buffer = Vec::new();
        while self.read_next(&mut reader, start, &mut buffer) {
            buffer.clear();
        }
    }

    /// Processes the next event; returns whether another may follow.
    fn read_next<R: BufRead>(
        &mut self,
        reader: &mut Reader<R>,
        start: u64,
        buffer: &mut Vec<u8>,
    ) -> bool {
        let from = start + reader.buffer_position();
        let read = match reader.read_event_into(buffer) {
            Ok(Event::Eof) => self.end(from).map(|()| false),
            Ok(event) => {
                let here = from..start + reader.buffer_position();
                self.process(&event, &here).map(|()| true)
            }
            Err(error) => {
                // The parser gives no position for text that it cannot decode.
                let at = (start + reader.error_position()).max(from);
                Err(match error {
                    Error::Encoding(_) => not_utf8(at),
                    error => NotXml(SitemapFlawKind::Malformed, at..at + 1, error.to_string()),
                })
            }
        };
        read.unwrap_or_else(|NotXml(kind, here, message)| {
            self.flaws.report(kind, here, message);
            false
        })
    }

    fn process(&mut self, event: &Event<'_>, here: &Range<u64>) -> Readable {
        match event {
            Event::Decl(declaration) => self.declaration(declaration, here),
            Event::Start(tag) => self.open(tag, here),
            Event::Empty(tag) => {
                self.open(tag, here)?;
                self.close(&(here.end..here.end));
                Ok(())
            }
            Event::End(_) => {
                self.close(here);
                Ok(())
            }
            Event::Text(text) if text.contains("]]>") => {
                malformed(here, "it contains `]]>`, which must be escaped")
            }
            Event::Text(text) => self.text(text, here),
            Event::CData(_) if self.depth == 0 => {
                malformed(here, "it has text outside its root element")
            }
            Event::CData(text) => self.text(text, here),
            Event::GeneralRef(reference) => self.reference(reference, here),
            Event::Comment(text) => check_letters(text, here),
            Event::PI(instruction) if !is_name(instruction.target()) => {
                malformed(here, "it has a processing instruction without a name")
            }
            Event::PI(instruction) => check_letters(instruction, here),
            _ => Ok(()),
        }
    }

    fn declaration(&self, declaration: &BytesDecl<'_>, here: &Range<u64>) -> Readable {
        if here.start > self.text_start {
            let before = self.text_start..here.start;
            return malformed(
                &before,
                "the XML declaration is not at the start of the file",
            );
        }
        if !is_declaration(declaration) {
            return malformed(here, "its XML declaration is malformed");
        }
        let Some(Ok(encoding)) = declaration.encoding() else {
            return Ok(());
        };
        if ["utf-8", "utf8", "us-ascii"]
            .iter()
            .any(|known| encoding.eq_ignore_ascii_case(known))
        {
            return Ok(());
        }
        let message = format!(
            "it is {}, but the protocol requires UTF-8",
            quoted(&encoding)
        );
        Err(NotXml(SitemapFlawKind::Encoding, here.clone(), message))
    }

    fn open(&mut self, tag: &BytesStart<'_>, here: &Range<u64>) -> Readable {
        self.depth += 1;
        if self.depth >= MAX_DEPTH {
            return malformed(here, "its elements are nested too deeply");
        }
        self.declare_namespaces(tag, here)?;
        let qualified = tag.name();
        let (prefix, local) = split_name(qualified.as_ref());
        if !is_name(qualified.as_ref()) {
            let message = format!("`{}` is not a name in XML", quoted(qualified.as_ref()));
            return malformed(here, message);
        }
        let is_core = self.depth != 1 || self.has_root || self.namespaces.set_core(prefix);
        let name = ElementName {
            qualified: qualified.as_ref(),
            local,
            namespace: self.namespace_of(prefix, here)?,
        };
        let rule = if self.depth == 1 {
            Some(self.root(name, here)?)
        } else {
            let parent = &mut self.elements[self.depth - 2];
            parent.child(name, here, self.flaws)
        };
        if !is_core {
            let message = format!("its root element is not in the namespace `{NAMESPACE}`");
            self.flaws
                .report(SitemapFlawKind::Namespace, here.clone(), message);
        }
        self.check_attributes(tag, rule, here)?;
        if self.elements.len() < self.depth {
            self.elements.push(OpenElement::default());
        }
        self.elements[self.depth - 1].open(rule, name, here);
        self.value.clear();
        Ok(())
    }

    fn root(
        &mut self,
        name: ElementName<'_>,
        here: &Range<u64>,
    ) -> Result<&'static ElementRule, NotXml> {
        if self.has_root {
            return malformed(here, "it has more than one root element");
        }
        self.has_root = true;
        let Some(rule) = root_of(name.local) else {
            let message = format!(
                "its root element is `<{}>`, not `<urlset>` or `<sitemapindex>`",
                quoted(name.local)
            );
            return malformed(here, message);
        };
        Ok(rule)
    }

    fn declare_namespaces(&mut self, tag: &BytesStart<'_>, here: &Range<u64>) -> Readable {
        if !are_attributes_spaced(tag.attributes_raw()) {
            return malformed(here, "its attributes are not separated by spaces");
        }
        for attribute in tag.attributes() {
            let attribute = match attribute {
                Ok(attribute) => attribute,
                Err(error) => return malformed(here, error.to_string()),
            };
            let value = match unescape(&attribute.value) {
                Ok(value) if !attribute.value.contains('<') => value,
                Ok(_) => {
                    return malformed(here, "an attribute contains `<`, which must be escaped");
                }
                Err(error) => return malformed(here, error.to_string()),
            };
            check_letters(&value, here)?;
            let key = attribute.key.as_ref();
            check_letters(key, here)?;
            if !is_name(key) {
                return malformed(here, format!("`{}` is not a name in XML", quoted(key)));
            }
            let is_declaration = self.namespaces.declare(self.depth, key, &value);
            // The namespace of the root element has a finding of its own.
            if let Some(right) = near_miss(&value).filter(|_| is_declaration && key != "xmlns") {
                let value = quoted(&value);
                let message =
                    format!("the namespace `{value}` is not `{right}`, so readers ignore it");
                self.flaws
                    .report(SitemapFlawKind::Namespace, here.clone(), message);
            }
        }
        Ok(())
    }

    fn namespace_of(&self, prefix: &str, here: &Range<u64>) -> Result<Namespace, NotXml> {
        match self.namespaces.of_element(prefix) {
            Some(namespace) => Ok(namespace),
            None => malformed(
                here,
                format!(
                    "the prefix `{0}` is not declared; parsers that know namespaces stop here: add \
                     `xmlns:{0}=\"…\"` to the root element",
                    quoted(prefix)
                ),
            ),
        }
    }

    fn check_attributes(
        &mut self,
        tag: &BytesStart<'_>,
        rule: Option<&'static ElementRule>,
        here: &Range<u64>,
    ) -> Readable {
        let mut found = 0_u32;
        for attribute in tag.attributes().flatten() {
            let key = attribute.key.as_ref();
            if key == "xmlns" || key.starts_with("xmlns:") {
                continue;
            }
            let (prefix, local) = split_name(key);
            let is_plain = prefix.is_empty();
            if !is_plain && matches!(self.namespace_of(prefix, here)?, Namespace::SchemaInstance) {
                continue;
            }
            let Some(rule) = rule else { continue };
            let mut known = rule.attributes.iter().enumerate();
            let row = known.find(|(_, row)| is_plain && row.name == local);
            // Its escapes are correct, as the declarations were read before.
            let value = unescape(&attribute.value).unwrap_or_default();
            let message = match row {
                None => format!("`<{}>` has the attribute `{}`", rule.name, quoted(key)),
                Some((at, row)) => {
                    found |= 1 << at;
                    if row.value.allows(&value) {
                        continue;
                    }
                    let (shown, expected) = (quoted(&value), row.value.expected());
                    format!("the attribute `{}` is `{shown}`, not {expected}", row.name)
                }
            };
            self.flaws
                .report(SitemapFlawKind::Schema, here.clone(), message);
        }
        let rows = rule.map_or(&[][..], |rule| rule.attributes);
        for (_, row) in (0..)
            .zip(rows)
            .filter(|(at, row)| row.is_required && found & (1 << at) == 0)
        {
            let name = quoted(tag.name().as_ref());
            let message = format!("`<{name}>` has no attribute `{}`", row.name);
            self.flaws
                .report(SitemapFlawKind::Schema, here.clone(), message);
        }
        Ok(())
    }

    fn close(&mut self, here: &Range<u64>) {
        // The parser reports an end tag without a start tag.
        let Some(at) = self.depth.checked_sub(1) else {
            return;
        };
        self.elements[at].close(&self.value, here, self.flaws);
        self.value.clear();
        self.namespaces.close(self.depth);
        self.depth = at;
    }

    fn text(&mut self, text: &str, here: &Range<u64>) -> Readable {
        check_letters(text, here)?;
        if self.depth == 0 && !text.trim_start_matches('\u{feff}').trim().is_empty() {
            return malformed(here, "it has text outside its root element");
        }
        self.add_text(text, here);
        Ok(())
    }

    fn add_text(&mut self, text: &str, here: &Range<u64>) {
        let Some(at) = self.depth.checked_sub(1) else {
            return;
        };
        let element = &mut self.elements[at];
        if element.has_value() {
            self.value.push_str(text);
        } else {
            element.stray_text(text, here, self.flaws);
        }
    }

    fn reference(&mut self, reference: &BytesRef<'_>, here: &Range<u64>) -> Readable {
        if self.depth == 0 {
            return malformed(here, "it has text outside its root element");
        }
        let mut letter = [0; 4];
        let text = match reference.resolve_char_ref() {
            Ok(Some(character)) => &*character.encode_utf8(&mut letter),
            Ok(None) => {
                let Some(text) = resolve_predefined_entity(reference) else {
                    let message = format!("`&{};` is not an XML entity", quoted(reference));
                    return malformed(here, message);
                };
                text
            }
            Err(error) => return malformed(here, error.to_string()),
        };
        self.text(text, here)
    }

    fn end(&mut self, at: u64) -> Readable {
        if self.depth > 0 {
            let last = at.saturating_sub(1)..at;
            return malformed(&last, "it is cut short: an element is not closed");
        }
        if !self.has_root {
            return malformed(&(0..at), "it has no root element");
        }
        Ok(())
    }
}

/// Checks that a text has only characters of XML (XML 1.0 section 2.2).
fn check_letters(text: &str, here: &Range<u64>) -> Readable {
    let is_forbidden = |letter: char| {
        matches!(
            letter,
            '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}'
        )
    };
    if text.contains(is_forbidden) {
        return malformed(
            here,
            "it contains a control character, which XML does not allow",
        );
    }
    Ok(())
}

/// Whether the content of an XML declaration is complete (XML 1.0 section 2.8).
fn is_declaration(text: &str) -> bool {
    let mut rest = text.strip_prefix("xml").unwrap_or_default();
    for name in ["version", "encoding", "standalone"] {
        let Some(value) = rest.trim_start().strip_prefix(name) else {
            if name == "version" {
                return false;
            }
            continue;
        };
        let value = value.trim_start().strip_prefix('=').map(str::trim_start);
        let quoted = value.and_then(|value| {
            let quote = value
                .chars()
                .next()
                .filter(|first| matches!(first, '"' | '\''))?;
            value[1..].split_once(quote)
        });
        match quoted {
            Some((value, after))
                if rest.starts_with(char::is_whitespace) && is_declared(name, value) =>
            {
                rest = after;
            }
            _ => return false,
        }
    }
    rest.trim().is_empty()
}

/// Whether a part of the XML declaration has a value that exists; encodings are checked elsewhere.
fn is_declared(name: &str, value: &str) -> bool {
    match name {
        "version" => value.strip_prefix("1.").is_some_and(|minor| {
            !minor.is_empty() && minor.bytes().all(|byte| byte.is_ascii_digit())
        }),
        "standalone" => matches!(value, "yes" | "no"),
        _ => true,
    }
}

fn not_utf8(at: u64) -> NotXml {
    let message = "it is not UTF-8, which the protocol requires".to_owned();
    NotXml(SitemapFlawKind::Encoding, at..at + 1, message)
}

/// Whether white space follows each attribute but the last.
fn are_attributes_spaced(tag: &str) -> bool {
    let (mut quote, mut is_after_quote) = (None, false);
    for letter in tag.chars() {
        match quote {
            Some(open) if open == letter => (quote, is_after_quote) = (None, true),
            Some(_) => {}
            None if is_after_quote && !letter.is_ascii_whitespace() => return false,
            None => {
                is_after_quote = false;
                quote = matches!(letter, '"' | '\'').then_some(letter);
            }
        }
    }
    true
}

/// The prefix, empty if there is none, and the local name.
fn split_name(qualified: &str) -> (&str, &str) {
    qualified.split_once(':').unwrap_or(("", qualified))
}

/// Whether a text is a qualified name ("Namespaces in XML" section 4). All letters beyond ASCII
/// count as letters of names.
fn is_name(text: &str) -> bool {
    let is_start =
        |letter: char| letter.is_ascii_alphabetic() || letter == '_' || !letter.is_ascii();
    let is_part =
        |letter: char| is_start(letter) || letter.is_ascii_digit() || matches!(letter, '-' | '.');
    let mut parts = text.split(':');
    let all = parts.all(|part| part.starts_with(is_start) && part.chars().all(is_part));
    all && text.matches(':').count() <= 1
}
