//! Checks that the feeds of this site to which pages link exist.

use super::context::CheckContext;
use super::tally::FindingTally;
use crate::decide::candidate_files;
use site_paths::finding::{Subject, code};

/// Reports feeds of this site that the build did not write, each at the first page that links to
/// it.
pub(super) fn check(case: &CheckContext<'_>) -> FindingTally {
    let mut tally = FindingTally::default();
    for (url, (file, place)) in &case.pages.inventory.feeds {
        let base = &case.pages.inventory.base;
        let is_there = || {
            candidate_files(base, url)
                .iter()
                .any(|file| case.pages.output_dir.has_file(file))
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
    tally
}
