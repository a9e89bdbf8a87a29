//! Where a rule stands: its file, its line, its bytes.

use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use crate::finding::{Place, Subject};

/// Where a rule stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostRuleOrigin {
    /// The file.
    pub file: Arc<Path>,
    /// Its line, counted from 1.
    pub line: usize,
    /// Its bytes in the file.
    pub place: Place,
}

impl HostRuleOrigin {
    /// What a finding about the rule is about.
    pub fn subject(&self) -> Subject {
        Subject::File(self.file.to_path_buf(), Some(self.place))
    }
}

/// The file's name and the line: `_headers:3`.
impl fmt::Display for HostRuleOrigin {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.file.file_name().unwrap_or_default().to_string_lossy();
        write!(out, "{}:{}", name.escape_debug(), self.line)
    }
}

/// A text whose lines are numbered.
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

    /// The origin of some bytes of the text.
    pub(super) fn at(&self, bytes: Range<usize>) -> HostRuleOrigin {
        let line = self
            .line_starts
            .partition_point(|&start| start <= bytes.start);
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let place = Place {
            start: offset(bytes.start),
            end: offset(bytes.end),
        };
        HostRuleOrigin {
            file: Arc::clone(&self.file),
            line,
            place,
        }
    }

    /// The origin of a value of TOML or JSON; the file's beginning where its parser does not know the place.
    pub(super) fn at_place(&self, place: Option<Place>) -> HostRuleOrigin {
        let place = place.unwrap_or_default();
        self.at(place.start as usize..place.end as usize)
    }
}

/// Every line of a text without its ends of white space, with its bytes; empty lines are left out.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    let mut start = 0;
    text.split('\n').filter_map(move |line| {
        let begin = start + (line.len() - line.trim_start().len());
        start += line.len() + 1;
        let trimmed = line.trim();
        (!trimmed.is_empty()).then(|| (begin..begin + trimmed.len(), trimmed))
    })
}
