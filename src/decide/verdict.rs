//! The verdict on a page: listed, or excluded for a reason with its evidence.

use super::page_case::PageCase;
use crate::findings::{Code, Subject};
use sitemaps::site_paths::PageUrl;

/// Verdict on a page.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// The page is listed in the sitemap.
    Listed,
    /// The page is excluded.
    Excluded(Box<Exclusion>),
}

impl Verdict {
    /// Why the page is excluded; `None` if it is listed.
    pub fn exclusion(&self) -> Option<&Exclusion> {
        match self {
            Self::Listed => None,
            Self::Excluded(exclusion) => Some(exclusion),
        }
    }
}

/// Exclusion of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct Exclusion {
    /// The reason, one of [`REASONS`](super::REASONS).
    pub reason: &'static Reason,
    /// The evidence: a tag's content, a URL, a rule of robots.txt.
    pub evidence: String,
    /// The statement: a tag in the page, a line of robots.txt or of a file of the host; or else the page.
    pub statement: Subject,
    /// The page that excludes it, if a link or a redirect to another page is the reason.
    pub target: Option<PageUrl>,
}

/// A reason for excluding a page.
#[derive(Debug)]
pub struct Reason {
    /// Its name in output and `[levels]`, the level of its findings, and its documentation.
    pub code: &'static Code,
    /// Who decides it.
    pub by: DecidedBy,
    /// Its meaning in a few words, which follow "the page".
    pub meaning: &'static str,
    /// Returns the evidence if the reason applies to a page alone. One whose own level is not `allow`
    /// reports it.
    pub(super) judge: fn(&PageCase<'_>) -> Option<Evidence>,
}

/// Who decides that a page is not listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecidedBy {
    /// The owner of the site, in settings or front matter: perhaps for the sake of another page.
    Owner,
    /// The page itself, the host or robots.txt: it contradicts a sitemap that lists the page.
    Answer,
    /// The kind of the file.
    File,
}

/// Evidence for a reason.
pub(super) struct Evidence {
    /// Text for people: a tag's content, a URL, a rule.
    pub(super) text: String,
    /// The statement, if it is not the page as a whole.
    pub(super) statement: Option<Subject>,
    /// The page that it leads to.
    pub(super) target: Option<PageUrl>,
}

impl Evidence {
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            statement: None,
            target: None,
        }
    }

    pub(super) fn at(statement: Subject, text: impl Into<String>) -> Self {
        Self {
            statement: Some(statement),
            ..Self::text(text)
        }
    }
}

impl PartialEq for Reason {
    fn eq(&self, other: &Self) -> bool {
        self.code.name == other.code.name
    }
}

/// Defines a reason. Its comment is also the documentation for users, as that of a
/// finding's code is.
macro_rules! define_reason {
    ($(#[doc = $line:literal])+ $reason:ident = $name:literal, $level:ident, $by:ident, $meaning:literal, $judge:expr) => {
        $(#[doc = $line])+
        pub(crate) const $reason: &$crate::decide::verdict::Reason =
            &$crate::decide::verdict::Reason {
                code: &crate::findings::Code {
                    name: $name,
                    level: crate::findings::Level::$level,
                    page: "reasons",
                    about: concat!($($line, "\n"),+),
                },
                by: $crate::decide::verdict::DecidedBy::$by,
                meaning: $meaning,
                judge: $judge,
            };
    };
}
pub(super) use define_reason;
