//! Decides which commits are not a change: those that are listed, and those whose author, subject
//! or trailer the user has named.
//!
//! Only commits that would date a file are judged, each once.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;

use super::commit_text::CommitText;
use super::minor_changes::MinorChanges;
use super::objects::ObjectReader;
use super::patterns::TextPattern;
use super::{IgnoredRevisions, ObjectId, RepositoryError};

/// Why a commit was skipped for a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SkipReason {
    /// Its hash is listed.
    Listed,
    /// A pattern matches its author.
    Author,
    /// A pattern matches its subject.
    Message,
    /// It has the trailer.
    Trailer,
    /// It changed only whitespace or front matter of the file.
    Minor,
}

/// How many commits were skipped for a file, by reason.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SkippedCommits(BTreeMap<SkipReason, usize>);

/// A pattern that matches more than half of the commits that changed a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BroadPattern {
    /// The field that it matches.
    pub field: SkipReason,
    /// The pattern or trailer as written.
    pub pattern: String,
    /// How many commits it matches.
    pub matched: usize,
    /// How many commits changed a source.
    pub commits: usize,
}

/// The rules of a query for one repository, and what they have matched so far.
pub(super) struct SkipRules<'a> {
    listed: &'a HashSet<ObjectId>,
    patterns: Vec<CommitPattern<'a>>,
    pub(super) minor: MinorChanges,
    /// The commits judged so far.
    judged: HashMap<ObjectId, Option<SkipReason>>,
}

/// A pattern over one field of a commit.
struct CommitPattern<'a> {
    field: SkipReason,
    written: &'a str,
    compiled: TextPattern,
    matched: usize,
}

impl SkippedCommits {
    /// The number of commits for each reason.
    pub fn counts(&self) -> impl Iterator<Item = (SkipReason, usize)> + '_ {
        self.0.iter().map(|(reason, count)| (*reason, *count))
    }

    pub(super) fn add(&mut self, reason: SkipReason) {
        *self.0.entry(reason).or_default() += 1;
    }

    pub(super) fn add_all(&mut self, other: &Self) {
        for (reason, count) in other.counts() {
            *self.0.entry(reason).or_default() += count;
        }
    }
}

impl fmt::Display for SkippedCommits {
    /// Writes the counts and reasons: `2 by their author, 1 as a minor change`.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (nth, (reason, count)) in self.counts().enumerate() {
            let separator = if nth == 0 { "" } else { ", " };
            write!(out, "{separator}{count} {}", reason.phrase())?;
        }
        Ok(())
    }
}

impl SkipReason {
    fn phrase(self) -> &'static str {
        match self {
            Self::Listed => "by hash",
            Self::Author => "by author",
            Self::Message => "by message",
            Self::Trailer => "by trailer",
            Self::Minor => "with minor changes only",
        }
    }
}

impl<'a> SkipRules<'a> {
    pub(super) fn new(ignored: &IgnoredRevisions<'a>, listed: &'a HashSet<ObjectId>) -> Self {
        let of = |field, patterns: &'a [String]| {
            let written = patterns.iter().map(String::as_str);
            written.map(move |pattern| CommitPattern::new(field, pattern))
        };
        let trailer = ignored.trailer.into_iter();
        Self {
            listed,
            patterns: of(SkipReason::Author, ignored.authors)
                .chain(of(SkipReason::Message, ignored.messages))
                .chain(trailer.map(|trailer| CommitPattern::new(SkipReason::Trailer, trailer)))
                .collect(),
            minor: MinorChanges::new(ignored.changes),
            judged: HashMap::new(),
        }
    }

    /// Whether every change counts.
    pub(super) fn is_empty(&self) -> bool {
        self.listed.is_empty() && self.patterns.is_empty() && self.minor.is_empty()
    }

    /// Returns the reason to skip a commit, if any.
    pub(super) fn reason(
        &mut self,
        objects: &mut ObjectReader,
        id: &ObjectId,
    ) -> Result<Option<SkipReason>, RepositoryError> {
        let listed = self.listed.contains(id).then_some(SkipReason::Listed);
        if self.patterns.is_empty() {
            return Ok(listed);
        }
        if let Some(reason) = self.judged.get(id) {
            return Ok(*reason);
        }
        let text = CommitText::decode(&objects.raw_commit(id)?);
        let matching = self.patterns.iter_mut().filter_map(|pattern| {
            let matches = pattern.matches(text.as_ref()?);
            pattern.matched += usize::from(matches);
            matches.then_some(pattern.field)
        });
        // All of them are counted.
        let matched = matching.min();
        let reason = listed.or(matched);
        self.judged.insert(*id, reason);
        Ok(reason)
    }

    /// Returns the patterns that match more than half of the commits judged.
    pub(super) fn broad_patterns(&self) -> Vec<BroadPattern> {
        let commits = self.judged.len();
        let broad = self
            .patterns
            .iter()
            .filter(|pattern| pattern.matched * 2 > commits);
        broad
            .map(|pattern| BroadPattern {
                field: pattern.field,
                pattern: pattern.written.to_owned(),
                matched: pattern.matched,
                commits,
            })
            .collect()
    }

    /// How many commits could not be compared for minor changes.
    pub(super) fn uncompared_commits(&self) -> usize {
        self.minor.uncompared()
    }
}

impl<'a> CommitPattern<'a> {
    fn new(field: SkipReason, written: &'a str) -> Self {
        let compiled = match (field, written.split_once(':')) {
            (SkipReason::Trailer, Some((key, value))) => {
                TextPattern::literal(&format!("{}: {}", key.trim(), value.trim()))
            }
            (SkipReason::Trailer, None) => TextPattern::literal(written),
            _ => TextPattern::new(written),
        };
        Self {
            field,
            written,
            compiled,
            matched: 0,
        }
    }

    fn matches(&self, text: &CommitText) -> bool {
        match self.field {
            SkipReason::Author => self.compiled.matches(&text.author),
            SkipReason::Message => self.compiled.matches(&text.subject().unwrap_or_default()),
            SkipReason::Trailer => text
                .trailers()
                .iter()
                .any(|(key, value)| self.compiled.matches(&format!("{key}: {value}"))),
            SkipReason::Listed | SkipReason::Minor => false,
        }
    }
}
