//! Edits robots.txt: adds the sitemaps of a plan, and removes those that no longer exist.

use std::collections::BTreeSet;

use crate::feeds::SiteFeeds;
use crate::publish::DiskError;
use crate::site::RobotsFile;
use site_paths::finding::{Finding, Subject, WithFindings, code};
use site_paths::{BaseUrl, PageUrl};
use sitemaps::Plan;
use sitemaps::robots_txt::{RobotsChange, add_sitemaps, sitemaps_in};

/// Number of `Sitemap` lines that robots.txt gains and loses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RobotsLines {
    /// Lines for sitemaps that it did not name before.
    pub added: usize,
    /// Lines for sitemaps that no longer exist.
    pub removed: usize,
}

/// A new robots.txt; unchanged by default.
#[derive(Default)]
pub(super) struct EditedRobots {
    /// Its new text, if it changes.
    pub(super) text: Option<Vec<u8>>,
    pub(super) lines: RobotsLines,
}

/// Adds the sitemaps of a plan to robots.txt and removes those that no longer exist. `find_feeds`
/// is given the sitemaps that robots.txt names; `gone` returns those of the others that no longer
/// exist after this run.
pub(super) fn robots_with(
    robots: &RobotsFile,
    base: &BaseUrl,
    plan: &Plan,
    find_feeds: impl FnOnce(&BTreeSet<PageUrl>) -> SiteFeeds,
    gone: impl FnOnce(&[&PageUrl]) -> Result<Vec<PageUrl>, DiskError>,
) -> Result<WithFindings<EditedRobots>, DiskError> {
    let mut sitemaps: Vec<PageUrl> = plan.roots().collect();
    if sitemaps.is_empty() || !robots.is_readable() {
        return Ok(WithFindings::default());
    }
    if robots.bytes().is_none() && !base.is_host_root() {
        let finding = robots_elsewhere(&sitemaps[0], base);
        return Ok(WithFindings::new(EditedRobots::default(), vec![finding]));
    }
    let (old, named) = (robots.bytes(), robots.sitemaps());
    let feeds = find_feeds(&named);
    let mut findings = feeds.findings;
    sitemaps.extend(feeds.named);
    let others: Vec<&PageUrl> = named.iter().filter(|url| !sitemaps.contains(url)).collect();
    let stale: Vec<PageUrl> = gone(&others)?.into_iter().chain(feeds.gone).collect();
    let edit = add_sitemaps(old, &sitemaps, &stale);
    findings.extend(edit.findings(&robots.path));
    let edited = match edit.change {
        RobotsChange::Changed(bytes) => {
            let now = sitemaps_in(&bytes);
            let lines = RobotsLines {
                added: now.difference(&named).count(),
                removed: named.difference(&now).count(),
            };
            EditedRobots {
                text: Some(bytes),
                lines,
            }
        }
        RobotsChange::Unchanged | RobotsChange::Refused(_) => EditedRobots::default(),
    };
    Ok(WithFindings::new(edited, findings))
}

/// Reports that no robots.txt names a sitemap, because it belongs at the root of the host.
fn robots_elsewhere(sitemap: &PageUrl, base: &BaseUrl) -> Finding {
    let message = format!(
        "the site is not at the root of its host, where robots.txt belongs, so no robots.txt \
         names `{sitemap}`"
    );
    Finding::new(code::ROBOTS_TXT_ELSEWHERE, Subject::Site, message).with_hint(format!(
        "add `Sitemap: {sitemap}` to the robots.txt of {}",
        base.origin()
    ))
}
