//! Reasons for excluding pages: one file per reason, whose documentation is also the user
//! documentation.

mod canonical_duplicate;
mod canonical_elsewhere;
mod disallowed_by_robots;
mod error_page;
mod excluded_by_page;
mod excluded_by_rule;
mod noindex;
mod not_a_page;
mod outside_base;
mod redirect;
mod unreadable;
mod url_too_long;

use super::PageCase;
use site_paths::finding::{Code, Finding, Place};

pub(crate) use canonical_duplicate::REASON as CANONICAL_DUPLICATE;
pub(crate) use canonical_elsewhere::REASON as CANONICAL_ELSEWHERE;
pub(crate) use disallowed_by_robots::REASON as DISALLOWED_BY_ROBOTS;
pub(super) use excluded_by_page::REASON as EXCLUDED_BY_PAGE;
pub(super) use excluded_by_rule::REASON as EXCLUDED_BY_RULE;
pub(crate) use noindex::REASON as NOINDEX;
pub(crate) use outside_base::REASON as OUTSIDE_BASE;
pub(crate) use redirect::REASON as REDIRECT;

/// A reason for excluding a page.
#[derive(Debug)]
pub struct Reason {
    /// Its name in output and `[levels]`, the level of its findings, and its documentation.
    pub code: &'static Code,
    /// Checks whether the reason applies to a page alone.
    pub(super) judge: fn(&PageCase<'_>, &mut Vec<Finding>) -> Option<Evidence>,
}

/// Evidence for a reason.
pub(super) struct Evidence {
    /// Text for people: a tag's content, a URL, a rule.
    pub(super) text: String,
    /// The place of the tag in the page.
    pub(super) place: Option<Place>,
}

impl Evidence {
    fn text(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            place: None,
        }
    }
}

impl Reason {
    /// Whether both are the same reason.
    pub fn is(&self, other: &Self) -> bool {
        self.code.name == other.code.name
    }
}

impl PartialEq for Reason {
    fn eq(&self, other: &Self) -> bool {
        self.is(other)
    }
}

/// Returns the codes of all reasons.
pub fn names() -> Vec<&'static str> {
    ALL.iter().map(|reason| reason.code.name).collect()
}

/// All reasons, in the order in which they are checked: the first that applies decides.
pub const ALL: &[&Reason] = &[
    excluded_by_rule::REASON,
    excluded_by_page::REASON,
    unreadable::REASON,
    not_a_page::REASON,
    error_page::REASON,
    redirect::REASON,
    noindex::REASON,
    canonical_elsewhere::REASON,
    outside_base::REASON,
    disallowed_by_robots::REASON,
    url_too_long::REASON,
    canonical_duplicate::REASON,
];
