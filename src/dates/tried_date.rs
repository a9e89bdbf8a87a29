//! Tries one date: whether it can be true, and what is wrong with it.

use sitemaps::{LastMod, Now, ParsedDate, quoted};

/// A date that was tried.
#[derive(Debug)]
pub(super) struct TriedDate {
    /// The date, if it can be true.
    pub(super) date: Option<LastMod>,
    /// Why it was rejected, or accepted on an assumption.
    pub(super) doubt: Option<DateDoubt>,
}

/// A problem with a date.
#[derive(Debug)]
pub(super) struct DateDoubt {
    /// The date as written.
    pub(super) text: String,
    /// What follows it in a message.
    pub(super) problem: String,
    pub(super) hint: Option<&'static str>,
}

impl TriedDate {
    /// A date that was tried before.
    pub(super) fn exact(date: LastMod) -> Self {
        Self {
            date: Some(date),
            doubt: None,
        }
    }

    /// Tries a date as written.
    pub(super) fn parse(text: &str, now: Now) -> Self {
        let (date, problem, hint) = match LastMod::parse(text, now) {
            ParsedDate::Exact(date) => return Self::exact(date),
            ParsedDate::ZoneAssumed(date) => (
                Some(date),
                "has no time zone; UTC is assumed".to_owned(),
                Some("add a time zone: `Z` or `+02:00`"),
            ),
            ParsedDate::Invalid(why) => (None, format!("{why}, so it is ignored"), None),
            ParsedDate::Unreadable => (
                None,
                "cannot be parsed, so it is ignored".to_owned(),
                Some("write a full date: `2024-05-06` or `2024-05-06T07:08:09+02:00`"),
            ),
        };
        let text = quoted(text);
        let doubt = DateDoubt {
            text,
            problem,
            hint,
        };
        Self {
            date,
            doubt: Some(doubt),
        }
    }

    /// Tries a moment in seconds since 1970 UTC.
    pub(super) fn at(seconds: i64, offset_minutes: i16, now: Now) -> Self {
        let why = match LastMod::at(seconds, offset_minutes, now) {
            Ok(date) => return Self::exact(date),
            Err(why) => why,
        };
        let text = jiff::Timestamp::from_second(seconds).map_or_else(
            |_| format!("{seconds} seconds since 1970"),
            |moment| moment.to_string(),
        );
        let doubt = DateDoubt {
            text,
            problem: format!("{why}, so it is ignored"),
            hint: None,
        };
        Self {
            date: None,
            doubt: Some(doubt),
        }
    }
}
