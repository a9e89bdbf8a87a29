//! Parses and matches one `Allow` or `Disallow` line.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::fmt;

use memchr::memmem::Finder;

use super::records::{RobotsField, RobotsRecord};
use crate::place::Place;
use crate::site_paths::{UrlPart, normalize, quoted};

/// An `Allow` or `Disallow` line with a path.
#[derive(Debug, Clone)]
pub struct PathRule {
    /// Whether it allows or disallows.
    pub(super) field: RobotsField,
    /// Its path as written; invalid UTF-8 is replaced by U+FFFD.
    pub path: String,
    /// The line number, from 1.
    pub line: usize,
    /// The byte range in the file.
    pub place: Place,
    /// The part before the first `*`.
    prefix: Box<[u8]>,
    /// The part after each `*`.
    parts: Box<[Finder<'static>]>,
    /// Whether it ends in `$`, so that nothing may follow a match.
    anchored: bool,
    octets: usize,
}

impl PathRule {
    /// Parses the rules of a line. One without a path has no effect (RFC 9309 section 2.2.2), and
    /// Google lets `Allow: /x/index.html` allow `/x/` too.
    pub(super) fn of(record: &RobotsRecord<'_>, field: RobotsField) -> impl Iterator<Item = Self> {
        let slash = memchr::memrchr(b'/', record.value);
        let index = slash.and_then(|slash| {
            let (dir, name) = record.value.split_at(slash + 1);
            let is_index = field == RobotsField::Allow && name.starts_with(b"index.htm");
            is_index.then(|| Self::new(record, field, &[dir, b"$"].concat()))?
        });
        Self::new(record, field, record.value)
            .into_iter()
            .chain(index)
    }

    fn new(record: &RobotsRecord<'_>, field: RobotsField, pattern: &[u8]) -> Option<Self> {
        if pattern.is_empty() {
            return None;
        }
        let (pattern, anchored) = pattern
            .strip_suffix(b"$")
            .map_or((pattern, false), |pattern| (pattern, true));
        let mut parts = pattern
            .split(|&byte| byte == b'*')
            .map(|part| comparable(&normalize(part, UrlPart::Query)).into_owned());
        let prefix = parts.next().unwrap_or_default();
        let parts: Box<[_]> = parts.map(|part| Finder::new(&part).into_owned()).collect();
        let in_parts: usize = parts.iter().map(|part| 1 + part.needle().len()).sum();
        Some(Self {
            field,
            path: String::from_utf8_lossy(record.value).into_owned(),
            line: record.line,
            place: Place::of(record.place.clone()),
            octets: prefix.len() + in_parts + usize::from(anchored),
            prefix: prefix.into_boxed_str().into_boxed_bytes(),
            parts,
            anchored,
        })
    }

    /// The precedence: most octets first, `Allow` before `Disallow` (RFC 9309 section 2.2.2).
    pub(super) fn rank(&self) -> (Reverse<usize>, RobotsField) {
        (Reverse(self.octets), self.field)
    }

    /// The texts that every path has which it matches.
    pub(super) fn literals(&self) -> Vec<&[u8]> {
        let parts = self.parts.iter().map(Finder::needle);
        let mut literals: Vec<&[u8]> = parts.chain([&*self.prefix]).collect();
        literals.retain(|literal| !literal.is_empty());
        literals
    }

    /// Whether a path matches. Finds the parts in order, each as early as possible. If any placement
    /// matches, this one does, and no byte is examined twice, regardless of the number of wildcards.
    pub(super) fn matches(&self, path: &[u8]) -> bool {
        let Some(mut rest) = path.strip_prefix(&*self.prefix) else {
            return false;
        };
        let Some((last, inner)) = self.parts.split_last() else {
            return !self.anchored || rest.is_empty();
        };
        for part in inner {
            let Some(at) = part.find(rest) else {
                return false;
            };
            rest = &rest[at + part.needle().len()..];
        }
        if self.anchored {
            rest.ends_with(last.needle())
        } else {
            last.find(rest).is_some()
        }
    }
}

impl fmt::Display for PathRule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.field.name(), quoted(&self.path))
    }
}

/// Converts a normalized path to the form used for comparison.
///
/// A rule writes a literal `*` or `$` as `%2A` or `%24` (RFC 9309 section 2.2.3), but a URL may
/// contain these characters unencoded. So both are compared unencoded.
pub(super) fn comparable(normal_path: &str) -> Cow<'_, str> {
    if memchr::memchr(b'%', normal_path.as_bytes()).is_none() {
        return Cow::Borrowed(normal_path);
    }
    Cow::Owned(normal_path.replace("%2A", "*").replace("%24", "$"))
}
