//! Tokenizes the ordinary start of a page without lol_html.
//!
//! Most markup consists of complete tags whose names do not change how the text after them is
//! tokenized, which needs no full parser. At the first thing that may need one this code stops, and
//! `tokens` continues with lol_html from there.
//! So it changes the speed and never the result: it must never return a token that lol_html would
//! not.

use super::attributes::{Tag, TagReader, ends_a_name, tag_name};
use super::html_token::{HtmlToken, TokenListener};
use memchr::memmem::Finder;
use std::sync::LazyLock;

/// Elements whose content has rules of its own (HTML standard, 13.2.6: RCDATA, raw text, plain text,
/// foreign content). All others contain markup.
const UNUSUAL: [&str; 8] = [
    "svg",
    "math",
    "textarea",
    "iframe",
    "xmp",
    "noembed",
    "noframes",
    "plaintext",
];

/// Head elements whose text contains no tags. `<noscript>` is one to lol_html and to browsers that
/// run scripts.
const RAW_TEXT: [&str; 4] = ["script", "title", "style", "noscript"];

const DOCTYPE: &[u8] = b"<!doctype";

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Building a searcher takes as long as searching a kilobyte.
static COMMENT_START: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("<!--"));
static COMMENT_END: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("-->"));

/// How far the page is ordinary.
pub(super) enum OrdinaryPrefix {
    /// The listener stopped at the token that starts at this offset.
    Stopped(usize),
    /// lol_html must continue at this offset.
    Until(usize),
}

/// Passes the tokens of a text to the listener, from the start of the text.
pub(super) fn tokenize(text: &[u8], listener: &mut dyn TokenListener) -> OrdinaryPrefix {
    let mut at = markup_start(text);
    let mut reader = TagReader::default();
    loop {
        let rest = &text[at..];
        let Some((token, length)) = first_token(rest, &mut reader) else {
            return OrdinaryPrefix::Until(at);
        };
        let raw_text = match token {
            HtmlToken::Start(tag) if tag.is_any(&RAW_TEXT) => {
                let Some(raw_text) = raw_text_before_end(tag, &rest[length..]) else {
                    return OrdinaryPrefix::Until(at);
                };
                raw_text
            }
            _ => &[],
        };
        if listener.on_token(token, at..at + length).is_break() {
            return OrdinaryPrefix::Stopped(at);
        }
        at += length;
        let end = at + raw_text.len();
        if !raw_text.is_empty()
            && listener
                .on_token(HtmlToken::RawText(raw_text), at..end)
                .is_break()
        {
            return OrdinaryPrefix::Stopped(at);
        }
        at = end;
    }
}

/// Offset where the markup of a text starts: after the byte order mark, if there is one.
pub(super) fn markup_start(text: &[u8]) -> usize {
    if text.starts_with(BYTE_ORDER_MARK) {
        BYTE_ORDER_MARK.len()
    } else {
        0
    }
}

/// Returns the first token and its length; `None` if it may be unusual or does not end.
fn first_token<'r, 't>(
    text: &'t [u8],
    reader: &'r mut TagReader<'t>,
) -> Option<(HtmlToken<'r>, usize)> {
    match text {
        [b'<', b'!' | b'?', ..] => comment_or_doctype(text),
        [b'<', b'/', letter, ..] if letter.is_ascii_alphabetic() => {
            let (tag, length) = reader.read(text)?;
            Some((HtmlToken::End(tag), length))
        }
        [b'<', letter, ..] if letter.is_ascii_alphabetic() => {
            let (tag, length) = reader.read(text)?;
            (!tag.is_any(&UNUSUAL)).then_some((HtmlToken::Start(tag), length))
        }
        [] | [b'<'] | [b'<', b'/', ..] => None,
        _ => {
            let length = text_length(text);
            Some((HtmlToken::Text(&text[..length]), length))
        }
    }
}

/// Length of the text up to a `<` that may begin something else. Before any other character, `<` is
/// text (HTML standard, 13.2.5.6 "Tag open state").
fn text_length(text: &[u8]) -> usize {
    memchr::memchr_iter(b'<', text)
        .find(|at| {
            text.get(at + 1)
                .is_none_or(|byte| byte.is_ascii_alphabetic() || b"/!?".contains(byte))
        })
        .unwrap_or(text.len())
}

/// Returns the raw text after a start tag, up to its end tag.
fn raw_text_before_end<'t>(tag: Tag<'_>, text: &'t [u8]) -> Option<&'t [u8]> {
    let mut ends = memchr::memchr_iter(b'<', text).filter(|at| text[at + 1..].starts_with(b"/"));
    let end = ends.find(|&at| {
        let name = tag_name(&text[at..]);
        // A name at the end of the text may be incomplete.
        let after = text.get(at + 2 + name.len());
        tag.has_name(name) && after.is_some_and(|&byte| ends_a_name(byte))
    });
    let raw_text = &text[..end?];
    // A `<!--` in a script may hide the first `</script>` (HTML standard, "script data escaped
    // state").
    let is_plain =
        memchr::memchr(b'!', raw_text).is_none() || COMMENT_START.find(raw_text).is_none();
    is_plain.then_some(raw_text)
}

fn comment_or_doctype(text: &[u8]) -> Option<(HtmlToken<'_>, usize)> {
    if let Some(inside) = text.strip_prefix(b"<!--") {
        let length = COMMENT_END.find(inside)?;
        let ends_early = inside.starts_with(b">")
            || inside.starts_with(b"->")
            || memchr::memmem::find(&inside[..length], b"--!").is_some();
        let whole = "<!--".len() + length + "-->".len();
        return (!ends_early).then_some((HtmlToken::Comment, whole));
    }
    let start = text.get(..DOCTYPE.len());
    let is_doctype = start.is_some_and(|start| start.eq_ignore_ascii_case(DOCTYPE));
    let token = if is_doctype {
        HtmlToken::Doctype
    } else {
        HtmlToken::Comment
    };
    // A doctype or a bogus comment ends at the first `>`.
    Some((token, memchr::memchr(b'>', text)? + 1))
}
