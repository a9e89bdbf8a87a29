//! Decides which commits are not a change: those that are listed, and those whose author or subject
//! the user has named.
//!
//! Only commits that would date a file are judged, each once.

use std::collections::{HashMap, HashSet};

use super::commit_text::CommitText;
use super::objects::ObjectReader;
use super::patterns::TextPattern;
use super::{IgnoredRevisions, MinorChange, ObjectId, RepositoryError};

/// The rules of a query for one repository, and what they have matched so far.
pub(super) struct SkipRules<'a> {
    listed: &'a HashSet<ObjectId>,
    authors: Vec<TextPattern>,
    messages: Vec<TextPattern>,
    /// Kinds of changes that do not count in any commit.
    pub(super) changes: &'a [MinorChange],
    /// Whether the commits judged so far match a pattern.
    judged: HashMap<ObjectId, bool>,
}

impl<'a> SkipRules<'a> {
    pub(super) fn new(ignored: &IgnoredRevisions<'a>, listed: &'a HashSet<ObjectId>) -> Self {
        let compiled = |patterns: &[String]| {
            let patterns = patterns.iter();
            patterns.map(|text| TextPattern::new(text)).collect()
        };
        Self {
            listed,
            authors: compiled(ignored.authors),
            messages: compiled(ignored.messages),
            changes: ignored.changes,
            judged: HashMap::new(),
        }
    }

    /// Whether every commit that changes a file counts.
    pub(super) fn is_empty(&self) -> bool {
        self.listed.is_empty() && !self.have_patterns() && self.changes.is_empty()
    }

    fn have_patterns(&self) -> bool {
        !self.authors.is_empty() || !self.messages.is_empty()
    }

    /// Whether a commit does not count.
    pub(super) fn skip(
        &mut self,
        objects: &mut ObjectReader,
        id: &ObjectId,
    ) -> Result<bool, RepositoryError> {
        if self.listed.contains(id) || !self.have_patterns() {
            return Ok(self.listed.contains(id));
        }
        if let Some(is_skipped) = self.judged.get(id) {
            return Ok(*is_skipped);
        }
        let text = CommitText::decode(objects.raw_commit(id)?);
        let is_skipped = text.is_some_and(|text| {
            let subject = text.subject().unwrap_or_default();
            let matches = |patterns: &[TextPattern], text: &str| {
                patterns.iter().any(|pattern| pattern.matches(text))
            };
            matches(&self.authors, &text.author) || matches(&self.messages, &subject)
        });
        self.judged.insert(*id, is_skipped);
        Ok(is_skipped)
    }
}
