//! The text after the head → whether a tag in it could say anything, found by byte search.
//!
//! Most bodies say nothing, and searching bytes is many times faster than parsing them. It may see tags where there are
//! none (in comments, in scripts) but must never miss one that counts: that is what makes it a shortcut and no other
//! answer.

use super::attributes::Tag;
use super::document::Document;
use super::facts::Content;
use super::statements::Statements;
use super::text::Text;
use memchr::memmem;
use std::io;

/// How the tags begin that can say something.
const BEGINNINGS: [&[u8; 2]; 8] = [b"<m", b"<l", b"<b", b"<i", b"<M", b"<L", b"<B", b"<I"];

/// The same without those of images, which are many and seldom wanted.
const WITHOUT_IMAGES: [&[u8; 2]; 6] = [b"<m", b"<l", b"<b", b"<M", b"<L", b"<B"];

/// A tag longer than this is left to the parser.
const LONGEST_TAG: usize = 64 << 10;

/// Whether a parser might find something in the text from an offset on.
pub(super) fn body_may_matter(text: &mut Text<'_>, body: usize, head: &Document<'_>) -> io::Result<bool> {
    let mut searched = body;
    loop {
        let rest = text.from(searched);
        let open = match search(rest, head) {
            Found::Something => return Ok(true),
            Found::Nothing => rest.len(),
            Found::Unfinished(at) if rest.len() - at > LONGEST_TAG => return Ok(true),
            Found::Unfinished(at) => at,
        };
        searched += open;
        // At the end of the text an unfinished tag is no tag.
        if !text.read_more(searched)? {
            return Ok(false);
        }
    }
}

/// Whether a piece of markup has tags in it that could say something.
pub(super) fn could_speak(markup: &[u8]) -> bool {
    BEGINNINGS.iter().any(|beginning| memmem::find(markup, *beginning).is_some())
}

enum Found {
    Nothing,
    Something,
    /// A tag that the text ends in.
    Unfinished(usize),
}

fn search(text: &[u8], head: &Document<'_>) -> Found {
    let statements = head.statements();
    if statements.facts.content != Content::Html {
        return search_any_tag(text);
    }
    let beginnings: &[&[u8; 2]] = if statements.wants_images() { &BEGINNINGS } else { &WITHOUT_IMAGES };
    let mut unfinished = text.len();
    for beginning in beginnings {
        for at in memmem::find_iter(text, *beginning) {
            match judge(&text[at..], statements) {
                Found::Something => return Found::Something,
                Found::Unfinished(_) => unfinished = unfinished.min(at),
                Found::Nothing => {}
            }
        }
    }
    // A beginning may itself be cut in two.
    if text.last() == Some(&b'<') {
        unfinished = unfinished.min(text.len() - 1);
    }
    if unfinished < text.len() { Found::Unfinished(unfinished) } else { Found::Nothing }
}

/// What the tag at the start of `text` would come to, if it were one.
fn judge(text: &[u8], statements: &Statements<'_>) -> Found {
    let tag = Tag::at(text);
    if 1 + tag.name().len() == text.len() {
        return Found::Unfinished(0);
    }
    if !["meta", "link", "base", "img", "image"].iter().any(|name| tag.is(name)) {
        return Found::Nothing;
    }
    if tag.length(text).is_none() {
        Found::Unfinished(0)
    } else if statements.would_take(tag) {
        Found::Something
    } else {
        Found::Nothing
    }
}

/// A text that has no tag so far is no page, unless one comes yet.
fn search_any_tag(text: &[u8]) -> Found {
    for at in memchr::memchr_iter(b'<', text) {
        match text.get(at + 1) {
            None => return Found::Unfinished(at),
            Some(b'/' | b'!' | b'?') => return Found::Something,
            Some(letter) if letter.is_ascii_alphabetic() => return Found::Something,
            Some(_) => {}
        }
    }
    Found::Nothing
}
