//! The source of the page that a finding is about: what its author can mend.

use crate::finding::{Finding, Subject};
use crate::pipeline::{Inventory, Survey};

/// The source file, as people know it; `None` where the finding is about no page, or the page is its own source.
pub(super) fn source_of(
    survey: &Survey<'_>,
    ledger: &Inventory,
    finding: &Finding,
) -> Option<String> {
    let Subject::Page(file, _) = &finding.subject else {
        return None;
    };
    let source = ledger.line_of(file)?.source.as_ref()?.file()?;
    Some(Survey::shown(&source.below_folder(&survey.site.root)))
}
