//! Another page already has this page's address, or is the same page byte for byte under a better one.
//!
//! Two files can claim one address through their canonical links (`x.html` and `x/index.html` as `/x/`); the one whose
//! own name gives it is listed. mdBook writes its first chapter twice, as `index.html` and under its own name; only `/`
//! is listed then.
//!
//! Decided last, when all pages are known; see [`settle`](crate::decide::settle).

use super::{Evidence, Reason};
use crate::decide::PageCase;
use crate::finding::{Code, Finding, Level};

/// The reason `canonical-duplicate`.
pub(crate) const REASON: &Reason = &Reason {
    code: &Code {
        name: "canonical-duplicate",
        level: Level::Allow,
        about: "Another page already has this page's address, or is the same page byte for byte under a better one.",
    },
    judge,
};

/// Never alone: whether a page is a duplicate shows only beside the others.
fn judge(_: &PageCase<'_>, _: &mut Vec<Finding>) -> Option<Evidence> {
    None
}
