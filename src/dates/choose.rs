//! Chooses the date of a page from candidates in the configured order.

use crate::inventory::DatedBy;
use crate::settings::DateSource;
use sitemaps::{DateError, LastMod, Now, ParsedDate};

/// Possible dates of a page.
#[derive(Debug, Clone, Copy, Default)]
pub struct DateCandidates<'a> {
    /// Fixed date from waypost's settings in the front matter; it overrides every other.
    pub page_override: Option<&'a str>,
    /// Fixed date from a rule; it overrides every date but `page_override`.
    pub fixed: Option<&'a str>,
    /// Last commit that changed the page's sources: seconds since 1970 UTC, and the offset in
    /// minutes.
    pub git: Option<(i64, i16)>,
    /// Date in the source's front matter.
    pub front_matter: Option<&'a str>,
    /// Date stated by the page: parsed if that was unambiguous, else its text.
    pub page: Option<Result<LastMod, &'a str>>,
    /// Modification time of the source file, in seconds since 1970 UTC.
    pub mtime: Option<i64>,
}

/// Candidate that was rejected, or accepted on an assumption.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DateDoubt {
    /// Source of the date.
    pub by: DatedBy,
    /// The date as text.
    pub text: String,
    /// The problem.
    pub kind: DateDoubtKind,
}

/// Problem with a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateDoubtKind {
    /// It cannot be true and is not used.
    Invalid(DateError),
    /// It cannot be parsed and is not used.
    Unreadable,
    /// It has a time without a zone and is read as UTC.
    ZoneAssumed,
}

/// Returns the fixed date if there is one, else the first valid date in `order`. An invalid fixed
/// date leaves the page without a date. Problems with dates are added to `doubts`.
pub fn choose(
    order: &[DateSource],
    candidates: &DateCandidates<'_>,
    now: Now,
    doubts: &mut Vec<DateDoubt>,
) -> Option<(LastMod, DatedBy)> {
    if let Some(text) = candidates.page_override {
        return accept(
            DatedBy::FrontMatter,
            LastMod::parse(text, now),
            text,
            doubts,
        );
    }
    if let Some(text) = candidates.fixed {
        return accept(DatedBy::Rule, LastMod::parse(text, now), text, doubts);
    }
    order.iter().find_map(|source| match source {
        DateSource::Git => {
            let (seconds, offset_minutes) = candidates.git?;
            accept_moment(
                DatedBy::Git,
                LastMod::at(seconds, offset_minutes, now),
                seconds,
                doubts,
            )
        }
        DateSource::Mtime => {
            let seconds = candidates.mtime?;
            accept_moment(
                DatedBy::Mtime,
                LastMod::at(seconds, 0, now),
                seconds,
                doubts,
            )
        }
        DateSource::FrontMatter => {
            let text = candidates.front_matter?;
            accept(
                DatedBy::FrontMatter,
                LastMod::parse(text, now),
                text,
                doubts,
            )
        }
        DateSource::Page => match candidates.page? {
            Ok(date) => Some((date, DatedBy::Page)),
            Err(text) => accept(DatedBy::Page, LastMod::parse(text, now), text, doubts),
        },
    })
}

fn accept(
    by: DatedBy,
    parsed: ParsedDate,
    text: &str,
    doubts: &mut Vec<DateDoubt>,
) -> Option<(LastMod, DatedBy)> {
    let (date, kind) = match parsed {
        ParsedDate::Exact(date) => return Some((date, by)),
        ParsedDate::ZoneAssumed(date) => (Some((date, by)), DateDoubtKind::ZoneAssumed),
        ParsedDate::Invalid(why) => (None, DateDoubtKind::Invalid(why)),
        ParsedDate::Unreadable => (None, DateDoubtKind::Unreadable),
    };
    doubts.push(DateDoubt {
        by,
        text: text.to_owned(),
        kind,
    });
    date
}

fn accept_moment(
    by: DatedBy,
    moment: Result<LastMod, DateError>,
    seconds: i64,
    doubts: &mut Vec<DateDoubt>,
) -> Option<(LastMod, DatedBy)> {
    match moment {
        Ok(date) => Some((date, by)),
        Err(why) => {
            let text = jiff::Timestamp::from_second(seconds).map_or_else(
                |_| format!("{seconds} seconds since 1970"),
                |moment| moment.to_string(),
            );
            doubts.push(DateDoubt {
                by,
                text,
                kind: DateDoubtKind::Invalid(why),
            });
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-01-15T12:00:00Z.
    const NOW: Now = Now(1_768_478_400);

    fn chosen(
        order: &[DateSource],
        candidates: DateCandidates<'_>,
    ) -> (Option<(String, &'static str)>, usize) {
        let mut doubts = Vec::new();
        let date = choose(order, &candidates, NOW, &mut doubts);
        (
            date.map(|(date, by)| (date.to_string(), by.as_str())),
            doubts.len(),
        )
    }

    #[test]
    fn the_first_source_with_a_date_dates_the_page() {
        use DateSource::{FrontMatter, Git, Page};
        let all = DateCandidates {
            git: Some((1_714_979_289, 0)),
            front_matter: Some("2023-01-01"),
            ..DateCandidates::default()
        };
        let date = |text: &str, by| Some((text.to_owned(), by));
        assert_eq!(
            chosen(&[Git, FrontMatter], all),
            (date("2024-05-06T07:08:09Z", "git"), 0)
        );
        assert_eq!(
            chosen(&[FrontMatter, Git], all),
            (date("2023-01-01", "front_matter"), 0)
        );
        assert_eq!(chosen(&[Page], all), (None, 0));
        assert_eq!(chosen(&[], all), (None, 0));
    }

    #[test]
    fn a_false_date_is_skipped_and_reported() {
        use DateSource::{FrontMatter, Git};
        let zero = DateCandidates {
            git: Some((0, 0)),
            front_matter: Some("2023-01-01"),
            ..DateCandidates::default()
        };
        assert_eq!(
            chosen(&[Git, FrontMatter], zero),
            (Some(("2023-01-01".to_owned(), "front_matter")), 1)
        );
        assert_eq!(chosen(&[Git], zero), (None, 1));
    }

    #[test]
    fn a_fixed_date_overrides_every_other() {
        let fixed = DateCandidates {
            fixed: Some("2024-05-06"),
            git: Some((1_714_979_289, 0)),
            ..DateCandidates::default()
        };
        assert_eq!(
            chosen(&[DateSource::Git], fixed),
            (Some(("2024-05-06".to_owned(), "rule")), 0)
        );
    }
}
