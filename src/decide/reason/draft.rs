//! The page's source is a draft, expired or not yet published, and `drafts` is `"exclude"`.

use crate::decide::exclusion_reason::{Evidence, FoundEvidence, Reason};
use crate::decide::page_case::PageCase;
use crate::rules::ExcludedBy;
use site_paths::finding::{Code, Level};

/// The reason `draft`.
pub(crate) const REASON: &Reason = &Reason {
    code: &Code {
        name: "draft",
        level: Level::Allow,
        about: "The page's source is a draft, expired or not yet published, and `drafts` is \
                `\"exclude\"`.",
    },
    judge,
};

fn judge(case: &PageCase<'_>) -> FoundEvidence {
    match case.excluded_by {
        Some(ExcludedBy::Draft(state)) => Some(Evidence::text(state)),
        _ => None,
    }
    .into()
}
