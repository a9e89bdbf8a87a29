//! Finds the globs whose literal prefix or suffix a path has, without looking at the others.

use std::cmp::Ordering;
use std::iter::successors;

use super::glob_shape::GlobShape;

/// The positions of globs by the literal text at one end of every match, whichever is longer.
#[derive(Debug)]
pub(crate) struct LiteralIndex {
    by_prefix: Literals,
    by_suffix: Literals,
}

impl LiteralIndex {
    /// Indexes the shapes of globs.
    pub(crate) fn new<'s>(shapes: impl Iterator<Item = &'s GlobShape>) -> Self {
        let (mut prefixes, mut suffixes) = (Vec::new(), Vec::new());
        for (position, shape) in shapes.enumerate() {
            if shape.prefix().len() >= shape.suffix().len() {
                prefixes.push((shape.prefix().into(), position));
            } else {
                let reversed: Vec<u8> = shape.suffix().iter().rev().copied().collect();
                suffixes.push((reversed.into(), position));
            }
        }
        Self {
            by_prefix: Literals::new(prefixes),
            by_suffix: Literals::new(suffixes),
        }
    }

    /// The positions of the globs whose indexed text a path has, in no particular order.
    pub(crate) fn candidates(&self, path: &[u8]) -> impl Iterator<Item = usize> {
        let by_prefix = self.by_prefix.at_start_of(path.iter().copied());
        by_prefix.chain(self.by_suffix.at_start_of(path.iter().rev().copied()))
    }
}

/// Different texts in byte order, each with its globs.
#[derive(Debug)]
struct Literals(Vec<Literal>);

#[derive(Debug)]
struct Literal {
    text: Box<[u8]>,
    /// The positions of the globs.
    globs: Vec<usize>,
    /// The nearest earlier entry whose text is a prefix of this one.
    shorter: Option<usize>,
}

impl Literals {
    fn new(mut texts: Vec<(Box<[u8]>, usize)>) -> Self {
        texts.sort_unstable();
        let mut literals: Vec<Literal> = Vec::with_capacity(texts.len());
        for (text, glob) in texts {
            if let Some(last) = literals.last_mut()
                && last.text == text
            {
                last.globs.push(glob);
                continue;
            }
            let previous = literals.len().checked_sub(1);
            let shorter = successors(previous, |&at| literals[at].shorter)
                .find(|&at| text.starts_with(&literals[at].text));
            literals.push(Literal {
                text,
                globs: vec![glob],
                shorter,
            });
        }
        Self(literals)
    }

    /// The globs whose text the bytes begin with.
    ///
    /// Of all texts that do not come after the bytes in order, the last one either is such a text
    /// or begins with each of them, so they are all found along `shorter`.
    fn at_start_of(&self, bytes: impl Iterator<Item = u8> + Clone) -> impl Iterator<Item = usize> {
        let not_after = |literal: &Literal| {
            literal.text.iter().copied().cmp(bytes.clone()) != Ordering::Greater
        };
        let last = self.0.partition_point(not_after).checked_sub(1);
        let chain = successors(last, |&at| self.0[at].shorter).map(|at| &self.0[at]);
        chain
            .filter(move |literal| {
                let start = bytes.clone().take(literal.text.len());
                literal.text.iter().copied().eq(start)
            })
            .flat_map(|literal| literal.globs.iter().copied())
    }
}
