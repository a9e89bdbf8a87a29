//! Checks that the dates of a set are not the same for all pages.

use super::context::CheckContext;
use super::entry_facts::is_same_date;
use super::existing::ExistingSitemap;
use crate::inventory::FindingTally;
use sitemaps::site_paths::containment;
use sitemaps::site_paths::finding::{code, quoted};
use sitemaps::{LastMod, Now, ParsedDate};

/// From this many on, equal dates are not a coincidence.
const MIN_EQUAL_DATES: usize = 3;

/// A day in seconds: the tolerance for build dates, which may be in any time zone.
const DAY: u64 = 86_400;

/// Reports that all pages have the same date although they did not change together.
pub(super) fn check(case: &CheckContext<'_>) -> FindingTally {
    let mut tally = FindingTally::default();
    let mut dated = case
        .existing
        .pages()
        .map(|sitemap| &sitemap.dates)
        .filter(|dates| dates.count > 0);
    let Some(first) = dated.next() else {
        return tally;
    };
    let mut count = first.count;
    let mut differ = first.differ;
    for dates in dated {
        count += dates.count;
        differ = differ || dates.differ || !is_same_date(&dates.first, &first.first);
    }
    if differ || count < MIN_EQUAL_DATES || case.changes.redated.is_empty() {
        return tally;
    }
    let Some(sitemap) = case
        .existing
        .pages()
        .find(|sitemap| sitemap.dates.count > 0)
    else {
        return tally;
    };
    let date = quoted(&first.first);
    let what = if is_build_date(case, sitemap, &first.first) {
        "the time of the build, not of the pages' last changes"
    } else if have_changed_together(case) {
        return tally;
    } else {
        "the same, but the pages did not change together"
    };
    let message = || format!("all {count} dates are {what}: `{date}`");
    let hint = "let `waypost` take the dates from Git history, or omit them";
    tally.report(code::LASTMOD_UNTRUE, sitemap.subject(), message, hint);
    tally
}

/// Whether the known dates of the listed pages are one instant.
fn have_changed_together(case: &CheckContext<'_>) -> bool {
    let entries = (0_u32..).zip(case.pages.plan.entries());
    let mut known = entries
        .filter(|(number, _)| case.changes.added.binary_search(number).is_err())
        .filter_map(|(_, entry)| entry.lastmod)
        .map(LastMod::seconds);
    let first = known.next();
    known.all(|seconds| Some(seconds) == first)
}

/// Whether a date is within a day of the current time or of the sitemap's modification time.
fn is_build_date(case: &CheckContext<'_>, sitemap: &ExistingSitemap, date: &str) -> bool {
    let (ParsedDate::Exact(date) | ParsedDate::ZoneAssumed(date)) =
        LastMod::parse(date, Now(i64::MAX))
    else {
        return false;
    };
    let is_near = |seconds: i64| date.seconds().abs_diff(seconds) <= DAY;
    let written = containment::modified(&sitemap.file.below_dir(case.pages.output_dir.path()));
    is_near(case.now.0) || written.is_some_and(is_near)
}
