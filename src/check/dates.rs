//! Checks that the dates of a set are not the same for all pages.

use super::entry_facts::DateSummary;
use super::existing::{CheckContext, ExistingSitemap};
use sitemaps::site_paths::containment;
use sitemaps::site_paths::finding::{Finding, code, quoted};
use sitemaps::{LastMod, Now, ParsedDate};

/// From this many on, equal dates are not a coincidence.
const MIN_EQUAL_DATES: usize = 3;

/// A day in seconds: the tolerance for build dates, which may be in any time zone.
const DAY: u64 = 86_400;

/// Reports that all pages have the same date although they did not change together.
pub(super) fn check(case: &CheckContext<'_>) -> Option<Finding> {
    let mut dated = case
        .existing
        .pages()
        .filter(|sitemap| sitemap.dates.count > 0);
    let sitemap = dated.next()?;
    let mut all = sitemap.dates.clone();
    dated.for_each(|sitemap| all.join(&sitemap.dates));
    let DateSummary {
        first,
        count,
        differ,
    } = &all;
    if *differ || *count < MIN_EQUAL_DATES || case.changes.redated.is_empty() {
        return None;
    }
    let what = if is_build_date(case, sitemap, first) {
        "the time of the build, not of the pages' last changes"
    } else if have_changed_together(case) {
        return None;
    } else {
        "the same, but the pages did not change together"
    };
    let message = format!("all {count} dates are {what}: `{}`", quoted(first));
    let hint = "let `waypost` take the dates from Git history, or omit them";
    Some(Finding::new(code::LASTMOD_UNTRUE, sitemap.subject(), message).with_hint(hint))
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
    is_near(case.pages.now.0) || written.is_some_and(is_near)
}
