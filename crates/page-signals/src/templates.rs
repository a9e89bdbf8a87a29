//! Skips the content of `<template>` elements, which is not part of the page until a script inserts
//! it.

use super::attributes::Tag;
use super::html_token::HtmlToken;

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
