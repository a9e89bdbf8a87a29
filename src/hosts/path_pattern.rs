//! The paths that a rule applies to.

use std::sync::Arc;

use regex::bytes::Regex;

use super::request_path::{PathForm, RequestPath};
use super::wildcard::{WildcardPiece, matches};

/// A pattern and the form of a path that it is compared with.
#[derive(Debug, Clone)]
pub(super) struct HostPathPattern {
    pub(super) shape: PatternShape,
    pub(super) form: PathForm,
}

/// The ways to write a pattern.
#[derive(Debug, Clone)]
pub(super) enum PatternShape {
    /// One path.
    Exact(Box<[u8]>),
    /// A path with wildcards.
    Wild(Arc<[WildcardPiece]>),
    /// A regular expression, after a literal prefix that all its matches have.
    Regex(Box<[u8]>, Regex),
}

impl PatternShape {
    /// A path with wildcards, or one path if it has none.
    pub(super) fn of(pieces: Vec<WildcardPiece>) -> Self {
        match <[WildcardPiece; 1]>::try_from(pieces) {
            Ok([WildcardPiece::Literal(literal)]) => Self::Exact(literal),
            Ok(piece) => Self::Wild(Arc::new(piece)),
            Err(pieces) => Self::Wild(pieces.into()),
        }
    }
}

impl HostPathPattern {
    /// The longest known literal that every matching path contains.
    pub(super) fn longest_literal(&self) -> &[u8] {
        match &self.shape {
            PatternShape::Exact(path) => path,
            PatternShape::Wild(pieces) => {
                let literals = pieces.iter().filter_map(|piece| match piece {
                    WildcardPiece::Literal(literal) => Some(&**literal),
                    _ => None,
                });
                literals
                    .max_by_key(|literal| literal.len())
                    .unwrap_or_default()
            }
            PatternShape::Regex(prefix, _) => prefix,
        }
    }

    /// Whether it matches a request.
    pub(super) fn matches(&self, path: &RequestPath) -> bool {
        let [first, second] = path.texts(self.form);
        self.matches_text(first) || (second != first && self.matches_text(second))
    }

    pub(super) fn matches_text(&self, text: &[u8]) -> bool {
        match &self.shape {
            PatternShape::Exact(exact) => **exact == *text,
            PatternShape::Wild(pieces) => matches(pieces, text),
            PatternShape::Regex(_, regex) => regex.is_match(text),
        }
    }

    /// Whether it matches exactly one path.
    pub(super) fn is_exact(&self) -> bool {
        matches!(self.shape, PatternShape::Exact(_))
    }
}
