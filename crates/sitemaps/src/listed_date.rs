//! A date as a sitemap states it, compared as an instant with the date that is known of the page.
//!
//! Tools spell one instant in many ways, and round it to a minute, a day, a month or a year. Only a
//! date that excludes the known one is false.

use jiff::civil::Date;

use crate::lastmod::{LastMod, Now, ParsedDate};

/// The text of a `<lastmod>`, parsed: the period that it covers.
#[derive(Debug, Clone, Copy)]
pub enum ListedDate {
    /// A year, a month or a day. It has no time zone.
    Calendar {
        /// The first day.
        first: Date,
        /// The last day.
        last: Date,
    },
    /// A second, or the first second of a minute.
    Time {
        /// The instant and its offset.
        at: LastMod,
        /// The number of seconds that the text covers.
        seconds: i64,
    },
}

impl ListedDate {
    /// Parses the text of a `<lastmod>`; `None` if it is not a date that can be true.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.len() <= "2024-01-02".len() {
            let (first, last) = calendar_period(text)?;
            return Some(Self::Calendar { first, last });
        }
        let parsed = LastMod::parse(text, Now(i64::MAX));
        let (ParsedDate::Exact(at) | ParsedDate::ZoneAssumed(at)) = parsed else {
            return None;
        };
        // The clock of `2024-01-02T03:04+01:00` is `03:04`.
        let clock = text.get("2024-01-02T".len()..)?;
        let zone_at = clock.find(['Z', 'z', '+', '-']).unwrap_or(clock.len());
        let is_minute = clock[..zone_at].matches(':').count() == 1;
        let seconds = if is_minute { 60 } else { 1 };
        Some(Self::Time { at, seconds })
    }

    /// Whether a known date is in the period: a day, as well as a year or month, covers every
    /// instant of it in the known date's own zone or in UTC.
    pub fn includes(self, known: LastMod) -> bool {
        let days = [known.local_day(), known.utc_day()];
        match self {
            Self::Calendar { first, last } => days.iter().any(|day| (first..=last).contains(day)),
            Self::Time { at, .. } if known.is_day() => {
                [at.local_day(), at.utc_day()].contains(&known.utc_day())
            }
            Self::Time { at, seconds } => {
                (at.seconds()..at.seconds() + seconds).contains(&known.seconds())
            }
        }
    }

    /// The last second of the period, as seconds since 1970 UTC.
    pub fn last_second(self) -> Option<i64> {
        match self {
            Self::Calendar { last, .. } => {
                let end = jiff::tz::Offset::UTC.to_timestamp(last.at(23, 59, 59, 0));
                end.ok().map(jiff::Timestamp::as_second)
            }
            Self::Time { at, seconds } => Some(at.seconds() + seconds - 1),
        }
    }
}

/// Parses `YYYY`, `YYYY-MM` or `YYYY-MM-DD` to its first and its last day.
pub(crate) fn calendar_period(text: &str) -> Option<(Date, Date)> {
    let first = |end: &str| format!("{text}{end}").parse::<Date>().ok();
    match text.len() {
        4 => first("-01-01").map(|day| (day, day.last_of_year())),
        7 => first("-01").map(|day| (day, day.last_of_month())),
        10 => first("").map(|day| (day, day)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(text: &str) -> LastMod {
        match LastMod::parse(text, Now(i64::MAX)) {
            ParsedDate::Exact(date) => date,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[track_caller]
    fn check(of_page: &str, listed: &str, expected: bool) {
        let listed_date = ListedDate::parse(listed).expect("a date");
        let found = listed_date.includes(known(of_page));
        assert_eq!(found, expected, "{listed} for {of_page}");
    }

    #[test]
    fn an_instant_has_many_spellings() {
        let of_page = "2020-05-06T23:30:00-05:00";
        check(of_page, "2020-05-06T23:30:00-05:00", true);
        check(of_page, "2020-05-07T04:30:00Z", true);
        check(of_page, "2020-05-07T04:30:00+00:00", true);
        check(of_page, "2020-05-07T04:30:00.250Z", true);
        check(of_page, "2020-05-06T23:30-05:00", true);
        check("2020-05-06T23:30:59-05:00", "2020-05-06T23:30-05:00", true);
        check("2020-05-06T23:31:00-05:00", "2020-05-06T23:30-05:00", false);
        check(of_page, "2020-05-06T23:30:01-05:00", false);
        check(of_page, "2020-05-06T23:30:00Z", false);
    }

    #[test]
    fn a_day_is_every_instant_of_it_in_the_zone_of_the_commit_or_in_utc() {
        let of_page = "2020-05-06T23:30:00-05:00";
        for day in ["2020-05-06", "2020-05-07", "2020-05", "2020"] {
            check(of_page, day, true);
        }
        for day in ["2020-05-05", "2020-05-08", "2020-06", "2019"] {
            check(of_page, day, false);
        }
        check("2020-01-01", "2020-01-01T00:00:00+00:00", true);
        check("2020-01-01", "2020-01-01T00:00:00+02:00", true);
        check("2020-01-01", "2020-01-02T00:00:00Z", false);
        check("2020-01-01", "2020-01-01", true);
        check("2020-01-01", "2020-01", true);
        check("2020-01-01", "2020-01-02", false);
    }

    #[test]
    fn a_text_that_is_not_a_date_has_no_period() {
        for text in [
            "",
            "soon",
            "20200",
            "2020-1",
            "2020-13",
            "2020-02-30",
            "2020-05-06T25:00Z",
        ] {
            assert!(ListedDate::parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn a_period_ends_with_its_last_second() {
        let check = |text: &str, expected: &str| {
            let end = ListedDate::parse(text).and_then(ListedDate::last_second);
            assert_eq!(end, Some(known(expected).seconds()), "{text}");
        };
        check("2020", "2020-12-31T23:59:59Z");
        check("2020-02", "2020-02-29T23:59:59Z");
        check("2020-02-03", "2020-02-03T23:59:59Z");
        check("2020-02-03T04:05Z", "2020-02-03T04:05:59Z");
        check("2020-02-03T04:05:06Z", "2020-02-03T04:05:06Z");
    }
}
