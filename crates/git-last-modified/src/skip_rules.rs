//! Decides which commits are not a change: those that are listed, and those whose author or subject
//! the user has named.
//!
//! Only commits that would date a file are judged, each once.

use std::collections::{HashMap, HashSet};

use regex::Regex;

use super::commit_text::CommitText;
use super::objects::ObjectReader;
use super::{IgnoredRevisions, MinorChange, ObjectId, RepositoryError};

/// The rules of a query for one repository, and what they have matched so far.
pub(super) struct SkipRules<'a> {
    listed: &'a HashSet<ObjectId>,
    authors: Vec<Regex>,
    messages: Vec<Regex>,
    /// Kinds of changes that do not count in any commit.
    pub(super) changes: &'a [MinorChange],
    /// Whether the commits judged so far match a pattern.
    judged: HashMap<ObjectId, bool>,
}

impl<'a> SkipRules<'a> {
    pub(super) fn new(ignored: &IgnoredRevisions<'a>, listed: &'a HashSet<ObjectId>) -> Self {
        let all = |patterns: &[String]| patterns.iter().map(|text| compiled(text)).collect();
        Self {
            listed,
            authors: all(ignored.authors),
            messages: all(ignored.messages),
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
            let matches = |patterns: &[Regex], text: &str| {
                patterns.iter().any(|pattern| pattern.is_match(text))
            };
            matches(&self.authors, &text.author.to_lowercase())
                || matches(&self.messages, &subject.to_lowercase())
        });
        self.judged.insert(*id, is_skipped);
        Ok(is_skipped)
    }
}

/// Compiles a pattern for whole texts in lower case, in which `*` and `?` are the only wildcards:
/// brackets are literal, because the names of bots end in `[bot]`.
fn compiled(pattern: &str) -> Regex {
    let literal = regex::escape(&pattern.to_lowercase());
    let wild = literal.replace(r"\*", ".*").replace(r"\?", ".");
    Regex::new(&format!("^(?s:{wild})$")).expect("its other characters are escaped")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_asterisk_and_question_mark_are_wildcards() {
        let check = |pattern: &str, text: &str, expected: bool| {
            let matches = compiled(pattern).is_match(&text.to_lowercase());
            assert_eq!(matches, expected, "{pattern} {text}");
        };
        check("renovate[bot] *", "Renovate[bot] <r@example.com>", true);
        check("renovate[bot] *", "renovateb <r@example.com>", false);
        check("*<*@EXAMPLE.com>", "A <a@example.com>", true);
        check("style: *", "style: run prettier", true);
        check("style: *", "restyle: run prettier", false);
        check("*prettier*", "style: run prettier", true);
        check("a?c", "a\u{fc}c", true);
        check("a?c", "ac", false);
        check("\u{c4}*", "\u{e4}ndern", true);
        check("*", "", true);
        check("", "", true);
        check("", "a", false);
        check("*a*ab", "xaaab", true);
        check("*a*ab", "xaaaba", false);
    }
}
