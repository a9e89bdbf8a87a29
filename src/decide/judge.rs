//! Judges a page without regard to other pages.

use super::REASONS;
use super::page_case::PageCase;
use super::verdict::{Exclusion, Verdict};
use crate::findings::Subject;

/// Judges a page without regard to other pages. Tries the reasons in the order of [`REASONS`]; the
/// first that applies decides. Reports what the page states without effect.
pub fn judge(case: &PageCase<'_>) -> Verdict {
    for reason in REASONS {
        if let Some(evidence) = (reason.judge)(case) {
            let exclusion = Exclusion {
                reason,
                evidence: evidence.text,
                statement: evidence
                    .statement
                    .unwrap_or_else(|| Subject::for_page(case.file)),
                target: evidence.target,
            };
            return Verdict::Excluded(Box::new(exclusion));
        }
    }
    Verdict::Listed
}
