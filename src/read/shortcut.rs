//! The text after the head → whether a tag in it could say anything, found by byte search.
//!
//! Most bodies say nothing, and searching bytes is many times faster than parsing them. It may see tags where there are
//! none (in comments, in scripts) but must never miss one that counts: that is what makes it a shortcut and no other
//! answer.

use super::attributes::{Tag, ends_a_name};
use super::document::Document;
use super::facts::Content;
use super::statements::Statements;
use super::text::Text;
use aho_corasick::{AhoCorasick, MatchKind};
use std::io;
use std::sync::LazyLock;

/// The names of the tags that can say something, and how each is searched for: by so much of it that few others match.
const SPEAKING: [(&str, &str); 3] = [("meta", "<me"), ("link", "<lin"), ("base", "<ba")];

/// Those of images, which are many and seldom wanted.
const IMAGES: [(&str, &str); 2] = [("img", "<im"), ("image", "<im")];

/// A tag longer than this is left to the parser.
const LONGEST_TAG: usize = 64 << 10;

static BEGINNINGS: LazyLock<AhoCorasick> = LazyLock::new(|| any_of(SPEAKING.iter()));
static BEGINNINGS_AND_IMAGES: LazyLock<AhoCorasick> = LazyLock::new(|| any_of(SPEAKING.iter().chain(&IMAGES)));

/// Whether a parser might find something in the text from an offset on.
pub(super) fn body_may_matter(text: &mut Text<'_>, body: usize, head: &Document<'_>) -> io::Result<bool> {
    let mut search = Search { statements: head.statements(), judged: 0 };
    let mut searched = body;
    loop {
        let rest = text.from(searched);
        let open = match search.search(rest) {
            Found::Something => return Ok(true),
            Found::Nothing => rest.len(),
            Found::Unfinished(at) => at,
        };
        searched += open;
        // Where beginnings of tags stand close together, judging each costs more than parsing.
        if search.judged > LONGEST_TAG + 2 * (searched - body) {
            return Ok(true);
        }
        // At the end of the text an unfinished tag is no tag.
        if !text.read_more(searched)? {
            return Ok(false);
        }
    }
}

/// Whether a piece of markup has tags in it that could say something.
pub(super) fn could_speak(markup: &[u8]) -> bool {
    BEGINNINGS.is_match(markup)
}

enum Found {
    Nothing,
    Something,
    /// A tag that the text ends in.
    Unfinished(usize),
}

struct Search<'d, 'o> {
    statements: &'d Statements<'o>,
    /// How many bytes of tags have been looked at one by one.
    judged: usize,
}

impl Search<'_, '_> {
    fn search(&mut self, text: &[u8]) -> Found {
        if self.statements.facts.content != Content::Html {
            return search_any_tag(text);
        }
        let beginnings = if self.statements.wants_images() { &BEGINNINGS_AND_IMAGES } else { &BEGINNINGS };
        for found in beginnings.find_iter(text) {
            let at = found.start();
            match self.judge(&text[at..]) {
                Found::Something => return Found::Something,
                Found::Unfinished(_) => return Found::Unfinished(at),
                Found::Nothing => {}
            }
            if self.judged > LONGEST_TAG + 2 * text.len() {
                return Found::Something;
            }
        }
        // A beginning may itself be cut in two.
        let last = text.len().saturating_sub("<lin".len());
        memchr::memrchr(b'<', &text[last..]).map_or(Found::Nothing, |at| Found::Unfinished(last + at))
    }

    /// What the tag at the start of `text` would come to, if it were one.
    fn judge(&mut self, text: &[u8]) -> Found {
        match starts_with_name(text) {
            None => return Found::Unfinished(0),
            Some(false) => return Found::Nothing,
            Some(true) => {}
        }
        let text = &text[..text.len().min(LONGEST_TAG)];
        let tag = Tag::at(text);
        let length = tag.length(text);
        self.judged += length.unwrap_or(text.len());
        match length {
            None if text.len() == LONGEST_TAG => Found::Something,
            None => Found::Unfinished(0),
            Some(_) if self.statements.would_take(tag) => Found::Something,
            Some(_) => Found::Nothing,
        }
    }
}

/// Whether one of the names stands after the `<`, as a whole; `None` where the text ends too early to say.
fn starts_with_name(text: &[u8]) -> Option<bool> {
    let longest = "image".len();
    let name = text[1..].iter().take(longest + 1).position(|&byte| ends_a_name(byte));
    match name {
        Some(length) => Some(SPEAKING.iter().chain(&IMAGES).any(|(name, _)| Tag::at(&text[..=length]).is(name))),
        None if text.len() > longest + 1 => Some(false),
        None => None,
    }
}

/// Finds the beginnings of tags in any case, all in one pass.
fn any_of<'n>(tags: impl Iterator<Item = &'n (&'n str, &'n str)>) -> AhoCorasick {
    let mut beginnings: Vec<String> = tags.flat_map(|(_, beginning)| in_any_case(beginning)).collect();
    beginnings.sort();
    beginnings.dedup();
    // The kind of match does not matter to so few; this one has the vectorised search.
    let finder = AhoCorasick::builder().match_kind(MatchKind::LeftmostFirst).build(&beginnings);
    finder.expect("a few short patterns are no more than it can hold")
}

fn in_any_case(word: &str) -> Vec<String> {
    word.chars().fold(vec![String::new()], |spellings, letter| {
        let both = [letter.to_ascii_lowercase(), letter.to_ascii_uppercase()];
        spellings.iter().flat_map(|spelling| both.map(|letter| format!("{spelling}{letter}"))).collect()
    })
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
