//! Finds out by byte search whether a tag in the body could matter.
//!
//! Most bodies contain no relevant tag, and a byte search is many times faster than a parse. The
//! search may report tags that are not there (in comments, in scripts) but must never miss one that
//! counts. So it changes the speed and never the result.

use super::attributes::{Tag, ends_a_name};
use super::facts::{FileContent, Region};
use super::statements::Statements;
use super::text::PageText;
use aho_corasick::packed::Searcher;
use std::io;
use std::sync::LazyLock;

/// Tags that can state a fact, each with the prefix to search for. The searcher looks at as many bytes as
/// the shortest has, up to four: with three, each `<li>` would seem to be a `<link>`.
const RELEVANT_TAGS: [(&str, &str); 3] = [("meta", "<met"), ("link", "<lin"), ("base", "<bas")];

/// The same and image tags, which are frequent and seldom wanted. A `<picture>` alone states nothing. The
/// prefixes are shorter, because the searcher takes twice as long for more than 32 spellings.
const RELEVANT_TAGS_OR_IMAGES: [(&str, &str); 6] = [
    ("meta", "<me"),
    ("link", "<lin"),
    ("base", "<ba"),
    ("img", "<im"),
    ("image", "<im"),
    ("source", "<so"),
];

/// Tags longer than this are left to the parser.
const LONGEST_TAG: usize = 64 << 10;

/// `None` on processors without the vector instructions that the searcher needs.
static BEGINNINGS: LazyLock<Option<Searcher>> = LazyLock::new(|| any_of(&RELEVANT_TAGS));
static BEGINNINGS_AND_IMAGES: LazyLock<Option<Searcher>> =
    LazyLock::new(|| any_of(&RELEVANT_TAGS_OR_IMAGES));

/// Whether a parser could find a fact in the text from offset `body` on.
pub(super) fn body_may_matter(
    text: &mut PageText<'_>,
    body: usize,
    statements: &Statements<'_>,
) -> io::Result<bool> {
    let mut search = TagSearch {
        statements,
        searched: 0,
        examined: 0,
    };
    loop {
        let rest = text.from(body + search.searched);
        search.searched += match search.search(rest) {
            TagHit::Something => return Ok(true),
            TagHit::Nothing => rest.len(),
            TagHit::Unfinished(at) => at,
        };
        // At the end of the text an unfinished tag does not count.
        if !text.read_more(body + search.searched)? {
            return Ok(false);
        }
    }
}

enum TagHit {
    Nothing,
    Something,
    /// The text ends inside a tag that starts at this offset.
    Unfinished(usize),
}

struct TagSearch<'d, 'o> {
    statements: &'d Statements<'o>,
    /// Number of bytes of the body already searched.
    searched: usize,
    /// Number of bytes of tags already examined one by one.
    examined: usize,
}

impl TagSearch<'_, '_> {
    fn search(&mut self, text: &[u8]) -> TagHit {
        if self.statements.facts.content != FileContent::Html {
            return search_any_tag(text);
        }
        let searcher = if self.statements.wants_images() {
            &*BEGINNINGS_AND_IMAGES
        } else {
            &*BEGINNINGS
        };
        match searcher {
            Some(searcher) => {
                let found = searcher.find_iter(text).map(|found| found.start());
                self.examine_all(found, text)
            }
            None => self.examine_all(memchr::memchr_iter(b'<', text), text),
        }
    }

    /// Examines the offsets where relevant tags may begin.
    fn examine_all(&mut self, beginnings: impl Iterator<Item = usize>, text: &[u8]) -> TagHit {
        let mut unfinished = text.len();
        for at in beginnings {
            let found = self.examine(&text[at..]);
            // If many candidates are close together, examining each costs more than parsing.
            if self.examined > LONGEST_TAG + 2 * (self.searched + at) {
                return TagHit::Something;
            }
            match found {
                TagHit::Something => return TagHit::Something,
                // It may not be a tag, and another may follow it.
                TagHit::Unfinished(_) => unfinished = unfinished.min(at),
                TagHit::Nothing => {}
            }
        }
        // A prefix may itself be cut in two.
        let last = text.len().saturating_sub("<lin".len());
        let cut = memchr::memrchr(b'<', &text[last..]).map_or(text.len(), |at| last + at);
        match unfinished.min(cut) {
            at if at < text.len() => TagHit::Unfinished(at),
            _ => TagHit::Nothing,
        }
    }

    /// Examines the candidate at the start of `text`.
    fn examine(&mut self, text: &[u8]) -> TagHit {
        match starts_with_name(text) {
            None => return TagHit::Unfinished(0),
            Some(false) => return TagHit::Nothing,
            Some(true) => {}
        }
        let text = &text[..text.len().min(LONGEST_TAG)];
        let tag = Tag::at(text);
        let length = tag.length(text);
        self.examined += length.unwrap_or(text.len());
        match length {
            None if text.len() == LONGEST_TAG => TagHit::Something,
            None => TagHit::Unfinished(0),
            Some(_) if self.statements.would_record(tag, Region::Body) => TagHit::Something,
            Some(_) => TagHit::Nothing,
        }
    }
}

/// Whether a complete name of a relevant tag follows the `<`; `None` if the text ends too early.
fn starts_with_name(text: &[u8]) -> Option<bool> {
    let longest = "source".len();
    let name = text[1..]
        .iter()
        .take(longest + 1)
        .position(|&byte| ends_a_name(byte));
    match name {
        Some(length) => Some(
            RELEVANT_TAGS_OR_IMAGES
                .iter()
                .any(|(name, _)| Tag::at(&text[..=length]).is(name)),
        ),
        None if text.len() > longest + 1 => Some(false),
        None => None,
    }
}

/// Builds a searcher for the prefixes in any case.
fn any_of(tags: &[(&str, &str)]) -> Option<Searcher> {
    let mut beginnings: Vec<String> = tags
        .iter()
        .flat_map(|(_, beginning)| in_any_case(beginning))
        .collect();
    beginnings.sort();
    beginnings.dedup();
    Searcher::new(&beginnings)
}

fn in_any_case(word: &str) -> Vec<String> {
    word.chars().fold(vec![String::new()], |spellings, letter| {
        let both = [letter.to_ascii_lowercase(), letter.to_ascii_uppercase()];
        spellings
            .iter()
            .flat_map(|spelling| both.map(|letter| format!("{spelling}{letter}")))
            .collect()
    })
}

/// Searches for any tag: a text without one is not a page.
fn search_any_tag(text: &[u8]) -> TagHit {
    for at in memchr::memchr_iter(b'<', text) {
        match text.get(at + 1) {
            None => return TagHit::Unfinished(at),
            Some(b'/' | b'!' | b'?') => return TagHit::Something,
            Some(letter) if letter.is_ascii_alphabetic() => return TagHit::Something,
            Some(_) => {}
        }
    }
    TagHit::Nothing
}
