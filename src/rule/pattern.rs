//! Globs over paths: the only file that names globset.
//!
//! `*` and `?` stay within a path segment, `**` crosses them, `{a,b}` chooses, `[ab]` is a class, `\` quotes. Paths are
//! matched as bytes, since file names need not be UTF-8; `?` and a class therefore stand for one byte.

use thiserror::Error;

use super::captures::Captures;

/// A glob, checked.
#[derive(Debug, Clone)]
pub struct Pattern {
    text: String,
    glob: globset::Glob,
}

/// Why a text is no glob.
#[derive(Debug, Error)]
#[error("`{pattern}` is not a glob: {why}")]
pub struct PatternError {
    pattern: String,
    why: String,
}

impl Pattern {
    /// Reads a glob. A leading `/` is dropped: `/blog/**` and `blog/**` are the same.
    pub fn new(text: &str) -> Result<Self, PatternError> {
        let relative = text.strip_prefix('/').unwrap_or(text);
        let glob = globset::GlobBuilder::new(relative).literal_separator(true).backslash_escape(true).build();
        match glob {
            Ok(glob) => Ok(Self { text: text.to_owned(), glob }),
            Err(error) => Err(PatternError { pattern: text.to_owned(), why: error.kind().to_string() }),
        }
    }

    /// The glob as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// How many wildcards it has, and so the highest `n` that a source may name as `{n}`.
    ///
    /// Each `*`, `**`, `?`, `[…]` and `{…}` is one, in the order in which they begin.
    pub fn wildcards(&self) -> usize {
        Captures::count(self.glob.regex())
    }

    /// Compiles what tells the parts that the wildcards match.
    pub(super) fn captures(&self) -> Result<Captures, PatternError> {
        Captures::new(self.glob.regex())
            .map_err(|error| PatternError { pattern: self.text.clone(), why: error.to_string() })
    }
}

/// Many globs, matched in one pass over a path.
#[derive(Debug)]
pub struct PatternSet(globset::GlobSet);

impl PatternSet {
    /// Compiles the globs; it fails where they are too large together.
    pub fn new<'p>(patterns: impl Iterator<Item = &'p Pattern>) -> Result<Self, PatternError> {
        globset::GlobSet::new(patterns.map(|pattern| pattern.glob.clone())).map(Self).map_err(|error| PatternError {
            pattern: error.glob().unwrap_or("all patterns together").to_owned(),
            why: error.kind().to_string(),
        })
    }

    /// The globs that match a path, by their position, in order. Where none does, nothing is allocated.
    pub fn matching(&self, path: &[u8]) -> Vec<usize> {
        let mut matching = Vec::new();
        self.0.matches_candidate_into(&globset::Candidate::from_bytes(path), &mut matching);
        matching
    }
}
