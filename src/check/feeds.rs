//! The feeds that pages name in their heads, and those that robots.txt names: whether each is there, and whole.

use super::CheckContext;
use super::tally::FindingTally;
use crate::decide::answering_files;
use crate::finding::{Finding, Subject, code};

/// Reports feeds of this site that the build did not write, each at the first page that names it, and broken ones that
/// robots.txt names.
pub(super) fn check(case: &CheckContext<'_>, tally: &mut FindingTally) {
    for (url, (file, place)) in &case.ledger.feeds {
        let base = &case.ledger.base;
        let is_there = || {
            answering_files(base, url)
                .iter()
                .any(|file| file.below_folder(&case.survey.output_dir).is_file())
        };
        if base.path_below(url).is_none() || is_there() {
            continue;
        }
        let message = || format!("the page names the feed `{url}`, which the build did not write");
        let hint = "write the feed, or take the link out of the template";
        tally.tell(
            code::FEED_MISSING,
            Subject::Page(file.clone(), Some(*place)),
            message,
            hint,
        );
    }
    for (file, error) in &case.set.feeds {
        if let Some(error) = error {
            let message = format!("robots.txt names the feed `{file}`: {error}");
            tally.add(Finding::new(
                code::FEED_BROKEN,
                Subject::Page(file.clone(), None),
                message,
            ));
        }
    }
}
