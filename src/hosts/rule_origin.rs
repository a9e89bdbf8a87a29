//! The origin of a rule: its file, line and byte range.

use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use crate::findings::Subject;
use sitemaps::Place;

/// The file, line and byte range of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostRuleOrigin {
    /// The file.
    pub file: Arc<Path>,
    /// The line number, from 1.
    pub line: usize,
    /// The byte range in the file.
    pub place: Place,
}

impl HostRuleOrigin {
    /// The subject of a finding about the rule.
    pub fn subject(&self) -> Subject {
        Subject::File(self.file.to_path_buf(), Some(self.place))
    }
}

/// Formats as the file name and the line: `_headers:3`.
impl fmt::Display for HostRuleOrigin {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.file.file_name().unwrap_or_default().to_string_lossy();
        write!(out, "{}:{}", name.escape_debug(), self.line)
    }
}

/// Maps byte offsets of a text to line numbers.
pub(super) struct NumberedLines {
    file: Arc<Path>,
    line_starts: Vec<usize>,
}

impl NumberedLines {
    pub(super) fn new(file: &Path, text: &str) -> Self {
        let breaks = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1);
        Self {
            file: file.into(),
            line_starts: std::iter::once(0).chain(breaks).collect(),
        }
    }

    /// The origin of a byte range.
    pub(super) fn at(&self, bytes: Range<usize>) -> HostRuleOrigin {
        let line = self
            .line_starts
            .partition_point(|&start| start <= bytes.start);
        HostRuleOrigin {
            file: Arc::clone(&self.file),
            line,
            place: Place::of(bytes),
        }
    }

    /// The origin of a TOML or JSON value; the start of the file if the parser does not know the
    /// place.
    pub(super) fn at_place(&self, place: Option<Place>) -> HostRuleOrigin {
        let place = place.unwrap_or_default();
        self.at(place.start as usize..place.end as usize)
    }
}

/// The lines of a text that are neither empty nor a comment, without surrounding whitespace, each with
/// its byte range.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    let mut start = 0;
    text.split('\n').filter_map(move |line| {
        let begin = start + (line.len() - line.trim_start().len());
        start += line.len() + 1;
        let trimmed = line.trim();
        let is_rule = !trimmed.is_empty() && !trimmed.starts_with('#');
        is_rule.then(|| (begin..begin + trimmed.len(), trimmed))
    })
}
