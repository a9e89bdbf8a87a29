//! Reports excluded pages whose reason has a level in the settings.

use std::collections::BTreeSet;

use super::page::Pages;
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
    let mut found = Vec::new();
    for page in pages {
        let Some(exclusion) = page.verdict.exclusion() else {
            continue;
        };
        let code = exclusion.reason.code;
        if levels.level_of(code) != Level::Allow && !reported.contains(&(code.name, &page.file)) {
            let message = format!("`{}` is excluded: {}", page.file, exclusion.evidence);
            found.push(Finding::new(code, exclusion.statement.clone(), message));
        }
    }
    found
}

fn code_and_page(finding: &Finding) -> Option<(&str, &SitePath)> {
    match &finding.subject {
        Subject::Page(file, _) => Some((finding.code.name, file)),
        _ => None,
    }
}
