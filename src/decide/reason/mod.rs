//! Reasons for excluding pages: one file per reason, whose documentation is also the user
//! documentation.

mod canonical_duplicate;
mod canonical_elsewhere;
mod disallowed_by_robots;
mod draft;
mod error_page;
mod excluded_by_page;
mod excluded_by_settings;
mod noindex;
mod not_a_page;
mod outside_base;
mod redirect;
mod unreadable;
mod url_too_long;

use super::exclusion_reason::Reason;

pub(crate) use canonical_duplicate::REASON as CANONICAL_DUPLICATE;
pub(crate) use canonical_elsewhere::REASON as CANONICAL_ELSEWHERE;
pub(crate) use disallowed_by_robots::REASON as DISALLOWED_BY_ROBOTS;
pub(super) use excluded_by_page::REASON as EXCLUDED_BY_PAGE;
pub(super) use excluded_by_settings::REASON as EXCLUDED_BY_SETTINGS;
pub(crate) use noindex::REASON as NOINDEX;
pub(crate) use outside_base::REASON as OUTSIDE_BASE;
pub(crate) use redirect::REASON as REDIRECT;

/// Returns the codes of all reasons.
pub fn names() -> Vec<&'static str> {
    ALL.iter().map(|reason| reason.code.name).collect()
}

/// All reasons, in the order in which they are checked: the first that applies decides. The last, a
/// URL that another page already has, is checked in the second pass.
pub const ALL: &[&Reason] = &[
    excluded_by_settings::REASON,
    excluded_by_page::REASON,
    draft::REASON,
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
