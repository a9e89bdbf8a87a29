//! Checks the dates in sitemaps: they must be valid, not in the future, and not the same for all
//! pages.

use jiff::civil::Date;

use super::context::CheckContext;
use super::existing::{ExistingSitemap, is_same_date};
use super::tally::FindingTally;
use site_paths::containment;
use site_paths::finding::{Code, code, quoted};
use sitemaps::{DateError, LastMod, Now, ParsedDate};

/// From this many on, equal dates are not a coincidence.
const MIN_EQUAL_DATES: usize = 3;

/// A day in seconds: the tolerance for build dates, which may be in any time zone.
const DAY: u64 = 86_400;

/// Problem with the date of one entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DateProblem {
    /// It is not in the format of the protocol.
    Invalid,
    /// It is in the future.
    Future,
}

impl DateProblem {
    /// Checks the text of a date.
    pub(super) fn of(date: &str, now: Now) -> Option<Self> {
        if !is_w3c_datetime(date) {
            Some(Self::Invalid)
        } else if LastMod::parse(date, now) == ParsedDate::Invalid(DateError::Future) {
            Some(Self::Future)
        } else {
            None
        }
    }

    /// The code of its finding.
    pub(super) fn code(self) -> &'static Code {
        match self {
            Self::Invalid => code::LASTMOD_INVALID,
            Self::Future => code::LASTMOD_FUTURE,
        }
    }

    /// The message of its finding.
    pub(super) fn message(self, date: &str) -> String {
        match self {
            Self::Invalid => format!("`{}` is not in the W3C date format", quoted(date)),
            Self::Future => format!("the date `{}` is in the future", quoted(date)),
        }
    }

    /// The remedy.
    pub(super) fn hint(self) -> &'static str {
        match self {
            Self::Invalid => "write `2024-05-06` or `2024-05-06T07:08:09+02:00`",
            Self::Future => "use the date of the last change, or omit it",
        }
    }
}

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
    let (code, what) = if is_build_date(case, sitemap, &first.first) {
        let what = "the time of the build, not of the pages' last changes";
        (code::LASTMOD_BUILD_DATE, what)
    } else if have_changed_together(case) {
        return tally;
    } else {
        let what = "the same, but the pages did not change together";
        (code::LASTMOD_ALL_EQUAL, what)
    };
    let message = || format!("all {count} dates are {what}: `{date}`");
    let hint = "let `waypost` take the dates from Git history, or omit them";
    tally.report(code, sitemap.subject(), message, hint);
    tally
}

/// Whether the known dates of the listed pages are one instant.
fn have_changed_together(case: &CheckContext<'_>) -> bool {
    let entries = (0_u32..).zip(case.plan.entries());
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
    let written = containment::modified(&sitemap.file.below_dir(case.output_dir.path()));
    is_near(case.now.0) || written.is_some_and(is_near)
}

/// Whether the protocol allows this date: `YYYY`, `YYYY-MM`, `YYYY-MM-DD`, or the latter with `T`,
/// a time and a time zone (w3.org/TR/NOTE-datetime).
pub fn is_w3c_datetime(text: &str) -> bool {
    let (date, time) = text
        .split_once('T')
        .map_or((text, None), |(date, time)| (date, Some(time)));
    let digits = |text: &str, count: usize| {
        text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let below = |text: &str, limit: u8| {
        digits(text, 2) && text.parse::<u8>().is_ok_and(|number| number < limit)
    };
    let parts: Vec<&str> = date.split('-').collect();
    let is_date = match parts[..] {
        [year] => digits(year, 4),
        [year, month] => digits(year, 4) && digits(month, 2) && is_in_calendar(year, month, "01"),
        [year, month, day] => {
            digits(year, 4)
                && digits(month, 2)
                && digits(day, 2)
                && is_in_calendar(year, month, day)
        }
        _ => false,
    };
    let Some(time) = time else { return is_date };
    let Some(zone_at) = time.find(['Z', '+', '-']) else {
        return false;
    };
    let (clock, zone) = time.split_at(zone_at);
    let is_zone = zone == "Z"
        || zone[1..]
            .split_once(':')
            .is_some_and(|(hours, minutes)| below(hours, 24) && below(minutes, 60));
    let (clock, fraction) = clock
        .split_once('.')
        .map_or((clock, None), |(clock, fraction)| (clock, Some(fraction)));
    let clock: Vec<&str> = clock.split(':').collect();
    let is_clock = match clock[..] {
        [hours, minutes] => fraction.is_none() && below(hours, 24) && below(minutes, 60),
        [hours, minutes, seconds] => below(hours, 24) && below(minutes, 60) && below(seconds, 60),
        _ => false,
    };
    let is_fraction = fraction
        .is_none_or(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()));
    is_date && parts.len() == 3 && is_zone && is_clock && is_fraction
}

fn is_in_calendar(year: &str, month: &str, day: &str) -> bool {
    let (Ok(year), Ok(month), Ok(day)) = (year.parse(), month.parse(), day.parse()) else {
        return false;
    };
    Date::new(year, month, day).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_formats_of_the_protocol_are_dates() {
        let check =
            |text: &str, expected: bool| assert_eq!(is_w3c_datetime(text), expected, "{text}");
        for text in [
            "2024",
            "2024-05",
            "2024-05-06",
            "2024-05-06T07:08Z",
            "2024-05-06T07:08:09+02:00",
        ] {
            check(text, true);
        }
        check("2024-05-06T07:08:09.123Z", true);
        check("2024-02-29", true);
        for text in [
            "2024-00",
            "2024-00-10",
            "2024-01-00",
            "2023-02-29",
            "2024-02-31T07:08Z",
            "2024-04-31",
        ] {
            check(text, false);
        }
        for text in [
            "",
            "soon",
            "06/05/2024",
            "2024-5-6",
            "2024-13-01",
            "2024-05-06T07:08:09",
            "2024-05-06 07:08:09Z",
        ] {
            check(text, false);
        }
        for text in [
            "Mon, 06 May 2024 07:08:09 GMT",
            "2024-05-06T25:00Z",
            "2024-05T07:08Z",
            "2024-05-06T07:08:09+0200",
        ] {
            check(text, false);
        }
    }
}
