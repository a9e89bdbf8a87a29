//! Finds the few of many patterns that may match a text, by a literal text that each of them needs.

use std::cmp::Reverse;
use std::collections::HashMap;

use aho_corasick::AhoCorasick;
use memchr::memmem;

/// How many literals to seek one after the other, which takes less time than building an automaton.
const FEW: usize = 8;

/// How many literals to put into one automaton: the time to build one grows with the square of their number.
const MANY: usize = 4_000;

/// Patterns by their literals, so that no text is compared with each of them.
#[derive(Debug)]
pub enum LiteralIndex {
    /// A search for the literal of each.
    Few(Vec<memmem::Finder<'static>>),
    /// Automata, each of `MANY` literals.
    Many(Vec<AhoCorasick>),
}

impl LiteralIndex {
    /// Takes all literals of each pattern, and seeks the one that the fewest patterns have: `.html` may be in
    /// all of them, and in every text.
    pub fn new<L: AsRef<[u8]>>(patterns: &[Vec<L>]) -> Self {
        let mut counts: HashMap<&[u8], usize> = HashMap::new();
        for literal in patterns.iter().flatten() {
            *counts.entry(literal.as_ref()).or_default() += 1;
        }
        let mut sought: Vec<Box<[u8]>> = Vec::with_capacity(patterns.len());
        for literals in patterns {
            let literals = literals.iter().map(AsRef::as_ref);
            let rarest = literals.min_by_key(|literal| (counts[literal], Reverse(literal.len())));
            sought.push(Box::from(rarest.unwrap_or_default()));
        }
        if sought.len() <= FEW {
            let finders = sought
                .iter()
                .map(|literal| memmem::Finder::new(literal).into_owned());
            return Self::Few(finders.collect());
        }
        let automata = sought.chunks(MANY).map(AhoCorasick::new);
        let automata: Result<_, _> = automata.collect();
        Self::Many(automata.expect("patterns are much shorter than 2 GiB"))
    }

    /// The positions of the patterns whose literal is in a text, in order.
    pub fn candidates(&self, text: &[u8]) -> Vec<usize> {
        let mut positions = Vec::new();
        match self {
            Self::Few(literals) => {
                for (position, literal) in literals.iter().enumerate() {
                    if literal.find(text).is_some() {
                        positions.push(position);
                    }
                }
            }
            Self::Many(automata) => {
                for (chunk, literals) in automata.iter().enumerate() {
                    for found in literals.find_overlapping_iter(text) {
                        positions.push(chunk * MANY + found.pattern().as_usize());
                    }
                }
                positions.sort_unstable();
                positions.dedup();
            }
        }
        positions
    }
}
