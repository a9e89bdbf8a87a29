//! Dates as they appear in page URLs: in the time zone they were written in.

use std::sync::LazyLock;

use jiff::civil::{DateTime, date};
use regex::Regex;
use sitemaps::site_paths::SitePath;

/// The date that the name of a content file begins with, or of an index file that of its directory.
pub fn date_in_name(file: &SitePath) -> Option<String> {
    let name = String::from_utf8_lossy(file.file_name()).into_owned();
    let named = match name.split_once('.') {
        Some(("index", _)) => {
            let dir = String::from_utf8_lossy(file.dir());
            let dir = dir.strip_suffix('/').unwrap_or(&dir);
            dir.rsplit('/').next().unwrap_or_default().to_owned()
        }
        _ => name,
    };
    let (date, _) = CalendarDate::split_date_prefix(&named)?;
    Some(date.format("%Y-%m-%d"))
}

/// A date and time without a time zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CalendarDate(DateTime);

impl CalendarDate {
    /// Go's zero time, which Hugo uses for a page without a date.
    pub(super) fn zero() -> Self {
        Self(date(1, 1, 1).at(0, 0, 0, 0))
    }

    /// Parses `2024-05-06`, optionally followed by a time and a zone. Returns `None` for any other
    /// form.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (day, rest) = text.trim().split_at_checked(10)?;
        let day: jiff::civil::Date = day.parse().ok()?;
        let time = rest.strip_prefix(['T', 't', ' ']).map(str::trim_start);
        if time.is_none() && !rest.is_empty() {
            return None;
        }
        let time = time
            .and_then(|time| time.get(..8).or(time.get(..5))?.parse().ok())
            .unwrap_or_default();
        Some(Self(day.to_datetime(time)))
    }

    /// Splits a name into the date at its start and the rest.
    pub(super) fn split_date_prefix(name: &str) -> Option<(Self, &str)> {
        let (day, rest) = name.split_at_checked(10)?;
        Some((Self::parse(day)?, rest))
    }

    /// Splits a name such as `2024-5-06-name` into its date and the part after the hyphen. Month
    /// and day need no leading zero.
    pub(super) fn split_post_name(name: &str) -> Option<(Self, &str)> {
        static NAME: LazyLock<Regex> = LazyLock::new(|| {
            Regex::new("^([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})-(.+)$").expect("a regular expression")
        });
        let (_, [year, month, day, rest]) = NAME.captures(name)?.extract();
        let day = format!("{year}-{month:0>2}-{day:0>2}");
        Some((Self::parse(&day)?, rest))
    }

    /// This date, followed by the day before and the day after.
    pub(super) fn with_neighbours(self) -> Vec<Self> {
        let mut dates = vec![self];
        let day = self.0.date();
        for day in [day.yesterday(), day.tomorrow()].into_iter().flatten() {
            dates.push(Self(day.to_datetime(self.0.time())));
        }
        dates
    }

    /// Formats the date with a strftime format string.
    pub(super) fn format(self, format: &str) -> String {
        self.0.strftime(format).to_string()
    }

    /// The part of the date that a token of Jekyll or Hexo names.
    pub(super) fn part(self, token: &str) -> Option<String> {
        Some(self.format(match token {
            "year" => "%Y",
            "month" => "%m",
            "i_month" => "%-m",
            "short_month" => "%b",
            "long_month" => "%B",
            "day" => "%d",
            "i_day" => "%-d",
            "y_day" => "%j",
            "short_day" => "%a",
            "long_day" => "%A",
            "week" => "%V",
            "short_year" => "%y",
            _ => return None,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_keep_their_own_time_zone() {
        let check = |text: &str, expected: Option<&str>| {
            let written =
                CalendarDate::parse(text).map(|written| written.format("%Y-%m-%d %H:%M:%S"));
            assert_eq!(written.as_deref(), expected, "{text}");
        };
        check("2024-03-04", Some("2024-03-04 00:00:00"));
        check("2024-03-04T23:30:00-05:00", Some("2024-03-04 23:30:00"));
        check("2024-03-04 05:06", Some("2024-03-04 05:06:00"));
        check("2024-03-04x", None);
        check("2024-02-30", None);
        check("4 March 2024", None);
        check("", None);
    }
}
