//! The front matter of the page's source excludes it: `exclude = true` in Zola's `[extra.waypost]`
//! or Hugo's `[params.waypost]`, or Hugo's `sitemap.disable`.
//!
//! Front matter takes precedence over all rules.

use crate::decide::exclusion_reason::{Evidence, FoundEvidence, Reason};
use crate::decide::page_case::PageCase;
use crate::rules::ExcludedBy;
use site_paths::finding::{Code, Level};

/// The reason `excluded-by-page`.
pub(crate) const REASON: &Reason = &Reason {
    code: &Code {
        name: "excluded-by-page",
        level: Level::Allow,
        about: "The front matter of the page's source excludes it: `exclude = true` in Zola's \
                `[extra.waypost]` or Hugo's `[params.waypost]`, or Hugo's `sitemap.disable`.",
    },
    judge,
};

fn judge(case: &PageCase<'_>) -> FoundEvidence {
    (case.excluded_by == Some(&ExcludedBy::FrontMatter))
        .then(|| Evidence::text("the front matter of its source"))
        .into()
}
