//! Judges a page without regard to other pages.

use super::REASONS;
use super::page_case::PageCase;
use super::verdict::{Exclusion, Verdict};
use sitemaps::findings::{Subject, WithFindings};

/// Judges a page without regard to other pages. Tries the reasons in the order of [`REASONS`]; the
/// first that applies decides.
pub fn judge(case: &PageCase<'_>) -> WithFindings<Verdict> {
    let mut findings = Vec::new();
    for reason in REASONS {
        if let Some(evidence) = (reason.judge)(case).take_into(&mut findings) {
            let exclusion = Exclusion {
                reason,
                evidence: evidence.text,
                statement: evidence
                    .statement
                    .unwrap_or_else(|| Subject::for_page(case.file)),
                target: evidence.target,
            };
            return WithFindings::new(Verdict::Excluded(Box::new(exclusion)), findings);
        }
    }
    WithFindings::new(Verdict::Listed, findings)
}
