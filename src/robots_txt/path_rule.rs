//! One `Allow` or `Disallow` line: which paths it matches.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::fmt;

use memchr::memmem::Finder;

use super::records::RobotsRecord;
use crate::finding::{Place, quoted};
use crate::site_paths::normalize;

/// What a rule says of the paths it matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Directive {
    /// They may be fetched.
    Allow,
    /// They may not.
    Disallow,
}

impl Directive {
    /// The directive that a field's name stands for, in any case.
    pub(super) fn of_field(field: &[u8]) -> Option<Self> {
        let of = |name: &str, directive| {
            field
                .eq_ignore_ascii_case(name.as_bytes())
                .then_some(directive)
        };
        of("allow", Self::Allow).or(of("disallow", Self::Disallow))
    }
}

/// An `Allow` or `Disallow` line with a path.
#[derive(Debug, Clone)]
pub struct PathRule {
    /// What it says.
    pub directive: Directive,
    /// Its path as it was written; bytes that are not UTF-8 became U+FFFD.
    pub path: String,
    /// The number of its line, from 1.
    pub line: usize,
    /// Its bytes in the file.
    pub place: Place,
    pattern: RobotsPathPattern,
}

impl PathRule {
    /// Takes a rule's record; one without a path says nothing (RFC 9309 section 2.2.2).
    pub(super) fn new(directive: Directive, record: &RobotsRecord<'_>) -> Option<Self> {
        let pattern = RobotsPathPattern::new(record.value)?;
        let path = String::from_utf8_lossy(record.value).into_owned();
        Some(Self {
            directive,
            path,
            line: record.line,
            place: record.shown_place(),
            pattern,
        })
    }

    /// What a path must begin with to match.
    pub(super) fn prefix(&self) -> &[u8] {
        &self.pattern.prefix
    }

    /// The order in which rules decide: most octets first, `Allow` before `Disallow` (RFC 9309 section 2.2.2).
    pub(super) fn rank(&self) -> (Reverse<usize>, Directive) {
        (Reverse(self.pattern.octets), self.directive)
    }

    /// Whether a path matches of which this is what follows [`prefix`](Self::prefix).
    pub(super) fn matches_after_prefix(&self, rest: &[u8]) -> bool {
        self.pattern.matches_after_prefix(rest)
    }
}

/// Shows the rule as a line, without raw control characters.
impl fmt::Display for PathRule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:?}: {}", self.directive, quoted(&self.path))
    }
}

/// A rule's path: literal parts with any run of bytes (`*`) between them.
#[derive(Debug, Clone)]
struct RobotsPathPattern {
    /// The part before the first `*`.
    prefix: Box<[u8]>,
    /// The part after each `*`.
    parts: Box<[Finder<'static>]>,
    /// Whether a `$` ends it, so that nothing may follow.
    anchored: bool,
    octets: usize,
}

impl RobotsPathPattern {
    fn new(value: &[u8]) -> Option<Self> {
        if value.is_empty() {
            return None;
        }
        let (value, anchored) = value
            .strip_suffix(b"$")
            .map_or((value, false), |value| (value, true));
        let mut parts = value
            .split(|&byte| byte == b'*')
            .map(|part| comparable(&normalize(part, b"?")).into_owned());
        let prefix = parts.next().unwrap_or_default();
        let parts: Box<[_]> = parts.map(|part| Finder::new(&part).into_owned()).collect();
        let in_parts: usize = parts.iter().map(|part| 1 + part.needle().len()).sum();
        let octets = prefix.len() + in_parts + usize::from(anchored);
        Some(Self {
            prefix: prefix.into_boxed_str().into_boxed_bytes(),
            parts,
            anchored,
            octets,
        })
    }

    /// Finds the parts one after the other, each as early as it can be: if any choice matches, this one does, and no
    /// byte is looked at twice, whatever the stars.
    fn matches_after_prefix(&self, mut rest: &[u8]) -> bool {
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

/// Brings a normal path to the spelling in which both sides are compared.
///
/// A rule writes a literal `*` or `$` as `%2A` and `%24` (RFC 9309 section 2.2.3), but in an address they may stand
/// raw, so that both are compared raw.
pub(super) fn comparable(normal_path: &str) -> Cow<'_, str> {
    if memchr::memchr(b'%', normal_path.as_bytes()).is_none() {
        return Cow::Borrowed(normal_path);
    }
    Cow::Owned(normal_path.replace("%2A", "*").replace("%24", "$"))
}
