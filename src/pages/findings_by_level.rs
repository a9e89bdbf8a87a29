//! Reports excluded pages whose reason has a level in the settings.

use std::collections::BTreeSet;

use super::page::{Page, Pages};
use crate::settings::LevelOverrides;
use sitemaps::findings::{Finding, Level, Subject};
use sitemaps::site_paths::SitePath;

/// Returns one finding for each excluded page whose reason has a level other than `allow`, unless
/// already reported.
pub(crate) fn findings_by_level(
    levels: &LevelOverrides,
    pages: &Pages,
    findings: &[Finding],
) -> Vec<Finding> {
    let reported: BTreeSet<(&str, &SitePath)> = findings.iter().filter_map(code_and_page).collect();
    let finding = |page: &Page| {
        let exclusion = page.verdict.exclusion()?;
        let code = exclusion.reason.code;
        if levels.level_of(code) == Level::Allow || reported.contains(&(code.name, &page.file)) {
            return None;
        }
        let message = format!("`{}` is excluded: {}", page.file, exclusion.evidence);
        Some(Finding::new(code, exclusion.statement.clone(), message))
    };
    pages.iter().filter_map(finding).collect()
}

fn code_and_page(finding: &Finding) -> Option<(&str, &SitePath)> {
    match &finding.subject {
        Subject::Page(file, _) => Some((finding.code.name, file)),
        _ => None,
    }
}
