//! A date as a sitemap states it: its form, and the comparison with the date that is known of the
//! page.
//!
//! Tools spell one instant in many ways, and round it to a day. Only a date that excludes the known
//! one is false.

use std::sync::LazyLock;

use jiff::civil::Date;
use regex::bytes::Regex;

use crate::lastmod::{LastMod, Now};

/// A day, or a time with seconds and a zone, which XML Schema limits to 14 hours.
static FORM: LazyLock<Regex> = LazyLock::new(|| {
    let form = concat!(
        "^[0-9]{4}-[0-9]{2}-[0-9]{2}",
        "(T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]+)?",
        "(Z|[+-]((0[0-9]|1[0-3]):[0-5][0-9]|14:00)))?$"
    );
    Regex::new(form).expect("a valid expression")
});

/// Whether both the schema of the protocol and W3C Datetime, to which the protocol refers, allow this
/// date (w3.org/TR/NOTE-datetime).
pub(crate) fn is_sitemap_date(text: &str) -> bool {
    FORM.is_match(text.as_bytes())
        && !text.starts_with("0000")
        && text[.."2024-01-02".len()].parse::<Date>().is_ok()
}

/// Whether W3C Datetime allows this date, but the schema does not: a year, a month, or a time without
/// seconds.
pub(crate) fn is_rounded_date(text: &str) -> bool {
    let exact = match (text.len(), text.split_at_checked("2024-05-06T07:08".len())) {
        (4, _) => format!("{text}-01-01"),
        (7, _) => format!("{text}-01"),
        (_, Some((minutes, zone))) => format!("{minutes}:00{zone}"),
        _ => return false,
    };
    is_sitemap_date(&exact)
}

impl LastMod {
    /// Parses the text of a `<lastmod>`; `None` if it is not a day or a time with seconds that can be
    /// true. A text that is rounded to minutes, months or years, which is invalid, says too little.
    pub fn parse_listed(text: &str) -> Option<Self> {
        let text = text.trim();
        let is_exact = text.len() == "2024-01-02".len() || text.as_bytes().get(16) == Some(&b':');
        Self::parse(text, Now(i64::MAX)).date().filter(|_| is_exact)
    }

    /// Whether a known date is this listed one: a day covers every instant of it, in the known
    /// date's own zone or in UTC.
    pub fn includes(self, known: Self) -> bool {
        if self.is_day() {
            [known.local_day(), known.utc_day()].contains(&self.utc_day())
        } else if known.is_day() {
            [self.local_day(), self.utc_day()].contains(&known.utc_day())
        } else {
            self.seconds() == known.seconds()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(text: &str) -> LastMod {
        let parsed = LastMod::parse(text, Now(i64::MAX));
        parsed.date().expect(text)
    }

    #[track_caller]
    fn check(of_page: &str, listed: &str, expected: bool) {
        let listed_date = LastMod::parse_listed(listed).expect("a date");
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
        check(of_page, "2020-05-06T23:30:01-05:00", false);
        check(of_page, "2020-05-06T23:30:00Z", false);
    }

    #[test]
    fn a_day_is_every_instant_of_it_in_the_zone_of_the_commit_or_in_utc() {
        let of_page = "2020-05-06T23:30:00-05:00";
        for day in ["2020-05-06", "2020-05-07"] {
            check(of_page, day, true);
        }
        for day in ["2020-05-05", "2020-05-08"] {
            check(of_page, day, false);
        }
        check("2020-01-01", "2020-01-01T00:00:00+00:00", true);
        check("2020-01-01", "2020-01-01T00:00:00+02:00", true);
        check("2020-01-01", "2020-01-02T00:00:00Z", false);
        check("2020-01-01", "2020-01-01", true);
        check("2020-01-01", "2020-01-02", false);
    }

    #[test]
    fn a_text_that_is_not_an_exact_date_says_nothing() {
        for text in [
            "",
            "soon",
            "2020",
            "2020-05",
            "2020-02-30",
            "2020-05-06T23:30-05:00",
            "2020-05-06T25:00:00Z",
        ] {
            assert!(LastMod::parse_listed(text).is_none(), "{text}");
        }
    }

    #[test]
    fn only_the_formats_of_the_protocol_are_dates() {
        for text in [
            "1970-01-01",
            "2024-02-29",
            "9999-12-31",
            "2024-05-06T07:08:09Z",
            "2024-05-06T07:08:09.5-00:00",
            "2024-05-06T07:08:09+14:00",
        ] {
            assert!(is_sitemap_date(text), "{text}");
        }
        for text in [
            "",
            "2024",
            "2024-05",
            "2024-5-6",
            "2023-02-29",
            "0000-05-06",
            "2024-05-06Z",
            "2024-05-06T07:08Z",
            "2024-05-06T07:08:09",
            "2024-05-06 07:08:09Z",
            "2024-05-06T24:00:00Z",
            "2024-05-06T07:08:60Z",
            "2024-05-06T07:08:09+0200",
            "2024-05-06T07:08:09+14:01",
            "2024-02-31T07:08:09Z",
            "Mon, 06 May 2024 07:08:09 GMT",
        ] {
            assert!(!is_sitemap_date(text), "{text}");
            let is_rounded = ["2024", "2024-05", "2024-05-06T07:08Z"].contains(&text);
            assert_eq!(is_rounded_date(text), is_rounded, "{text}");
        }
    }
}
