//! What is wrong with a site: findings, their codes and their levels.
//!
//! A finding never stops a run; whether it fails the build is its level's affair. What stops a run is a fault, and each
//! room has its own error type for that.

mod codes;
mod quoted;

pub use codes::{ALL, Code};
pub use quoted::quoted;
pub mod code {
    //! Every finding code by name.
    pub use super::codes::*;
}

use crate::site_paths::SitePath;
use std::path::PathBuf;

/// How loud a finding is, and whether it fails the run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// Not shown; still counted where a code is a reason.
    Allow,
    /// Shown; fails the run only under `--strict`.
    Warn,
    /// Shown, and the run ends with exit code 1.
    Deny,
}

impl Level {
    /// The words that stand in settings, in their order of loudness.
    pub const WORDS: [(&str, Self); 3] = [
        ("allow", Self::Allow),
        ("warn", Self::Warn),
        ("deny", Self::Deny),
    ];

    /// The level's word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Warn => "warn",
            Self::Deny => "deny",
        }
    }
}

/// A byte range in the text of a page, after it was unpacked and decoded to UTF-8.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Place {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Place {
    /// The same bytes in a text that begins so many bytes earlier.
    #[must_use]
    pub fn moved_by(self, bytes: usize) -> Self {
        let moved = |at: u32| at.saturating_add(u32::try_from(bytes).unwrap_or(u32::MAX));
        Self {
            start: moved(self.start),
            end: moved(self.end),
        }
    }
}

/// The nearest character boundary at or before a byte of a text.
pub fn floor_char_boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len()))
        .rev()
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or(0)
}

/// What a finding is about.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Subject {
    /// The site as a whole.
    Site,
    /// A file of the output folder, and the tag in it where one is at fault.
    Page(SitePath, Option<Place>),
    /// A file elsewhere (settings, robots.txt, a source), with the bytes at fault where they are known.
    File(PathBuf, Option<Place>),
}

/// One problem of the site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What kind of problem it is.
    pub code: &'static Code,
    /// What it is about.
    pub subject: Subject,
    /// What is wrong: lower case first letter, no full stop, names in backticks.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Finding {
    /// A finding without a hint.
    pub fn new(code: &'static Code, subject: Subject, message: impl Into<String>) -> Self {
        Self {
            code,
            subject,
            message: message.into(),
            hint: None,
        }
    }

    /// The same with a remedy.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// What findings are sorted by: files and places, then kinds, then texts.
    pub fn order(&self) -> (&Subject, &str, &str) {
        (&self.subject, self.code.name, &self.message)
    }
}
