//! Checks an XML file against the schemas. roxmltree decides what is XML and what the prefixes mean;
//! the rows of `schema.rs` decide the rest.

use std::ops::Range;

use roxmltree::{Document, Node, ParsingOptions, TextPos};

use super::flaw_list::{FlawList, SitemapFlawKind};
use super::schema::{
    AttributeRule, CORE, ContentRule, ElementRule, ExtensionPlace, Occurrence, Requirement,
    Sequence, extension_of, near_miss, root_of,
};
use super::value_rule::ValueRule;
use crate::site_paths::finding::quoted;
use crate::xml::has_repeated_attribute;

/// Characters of a value in a message.
const MAX_SHOWN: usize = 60;

const XML_SCHEMA_INSTANCE: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// The attributes that any element may have.
const SCHEMA_HINTS: [&str; 2] = ["schemaLocation", "noNamespaceSchemaLocation"];

/// Reports the flaws of a text that begins at offset `start` of the file.
pub(super) fn check_document(text: &str, start: usize, flaws: &mut FlawList) {
    let mut check = DocumentCheck {
        text,
        start,
        flaws,
        near_misses: Vec::new(),
    };
    let encodings = ["utf-8", "utf8", "us-ascii"];
    let is_utf8 = |name: &&str| {
        encodings
            .iter()
            .any(|known| name.eq_ignore_ascii_case(known))
    };
    if let Some(encoding) = declared(text, "encoding").filter(|name| !is_utf8(name)) {
        let encoding = quoted(encoding);
        let message = format!("it is {encoding}, but the protocol requires UTF-8");
        return check.report(SitemapFlawKind::Encoding, 0..1, message);
    }
    // roxmltree accepts any text as these values.
    let is_version = |text: &str| text.len() == 3 && text.starts_with("1.");
    let is_answer = |text: &str| matches!(text, "yes" | "no");
    if let Some(version) = declared(text, "version").filter(|text| !is_version(text)) {
        let message = format!("its version of XML is `{}`, not `1.0`", quoted(version));
        return check.report(SitemapFlawKind::Malformed, 0..1, message);
    }
    if let Some(answer) = declared(text, "standalone").filter(|text| !is_answer(text)) {
        let message = format!("`standalone` is `{}`, not `yes` or `no`", quoted(answer));
        return check.report(SitemapFlawKind::Malformed, 0..1, message);
    }
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    match Document::parse_with_options(text, options) {
        Ok(document) => {
            let instructions = document.descendants();
            let mut instructions = instructions.filter_map(|node| Some((node.range(), node.pi()?)));
            // roxmltree accepts the reserved name, and anything right after a name.
            let wrong = instructions.find_map(|(range, pi)| {
                let rest = text[range.clone()].get("<?".len() + pi.target.len()..)?;
                let is_separate = rest.starts_with([' ', '\t', '\r', '\n']) || rest == "?>";
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
            let at = offset_of(text, error.pos());
            // Its message ends with the position, which the finding has.
            let message = error.to_string();
            let message = quoted(message.split(" at ").next().unwrap_or_default());
            let end = (at + 1..=text.len()).find(|end| text.is_char_boundary(*end));
            let here = at..end.unwrap_or(text.len());
            let message = format!("it is not well-formed XML: {message}");
            check.report(SitemapFlawKind::Malformed, here, message);
        }
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

/// The offset of a position, whose columns count characters.
fn offset_of(text: &str, position: TextPos) -> usize {
    let above = (position.row - 1) as usize;
    let line: usize = text.split_inclusive('\n').take(above).map(str::len).sum();
    let before = text[line..].chars().take((position.col - 1) as usize);
    (line + before.map(char::len_utf8).sum::<usize>()).min(text.len())
}

struct DocumentCheck<'t, 'f> {
    text: &'t str,
    start: usize,
    flaws: &'f mut FlawList,
    /// The reported namespaces that are nearly known ones.
    near_misses: Vec<String>,
}

/// The row of a child, and its position in the order of the schema.
struct ChildRule {
    /// `None` if its content is not checked.
    rule: Option<&'static ElementRule>,
    rank: usize,
}

impl<'t> DocumentCheck<'t, '_> {
    fn report(&mut self, kind: SitemapFlawKind, here: Range<usize>, message: String) {
        let here = (self.start + here.start) as u64..(self.start + here.end) as u64;
        self.flaws.report(kind, here, message);
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
            self.namespace(namespace.uri(), &here);
        }
        self.element(root, rule);
    }

    /// Reports a namespace that is nearly a known one, once per file.
    fn namespace(&mut self, uri: &str, here: &Range<usize>) {
        let right = near_miss(uri).filter(|_| !self.near_misses.iter().any(|known| known == uri));
        if let Some(right) = right {
            let wrong = quoted(uri);
            let message = format!("the namespace `{wrong}` is not `{right}`, so readers ignore it");
            self.report(SitemapFlawKind::Namespace, here.clone(), message);
            self.near_misses.push(uri.to_owned());
        }
    }

    /// The place of a start tag up to the end of its name, and the name as written.
    fn tag_of(&self, node: Node<'_, '_>) -> (Range<usize>, &'t str) {
        let start = node.range().start;
        let tag = &self.text[start + 1..];
        let is_end = |letter: char| letter.is_whitespace() || matches!(letter, '/' | '>');
        let name = &tag[..tag.find(is_end).unwrap_or(tag.len())];
        (start..start + 1 + name.len(), name)
    }

    /// Checks an element.
    fn element(&mut self, node: Node<'_, '_>, rule: &'static ElementRule) {
        self.attributes(node, rule);
        match &rule.content {
            ContentRule::Sequence(sequence) => self.sequence(node, sequence),
            ContentRule::Text(value) => {
                if self.has_no_child(node) {
                    self.value(node, *value);
                }
            }
            ContentRule::Empty => {
                if self.has_no_child(node) && node.children().any(|child| child.is_text()) {
                    self.stray_text(node);
                }
            }
        }
    }

    /// Whether an element has no child, which is a flaw.
    fn has_no_child(&mut self, node: Node<'_, '_>) -> bool {
        let Some(child) = node.first_element_child() else {
            return true;
        };
        let (here, name) = self.tag_of(child);
        let (name, parent) = (quoted(name), quoted(self.tag_of(node).1));
        let message = format!("`<{parent}>` contains the element `<{name}>`");
        self.report(SitemapFlawKind::Schema, here, message);
        false
    }

    fn value(&mut self, node: Node<'_, '_>, rule: ValueRule) {
        let texts = node.children().filter(Node::is_text);
        let value: String = texts.filter_map(|text| text.text()).collect();
        if rule.allows(&value) {
            return;
        }
        let shown: String = value.trim().chars().take(MAX_SHOWN).collect();
        let (name, shown) = (quoted(self.tag_of(node).1), quoted(&shown));
        let expected = rule.expected();
        let message = if shown.is_empty() {
            format!("`<{name}>` is empty; the schema requires {expected}")
        } else {
            format!("`{shown}` in `<{name}>` is not {expected}")
        };
        let place = match (node.first_child(), node.last_child()) {
            (Some(first), Some(last)) => first.range().start..last.range().end,
            _ => node.range(),
        };
        self.report(SitemapFlawKind::Schema, place, message);
    }

    fn stray_text(&mut self, node: Node<'_, '_>) {
        let (here, name) = self.tag_of(node);
        let message = format!("`<{}>` contains text between its tags", quoted(name));
        self.report(SitemapFlawKind::Schema, here, message);
    }

    fn sequence(&mut self, node: Node<'_, '_>, sequence: &'static Sequence) {
        let is_stray = |child: Node<'_, '_>| {
            let text = child.text().filter(|_| child.is_text());
            text.is_some_and(|text| !text.trim_matches([' ', '\t', '\r', '\n']).is_empty())
        };
        if node.children().any(is_stray) {
            self.stray_text(node);
        }
        let mut counts = vec![0_u32; sequence.children.len()];
        let (mut last, mut is_in_order) = (0, true);
        for child in node.children().filter(Node::is_element) {
            let (here, name) = self.tag_of(child);
            let name = quoted(name);
            let Some(ChildRule { rule, rank }) = child_rule(node, sequence, child) else {
                let parent = quoted(self.tag_of(node).1);
                let message = format!("the schema has no `<{name}>` in `<{parent}>`");
                self.report(SitemapFlawKind::Schema, here, message);
                continue;
            };
            if rank < last && is_in_order {
                is_in_order = false;
                let order = order_of(sequence);
                let message = format!("`<{name}>` is out of order; the schema requires {order}");
                self.report(SitemapFlawKind::Schema, here.clone(), message);
            }
            last = last.max(rank);
            if let Some(at) = rank.checked_sub(1).filter(|at| *at < counts.len()) {
                counts[at] += 1;
                let is_one_too_many =
                    counts[at] == 2 && sequence.children[at].occurs != Occurrence::Any;
                if is_one_too_many {
                    let parent = quoted(self.tag_of(node).1);
                    let message = format!("`<{name}>` occurs more than once in `<{parent}>`");
                    self.report(SitemapFlawKind::Schema, here.clone(), message);
                }
            }
            match rule {
                Some(rule) => self.element(child, rule),
                None => self.namespace(child.tag_name().namespace().unwrap_or_default(), &here),
            }
        }
        let mut rows = sequence.children.iter().zip(&counts);
        let missing = rows.find(|(row, count)| row.occurs == Occurrence::Once && **count == 0);
        if let Some((row, _)) = missing {
            let name = quoted(self.tag_of(node).1);
            let message = format!(
                "`<{name}>` has no `<{}>`, which the schema requires",
                row.name
            );
            self.report(SitemapFlawKind::Schema, node.range(), message);
        }
    }

    fn attributes(&mut self, node: Node<'_, '_>, rule: &ElementRule) {
        let (here, name) = self.tag_of(node);
        for attribute in node.attributes() {
            let is_hint = SCHEMA_HINTS.contains(&attribute.name());
            if is_hint && attribute.namespace() == Some(XML_SCHEMA_INSTANCE) {
                continue;
            }
            let mut known = rule.attributes.iter();
            let row =
                known.find(|row| attribute.namespace().is_none() && row.name == attribute.name());
            let message = match row {
                None => {
                    let attribute = quoted(attribute.name());
                    format!("`<{}>` has the attribute `{attribute}`", rule.name)
                }
                Some(row) if row.value.allows(attribute.value()) => continue,
                Some(row) => {
                    let (shown, expected) = (quoted(attribute.value()), row.value.expected());
                    format!("the attribute `{}` is `{shown}`, not {expected}", row.name)
                }
            };
            self.report(SitemapFlawKind::Schema, here.clone(), message);
        }
        let is_missing = |row: &&AttributeRule| {
            let is_required = match row.required {
                Requirement::Always => true,
                Requirement::Never => false,
                Requirement::Unless(other) => !node.has_attribute(other),
            };
            is_required && !node.has_attribute(row.name)
        };
        for row in rule.attributes.iter().filter(is_missing) {
            let message = format!("`<{}>` has no attribute `{}`", quoted(name), row.name);
            self.report(SitemapFlawKind::Schema, here.clone(), message);
        }
    }
}

/// The row of a child; `None` if the schema has none.
fn child_rule(
    node: Node<'_, '_>,
    sequence: &'static Sequence,
    child: Node<'_, '_>,
) -> Option<ChildRule> {
    let (name, namespace) = (child.tag_name().name(), child.tag_name().namespace());
    if namespace == node.tag_name().namespace() {
        let mut children = sequence.children.iter().enumerate();
        let (at, rule) = children.find(|(_, rule)| rule.name == name)?;
        return Some(ChildRule {
            rule: Some(rule),
            rank: at + 1,
        });
    }
    let rank = match sequence.extensions {
        ExtensionPlace::Nowhere => return None,
        ExtensionPlace::Before => 0,
        ExtensionPlace::After => sequence.children.len() + 1,
    };
    match extension_of(namespace.filter(|namespace| !namespace.is_empty())?) {
        Some(rule) => (rule.name == name).then_some(ChildRule {
            rule: Some(rule),
            rank,
        }),
        // Anyone may define a namespace (sitemaps.org protocol, "Extending").
        None => Some(ChildRule { rule: None, rank }),
    }
}

/// The order of the elements of an entry, in words.
fn order_of(sequence: &Sequence) -> String {
    let names = sequence
        .children
        .iter()
        .map(|row| format!("`{}`", row.name));
    let names = names.collect::<Vec<_>>().join(", ");
    match sequence.extensions {
        ExtensionPlace::Nowhere => names,
        ExtensionPlace::Before => format!("other namespaces, then {names}"),
        ExtensionPlace::After => format!("{names}, then other namespaces"),
    }
}
