//! Value of a `<lastmod>`: a moment with its UTC offset, or a whole day.

use std::fmt;
use std::num::NonZeroU64;

use jiff::{
    Timestamp, civil,
    fmt::temporal::Pieces,
    tz::{Offset, TimeZone},
};
use thiserror::Error;

/// Current time in seconds since 1970 UTC, passed in by the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Now(pub i64);

/// Dates further in the future than this cannot be true, whatever the clocks of two machines show:
/// one day.
const TOLERATED_SECONDS_AHEAD: i64 = 86_400;

/// 9999-12-31T23:59:59Z: a year in `<lastmod>` has four digits (W3C NOTE-datetime).
const LAST_SECOND_OF_9999: i64 = 253_402_300_799;

/// Largest offset from UTC in XML Schema: 14 hours (xsd:dateTime, lexical mapping).
const MAX_OFFSET_MINUTES: i16 = 14 * 60;

/// Date of a page's last change. The constructors reject dates that cannot be true (zero, in the
/// future, a year of more than four digits). Values are ordered by moment, then by offset.
///
/// Tables of a million pages hold two each, so it is one number: seconds since 1970 UTC, then
/// minutes from 14 hours west of UTC, then 1 for a moment and 0 for a day.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct LastMod(NonZeroU64);

/// Number of bits of the offset, which is at most twice 14 hours.
const OFFSET_BITS: u32 = 11;

/// Format of dates in sitemaps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DateFormat {
    /// `2024-01-02T03:04:05+01:00`, with the commit's offset.
    #[default]
    Datetime,
    /// `2024-01-02`, the day in UTC, which is the same on every machine.
    Date,
}

/// Reason why a date cannot be true or cannot be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum DateError {
    /// More than a day after now.
    #[error("is in the future")]
    Future,
    /// The epoch or earlier: tools write it if they do not know the date.
    #[error("is 1970-01-01 or earlier, which tools write if they do not know the date")]
    Zero,
    /// A year of more than four digits.
    #[error("has a year that sitemaps do not support")]
    Year,
}

/// Result of parsing a date.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParsedDate {
    /// A full date, or date and time with a zone.
    Exact(LastMod),
    /// Date and time without a zone, read as UTC.
    ZoneAssumed(LastMod),
    /// A date that cannot be true.
    Invalid(DateError),
    /// An unknown format, or only part of a date (a year alone).
    Unreadable,
}

impl ParsedDate {
    /// The date, unless the text is not one that can be true.
    pub fn date(self) -> Option<LastMod> {
        match self {
            Self::Exact(date) | Self::ZoneAssumed(date) => Some(date),
            Self::Invalid(_) | Self::Unreadable => None,
        }
    }
}

impl LastMod {
    /// Creates a date from seconds since 1970 UTC and the author's or committer's offset in
    /// minutes.
    ///
    /// An offset beyond 14 hours, which Git allows and XML does not, becomes UTC; the moment stays
    /// the same.
    pub fn at(seconds: i64, offset_minutes: i16, now: Now) -> Result<Self, DateError> {
        match seconds {
            ..=0 => return Err(DateError::Zero),
            LAST_SECOND_OF_9999.. => return Err(DateError::Year),
            _ if seconds > now.0.saturating_add(TOLERATED_SECONDS_AHEAD) => {
                return Err(DateError::Future);
            }
            _ if Timestamp::from_second(seconds).is_err() => return Err(DateError::Year),
            _ => {}
        }
        let is_of_xml = offset_minutes.abs() <= MAX_OFFSET_MINUTES;
        let offset_minutes = if is_of_xml { offset_minutes } else { 0 };
        let from_west = u64::from((offset_minutes + MAX_OFFSET_MINUTES).unsigned_abs());
        let packed = (seconds.unsigned_abs() << OFFSET_BITS | from_west) << 1 | 1;
        NonZeroU64::new(packed).map(Self).ok_or(DateError::Zero)
    }

    fn offset_minutes(self) -> i16 {
        let from_west = (self.0.get() >> 1) & ((1 << OFFSET_BITS) - 1);
        i16::try_from(from_west).unwrap_or_default() - MAX_OFFSET_MINUTES
    }

    fn offset(self) -> Offset {
        let seconds = i32::from(self.offset_minutes()) * 60;
        Offset::from_seconds(seconds).expect("at most 14 hours")
    }

    fn timestamp(self) -> Timestamp {
        Timestamp::from_second(self.seconds()).expect("the constructor checked the range")
    }

    /// Parses a date from a page, front matter or a setting: an ISO 8601 date, a date and time with
    /// or without seconds and zone, or RFC 2822 (feeds and HTTP).
    pub fn parse(text: &str, now: Now) -> ParsedDate {
        let text = text.trim();
        let Some(date) = text
            .get(..10)
            .and_then(|day| day.parse::<civil::Date>().ok())
        else {
            return Self::parse_rfc2822(text, now);
        };
        if text.len() == 10 {
            return Self::day(date, now);
        }
        // Jekyll and Git write a space before the zone, which the parser does not accept.
        let has_space = text.contains(' ');
        let without_space = has_space.then(|| text.replace(" +", "+").replace(" -", "-"));
        let Ok(pieces) = Pieces::parse(without_space.as_deref().unwrap_or(text)) else {
            return ParsedDate::Unreadable;
        };
        let (Some(time), None) = (pieces.time(), pieces.time_zone_annotation()) else {
            return ParsedDate::Unreadable;
        };
        let zone = pieces.to_numeric_offset();
        let offset = zone.unwrap_or(Offset::UTC);
        let Ok(moment) = offset.to_timestamp(pieces.date().to_datetime(time)) else {
            return ParsedDate::Invalid(DateError::Year);
        };
        match Self::at(moment.as_second(), minutes_of(offset), now) {
            Err(false_date) => ParsedDate::Invalid(false_date),
            Ok(lastmod) if zone.is_none() => ParsedDate::ZoneAssumed(lastmod),
            Ok(lastmod) => ParsedDate::Exact(lastmod),
        }
    }

    fn parse_rfc2822(text: &str, now: Now) -> ParsedDate {
        let Ok(zoned) = jiff::fmt::rfc2822::parse(text) else {
            return ParsedDate::Unreadable;
        };
        let offset = minutes_of(zoned.offset());
        Self::at(zoned.timestamp().as_second(), offset, now)
            .map_or_else(ParsedDate::Invalid, ParsedDate::Exact)
    }

    fn day(date: civil::Date, now: Now) -> ParsedDate {
        let Ok(midnight) = Offset::UTC.to_timestamp(date.to_datetime(civil::Time::midnight()))
        else {
            return ParsedDate::Invalid(DateError::Year);
        };
        Self::at(midnight.as_second(), 0, now)
            .map(Self::whole_day)
            .map_or_else(ParsedDate::Invalid, ParsedDate::Exact)
    }

    /// The day that begins with this moment, which is not the epoch.
    fn whole_day(self) -> Self {
        Self(NonZeroU64::new(self.0.get() & !1).unwrap_or(self.0))
    }

    /// Seconds since 1970 UTC; the first second of a day.
    pub fn seconds(self) -> i64 {
        (self.0.get() >> (OFFSET_BITS + 1)).cast_signed()
    }

    /// Last second, as seconds since 1970 UTC: the last second of a day.
    pub fn last_second(self) -> i64 {
        self.seconds() + if self.is_day() { 86_399 } else { 0 }
    }

    /// Whether it is a whole day.
    pub(crate) fn is_day(self) -> bool {
        self.0.get() & 1 == 0
    }

    /// The day in its own zone.
    pub(crate) fn local_day(self) -> civil::Date {
        self.offset().to_datetime(self.timestamp()).date()
    }

    /// The day in UTC.
    pub(crate) fn utc_day(self) -> civil::Date {
        Offset::UTC.to_datetime(self.timestamp()).date()
    }

    /// Formats the moment for RSS (RFC 2822); the first second of a day.
    pub fn to_rfc2822(self) -> String {
        let zoned = self.timestamp().to_zoned(TimeZone::fixed(self.offset()));
        jiff::fmt::rfc2822::to_string(&zoned).expect("RFC 2822 allows every four-digit year")
    }

    /// Formats the moment for Atom (RFC 3339); the first second of a day.
    pub fn to_rfc3339(self) -> String {
        Self(self.0 | 1).to_text(DateFormat::Datetime)
    }

    /// Formats the date.
    pub fn to_text(self, format: DateFormat) -> String {
        if format == DateFormat::Date || self.is_day() {
            return self.utc_day().to_string();
        }
        match self.offset_minutes() {
            0 => self.timestamp().to_string(),
            _ => self
                .timestamp()
                .display_with_offset(self.offset())
                .to_string(),
        }
    }
}

fn minutes_of(offset: Offset) -> i16 {
    i16::try_from(offset.seconds() / 60).unwrap_or(0)
}

impl fmt::Debug for LastMod {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl fmt::Display for LastMod {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.to_text(DateFormat::Datetime))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-01-15T12:00:00Z.
    const NOW: Now = Now(1_768_478_400);

    #[test]
    fn a_moment_keeps_its_offset() {
        let check = |seconds, offset, expected: &str| {
            assert_eq!(
                LastMod::at(seconds, offset, NOW)
                    .map(|date| date.to_string())
                    .as_deref(),
                Ok(expected)
            );
        };
        check(1_704_161_045, 60, "2024-01-02T03:04:05+01:00");
        check(1_714_979_289, 0, "2024-05-06T07:08:09Z");
        check(1_714_905_000, 840, "2024-05-06T00:30:00+14:00");
        check(1_714_905_000, -570, "2024-05-05T01:00:00-09:30");
        check(1_714_953_600, 900, "2024-05-06T00:00:00Z");
    }

    #[test]
    fn moments_are_formatted_for_rss_and_atom() {
        let check = |text: &str, rss: &str, atom: &str| {
            let ParsedDate::Exact(date) = LastMod::parse(text, Now(i64::MAX)) else {
                panic!("{text}")
            };
            assert_eq!(
                (date.to_rfc2822().as_str(), date.to_rfc3339().as_str()),
                (rss, atom),
                "{text}"
            );
            assert_eq!(
                LastMod::parse(rss, Now(i64::MAX)),
                LastMod::parse(atom, Now(i64::MAX)),
                "{text}"
            );
        };
        check(
            "2024-05-06T07:08:09Z",
            "Mon, 6 May 2024 07:08:09 +0000",
            "2024-05-06T07:08:09Z",
        );
        check(
            "2024-12-31T23:08:09-03:30",
            "Tue, 31 Dec 2024 23:08:09 -0330",
            "2024-12-31T23:08:09-03:30",
        );
        check(
            "9999-01-02",
            "Sat, 2 Jan 9999 00:00:00 +0000",
            "9999-01-02T00:00:00Z",
        );
    }

    #[test]
    fn a_day_is_a_day_in_utc() {
        let date = LastMod::at(1_714_905_000, 840, NOW).expect("a valid date");
        assert_eq!(date.to_text(DateFormat::Date), "2024-05-05");
    }

    #[test]
    fn a_date_that_cannot_be_true_is_rejected() {
        let check = |seconds, expected| {
            assert_eq!(LastMod::at(seconds, 0, NOW), Err(expected), "{seconds}");
        };
        check(0, DateError::Zero);
        check(-1, DateError::Zero);
        check(NOW.0 + 86_401, DateError::Future);
        check(253_402_300_798, DateError::Future);
        check(253_402_300_799, DateError::Year);
        check(i64::MAX, DateError::Year);
    }

    #[test]
    fn a_complete_date_is_parsed_in_every_known_format() {
        let check = |text: &str, expected: &str| match LastMod::parse(text, NOW) {
            ParsedDate::Exact(date) => assert_eq!(date.to_string(), expected, "{text}"),
            other => panic!("{text}: {other:?}"),
        };
        check("2024-05-06", "2024-05-06");
        check("2024-05-06T07:08+02:00", "2024-05-06T07:08:00+02:00");
        check("2024-05-06T07:08:09.123Z", "2024-05-06T07:08:09Z");
        check("2024-05-06 07:08:09 +0200", "2024-05-06T07:08:09+02:00");
        check("Mon, 06 May 2024 07:08:09 GMT", "2024-05-06T07:08:09Z");
        check("2016-12-31T23:59:60Z", "2016-12-31T23:59:59Z");
    }

    #[test]
    fn a_partial_date_or_an_unknown_format_is_not_guessed() {
        for text in [
            "2024",
            "2024-05",
            "2024-02-30",
            "06/05/2024",
            "soon",
            "",
            "2024-05-06T",
            "2024-05-06T25:00Z",
        ] {
            assert_eq!(LastMod::parse(text, NOW), ParsedDate::Unreadable, "{text}");
        }
        for zone in ["Z0200", "+0:200", "+2", "+02:0", "+:0200", "0200", "-+200"] {
            let text = format!("2024-05-06T07:08:09{zone}");
            assert_eq!(LastMod::parse(&text, NOW), ParsedDate::Unreadable, "{text}");
        }
        assert!(matches!(
            LastMod::parse("2024-05-06T07:08:09", NOW),
            ParsedDate::ZoneAssumed(_)
        ));
        assert_eq!(
            LastMod::parse("2031-01-01", NOW),
            ParsedDate::Invalid(DateError::Future)
        );
    }
}
