//! A rule in the settings excludes the page (`exclude = true`, or a glob in `exclude = [...]`).
//!
//! The last matching rule that sets `exclude` decides, so a later `exclude = false` includes pages
//! again.

use crate::decide::exclusion_reason::{Evidence, FoundEvidence, Reason};
use crate::decide::page_case::PageCase;
use crate::rules::ExcludedBy;
use site_paths::finding::{Code, Level, quoted};

/// The reason `excluded-by-rule`.
pub(crate) const REASON: &Reason = &Reason {
    code: &Code {
        name: "excluded-by-rule",
        level: Level::Allow,
        about: "A rule in the settings excludes the page (`exclude = true`, or a glob in \
                `exclude = [...]`).",
    },
    judge,
};

fn judge(case: &PageCase<'_>) -> FoundEvidence {
    evidence(case).into()
}

fn evidence(case: &PageCase<'_>) -> Option<Evidence> {
    let Some(&ExcludedBy::Rule(rule)) = case.excluded_by else {
        return None;
    };
    let pattern = case.site.settings.rules[rule].patterns.first()?;
    Some(Evidence::text(format!(
        "rule `{}`",
        quoted(pattern.as_str())
    )))
}
