//! The front matter of the page's source excludes it: `exclude = true` in Zola's `[extra.waypost]`
//! or Hugo's `[params.waypost]`, or Hugo's `sitemap.disable`.
//!
//! Front matter takes precedence over all rules.

use super::{Evidence, Reason};
use crate::decide::{ExclusionRequest, PageCase};
use site_paths::finding::{Code, Finding, Level};

/// The reason `excluded-by-page`.
pub(in crate::decide) const REASON: &Reason = &Reason {
    code: &Code {
        name: "excluded-by-page",
        level: Level::Allow,
        about: "The front matter of the page's source excludes it: `exclude = true` in Zola's \
                `[extra.waypost]` or Hugo's `[params.waypost]`, or Hugo's `sitemap.disable`.",
    },
    judge,
};

fn judge(case: &PageCase<'_>, _: &mut Vec<Finding>) -> Option<Evidence> {
    (case.excluded_by == Some(ExclusionRequest::FrontMatter))
        .then(|| Evidence::text("the front matter of its source"))
}
