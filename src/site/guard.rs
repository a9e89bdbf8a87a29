//! Refusals: results that cannot be right, so nothing is written. Each is a finding at level `deny`
//! that the user may accept.

use crate::findings::{Code, Finding, Level, Subject, code};
use crate::settings::LevelOverrides;
use crate::share::{FEW, is_most};
use crate::survey::ContentChange;

/// The codes that stop a run before it writes, in the order in which one explains the next: a wrong
/// base URL excludes every page, which shrinks the set.
const REFUSALS: [&Code; 7] = [
    code::BASE_URL_PLACEHOLDER,
    code::BASE_URL_CONTRADICTED,
    code::BASE_PATH_TWICE,
    code::NOTHING_LISTED,
    code::SET_SHRUNK,
    code::DATES_LOST,
    code::SITEMAP_NOT_OURS,
];

/// Fewer pages than this may be copies of the home page, or have moved.
pub(super) const FEW_PAGES: usize = 3;

/// Moves the refusals among the findings, and further ones, to the front, ordered by cause, and drops
/// those that an earlier one explains.
pub fn refusals_first(
    findings: Vec<Finding>,
    further: Vec<Finding>,
    levels: &LevelOverrides,
) -> Vec<Finding> {
    let (mut found, others): (Vec<_>, Vec<_>) = findings
        .into_iter()
        .partition(|finding| REFUSALS.contains(&finding.code));
    found.extend(further);
    found.retain(|finding| levels.level_of(finding.code) != Level::Allow);
    found.sort_by_key(|finding| rank(finding.code));
    let mut causes = found.iter().map(|finding| finding.code);
    if let Some(cause) = causes.find(|code| levels.level_of(code) == Level::Deny) {
        found.retain(|finding| finding.code == cause || !explains(cause, finding.code));
    }
    found.extend(others);
    found
}

/// Whether one of the findings stops a run before it writes or sends anything.
pub fn stop_run(findings: &[Finding], levels: &LevelOverrides) -> bool {
    let mut codes = findings.iter().map(|finding| finding.code);
    codes.any(|code| REFUSALS.contains(&code) && levels.level_of(code) == Level::Deny)
}

/// The place of a refusal in the order of causes.
fn rank(code: &Code) -> Option<usize> {
    REFUSALS.iter().position(|known| *known == code)
}

/// Whether one refusal is the likely cause of another.
fn explains(cause: &Code, effect: &Code) -> bool {
    // Losses have causes of their own, except that nothing is kept if no page is listed.
    rank(cause) < rank(effect) && ![code::SET_SHRUNK, code::DATES_LOST].contains(&cause)
}

/// Refuses a set that lacks most of the URLs of the one that waypost wrote last, or each of a small one.
pub fn set_shrunk(dropped: usize, listed: usize) -> Option<Finding> {
    let message = format!(
        "{dropped} of the {listed} URLs in the previous sitemap are not in the new one: is the build \
         complete, and is the base URL still the same?"
    );
    is_shrunk(dropped, listed).then(|| overruled(code::SET_SHRUNK, message))
}

/// Refuses a set that would replace another program's and lacks most of its entries, of which
/// `unexplained` are not those of excluded pages.
pub fn set_replaced_shrunk(unexplained: usize, listed: usize) -> Option<Finding> {
    let message = format!(
        "{unexplained} of the {listed} URLs in the sitemap that this one replaces are not in the new \
         one, and no page at them is excluded: is the build complete, and is the base URL right?"
    );
    is_shrunk(unexplained, listed).then(|| overruled(code::SET_SHRUNK, message))
}

/// Refuses a set that would replace another program's and keeps none of its language links, unless
/// the pages themselves state others.
pub fn language_links_lost(links: ContentChange) -> Option<Finding> {
    let stated = links.before - links.overruled;
    if stated <= FEW || links.lost < links.before {
        return None;
    }
    let message = format!(
        "none of the {stated} language links in the sitemap that this one replaces can be kept"
    );
    Some(overruled(code::SET_SHRUNK, message))
}

/// Refuses a set in which most of the dates are missing that pages of both sets had.
pub fn dates_lost(undated: usize, dated: usize) -> Option<Finding> {
    let message = format!(
        "{undated} of the {dated} pages with a date in the previous sitemap have none now: is the Git \
         history complete, and are the sources in the repository?"
    );
    is_too_many(undated, dated).then(|| overruled(code::DATES_LOST, message))
}

/// Whether a share of pages is a sign of a mistake: more than half, and more than a few.
fn is_too_many(part: usize, whole: usize) -> bool {
    part > FEW && is_most(part, whole)
}

/// Whether a set lacks too many URLs, or nothing is left of a small one. Of one or two pages, both may have
/// moved.
fn is_shrunk(part: usize, whole: usize) -> bool {
    is_too_many(part, whole) || part == whole && (FEW_PAGES..=FEW).contains(&whole)
}

fn overruled(code: &'static Code, message: String) -> Finding {
    let hint = format!(
        "`waypost explain` shows the reason for each page; if this is intended, run once with \
         `--accept {}`",
        code.name
    );
    Finding::new(code, Subject::Site, message).with_hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_shrinks_by_more_than_half_and_more_than_ten() {
        let check = |dropped: usize, listed: usize, expected: bool| {
            assert_eq!(set_shrunk(dropped, listed).is_some(), expected);
            assert_eq!(dates_lost(dropped, listed).is_some(), expected);
        };
        assert!(dates_lost(10, 10).is_none());
        check(10, 11, false);
        check(11, 11, true);
        check(11, 22, false);
        check(12, 22, true);
        check(0, 0, false);
        check(400, 1000, false);
    }
}
