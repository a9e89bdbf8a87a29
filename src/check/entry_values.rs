//! Checks the `changefreq` and `priority` values of entries.

use rayon::prelude::*;

use super::context::CheckContext;
use super::existing::ExistingSitemap;
use super::tally::FindingTally;
use site_paths::finding::{code, quoted};
use sitemaps::{ChangeFreq, Priority};

/// Reports values that the protocol does not define.
pub(super) fn check(case: &CheckContext<'_>) -> FindingTally {
    let sitemaps: Vec<_> = case
        .existing
        .pages()
        .filter(|sitemap| sitemap.has_rule_values)
        .collect();
    let looked_at: Vec<FindingTally> = sitemaps
        .into_par_iter()
        .map(|sitemap| look_at(case, sitemap))
        .collect();
    looked_at.into_iter().collect()
}

fn look_at(case: &CheckContext<'_>, sitemap: &ExistingSitemap) -> FindingTally {
    let mut tally = FindingTally::default();
    sitemap.read_again_with_details(case.output_dir, &mut |listed| {
        let (changefreq, priority) = (&listed.details.changefreq, &listed.details.priority);
        let mut tell = |what: &str, text: &str, hint: &str| {
            let message = || format!("`{}` is not a valid {what}", quoted(text));
            tally.report(
                code::SITEMAP_VALUE,
                sitemap.subject_at(listed.place),
                message,
                hint,
            );
        };
        if !changefreq.is_empty() && ChangeFreq::parse(changefreq).is_none() {
            let hint = "use `always`, `hourly`, `daily`, `weekly`, `monthly`, `yearly` or `never`, \
                        or omit it";
            tell("changefreq", changefreq, hint);
        }
        if !priority.is_empty() && Priority::parse(priority).is_none() {
            tell(
                "priority",
                priority,
                "use a number from 0.0 to 1.0, or omit it",
            );
        }
    });
    tally
}
