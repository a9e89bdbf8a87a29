//! The page's source is a draft, expired, not yet published or deleted, and `drafts` is
//! `"exclude"`.

use crate::decide::exclusion_reason::{Evidence, FoundEvidence, Reason};
use crate::decide::page_case::{ExclusionRequest, PageCase};
use site_paths::finding::{Code, Level};

/// The reason `draft`.
pub(crate) const REASON: &Reason = &Reason {
    code: &Code {
        name: "draft",
        level: Level::Allow,
        about: "The page's source is a draft, expired, not yet published or deleted, and `drafts` \
                is `\"exclude\"`.",
    },
    judge,
};

fn judge(case: &PageCase<'_>) -> FoundEvidence {
    match case.excluded_by {
        Some(ExclusionRequest::Draft(state)) => Some(Evidence::text(state)),
        _ => None,
    }
    .into()
}
