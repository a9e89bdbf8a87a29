//! Finds out by byte search whether a tag in the body could matter, and whether the body may state
//! its date in structured data.
//!
//! Most bodies contain no relevant tag, and a byte search is many times faster than a parse. The
//! search may report tags that are not there (in comments, in scripts) but must never miss one that
//! counts. So it changes the speed and never the result.

use super::attributes::{TagReader, ends_a_name};
use super::facts::{FileContent, Region};
use super::statements::Statements;
use aho_corasick::packed::Searcher;
use memchr::memmem::Finder;
use std::iter;
use std::ops::Range;
use std::sync::LazyLock;

/// Tags that can state a fact.
const RELEVANT_TAGS: [&str; 3] = ["meta", "link", "base"];

/// Length of their names, and how many letters of one are searched for. With one less, each `<li>`
/// would seem to be a `<link>`; with one more, the searcher takes twice as long.
const NAME_LENGTH: usize = 4;
const SEARCHED_LETTERS: usize = "lin".len();

/// Tags longer than this are left to the parser.
const LONGEST_TAG: usize = 64 << 10;

/// The property with which JSON-LD and microdata state a modification date.
const MODIFIED: &str = "dateModified";

/// Its rarest four bytes, which the searcher for tags finds too.
const IN_MODIFIED: Range<usize> = "d".len().."dateM".len();

static MODIFIED_FINDER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(MODIFIED));

/// Searcher for the beginnings of relevant tags in any case and for [`IN_MODIFIED`]; `None` on
/// processors without the vector instructions that it needs.
static SEARCHER: LazyLock<Option<Searcher>> = LazyLock::new(|| {
    // In this order, the searcher distinguishes the names without comparing: of eight texts in a row,
    // it puts each in a class of its own, and the spellings of a name in the class of the first.
    let beginnings = (0..1 << SEARCHED_LETTERS)
        .flat_map(|upper_case| RELEVANT_TAGS.map(|name| beginning_of(name, upper_case)));
    let in_modified = MODIFIED[IN_MODIFIED].to_owned();
    Searcher::new(iter::once(in_modified).chain(beginnings))
});

/// Result of a byte search of the body of a page.
pub(super) enum BodySearch {
    /// A parser could find a fact in it; the search ended there.
    MayMatter,
    /// No parser would.
    StatesNothing {
        /// As [`may_state_modified`] of the body.
        may_state_modified: bool,
    },
}

/// Whether structured data in a text may state a modification date.
pub(super) fn may_state_modified(text: &[u8]) -> bool {
    MODIFIED_FINDER.find(text).is_some()
}

/// Searches the body of a page.
pub(super) fn search_body(body: &[u8], statements: &Statements) -> BodySearch {
    // Without a tag of a page before it, any tag matters.
    let is_page = statements.facts.content == FileContent::Html;
    let Some(searcher) = SEARCHER.as_ref().filter(|_| is_page) else {
        return BodySearch::MayMatter;
    };
    let mut reader = TagReader::default();
    let mut examined = 0;
    let mut may_state_modified = false;
    for found in searcher.find_iter(body) {
        let at = found.start();
        let text = &body[at..body.len().min(at + LONGEST_TAG)];
        if !text.starts_with(b"<") {
            may_state_modified |= text.starts_with(&MODIFIED.as_bytes()[IN_MODIFIED.start..]);
            continue;
        }
        if !has_relevant_name(text) {
            continue;
        }
        let tag = reader.read(text);
        examined += tag.map_or(text.len(), |(_, length)| length);
        // If many candidates are close together, examining each costs more than parsing.
        let is_dense = examined > LONGEST_TAG + 2 * at;
        let is_too_long = tag.is_none() && text.len() == LONGEST_TAG;
        if is_dense
            || is_too_long
            || tag.is_some_and(|(tag, _)| statements.would_record(tag, Region::Body))
        {
            return BodySearch::MayMatter;
        }
    }
    BodySearch::StatesNothing { may_state_modified }
}

fn has_relevant_name(tag: &[u8]) -> bool {
    let name = tag.get(1..=NAME_LENGTH).unwrap_or_default();
    let is_complete = tag
        .get(1 + NAME_LENGTH)
        .is_some_and(|&byte| ends_a_name(byte));
    is_complete
        && RELEVANT_TAGS
            .iter()
            .any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
}

/// The beginning of a start tag; the bits of `upper_case` are the letters to write in upper case.
fn beginning_of(name: &str, upper_case: u32) -> String {
    let mut beginning = "<".to_owned();
    for (at, letter) in name.chars().take(SEARCHED_LETTERS).enumerate() {
        beginning.push(match upper_case >> at & 1 {
            0 => letter,
            _ => letter.to_ascii_uppercase(),
        });
    }
    beginning
}
