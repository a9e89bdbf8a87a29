//! A token of a page, and its receiver; and the content of `<template>` elements, which is not part of the
//! page until a script inserts it.

use std::ops::{ControlFlow, Range};

use super::attributes::Tag;

/// Token of a page.
pub(super) enum HtmlToken<'t> {
    /// A start tag of an HTML element.
    Start(Tag<'t>),
    /// A start tag inside `<svg>` or `<math>`, which has no meaning in HTML.
    ForeignStart,
    /// An end tag.
    End(Tag<'t>),
    /// Text between tags, in one or more pieces.
    Text(&'t [u8]),
    /// Text inside an element without tags (`<title>`, `<script>`, `<noscript>`), in one or more
    /// pieces.
    RawText(&'t [u8]),
    /// A comment.
    Comment,
    /// A doctype.
    Doctype,
}

/// Receiver of a page's tokens.
pub(super) trait TokenListener {
    /// Receives the next token; `at` is its byte range in the text. Breaks off at a token that it does not
    /// use.
    fn on_token(&mut self, token: HtmlToken<'_>, at: Range<usize>) -> ControlFlow<()>;
}

/// Counter of open `<template>` elements.
#[derive(Default)]
pub(super) struct Templates {
    open: usize,
}

impl Templates {
    /// Whether the next token is in a template.
    pub(super) fn are_open(&self) -> bool {
        self.open > 0
    }

    /// Processes the next token; returns the tag if it is a start tag outside all templates.
    pub(super) fn start_tag_outside<'t>(&mut self, token: &HtmlToken<'t>) -> Option<Tag<'t>> {
        match *token {
            HtmlToken::Start(tag) if tag.is("template") => self.open += 1,
            HtmlToken::Start(tag) if self.open == 0 => return Some(tag),
            HtmlToken::End(tag) if tag.is("template") => self.open = self.open.saturating_sub(1),
            _ => {}
        }
        None
    }
}
