//! The reason `draft`.

use crate::decide::exclusion_reason::{Evidence, FoundEvidence, define_reason};
use crate::decide::page_case::PageCase;
use crate::rules::ExcludedBy;

define_reason! {
    /// The page's source is a draft, and `drafts` is `"exclude"`.
    "draft", Allow, "its source is a draft", judge
}

fn judge(case: &PageCase<'_>) -> FoundEvidence {
    match case.excluded_by {
        Some(ExcludedBy::Draft(state)) => Some(Evidence::text(state)),
        _ => None,
    }
    .into()
}
