//! Checks one open element against its row of the schemas: its children, their order and number, and
//! its text.

use std::ops::Range;

use super::flaw_list::{FlawList, SitemapFlawKind};
use super::namespaces::Namespace;
use super::schema::{ContentRule, ElementRule, ExtensionPlace, Occurrence, Sequence};
use site_paths::finding::quoted;

/// Characters of a value in a message.
const MAX_SHOWN: usize = 60;

/// The name of an element, as written.
#[derive(Debug, Clone, Copy)]
pub(super) struct ElementName<'a> {
    pub(super) qualified: &'a str,
    pub(super) local: &'a str,
    pub(super) namespace: Namespace,
}

/// An element that is open, or a free place for one, which keeps its memory.
#[derive(Debug)]
pub(super) struct OpenElement {
    /// Its row; `None` if its content is not checked.
    rule: Option<&'static ElementRule>,
    namespace: Namespace,
    name: String,
    start: u64,
    text_start: u64,
    /// The position of the last child in the order of the schema.
    rank: usize,
    is_in_order: bool,
    has_stray_text: bool,
    /// The number of children by row.
    counts: Vec<u32>,
}

impl Default for OpenElement {
    fn default() -> Self {
        Self {
            rule: None,
            namespace: Namespace::Absent,
            name: String::new(),
            start: 0,
            text_start: 0,
            rank: 0,
            is_in_order: true,
            has_stray_text: false,
            counts: Vec::new(),
        }
    }
}

/// The row of a child, and its position in the order of the schema.
struct ChildRule {
    rule: Option<&'static ElementRule>,
    rank: usize,
}

impl OpenElement {
    /// Starts an element whose tag is here.
    pub(super) fn open(
        &mut self,
        rule: Option<&'static ElementRule>,
        name: ElementName<'_>,
        here: &Range<u64>,
    ) {
        self.rule = rule;
        self.namespace = name.namespace;
        name.qualified.clone_into(&mut self.name);
        (self.start, self.text_start) = (here.start, here.end);
        self.rank = 0;
        (self.is_in_order, self.has_stray_text) = (true, false);
        self.counts.clear();
        self.counts.resize(
            self.sequence()
                .map_or(0, |sequence| sequence.children.len()),
            0,
        );
    }

    /// Whether its text is a value that is checked.
    pub(super) fn has_value(&self) -> bool {
        matches!(
            self.rule.map(|rule| &rule.content),
            Some(ContentRule::Text(_))
        )
    }

    fn sequence(&self) -> Option<&'static Sequence> {
        match &self.rule?.content {
            ContentRule::Sequence(sequence) => Some(sequence),
            ContentRule::Text(_) | ContentRule::Empty => None,
        }
    }

    /// Checks a child, and returns its row.
    pub(super) fn child(
        &mut self,
        name: ElementName<'_>,
        here: &Range<u64>,
        flaws: &mut FlawList,
    ) -> Option<&'static ElementRule> {
        let rule = self.rule?;
        let shown = quoted(name.qualified);
        let Some(sequence) = self.sequence() else {
            let message = format!(
                "`<{}>` contains the element `<{shown}>`",
                quoted(&self.name)
            );
            flaws.report(SitemapFlawKind::Schema, here.clone(), message);
            return None;
        };
        let Some(child) = self.child_rule(sequence, name) else {
            let message = format!(
                "the schema has no `<{shown}>` in `<{}>`",
                quoted(&self.name)
            );
            flaws.report(SitemapFlawKind::Schema, here.clone(), message);
            return None;
        };
        if child.rank < self.rank && self.is_in_order {
            self.is_in_order = false;
            let message = format!(
                "`<{shown}>` is out of order; the schema requires {}",
                order_of(sequence)
            );
            flaws.report(SitemapFlawKind::Order, here.clone(), message);
        }
        self.rank = self.rank.max(child.rank);
        self.count(rule, child.rank, &shown, here, flaws);
        child.rule
    }

    /// Counts a child, and reports one too many.
    fn count(
        &mut self,
        rule: &ElementRule,
        rank: usize,
        shown: &str,
        here: &Range<u64>,
        flaws: &mut FlawList,
    ) {
        let Some(at) = rank.checked_sub(1).filter(|at| *at < self.counts.len()) else {
            return;
        };
        self.counts[at] += 1;
        let ContentRule::Sequence(sequence) = &rule.content else {
            return;
        };
        let most = sequence.children[at].occurs.most();
        // An entry with several URLs is reported when it ends.
        if self.counts[at] == most.saturating_add(1) && !self.is_entry_with(sequence) {
            let times = if most == 1 {
                "more than once".to_owned()
            } else {
                format!("more than {most} times")
            };
            let message = format!("`<{shown}>` occurs {times} in `<{}>`", quoted(&self.name));
            flaws.report(SitemapFlawKind::Schema, here.clone(), message);
        }
    }

    fn child_rule(&self, sequence: &Sequence, name: ElementName<'_>) -> Option<ChildRule> {
        if name.namespace.is_same_as(self.namespace) {
            let mut children = sequence.children.iter().enumerate();
            let (at, rule) = children.find(|(_, rule)| rule.name == name.local)?;
            let (rule, rank) = (Some(rule), at + 1);
            return Some(ChildRule { rule, rank });
        }
        let rank = match sequence.extensions {
            ExtensionPlace::Nowhere => return None,
            ExtensionPlace::Before => 0,
            ExtensionPlace::After => sequence.children.len() + 1,
        };
        match name.namespace {
            Namespace::Extension(rule) if rule.name == name.local => {
                let rule = Some(rule);
                Some(ChildRule { rule, rank })
            }
            // Anyone may define a namespace (sitemaps.org protocol, "Extending").
            Namespace::Other => Some(ChildRule { rule: None, rank }),
            _ => None,
        }
    }

    /// Whether its last child is the URL of an entry.
    fn is_entry_with(&self, sequence: &Sequence) -> bool {
        self.rank <= 1 && self.is_entry(sequence)
    }

    fn is_entry(&self, sequence: &Sequence) -> bool {
        let first = sequence.children.first();
        matches!(self.namespace, Namespace::Core) && first.is_some_and(|first| first.name == "loc")
    }

    /// Reports text where only elements are allowed.
    pub(super) fn stray_text(&mut self, text: &str, here: &Range<u64>, flaws: &mut FlawList) {
        let is_wrong = match self.rule.map(|rule| &rule.content) {
            Some(ContentRule::Sequence(_)) => {
                !text.trim_matches([' ', '\t', '\r', '\n']).is_empty()
            }
            Some(ContentRule::Empty) => !text.is_empty(),
            Some(ContentRule::Text(_)) | None => false,
        };
        if is_wrong && !self.has_stray_text {
            self.has_stray_text = true;
            let message = format!("`<{}>` contains text between its tags", quoted(&self.name));
            flaws.report(SitemapFlawKind::Schema, here.clone(), message);
        }
    }

    /// Checks the complete element. `value` is its text, if it has a value.
    pub(super) fn close(&self, value: &str, here: &Range<u64>, flaws: &mut FlawList) {
        match self.rule.map(|rule| &rule.content) {
            Some(ContentRule::Text(rule)) if !rule.allows(value) => {
                let shown: String = value.trim().chars().take(MAX_SHOWN).collect();
                let (name, shown) = (quoted(&self.name), quoted(&shown));
                let message = if shown.is_empty() {
                    format!(
                        "`<{name}>` is empty; the schema requires {}",
                        rule.expected()
                    )
                } else {
                    format!("`{shown}` in `<{name}>` is not {}", rule.expected())
                };
                let text = self.text_start.min(here.start)..here.start.max(self.text_start);
                flaws.report(SitemapFlawKind::Schema, text, message);
            }
            Some(ContentRule::Sequence(sequence)) => self.close_sequence(sequence, here, flaws),
            _ => {}
        }
    }

    fn close_sequence(&self, sequence: &Sequence, here: &Range<u64>, flaws: &mut FlawList) {
        let whole = self.start..here.end;
        let name = quoted(&self.name);
        if self.is_entry(sequence) && self.counts[0] != 1 {
            let message = format!("an entry has {} `<loc>` elements, not one", self.counts[0]);
            flaws.report(SitemapFlawKind::NoLoc, whole, message);
            return;
        }
        let mut rows = sequence.children.iter().zip(&self.counts);
        let missing = rows.find(|(row, count)| row.occurs == Occurrence::Once && **count == 0);
        if let Some((row, _)) = missing {
            let message = format!(
                "`<{name}>` has no `<{}>`, which the schema requires",
                row.name
            );
            flaws.report(SitemapFlawKind::Schema, whole, message);
        }
    }
}

/// The order of the elements of an entry, in words.
fn order_of(sequence: &Sequence) -> String {
    let names: Vec<String> = sequence
        .children
        .iter()
        .map(|row| format!("`{}`", row.name))
        .collect();
    match sequence.extensions {
        ExtensionPlace::Nowhere => names.join(", "),
        ExtensionPlace::Before => format!("other namespaces, then {}", names.join(", ")),
        ExtensionPlace::After => format!("{}, then other namespaces", names.join(", ")),
    }
}
