//! Tokenizes the ordinary start of a page without lol_html.
//!
//! Most markup consists of complete tags whose names do not change how the text after them is
//! tokenized, which needs no full parser. At the first thing that may need one this code stops, and
//! `tokens` continues with lol_html from there.
//! So it changes the speed and never the result: it must never return a token that lol_html would
//! not.

use super::attributes::{Tag, ends_a_name};
use super::html_token::{HtmlToken, ListenerNext, TokenListener};
use super::text::PageText;
use memchr::memmem::Finder;
use std::io;
use std::ops::Range;
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

/// Building a searcher takes as long as searching a kilobyte.
static COMMENT_START: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("<!--"));
static COMMENT_END: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("-->"));

/// Longer tokens are left to lol_html, which does not always need to hold them whole.
const LONGEST: usize = 64 << 10;

/// How far the page is ordinary.
pub(super) enum OrdinaryPrefix {
    /// The listener stopped at the token that starts at this offset.
    Stopped(usize),
    /// lol_html must continue at this offset.
    Until(usize),
}

/// First token of a text.
enum TokenStart<'t> {
    Token(HtmlToken<'t>, usize),
    /// A start tag, its length, and the length of the text up to its end tag.
    RawTextElement(Tag<'t>, usize, usize),
    /// A token that may be ordinary, but does not end in this text.
    Unfinished,
    /// Anything else.
    Unusual,
}

/// Passes the tokens of a text to the listener, from the start of the text.
pub(super) fn tokenize(
    text: &mut PageText<'_>,
    listener: &mut dyn TokenListener,
) -> io::Result<OrdinaryPrefix> {
    let mut at = text.markup_start();
    loop {
        let rest = text.from(at);
        let mut tell = |token: HtmlToken<'_>, range: Range<usize>| {
            listener.on_token(token, range) == ListenerNext::Continue
        };
        match start_of(rest) {
            TokenStart::Token(token, length) => {
                if !tell(token, at..at + length) {
                    return Ok(OrdinaryPrefix::Stopped(at));
                }
                at += length;
                continue;
            }
            TokenStart::RawTextElement(tag, tag_length, text_length) => {
                let text_at = at + tag_length;
                if !tell(HtmlToken::Start(tag), at..text_at) {
                    return Ok(OrdinaryPrefix::Stopped(at));
                }
                at = text_at + text_length;
                let raw_text = &rest[tag_length..tag_length + text_length];
                if !raw_text.is_empty() && !tell(HtmlToken::RawText(raw_text), text_at..at) {
                    return Ok(OrdinaryPrefix::Stopped(text_at));
                }
                continue;
            }
            TokenStart::Unfinished if rest.len() < LONGEST => {}
            TokenStart::Unfinished | TokenStart::Unusual => return Ok(OrdinaryPrefix::Until(at)),
        }
        if !text.read_more(at)? {
            return Ok(OrdinaryPrefix::Until(at));
        }
    }
}

fn start_of(text: &[u8]) -> TokenStart<'_> {
    match text {
        [b'<', b'!' | b'?', ..] => comment_or_doctype(text),
        [b'<', b'/', letter, ..] if letter.is_ascii_alphabetic() => {
            let tag = Tag::at(text);
            tag.length(text).map_or(TokenStart::Unfinished, |length| {
                TokenStart::Token(HtmlToken::End(tag), length)
            })
        }
        [b'<', letter, ..] if letter.is_ascii_alphabetic() => start_tag(text),
        [] | [b'<'] | [b'<', b'/'] => TokenStart::Unfinished,
        [b'<', b'/', ..] => TokenStart::Unusual,
        _ => {
            let length = text_length(text);
            TokenStart::Token(HtmlToken::Text(&text[..length]), length)
        }
    }
}

/// Length of the text up to a `<` that may begin something else. Before any other character, `<` is
/// text (HTML standard, 13.2.5.6 "Tag open state").
fn text_length(text: &[u8]) -> usize {
    let may_begin = |at: &usize| {
        let next = text.get(at + 1);
        next.is_none_or(|byte| byte.is_ascii_alphabetic() || b"/!?".contains(byte))
    };
    let mut places = memchr::memchr_iter(b'<', text);
    places.find(may_begin).unwrap_or(text.len())
}

fn start_tag(text: &[u8]) -> TokenStart<'_> {
    let tag = Tag::at(text);
    let is_raw_text = tag.is_any(&RAW_TEXT);
    if tag.is_any(&UNUSUAL) {
        return TokenStart::Unusual;
    }
    match tag.length(text) {
        None => TokenStart::Unfinished,
        Some(length) if is_raw_text => raw_text_element(tag, length, &text[length..]),
        Some(length) => TokenStart::Token(HtmlToken::Start(tag), length),
    }
}

fn raw_text_element<'t>(tag: Tag<'t>, tag_length: usize, text: &'t [u8]) -> TokenStart<'t> {
    for at in memchr::memchr_iter(b'<', text).filter(|at| text[at + 1..].starts_with(b"/")) {
        let end = Tag::at(&text[at..]);
        // A name at the end of the text may be incomplete.
        if !end.is_same_as(tag)
            || !text
                .get(at + 2 + end.name_length())
                .is_some_and(|&byte| ends_a_name(byte))
        {
            continue;
        }
        // A `<!--` in a script may hide the first `</script>` (HTML standard, "script data escaped
        // state").
        let is_plain = memchr::memchr(b'!', &text[..at]).is_none()
            || COMMENT_START.find(&text[..at]).is_none();
        return if is_plain {
            TokenStart::RawTextElement(tag, tag_length, at)
        } else {
            TokenStart::Unusual
        };
    }
    TokenStart::Unfinished
}

fn comment_or_doctype(text: &[u8]) -> TokenStart<'_> {
    let end = match text {
        [b'<', b'!'] | [b'<', b'!', b'-'] => None,
        [b'<', b'!', b'-', b'-', inside @ ..] => {
            let end = COMMENT_END.find(inside);
            if inside.starts_with(b">") || inside.starts_with(b"->") {
                return TokenStart::Unusual;
            }
            if memchr::memmem::find(&inside[..end.unwrap_or(inside.len())], b"--!").is_some() {
                return TokenStart::Unusual;
            }
            end.map(|end| "<!--".len() + end + "-->".len())
        }
        // A doctype, or a bogus comment: either ends at the first `>`.
        _ => memchr::memchr(b'>', text).map(|end| end + 1),
    };
    let is_doctype = text
        .get(..DOCTYPE.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(DOCTYPE));
    let token = if is_doctype {
        HtmlToken::Doctype
    } else {
        HtmlToken::Comment
    };
    end.map_or(TokenStart::Unfinished, |length| {
        TokenStart::Token(token, length)
    })
}
