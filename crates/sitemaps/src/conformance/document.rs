//! Checks an XML file against the schemas. roxmltree decides what is XML and what the prefixes mean;
//! the rows of `schema.rs` decide the rest.

use std::ops::Range;

use roxmltree::{Error, Node, TextPos};

use super::flaws::{Conformance, MAX_SHOWN, SitemapFlawKind, XML_SPACE};
use super::schema::{
    CORE, ElementRule, Extension, IMAGE, extension_of, meant_namespace, namespace_of, root_of,
};
use super::value_rule::ValueRule;
use crate::listed_date::is_rounded_date;
use crate::site_paths::quoted;
use crate::xml::{SitemapReadError, crowded_tag, has_repeated_attribute, parse_document};

const XML_SCHEMA_INSTANCE: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// A value of the XML declaration, whether it is right, and what is.
type DeclaredValue = (&'static str, fn(&str) -> bool, &'static str);

/// The values of the XML declaration.
const DECLARED: [DeclaredValue; 3] = [
    ("encoding", is_utf8, "UTF-8, which the protocol requires"),
    (
        "version",
        |text| text.len() == 3 && text.starts_with("1."),
        "`1.0`",
    ),
    (
        "standalone",
        |text| matches!(text, "yes" | "no"),
        "`yes` or `no`",
    ),
];

/// The attributes that any element may have.
const SCHEMA_HINTS: [&str; 2] = ["schemaLocation", "noNamespaceSchemaLocation"];

/// Reports the flaws of a text that begins at offset `start` of the file.
pub(super) fn check_document(text: &str, start: usize, found: &mut Conformance) {
    let mut check = DocumentCheck {
        text,
        start,
        found,
        near_misses: Vec::new(),
    };
    // roxmltree accepts any text as these values.
    for (name, is_right, expected) in DECLARED {
        if let Some(value) = declared(text, name).filter(|value| !is_right(value)) {
            let value = quoted(value);
            let message = format!("its `{name}` is `{value}`, not {expected}");
            return check.report(SitemapFlawKind::Malformed, 0..1, message);
        }
    }
    if let Some(at) = crowded_tag(text) {
        let message = SitemapReadError::TooManyAttributes.to_string();
        return check.report(SitemapFlawKind::Malformed, at..at + 1, message);
    }
    match parse_document(text) {
        Ok(document) => {
            // roxmltree accepts the reserved name, and anything right after a name.
            let wrong = document.descendants().find_map(|node| {
                let (range, pi) = (node.range(), node.pi()?);
                let rest = text[range.clone()].get("<?".len() + pi.target.len()..)?;
                let is_separate = rest.starts_with(XML_SPACE) || rest == "?>";
                match (pi.target, is_separate) {
                    ("xml", _) => Some((range, "it has a second XML declaration")),
                    (_, true) => None,
                    _ => Some((range, "the name of a processing instruction is invalid")),
                }
            });
            if let Some((range, message)) = wrong {
                return check.report(SitemapFlawKind::Malformed, range, message.to_owned());
            }
            check.root(document.root_element());
        }
        Err(error) => {
            let declaration = text.find("<?xml").unwrap_or_default();
            let (at, message) = match text[..declaration].trim() {
                _ if declaration == 0 => (offset_of(text, error.pos()), reason(&error)),
                "" => (
                    declaration,
                    "white space is before the XML declaration".to_owned(),
                ),
                _ => (0, "text is before the XML declaration".to_owned()),
            };
            let end = (at + 1..=text.len()).find(|end| text.is_char_boundary(*end));
            let here = at..end.unwrap_or(text.len());
            let message = format!("it is not well-formed XML: {message}");
            check.report(SitemapFlawKind::Malformed, here, message);
        }
    }
}

/// Why a text is not XML, and what to write instead.
fn reason(error: &Error) -> String {
    match error {
        Error::MalformedEntityReference(_) => "`&` must be written as `&amp;`".to_owned(),
        Error::UnknownNamespace(prefix, _) => {
            let shown = quoted(prefix);
            let missing = format!("the prefix `{shown}` is not declared");
            match namespace_of(prefix) {
                Some(url) => {
                    format!("{missing}: the root element needs `xmlns:{prefix}=\"{url}\"`")
                }
                None => missing,
            }
        }
        // Its message ends with the position, which the finding has.
        _ => quoted(error.to_string().split(" at ").next().unwrap_or_default()),
    }
}

/// A value in the XML declaration: `version`, `encoding` or `standalone`.
fn declared<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let (declaration, _) = text.strip_prefix("<?xml")?.split_once("?>")?;
    let (_, value) = declaration.split_once(name)?;
    let value = value.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next()?;
    value.get(1..)?.split(quote).next()
}

/// Whether an encoding is UTF-8 or a part of it.
fn is_utf8(name: &str) -> bool {
    ["utf-8", "utf8", "us-ascii"]
        .iter()
        .any(|known| name.eq_ignore_ascii_case(known))
}

/// The offset of a position, whose columns count characters.
fn offset_of(text: &str, position: TextPos) -> usize {
    let above = (position.row - 1) as usize;
    let line: usize = text.split_inclusive('\n').take(above).map(str::len).sum();
    let before = text[line..].chars().take((position.col - 1) as usize);
    (line + before.map(char::len_utf8).sum::<usize>()).min(text.len())
}

/// The order that the schema requires in an element, in words.
fn order_in(parent: Node<'_, '_>, rows: &[ElementRule]) -> String {
    let own: Vec<String> = rows.iter().map(|row| format!("`{}`", row.name)).collect();
    let names = own.join(", ");
    if parent.parent_element().is_none() {
        format!("other namespaces, then {names}")
    } else if parent.tag_name().namespace() == Some(IMAGE) {
        names
    } else {
        format!("{names}, then other namespaces")
    }
}

struct DocumentCheck<'t, 'f> {
    text: &'t str,
    start: usize,
    found: &'f mut Conformance,
    /// The reported namespaces that are nearly known ones.
    near_misses: Vec<String>,
}

impl<'t> DocumentCheck<'t, '_> {
    fn report(&mut self, kind: SitemapFlawKind, here: Range<usize>, message: String) {
        let here = self.start + here.start..self.start + here.end;
        self.found.report(kind, here, message);
    }

    fn root(&mut self, root: Node<'_, '_>) {
        let (here, name) = self.tag_of(root);
        let Some(rule) = root_of(root.tag_name().name()) else {
            let name = quoted(name);
            let message =
                format!("its root element is `<{name}>`, not `<urlset>` or `<sitemapindex>`");
            return self.report(SitemapFlawKind::Malformed, here, message);
        };
        let namespace = root.tag_name().namespace();
        if namespace != Some(CORE) {
            let message = format!("its root element is not in the namespace `{CORE}`");
            self.report(SitemapFlawKind::Namespace, here.clone(), message);
        }
        // roxmltree accepts the second of two declarations of a namespace.
        if has_repeated_attribute(&self.text[here.start..]) {
            let message = "its root element has an attribute twice".to_owned();
            self.report(SitemapFlawKind::Malformed, here.clone(), message);
        }
        // The namespace of the root element has a finding of its own.
        let declared = root.namespaces().filter(|one| one.name().is_some());
        for namespace in declared {
            self.namespace("", namespace.uri(), &here);
        }
        self.element(root, rule);
    }

    /// Reports a namespace that is nearly a known one, or that has its prefix in an element, once per file.
    fn namespace(&mut self, prefix: &str, uri: &str, here: &Range<usize>) {
        let right = meant_namespace(prefix, uri)
            .filter(|_| !self.near_misses.iter().any(|known| known == uri));
        if let Some(right) = right {
            let wrong = quoted(uri);
            let message = format!("the namespace `{wrong}` is not `{right}`, so readers ignore it");
            self.report(SitemapFlawKind::Extension, here.clone(), message);
            self.near_misses.push(uri.to_owned());
        }
    }

    /// The place of a start tag up to the end of its name, and the name as written.
    fn tag_of(&self, node: Node<'_, '_>) -> (Range<usize>, &'t str) {
        let start = node.range().start;
        let tag = &self.text[start + 1..];
        let end = tag.find(|letter: char| letter.is_whitespace() || matches!(letter, '/' | '>'));
        let name = &tag[..end.unwrap_or(tag.len())];
        (start..start + 1 + name.len(), name)
    }

    /// Checks an element.
    fn element(&mut self, node: Node<'_, '_>, rule: &'static ElementRule) {
        self.attributes(node, rule);
        if rule.children.is_empty() {
            self.value(node, rule.value);
        } else {
            self.children(node, rule.children);
        }
    }

    fn value(&mut self, node: Node<'_, '_>, rule: ValueRule) {
        if let Some(child) = node.first_element_child() {
            return self.unknown_child(node, child);
        }
        let value: String = node
            .children()
            .filter(Node::is_text)
            .filter_map(|text| text.text())
            .collect();
        if rule.allows(&value) {
            return;
        }
        let shown: String = value.trim().chars().take(MAX_SHOWN).collect();
        let (name, shown) = (quoted(self.tag_of(node).1), quoted(&shown));
        let (kind, message) = if rule == ValueRule::Date && is_rounded_date(value.trim()) {
            let message = format!(
                "`{shown}` in `<{name}>` is a date in W3C Datetime, to which the protocol refers, but not in its schema"
            );
            (SitemapFlawKind::RoundedDate, message)
        } else {
            let expected = rule.expected();
            let message = match &*value {
                "" => format!("`<{name}>` is empty, not {expected}"),
                _ => format!("`{shown}` in `<{name}>` is not {expected}"),
            };
            (SitemapFlawKind::Schema, message)
        };
        let place = match (node.first_child(), node.last_child()) {
            (Some(first), Some(last)) => first.range().start..last.range().end,
            _ => node.range(),
        };
        self.report(kind, place, message);
    }

    fn unknown_child(&mut self, node: Node<'_, '_>, child: Node<'_, '_>) {
        let (here, name) = self.tag_of(child);
        let (name, parent) = (quoted(name), quoted(self.tag_of(node).1));
        let message = format!("the schema has no `<{name}>` in `<{parent}>`");
        self.report(SitemapFlawKind::Schema, here, message);
    }

    fn children(&mut self, node: Node<'_, '_>, rows: &'static [ElementRule]) {
        let (tag, name) = self.tag_of(node);
        let (is_root, parent) = (node.parent_element().is_none(), quoted(name));
        let is_image = node.tag_name().namespace() == Some(IMAGE);
        if node.children().filter(Node::is_text).any(|child| {
            child
                .text()
                .is_some_and(|text| !text.trim_matches(XML_SPACE).is_empty())
        }) {
            let message = format!("`<{parent}>` contains text between its tags");
            self.report(SitemapFlawKind::Schema, tag, message);
        }
        let mut seen = vec![0_u32; rows.len()];
        let (mut last, mut is_in_order) = (0, true);
        for child in node.children().filter(Node::is_element) {
            let is_same_namespace = child.tag_name().namespace() == node.tag_name().namespace();
            let own = rows
                .iter()
                .position(|row| is_same_namespace && child.tag_name().name() == row.name);
            let extension = extension_of(child.tag_name());
            // Elements of other namespaces are the first ones of a root, and the last of an entry.
            let rank = match own {
                Some(at) => at + 1,
                None if is_image
                    || is_same_namespace
                    || matches!(extension, Extension::Unknown) =>
                {
                    self.unknown_child(node, child);
                    continue;
                }
                None if is_root => 0,
                None => rows.len() + 1,
            };
            let (here, name) = self.tag_of(child);
            let name = quoted(name);
            if rank < last && is_in_order {
                is_in_order = false;
                let order = order_in(node, rows);
                let message = format!("`<{name}>` is out of order; the schema requires {order}");
                self.report(SitemapFlawKind::Schema, here.clone(), message);
            }
            last = last.max(rank);
            if let Some(at) = own {
                seen[at] += 1;
                if seen[at] == 2 && !is_root {
                    let message = format!("`<{name}>` occurs more than once in `<{parent}>`");
                    self.report(SitemapFlawKind::Schema, here, message);
                }
                self.element(child, &rows[at]);
            } else if let Extension::Known(rule) = extension {
                self.element(child, rule);
            } else {
                let uri = child.tag_name().namespace().unwrap_or_default();
                let prefix = child.lookup_prefix(uri).unwrap_or_default();
                self.namespace(prefix, uri, &here);
            }
        }
        if seen[0] == 0 && !is_root {
            let prefix = name.find(':').map_or("", |end| &name[..=end]);
            let message = format!(
                "`<{parent}>` has no `<{prefix}{}>`, which the schema requires",
                rows[0].name
            );
            self.report(SitemapFlawKind::Schema, node.range(), message);
        }
    }

    fn attributes(&mut self, node: Node<'_, '_>, rule: &ElementRule) {
        let (here, name) = self.tag_of(node);
        let name = quoted(name);
        for attribute in node.attributes() {
            let is_hint = SCHEMA_HINTS.contains(&attribute.name());
            if is_hint && attribute.namespace() == Some(XML_SCHEMA_INSTANCE) {
                continue;
            }
            let row = rule.attributes.iter().find(|row| {
                attribute.namespace().is_none() && row.names.contains(&attribute.name())
            });
            if row.is_some_and(|row| row.value.allows(attribute.value())) {
                continue;
            }
            let [attribute, shown] = [attribute.name(), attribute.value()].map(quoted);
            let message = match row {
                None => format!("`<{name}>` has the attribute `{attribute}`"),
                Some(row) => {
                    format!(
                        "the attribute `{attribute}` is `{shown}`, not {}",
                        row.value.expected()
                    )
                }
            };
            self.report(SitemapFlawKind::Schema, here.clone(), message);
        }
        for row in rule.attributes {
            if !row.names.iter().any(|name| node.has_attribute(*name)) {
                let message = format!("`<{name}>` has no attribute `{}`", row.names[0]);
                self.report(SitemapFlawKind::Schema, here.clone(), message);
            }
        }
    }
}
