//! Checks that robots.txt names the sitemaps and lets crawlers fetch them.

use super::existing::{CheckContext, path_of};
use sitemaps::findings::{Code, Finding, FindingTally, Subject, code};
use sitemaps::robots_txt::RobotsTxt;

/// Whether crawlers read the file: only that at the root of a host applies (RFC 9309 section 2.3).
fn applies(case: &CheckContext<'_>) -> bool {
    case.pages.inventory.base.is_host_root() && case.robots.is_readable()
}

/// Reports a robots.txt that does not name the sitemap, names a missing one, or disallows it.
pub(super) fn check(case: &CheckContext<'_>) -> FindingTally {
    if !applies(case) {
        return FindingTally::default();
    }
    missing_sitemaps(case)
        .chain(unnamed(case))
        .chain(disallowed(case))
        .collect()
}

/// Reports the lines of an applying robots.txt that name a sitemap which the build did not write.
pub(super) fn missing_sitemaps<'a>(
    case: &'a CheckContext<'_>,
) -> impl Iterator<Item = Finding> + 'a {
    let missing = case.existing.missing_in_robots.iter();
    let missing = missing.filter(|_| applies(case));
    missing.map(|url| {
        let message =
            format!("robots.txt names the sitemap `{url}`, which the build did not write");
        let hint = "correct or remove the line, unless another deployment serves it";
        finding(case, code::ROBOTS_TXT_SITEMAP_UNREADABLE, message).with_hint(hint)
    })
}

fn finding(case: &CheckContext<'_>, code: &'static Code, message: impl Into<String>) -> Finding {
    Finding::new(code, Subject::File(case.robots.path.clone(), None), message)
}

/// Reports that robots.txt names none of the sitemaps.
fn unnamed(case: &CheckContext<'_>) -> Option<Finding> {
    let mut files = case.existing.files.iter();
    let root = files.find(|sitemap| sitemap.file.parent.is_none())?;
    if !case.existing.named_in_robots.is_empty() {
        return None;
    }
    let message = match case.robots.bytes() {
        Some(_) => "robots.txt does not name a sitemap of this site",
        None => "no robots.txt names a sitemap of this site",
    };
    let url = case.pages.inventory.base.of_file(path_of(&root.file.place));
    let hint = format!("add the line `Sitemap: {url}`");
    Some(finding(case, code::ROBOTS_TXT_NO_SITEMAP, message).with_hint(hint))
}

/// Reports the sitemaps that crawlers may not fetch.
fn disallowed(case: &CheckContext<'_>) -> Vec<Finding> {
    let robots_txt = case
        .robots
        .bytes()
        .map(RobotsTxt::parse)
        .unwrap_or_default();
    let rules = robots_txt.rules_for_agents(&case.settings.robots_txt.agents);
    let disallowed = case.existing.files.iter().filter_map(|sitemap| {
        let file = path_of(&sitemap.file.place);
        let url = case.pages.inventory.base.of_file(file);
        let how = rules.disallowed_by(&url, "robots.txt")?;
        let message = format!("`{file}` is {how}");
        let hint = format!("add `Allow: {}`", url.path_and_query());
        let found = finding(case, code::ROBOTS_TXT_SITEMAP_UNREADABLE, message);
        Some(found.with_hint(hint))
    });
    disallowed.collect()
}
