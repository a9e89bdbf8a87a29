//! Checks the feeds that pages, robots.txt and indexes name: a feed of this site must exist, and one
//! that serves as a sitemap must be complete.

use super::context::CheckContext;
use super::tally::FindingTally;
use crate::decide::candidate_files;
use site_paths::finding::{Finding, Subject, code};

/// Reports feeds of this site that the build did not write, each at the first page that links to
/// it, and broken feeds that serve as sitemaps.
pub(super) fn check(case: &CheckContext<'_>) -> FindingTally {
    let mut tally = FindingTally::default();
    for (url, (file, place)) in &case.inventory.feeds {
        let base = &case.inventory.base;
        let is_there = || {
            candidate_files(base, url)
                .iter()
                .any(|file| case.output_dir.has_file(file))
        };
        if base.path_below(url).is_none() || is_there() {
            continue;
        }
        let message =
            || format!("the page links to the feed `{url}`, which the build did not write");
        let hint = "generate the feed, or remove the link from the template";
        tally.report(
            code::FEED_BROKEN,
            Subject::Page(file.clone(), Some(*place)),
            message,
            hint,
        );
    }
    for (file, error) in &case.existing.feeds {
        if let Err(error) = error {
            let names = if case.existing.named_in_robots.contains(file) {
                "robots.txt"
            } else {
                "a sitemap index"
            };
            let message = format!("{names} names the feed `{file}`: {error}");
            tally.add(Finding::new(
                code::FEED_BROKEN,
                Subject::Page(file.clone(), None),
                message,
            ));
        }
    }
    tally
}
