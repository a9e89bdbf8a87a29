//! Finds the few of many patterns that may match a text, by a literal text that each of them needs.

use aho_corasick::AhoCorasick;

/// Patterns by their literals, so that no text is compared with each of them.
#[derive(Debug)]
pub(crate) struct LiteralIndex(AhoCorasick);

impl LiteralIndex {
    /// Takes a literal of each pattern: the longer it is, the fewer texts have it. An empty one is in every
    /// text.
    pub(crate) fn new<'l>(literals: impl IntoIterator<Item = &'l [u8]>) -> Self {
        Self(AhoCorasick::new(literals).expect("patterns are much shorter than 2 GiB"))
    }

    /// The positions of the patterns whose literal is in a text, in order.
    pub(crate) fn candidates(&self, text: &[u8]) -> Vec<usize> {
        let found = self.0.find_overlapping_iter(text);
        let mut positions: Vec<usize> = found.map(|found| found.pattern().as_usize()).collect();
        positions.sort_unstable();
        positions.dedup();
        positions
    }
}
