//! Finds out by byte search whether a tag in the body could matter.
//!
//! Most bodies contain no relevant tag, and a byte search is many times faster than a parse. The
//! search may report tags that are not there (in comments, in scripts) but must never miss one that
//! counts. So it changes the speed and never the result.

use super::attributes::{Tag, ends_a_name};
use super::facts::{FileContent, Region};
use super::statements::Statements;
use aho_corasick::packed::Searcher;
use std::sync::LazyLock;

/// Tags that can state a fact.
const RELEVANT_TAGS: [&str; 3] = ["meta", "link", "base"];

/// Length of their names, and how much of a tag is searched for. With a letter less, each `<li>` would
/// seem to be a `<link>`; with one more, the searcher takes twice as long.
const NAME_LENGTH: usize = 4;
const BEGINNING: usize = "<lin".len();

/// Tags longer than this are left to the parser.
const LONGEST_TAG: usize = 64 << 10;

/// Searcher for the beginnings of relevant tags in any case; `None` on processors without the vector
/// instructions that it needs.
static BEGINNINGS: LazyLock<Option<Searcher>> = LazyLock::new(|| {
    let beginnings = RELEVANT_TAGS.iter().flat_map(|name| {
        let beginning = format!("<{name}");
        in_any_case(&beginning[..BEGINNING])
    });
    Searcher::new(beginnings)
});

/// Whether a parser could find a fact in the body of a page.
pub(super) fn body_may_matter(body: &[u8], statements: &Statements<'_>) -> bool {
    // Without a tag of a page before it, any tag matters.
    let is_page = statements.facts.content == FileContent::Html;
    let Some(searcher) = BEGINNINGS.as_ref().filter(|_| is_page) else {
        return true;
    };
    let mut examined = 0;
    let mut matters = |at: usize| {
        let text = &body[at..body.len().min(at + LONGEST_TAG)];
        if !has_relevant_name(text) {
            return false;
        }
        let tag = Tag::at(text);
        let length = tag.length(text);
        examined += length.unwrap_or(text.len());
        // If many candidates are close together, examining each costs more than parsing.
        let is_dense = examined > LONGEST_TAG + 2 * at;
        let is_too_long = length.is_none() && text.len() == LONGEST_TAG;
        is_dense || is_too_long || length.is_some() && statements.would_record(tag, Region::Body)
    };
    let mut found = searcher.find_iter(body);
    found.any(|found| matters(found.start()))
}

fn has_relevant_name(tag: &[u8]) -> bool {
    let name = tag.get(1..=NAME_LENGTH).unwrap_or_default();
    let is_complete = tag
        .get(1 + NAME_LENGTH)
        .is_some_and(|&byte| ends_a_name(byte));
    let is_name = |known: &&str| name.eq_ignore_ascii_case(known.as_bytes());
    is_complete && RELEVANT_TAGS.iter().any(is_name)
}

fn in_any_case(word: &str) -> Vec<String> {
    word.chars().fold(vec![String::new()], |spellings, letter| {
        let mut both = vec![letter.to_ascii_lowercase(), letter.to_ascii_uppercase()];
        both.dedup();
        spellings
            .iter()
            .flat_map(|spelling| both.iter().map(move |letter| format!("{spelling}{letter}")))
            .collect()
    })
}
