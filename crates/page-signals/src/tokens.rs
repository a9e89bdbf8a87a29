//! Splits a page's text into tags and text, in document order, with lol_html.
//!
//! No other file uses that crate. lol_html reports start tags, text, comments and doctypes; end
//! tags are found in the gaps between them. The listener may stop the parser at any token, so that
//! no more is read than needed.

use super::attributes::TagReader;
use super::foreign_content::{ForeignElements, SelfClosing};
use super::html_token::{HtmlToken, TokenListener};
use super::ordinary_markup::{self, OrdinaryPrefix};
use lol_html::errors::RewritingError;
use lol_html::html_content::{Element, SourceLocation, TextType};
use lol_html::{
    AsciiCompatibleEncoding, DocumentContentHandlers, ElementContentHandlers, HandlerResult,
    HtmlRewriter, MemorySettings, Selector, Settings,
};
use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::Range;
use std::sync::LazyLock;

/// Memory limit of lol_html, which holds an incomplete tag or comment at the end, and the stack of open
/// elements: more than any page needs that is not hostile.
const MEMORY: usize = 64 << 20;

/// Number of tags after which lol_html is restarted. It keeps every open element, and elements
/// without end tags stay open; a restart bounds that at no cost.
const TAGS_IN_ONE_GO: usize = 4096;

const HTML_NAMESPACE: &str = "http://www.w3.org/1999/xhtml";

static ANY_ELEMENT: LazyLock<Selector> = LazyLock::new(|| "*".parse().expect("`*` is a selector"));

/// How tokenizing ended.
pub(super) enum TokenizeOutcome {
    /// At the end of the text.
    Complete,
    /// The listener stopped at the token that starts at this offset.
    Stopped(usize),
    /// Too many foreign elements are open.
    OutOfMemory,
}

/// Passes the tokens of a text to the listener, from the start of the text.
pub(super) fn tokenize(text: &[u8], listener: &mut dyn TokenListener) -> TokenizeOutcome {
    match ordinary_markup::tokenize(text, listener) {
        OrdinaryPrefix::Stopped(at) => TokenizeOutcome::Stopped(at),
        OrdinaryPrefix::Until(at) => parse(at, text, listener),
    }
}

/// Passes the tokens from an offset on, where no element that matters to lol_html may be open.
pub(super) fn parse(
    mut start: usize,
    text: &[u8],
    listener: &mut dyn TokenListener,
) -> TokenizeOutcome {
    loop {
        match tokenize_from(start, text, listener) {
            Some(StopReason::Restart(at)) => start = at,
            Some(StopReason::Stop(at)) => return TokenizeOutcome::Stopped(at),
            Some(StopReason::OutOfMemory) => return TokenizeOutcome::OutOfMemory,
            None => return TokenizeOutcome::Complete,
        }
    }
}

/// Reason for leaving lol_html before the end of the text.
enum StopReason {
    /// Restart at this offset, with no element open.
    Restart(usize),
    Stop(usize),
    OutOfMemory,
}

/// Error that a handler returns to leave lol_html; the reason is in [`ListenerAdapter`].
#[derive(Debug, thiserror::Error)]
#[error("stopped by the listener")]
struct StopParsing;

fn tokenize_from(
    start: usize,
    text: &[u8],
    listener: &mut dyn TokenListener,
) -> Option<StopReason> {
    let adapter = RefCell::new(ListenerAdapter {
        text,
        listener,
        start,
        emitted_to: start,
        tags: 0,
        foreign: ForeignElements::default(),
        reason: None,
    });
    let mut rewriter = HtmlRewriter::new(settings(&adapter), |_: &[u8]| {});
    let written = rewriter.write(&text[start..]);
    let ended = written.and_then(|()| rewriter.end());
    let result = ended.and_then(|()| {
        let rest = adapter.borrow_mut().end_tags(text.len());
        rest.map_err(RewritingError::ContentHandlerError)
    });
    let error = result.err()?;
    Some(adapter.into_inner().reason_for(&error))
}

fn settings<'h>(adapter: &'h RefCell<ListenerAdapter<'_>>) -> Settings<'h, 'static> {
    let any_element = ElementContentHandlers::default()
        .element(move |element: &mut Element<'_, '_>| adapter.borrow_mut().start_tag(element));
    let outside = DocumentContentHandlers::default()
        .text(move |piece: &mut lol_html::html_content::TextChunk<'_>| {
            adapter
                .borrow_mut()
                .text(piece.text_type(), &piece.source_location())
        })
        .comments(move |comment: &mut lol_html::html_content::Comment<'_>| {
            adapter
                .borrow_mut()
                .other(HtmlToken::Comment, &comment.source_location())
        })
        .doctype(move |doctype: &mut lol_html::html_content::Doctype<'_>| {
            adapter
                .borrow_mut()
                .other(HtmlToken::Doctype, &doctype.source_location())
        });
    // In a single-byte encoding each text chunk is exactly the bytes of its source, wherever blocks
    // end.
    let encoding = AsciiCompatibleEncoding::new(encoding_rs::WINDOWS_1252)
        .expect("windows-1252 is ASCII-compatible");
    Settings::new()
        .with_encoding(encoding)
        .with_strict(false)
        .with_memory_settings(
            MemorySettings::new()
                .with_preallocated_parsing_buffer_size(0)
                .with_max_allowed_memory_usage(MEMORY),
        )
        .append_element_content_handler((Cow::Borrowed(&*ANY_ELEMENT), any_element))
        .append_document_content_handler(outside)
}

/// Adapter from lol_html, which counts offsets from where it was started, to a listener.
struct ListenerAdapter<'l> {
    text: &'l [u8],
    listener: &'l mut dyn TokenListener,
    start: usize,
    /// Everything before this offset has been passed to the listener.
    emitted_to: usize,
    tags: usize,
    foreign: ForeignElements,
    reason: Option<StopReason>,
}

impl ListenerAdapter<'_> {
    fn start_tag(&mut self, element: &Element<'_, '_>) -> HandlerResult {
        let at = self.absolute(&element.source_location());
        self.end_tags(at.start)?;
        self.tags += 1;
        if self.tags > TAGS_IN_ONE_GO && self.foreign.is_empty() {
            return self.leave(StopReason::Restart(at.start));
        }
        let mut reader = TagReader::default();
        let Some((tag, _)) = reader.read(&self.text[at.start..]) else {
            // lol_html reports no tag that does not end.
            return Ok(());
        };
        let self_closing = if element.is_self_closing() {
            SelfClosing::Yes
        } else {
            SelfClosing::No
        };
        if self.foreign.start(tag, self_closing) {
            self.emit(HtmlToken::ForeignStart, at.clone())?;
            // lol_html treats `<svg/>` as an open element.
            return if self.foreign.is_empty() {
                self.leave(StopReason::Restart(at.end))
            } else {
                Ok(())
            };
        }
        if self.foreign.is_empty() && element.namespace_uri() != HTML_NAMESPACE {
            // lol_html closes only one of several `<svg>` when a tag breaks out of them.
            return self.leave(StopReason::Restart(at.start));
        }
        self.emit(HtmlToken::Start(tag), at)
    }

    fn text(&mut self, kind: TextType, location: &SourceLocation) -> HandlerResult {
        let at = self.absolute(location);
        self.end_tags(at.start)?;
        let piece = &self.text[at.clone()];
        match kind {
            _ if piece.is_empty() => Ok(()),
            TextType::Data | TextType::CDataSection => self.emit(HtmlToken::Text(piece), at),
            TextType::PlainText | TextType::RCData | TextType::RawText | TextType::ScriptData => {
                self.emit(HtmlToken::RawText(piece), at)
            }
        }
    }

    fn other(&mut self, token: HtmlToken<'_>, location: &SourceLocation) -> HandlerResult {
        let at = self.absolute(location);
        self.end_tags(at.start)?;
        self.emit(token, at)
    }

    /// Passes on the end tags between the last token and `until`.
    fn end_tags(&mut self, until: usize) -> HandlerResult {
        while self.emitted_to < until {
            let gap = &self.text[self.emitted_to..until];
            let silent = [&b"</>"[..], b"<![CDATA[", b"]]>"]
                .into_iter()
                .find(|mark| gap.starts_with(mark));
            if let Some(mark) = silent {
                self.emitted_to += mark.len();
                continue;
            }
            let mut reader = TagReader::default();
            let Some((tag, length)) = reader.read(gap).filter(|_| gap.starts_with(b"</")) else {
                break;
            };
            let at = self.emitted_to..self.emitted_to + length;
            self.emit(HtmlToken::End(tag), at.clone())?;
            let was_outside = self.foreign.is_empty();
            self.foreign.end(tag);
            if self.foreign.is_empty() && !was_outside {
                // lol_html may have counted a `<svg/>` inside.
                return self.leave(StopReason::Restart(at.end));
            }
        }
        Ok(())
    }

    fn emit(&mut self, token: HtmlToken<'_>, at: Range<usize>) -> HandlerResult {
        let (start, end) = (at.start, at.end);
        if self.listener.on_token(token, at).is_break() {
            return self.leave(StopReason::Stop(start));
        }
        self.emitted_to = end;
        Ok(())
    }

    /// Reason for an error of lol_html: ours, or else its memory limit.
    fn reason_for(self, error: &RewritingError) -> StopReason {
        debug_assert!(
            !matches!(error, RewritingError::ParsingAmbiguity(_)),
            "only strict mode returns this error"
        );
        self.reason.unwrap_or(StopReason::OutOfMemory)
    }

    fn leave(&mut self, reason: StopReason) -> HandlerResult {
        self.reason = Some(reason);
        Err(Box::new(StopParsing))
    }

    fn absolute(&self, location: &SourceLocation) -> Range<usize> {
        let at = location.bytes();
        self.start + at.start..self.start + at.end
    }
}
