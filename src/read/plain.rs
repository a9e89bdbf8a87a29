//! The start of a page, as far as it is ordinary → its tokens, without lol_html.
//!
//! Nearly every head is whole tags of a dozen names, and telling those takes no parser. At the first thing that may take
//! one this leaves off, and `tokens` goes on with lol_html from there: that is what makes it a shortcut and no second
//! answer. It must never tell a token that lol_html would not.

use super::attributes::{Tag, ends_a_name};
use super::text::Text;
use super::tokens::{Listener, Next, Token};
use memchr::memmem;
use std::io;
use std::ops::Range;

/// Elements after whose start tags markup goes on.
const MARKUP: [&str; 6] = ["meta", "link", "html", "head", "base", "body"];

/// Elements of heads whose text holds no tags (to lol_html and to browsers that run scripts, `<noscript>` too).
const RAW_TEXT: [&str; 4] = ["script", "title", "style", "noscript"];

/// What is longer than this is left to lol_html, which need not hold it whole.
const LONGEST: usize = 64 << 10;

/// How far the page was ordinary.
pub(super) enum Ordinary {
    /// The listener stopped at the token which starts here.
    Stopped(usize),
    /// From here on it takes lol_html.
    Until(usize),
}

/// What the text starts with.
enum Start<'t> {
    Token(Token<'t>, usize),
    /// A start tag, the text up to its end tag, and how long each is.
    RawTextElement(Tag<'t>, usize, usize),
    /// Something that may be ordinary, but does not end in this text.
    Unfinished,
    /// Anything else.
    Unusual,
}

/// Tells the listener the tokens of a text that is at its start.
pub(super) fn tokenize(text: &mut Text<'_>, listener: &mut dyn Listener) -> io::Result<Ordinary> {
    let mut at = text.markup_start();
    loop {
        let rest = text.from(at);
        let mut tell =
            |token: Token<'_>, range: Range<usize>| listener.hear(token, range) == Next::GoOn;
        match start_of(rest) {
            Start::Token(token, length) => {
                if !tell(token, at..at + length) {
                    return Ok(Ordinary::Stopped(at));
                }
                at += length;
                continue;
            }
            Start::RawTextElement(tag, tag_length, text_length) => {
                let text_at = at + tag_length;
                if !tell(Token::Start(tag), at..text_at) {
                    return Ok(Ordinary::Stopped(at));
                }
                at = text_at + text_length;
                let raw_text = &rest[tag_length..tag_length + text_length];
                if !raw_text.is_empty() && !tell(Token::RawText(raw_text), text_at..at) {
                    return Ok(Ordinary::Stopped(text_at));
                }
                continue;
            }
            Start::Unfinished if rest.len() < LONGEST => {}
            Start::Unfinished | Start::Unusual => return Ok(Ordinary::Until(at)),
        }
        if !text.read_more(at)? {
            return Ok(Ordinary::Until(at));
        }
    }
}

fn start_of(text: &[u8]) -> Start<'_> {
    match text {
        [b'<', b'!' | b'?', ..] => comment_or_doctype(text),
        [b'<', b'/', letter, ..] if letter.is_ascii_alphabetic() => {
            let tag = Tag::at(text);
            tag.length(text).map_or(Start::Unfinished, |length| {
                Start::Token(Token::End(tag), length)
            })
        }
        [b'<', letter, ..] if letter.is_ascii_alphabetic() => start_tag(text),
        [] | [b'<'] | [b'<', b'/'] => Start::Unfinished,
        [b'<', ..] => Start::Unusual,
        _ => match memchr::memchr(b'<', text) {
            Some(length) => Start::Token(Token::Text(&text[..length]), length),
            None => Start::Unfinished,
        },
    }
}

fn start_tag(text: &[u8]) -> Start<'_> {
    let tag = Tag::at(text);
    let is_raw_text = RAW_TEXT.iter().any(|name| tag.is(name));
    if !is_raw_text && !MARKUP.iter().any(|name| tag.is(name)) {
        return Start::Unusual;
    }
    match tag.length(text) {
        None => Start::Unfinished,
        Some(length) if is_raw_text => raw_text_element(tag, length, &text[length..]),
        Some(length) => Start::Token(Token::Start(tag), length),
    }
}

fn raw_text_element<'t>(tag: Tag<'t>, tag_length: usize, text: &'t [u8]) -> Start<'t> {
    for at in memchr::memchr_iter(b'<', text).filter(|at| text[at + 1..].starts_with(b"/")) {
        let end = Tag::at(&text[at..]);
        // A name that the text ends in may go on.
        if !end.is_same_as(tag)
            || !text
                .get(at + 2 + end.name_length())
                .is_some_and(|&byte| ends_a_name(byte))
        {
            continue;
        }
        // A script's `<!--` may hide the first `</script>` (HTML standard, "script data escaped state").
        let is_plain = memmem::find(&text[..at], b"<!--").is_none();
        return if is_plain {
            Start::RawTextElement(tag, tag_length, at)
        } else {
            Start::Unusual
        };
    }
    Start::Unfinished
}

fn comment_or_doctype(text: &[u8]) -> Start<'_> {
    let end = match text {
        [b'<', b'!'] | [b'<', b'!', b'-'] => None,
        [b'<', b'!', b'-', b'-', inside @ ..] => {
            let end = memmem::find(inside, b"-->");
            if inside.starts_with(b">") || inside.starts_with(b"->") {
                return Start::Unusual;
            }
            if memmem::find(&inside[..end.unwrap_or(inside.len())], b"--!").is_some() {
                return Start::Unusual;
            }
            end.map(|end| "<!--".len() + end + "-->".len())
        }
        // A doctype, or what a browser takes for a comment: either ends at the first `>`.
        _ => memchr::memchr(b'>', text).map(|end| end + 1),
    };
    end.map_or(Start::Unfinished, |length| {
        Start::Token(Token::Other, length)
    })
}
