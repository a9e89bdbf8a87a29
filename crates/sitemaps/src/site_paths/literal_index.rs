//! Finds the few of many patterns that may match a text, by a literal text that each of them needs.

use aho_corasick::AhoCorasick;
use memchr::memmem;

/// How many literals to seek one after the other, which takes less time than building an automaton.
const FEW: usize = 8;

/// Patterns by their literals, so that no text is compared with each of them.
#[derive(Debug)]
pub(crate) enum LiteralIndex {
    /// Each literal.
    Few(Vec<Box<[u8]>>),
    /// All of them at once.
    Many(AhoCorasick),
}

impl LiteralIndex {
    /// Takes a literal of each pattern: the longer it is, the fewer texts have it. An empty one is in every
    /// text.
    pub(crate) fn new<'l>(literals: impl IntoIterator<Item = &'l [u8]>) -> Self {
        let literals: Vec<Box<[u8]>> = literals.into_iter().map(Box::from).collect();
        if literals.len() <= FEW {
            return Self::Few(literals);
        }
        Self::Many(AhoCorasick::new(literals).expect("patterns are much shorter than 2 GiB"))
    }

    /// The positions of the patterns whose literal is in a text, in order.
    pub(crate) fn candidates(&self, text: &[u8]) -> Vec<usize> {
        let mut positions = Vec::new();
        match self {
            Self::Few(literals) => {
                for (position, literal) in literals.iter().enumerate() {
                    if memmem::find(text, literal).is_some() {
                        positions.push(position);
                    }
                }
            }
            Self::Many(literals) => {
                let found = literals.find_overlapping_iter(text);
                positions.extend(found.map(|found| found.pattern().as_usize()));
                positions.sort_unstable();
                positions.dedup();
            }
        }
        positions
    }
}
