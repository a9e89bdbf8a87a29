//! Findings: problems of a site, with their codes and levels.
//!
//! A finding does not end a run. Its level decides whether it fails the build, and a refusal
//! (`site/guard.rs`) at level `deny` keeps a run from writing. Errors that end a run have their own
//! type in each module.

mod codes;
mod hint;
mod sink;

pub use codes::{ALL, Code};
pub use hint::{Hint, HintedError, with_causes};
pub use sink::{Findings, MAX_PER_CODE};
pub mod code {
    //! All finding codes by name.
    pub use crate::findings::codes::*;
}

use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use sitemaps::Place;
use sitemaps::site_paths::{SitePath, display_path};

/// Severity of a finding, which decides whether it fails the run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Not shown. Still counted if the code is a reason for exclusion.
    Allow,
    /// Shown as information. Never fails the run.
    Note,
    /// Shown. Fails the run only with `--strict`.
    Warn,
    /// Shown. The run ends with exit code 1.
    Deny,
}

impl Level {
    /// The value as written in settings.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Note => "note",
            Self::Warn => "warn",
            Self::Deny => "deny",
        }
    }
}

/// The nearest character boundary at or before a byte offset.
pub fn floor_char_boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len()))
        .rev()
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or(0)
}

/// The subject of a finding.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Subject {
    /// The site as a whole.
    Site,
    /// A file of the output directory, with the place of the tag at fault if there is one.
    Page(SitePath, Option<Place>),
    /// Another file (settings, robots.txt, a source), with the place at fault if known.
    File(PathBuf, Option<Place>),
    /// A file that was fetched from this URL, with the place at fault if known.
    Url(String, Option<Place>),
}

impl Subject {
    /// A whole file of the output directory.
    pub fn for_page(file: &SitePath) -> Self {
        Self::Page(file.clone(), None)
    }

    /// The file of the output directory, if it is one.
    pub fn page(&self) -> Option<&SitePath> {
        match self {
            Self::Page(file, _) => Some(file),
            Self::Site | Self::File(..) | Self::Url(..) => None,
        }
    }

    /// The file as a whole.
    #[must_use]
    pub fn whole(&self) -> Self {
        self.with_place(None)
    }

    /// The same file at another place.
    #[must_use]
    pub fn at(&self, place: Place) -> Self {
        self.with_place(Some(place))
    }

    fn with_place(&self, place: Option<Place>) -> Self {
        match self {
            Self::Site => Self::Site,
            Self::Page(file, _) => Self::Page(file.clone(), place),
            Self::File(path, _) => Self::File(path.clone(), place),
            Self::Url(url, _) => Self::Url(url.clone(), place),
        }
    }
}

/// A whole file of the output directory.
impl From<&SitePath> for Subject {
    fn from(file: &SitePath) -> Self {
        Self::Page(file.clone(), None)
    }
}

/// Another whole file, or a directory.
impl From<&Path> for Subject {
    fn from(file: &Path) -> Self {
        Self::File(file.to_owned(), None)
    }
}

/// The name of the file, without the place.
impl fmt::Display for Subject {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Site => Ok(()),
            Self::Page(file, _) => file.fmt(out),
            Self::File(path, _) => out.write_str(&display_path(path)),
            Self::Url(url, _) => url.fmt(out),
        }
    }
}

/// A problem of the site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The kind of problem.
    pub code: &'static Code,
    /// The subject.
    pub subject: Subject,
    /// The message: lower case first letter, no full stop, names in backticks.
    pub message: String,
    /// The remedy.
    pub hint: Option<String>,
    /// How many findings it counts for: 1, except where findings beyond a limit are only counted.
    pub count: usize,
}

impl Finding {
    /// Creates a finding without a hint.
    pub fn new(
        code: &'static Code,
        subject: impl Into<Subject>,
        message: impl Into<String>,
    ) -> Self {
        Self {
            code,
            subject: subject.into(),
            message: message.into(),
            hint: None,
            count: 1,
        }
    }

    /// Adds a remedy.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Sort key of findings: subject, code, message.
    pub fn order(&self) -> (&Subject, &str, &str) {
        (&self.subject, self.code.name, &self.message)
    }
}

/// Formats `1234567` as `1,234,567`.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Formats a count with its noun: `1 page`, `2,000 pages`.
pub fn counted(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {what}{plural}", grouped(number))
}
