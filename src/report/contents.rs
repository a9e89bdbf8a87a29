//! The values that a report is rendered from.

use crate::findings::{Finding, Level};
use crate::pages::Inventory;
use crate::site::LoadedSite;

/// The inputs of a report.
#[derive(Debug, Clone, Copy)]
pub struct Report<'a> {
    /// The site and its settings.
    pub loaded: &'a LoadedSite,
    /// All pages.
    pub inventory: &'a Inventory,
    /// All problems of the site.
    pub findings: &'a [Finding],
}

impl<'a> Report<'a> {
    /// The findings that are not allowed, with their levels.
    pub(super) fn shown_findings(self) -> impl Iterator<Item = (Level, &'a Finding)> {
        let levels = &self.loaded.settings().levels;
        self.findings
            .iter()
            .map(|finding| (levels.level_of(finding.code), finding))
            .filter(|(level, _)| *level > Level::Allow)
    }
}
