//! The files that content files include, as the patterns of a generator describe them: the tables
//! `[[generator.*.includes]]` of the manifest.
//!
//! A content file comes in as text, and the paths that it includes go out. This module changes
//! nothing and dates nothing.

mod include_reader;
mod include_scanner;

use std::collections::BTreeMap;

use regex::bytes::{Regex, RegexBuilder};
use serde::Deserialize;

use super::own_config::{Condition, SettingTexts};

pub use include_reader::{IncludeReader, IncludedFiles};
pub(super) use include_scanner::IncludeScanner;

/// A path as a text includes it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct IncludeCall {
    /// The index of the pattern.
    pub(super) pattern: usize,
    /// The path as written.
    pub(super) path: String,
}

/// `[[generator.*.includes]]`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IncludePattern {
    /// A text in every match. The expression is tried only in files that have it.
    pub mark: String,
    /// The regular expression of a whole match, in which `^` is the beginning of a line. Its group
    /// `path` is a path; `paths` has one path per line, which ends at a colon. `module` is the
    /// dotted name of a Python module or of something in it, `modules` has one such name per line.
    pub expression: String,
    /// Whether fenced code includes nothing.
    #[serde(default)]
    pub not_in_code: bool,
    /// Extensions of the content files that the pattern applies to; all if empty.
    #[serde(default)]
    pub in_files: Vec<String>,
    /// Prefixes of paths, each with the directories that the rest is relative to; the first with
    /// such a file counts. The prefix `/` is that of absolute paths, `.` of those that begin with
    /// `./` or `../`, and the empty one of all other paths, also of dotted ones if these have no
    /// entry. A path without an entry does not count.
    ///
    /// `file` is the directory of the including file, `page` that of the page's source, `content`
    /// each content directory, `content/x` a directory in it. Others are relative to the site root.
    pub bases: BTreeMap<String, SettingTexts>,
    /// Conditions on the settings, such as an extension that implements the pattern.
    #[serde(default, rename = "if")]
    pub conditions: Vec<Condition>,
    /// Whether the included text is inserted as it is, so that its own includes do not count.
    #[serde(default)]
    pub is_verbatim: bool,
}

impl IncludePattern {
    /// Compiles the expression.
    pub(crate) fn compiled(&self) -> Result<Regex, regex::Error> {
        // Without Unicode, because content may have another encoding.
        RegexBuilder::new(&self.expression)
            .unicode(false)
            .multi_line(true)
            .build()
    }

    /// Whether the pattern finds dotted names of Python, and not paths.
    pub(super) fn finds_modules(&self) -> bool {
        self.expression.contains("(?P<module")
    }

    /// Whether the pattern applies to a file with this extension. A file that is not content is
    /// included by content of any kind.
    pub(super) fn applies_in(&self, extension: &[u8], content: &[String]) -> bool {
        self.in_files.is_empty()
            || is_among(extension, &self.in_files)
            || !is_among(extension, content)
    }
}

fn is_among(extension: &[u8], known: &[String]) -> bool {
    known
        .iter()
        .any(|known| known.as_bytes().eq_ignore_ascii_case(extension))
}
