//! A token of a page, and its receiver.

use super::attributes::Tag;
use std::ops::Range;

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
    /// Receives the next token; `at` is its byte range in the text.
    fn on_token(&mut self, token: HtmlToken<'_>, at: Range<usize>) -> ListenerNext;
}

/// Whether to continue after a token.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ListenerNext {
    Continue,
    /// Stop at this token, which was not used.
    Stop,
}
