//! Decides which commits are not a change: those that are listed, and those whose author or subject
//! the user has named.
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
    /// It changed only whitespace or front matter of the file.
    Minor,
}

/// How many commits were skipped for a file, by reason.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SkippedCommits(BTreeMap<SkipReason, usize>);

/// The rules of a query for one repository, and what they have matched so far.
pub(super) struct SkipRules<'a> {
    listed: &'a HashSet<ObjectId>,
    /// Patterns of authors and messages.
    patterns: Vec<(SkipReason, TextPattern)>,
    pub(super) minor: MinorChanges<'a>,
    /// The commits judged so far.
    judged: HashMap<ObjectId, Option<SkipReason>>,
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
            Self::Minor => "with minor changes only",
        }
    }
}

impl<'a> SkipRules<'a> {
    pub(super) fn new(ignored: &IgnoredRevisions<'a>, listed: &'a HashSet<ObjectId>) -> Self {
        let compiled = |reason| move |pattern: &String| (reason, TextPattern::new(pattern));
        let authors = ignored.authors.iter().map(compiled(SkipReason::Author));
        let messages = ignored.messages.iter().map(compiled(SkipReason::Message));
        Self {
            listed,
            patterns: authors.chain(messages).collect(),
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
        if self.listed.contains(id) {
            return Ok(Some(SkipReason::Listed));
        }
        if self.patterns.is_empty() {
            return Ok(None);
        }
        if let Some(reason) = self.judged.get(id) {
            return Ok(*reason);
        }
        let text = CommitText::decode(objects.raw_commit(id)?);
        let matching = text.and_then(|text| {
            let subject = text.subject().unwrap_or_default();
            let mut patterns = self.patterns.iter();
            patterns.find(|(reason, pattern)| match reason {
                SkipReason::Author => pattern.matches(&text.author),
                _ => pattern.matches(&subject),
            })
        });
        let reason = matching.map(|(reason, _)| *reason);
        self.judged.insert(*id, reason);
        Ok(reason)
    }

    /// How many commits could not be compared for minor changes.
    pub(super) fn uncompared_commits(&self) -> usize {
        self.minor.uncompared()
    }
}
