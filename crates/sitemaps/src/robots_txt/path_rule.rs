//! Parses and matches one `Allow` or `Disallow` line.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::fmt;

use memchr::memmem::Finder;

use super::field::RobotsField;
use super::records::RobotsRecord;
use crate::site_paths::finding::{Place, quoted};
use crate::site_paths::{UrlPart, normalize};

/// The effect of a rule on the paths that it matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Directive {
    /// They may be fetched.
    Allow,
    /// They may not be fetched.
    Disallow,
}

impl Directive {
    /// The directive of a field.
    pub(super) fn of_field(field: RobotsField) -> Option<Self> {
        match field {
            RobotsField::Allow => Some(Self::Allow),
            RobotsField::Disallow => Some(Self::Disallow),
            RobotsField::UserAgent | RobotsField::Sitemap => None,
        }
    }
}

/// An `Allow` or `Disallow` line with a path.
#[derive(Debug, Clone)]
pub struct PathRule {
    /// Whether it allows or disallows.
    pub directive: Directive,
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
    /// Parses a rule. A rule without a path has no effect (RFC 9309 section 2.2.2).
    pub(super) fn new(directive: Directive, record: &RobotsRecord<'_>) -> Option<Self> {
        Self::of_pattern(directive, record, record.value)
    }

    /// The rule that `Allow: /x/index.html` adds: Google lets it allow `/x/` too.
    pub(super) fn of_index(directive: Directive, record: &RobotsRecord<'_>) -> Option<Self> {
        let slash = memchr::memrchr(b'/', record.value)?;
        let (dir, name) = record.value.split_at(slash + 1);
        let is_index = directive == Directive::Allow && name.starts_with(b"index.htm");
        is_index
            .then(|| Self::of_pattern(directive, record, &[dir, b"$"].concat()))
            .flatten()
    }

    fn of_pattern(directive: Directive, record: &RobotsRecord<'_>, pattern: &[u8]) -> Option<Self> {
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
            directive,
            path: String::from_utf8_lossy(record.value).into_owned(),
            line: record.line,
            place: record.shown_place(),
            octets: prefix.len() + in_parts + usize::from(anchored),
            prefix: prefix.into_boxed_str().into_boxed_bytes(),
            parts,
            anchored,
        })
    }

    /// The text before the first wildcard.
    pub(super) fn prefix(&self) -> &[u8] {
        &self.prefix
    }

    /// The precedence: most octets first, `Allow` before `Disallow` (RFC 9309 section 2.2.2).
    pub(super) fn rank(&self) -> (Reverse<usize>, Directive) {
        (Reverse(self.octets), self.directive)
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
        write!(out, "{:?}: {}", self.directive, quoted(&self.path))
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
