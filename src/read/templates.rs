//! What stands in a `<template>` is not on the page until a script puts it there.

use super::attributes::Tag;
use super::tokens::HtmlToken;

/// The `<template>`s that are open.
#[derive(Default)]
pub(super) struct Templates {
    open: usize,
}

impl Templates {
    /// Follows the next token; `Some` for a start tag that stands on the page.
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
