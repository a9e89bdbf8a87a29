//! The problem of one date: it must be valid and not in the future.

use site_paths::finding::{Code, code, quoted};
use sitemaps::{DateError, LastMod, Now, ParsedDate, is_w3c_datetime};

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
            Self::Invalid => code::SITEMAP_INVALID,
            Self::Future => code::LASTMOD_UNTRUE,
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
