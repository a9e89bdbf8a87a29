//! Checks that robots.txt names the sitemaps and lets crawlers fetch them.

use super::existing::CheckContext;
use crate::inventory::FindingTally;
use sitemaps::robots_txt::{RobotsAccess, RobotsTxt};
use sitemaps::site_paths::finding::{Subject, code};

/// Reports a robots.txt that does not name the sitemap, names a missing one, or disallows it.
///
/// Only the robots.txt at the root of a host applies (RFC 9309 section 2.3).
pub(super) fn check(case: &CheckContext<'_>) -> FindingTally {
    let mut tally = FindingTally::default();
    let CheckContext {
        robots,
        existing: set,
        pages,
        ..
    } = case;
    let inventory = pages.inventory;
    if !inventory.base.is_host_root() || !robots.is_readable() {
        return tally;
    }
    let subject = || Subject::File(robots.path.clone(), None);
    for url in &set.missing_in_robots {
        let message =
            || format!("robots.txt names the sitemap `{url}`, which the build did not write");
        tally.report(
            code::ROBOTS_TXT_SITEMAP_UNREADABLE,
            subject(),
            message,
            "correct or remove the line, unless another deployment serves it",
        );
    }
    let Some(root) = set.files.iter().find(|sitemap| sitemap.parent.is_none()) else {
        return tally;
    };
    if set.named_in_robots.is_empty() {
        let message = match robots.bytes() {
            Some(_) => "robots.txt does not name a sitemap of this site",
            None => "no robots.txt names a sitemap of this site",
        };
        let hint = format!(
            "add the line `Sitemap: {}`",
            inventory.base.of_file(&root.file)
        );
        tally.report(
            code::ROBOTS_TXT_NO_SITEMAP,
            subject(),
            || message.to_owned(),
            &hint,
        );
    }
    let robots_txt = robots.bytes().map(RobotsTxt::parse).unwrap_or_default();
    let rules = robots_txt.rules_for_agents(&case.settings.robots_txt.agents);
    for sitemap in &set.files {
        let url = inventory.base.of_file(&sitemap.file);
        if let RobotsAccess::Disallowed(rule) = rules.access(&url) {
            let file = &sitemap.file;
            let message = || {
                format!(
                    "`{file}` is disallowed for {} by line {} of robots.txt: `{rule}`",
                    rules.crawlers(),
                    rule.line
                )
            };
            let hint = format!("add `Allow: {}`", url.path_and_query());
            tally.report(
                code::ROBOTS_TXT_SITEMAP_UNREADABLE,
                subject(),
                message,
                &hint,
            );
        }
    }
    tally
}
