//! Reports excluded pages whose reason has a level in the settings.

use super::page::Pages;
use crate::findings::{Finding, Findings, Level};
use crate::settings::LevelOverrides;

/// Reports each excluded page whose reason has a level other than `allow` in the settings. A reason that has
/// one of its own was reported where it was found.
pub(crate) fn report_by_level(levels: &LevelOverrides, pages: &Pages, findings: &Findings) {
    for page in pages {
        let Some(exclusion) = page.verdict.exclusion() else {
            continue;
        };
        let code = exclusion.reason.code;
        if code.level == Level::Allow && levels.level_of(code) != Level::Allow {
            let message = format!("`{}` is excluded: {}", page.file, exclusion.evidence);
            findings.add(Finding::new(code, exclusion.statement.clone(), message));
        }
    }
}
