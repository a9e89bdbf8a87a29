//! Finds the tags inside `<svg>` and `<math>`, which have no meaning in HTML.
//!
//! Takes start and end tags in document order. Only foreign elements are followed, not those of
//! HTML: in broken nesting (`<div><svg></div>`) a tag may count as foreign that a browser puts in
//! HTML, until the next tag that breaks out. Source: HTML standard, 13.2.6.5.

use super::attributes::Tag;

/// Stack of open foreign elements, as far as they decide the namespace of the next tag.
#[derive(Default)]
pub(super) struct ForeignElements {
    open: Vec<&'static str>,
}

/// Maximum nesting, deeper than any browser builds: each end tag searches the whole stack.
const DEEPEST: usize = 512;

const ROOTS: [&str; 2] = ["svg", "math"];

/// Elements whose content is HTML again: three of SVG, then those of MathML.
const INTEGRATION_POINTS: [&str; 8] = [
    "foreignobject",
    "desc",
    "title",
    "mi",
    "mo",
    "mn",
    "ms",
    "mtext",
];

/// Start tags that end foreign content.
const BREAKING_OUT: &str = "\
    b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li \
    listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var";

impl ForeignElements {
    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Processes the next start tag; returns whether its element is foreign.
    pub(super) fn start(&mut self, tag: Tag<'_>, self_closing: SelfClosing) -> bool {
        let root = named(&ROOTS, tag);
        if !self.inside() && root.is_none() {
            return false;
        }
        if self.inside() && BREAKING_OUT.split(' ').any(|name| tag.is(name)) {
            self.break_out();
            return false;
        }
        if self_closing == SelfClosing::No && self.open.len() < DEEPEST {
            self.open
                .extend(root.or_else(|| self.integration_point(tag)));
        }
        true
    }

    pub(super) fn end(&mut self, tag: Tag<'_>) {
        if self.inside() && (tag.is("p") || tag.is("br")) {
            self.break_out();
        } else if let Some(at) = self.open.iter().rposition(|name| tag.is(name)) {
            self.open.truncate(at);
        }
    }

    fn inside(&self) -> bool {
        self.open.last().is_some_and(|name| ROOTS.contains(name))
    }

    fn break_out(&mut self) {
        while self.inside() {
            self.open.pop();
        }
    }

    fn integration_point(&self, tag: Tag<'_>) -> Option<&'static str> {
        let (svg, math) = INTEGRATION_POINTS.split_at(3);
        let is_in_svg = self.open.last() == Some(&"svg");
        named(if is_in_svg { svg } else { math }, tag)
    }
}

/// Whether a start tag ends in `/>`, which matters only in foreign content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SelfClosing {
    Yes,
    No,
}

fn named(names: &[&'static str], tag: Tag<'_>) -> Option<&'static str> {
    names.iter().copied().find(|name| tag.is(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attributes::{TagReader, tag_name};

    fn foreign(page: &str) -> Vec<&str> {
        let mut elements = ForeignElements::default();
        let mut foreign = Vec::new();
        for (at, _) in page.match_indices('<') {
            let mut reader = TagReader::default();
            let (tag, _) = reader.read(&page.as_bytes()[at..]).expect("it ends");
            let self_closing = if page[at..].contains("/>") {
                SelfClosing::Yes
            } else {
                SelfClosing::No
            };
            if page[at..].starts_with("</") {
                elements.end(tag);
            } else if elements.start(tag, self_closing) {
                let name = tag_name(&page.as_bytes()[at..]);
                foreign.push(std::str::from_utf8(name).expect("the names are ASCII"));
            }
        }
        foreign
    }

    #[test]
    fn foreign_content_ends_where_a_browser_ends_it() {
        let check = |page: &str, expected: &[&str]| assert_eq!(foreign(page), expected, "{page}");
        check("<a><svg><g></g><link></svg><link>", &["svg", "g", "link"]);
        check("<svg><svg><meta><link>", &["svg", "svg"]);
        check(
            "<svg><title><link></title><link></svg>",
            &["svg", "title", "link"],
        );
        check(
            "<math><title><link></title><mi><link>",
            &["math", "title", "link", "mi"],
        );
        check(
            "<svg><foreignObject><svg><p><link></foreignObject><link>",
            &["svg", "foreignObject", "svg", "link"],
        );
        check("<svg></math><link></p><link>", &["svg", "link"]);
    }
}
