//! A rule in the settings excludes the page (`exclude = true`, or a glob in `exclude = [...]`).
//!
//! The last matching rule that sets `exclude` decides, so a later `exclude = false` includes pages
//! again.

use super::{Evidence, Reason};
use crate::decide::{ExclusionRequest, PageCase};
use site_paths::finding::{Code, Finding, Level, quoted};

/// The reason `excluded-by-rule`.
pub(in crate::decide) const REASON: &Reason = &Reason {
    code: &Code {
        name: "excluded-by-rule",
        level: Level::Allow,
        about: "A rule in the settings excludes the page (`exclude = true`, or a glob in \
                `exclude = [...]`).",
    },
    judge,
};

fn judge(case: &PageCase<'_>, _: &mut Vec<Finding>) -> Option<Evidence> {
    match case.excluded_by {
        Some(ExclusionRequest::Rule(pattern)) => {
            Some(Evidence::text(format!("rule `{}`", quoted(pattern))))
        }
        _ => None,
    }
}
