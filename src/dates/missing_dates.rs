//! Reports that most pages of a generator have no date, if no other finding says why.

use std::collections::BTreeMap;

use crate::findings::{Code, Finding, Findings, Subject, code};
use crate::generators::Site;
use crate::pages::{DateOrigin, Page};
use crate::share::{FEW, is_most};

/// Findings that say why pages have no date.
const CAUSES: [&Code; 3] = [
    code::HISTORY_SHALLOW,
    code::HISTORY_INCOMPLETE,
    code::DEPLOY_COMMITS,
];

/// The finding about a site of which less than half of the pages that could have a date have one.
/// List pages do not count.
pub(crate) fn missing_dates(site: &Site, pages: &[Page], findings: &Findings) -> Option<Finding> {
    if site.environment.contains_key("GIT_DIR")
        && pages
            .iter()
            .any(|page| page.is_listed() && page.dated == DateOrigin::NoRepository)
    {
        let message =
            "`GIT_DIR` is set, but waypost reads the repository around the site, and there is none";
        let hint = "build in a checkout with `.git`: `git clone`, or `git worktree add`";
        return Some(Finding::new(code::DATES_MISSING, Subject::Site, message).with_hint(hint));
    }
    let generator = site.generator?;
    if findings.have_one_of(&CAUSES) {
        return None;
    }
    let (mut dated, mut missing) = (0, BTreeMap::new());
    for page in pages.iter().filter(|page| page.is_listed()) {
        match &page.dated {
            DateOrigin::NoRepository | DateOrigin::NotConfigured => return None,
            DateOrigin::NoSource
            | DateOrigin::NotCommitted
            | DateOrigin::Edited
            | DateOrigin::IncludeNotCommitted(_)
            | DateOrigin::IncludeEdited(_)
            | DateOrigin::InvalidDate => *missing.entry(page.dated.as_str()).or_insert(0) += 1,
            origin if origin.is_dated() => dated += 1,
            _ => {}
        }
    }
    let undated: usize = missing.values().sum();
    let all = dated + undated;
    if all < FEW || !is_most(undated, all) {
        return None;
    }
    let causes = missing.iter().map(|(why, count)| format!("{count}: {why}"));
    let message = format!(
        "only {dated} of {all} pages have a date ({})",
        causes.collect::<Vec<_>>().join(", ")
    );
    let main = missing.iter().max_by_key(|(_, count)| **count)?;
    let hint = if *main.0 == DateOrigin::NoSource.as_str() {
        let list = generator.source_list.as_ref();
        match list.filter(|_| site.own_source_list(&[]).is_none()) {
            Some(list) => &*list.remedy,
            None => "name the sources in a source map, or those of a path with `source` in a rule",
        }
    } else {
        "commit the sources before the build; `waypost explain` names them"
    };
    Some(Finding::new(code::DATES_MISSING, Subject::Site, message).with_hint(hint))
}
