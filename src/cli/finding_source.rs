//! Finds the source file of the page in a finding: the file that its author can fix.

use crate::pipeline::{Inventory, Survey};
use site_paths::finding::{Finding, Subject};

/// The source file for display; `None` if the finding is not about a page, or the page is its own
/// source.
pub(super) fn source_of(
    survey: &Survey<'_>,
    inventory: &Inventory,
    finding: &Finding,
) -> Option<String> {
    let Subject::Page(file, _) = &finding.subject else {
        return None;
    };
    let source = inventory.page_of(file)?.source.as_ref()?.file()?;
    Some(Survey::display_path(&source.below_dir(&survey.site.root)))
}
