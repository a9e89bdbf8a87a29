//! Globs over paths: the only file that names globset.
//!
//! `*` and `?` stay within a path segment, `**` crosses them, `{a,b}` chooses, `[ab]` is a class, `\` quotes.

use thiserror::Error;

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
}
