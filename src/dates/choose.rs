//! Chooses the date of a page from candidates in the configured order.

use std::sync::Arc;

use crate::settings::DateSource;
use crate::sources::DateOrigin;
use git_last_modified::LastChange;
use sitemaps::{DateError, LastMod, Now, ParsedDate};

/// Possible dates of a page.
#[derive(Debug, Clone, Copy, Default)]
pub struct DateCandidates<'a> {
    /// Fixed date from waypost's settings in the front matter; it overrides every other.
    pub page_override: Option<&'a str>,
    /// Fixed date from a rule; it overrides every date but `page_override`.
    pub fixed: Option<&'a str>,
    /// Last commit that changed the page's sources.
    pub git: Option<&'a Arc<LastChange>>,
    /// Date in the source's front matter.
    pub front_matter: Option<&'a str>,
    /// Date stated by the page.
    pub page: Option<StatedDate<'a>>,
    /// Modification time of the source file, in seconds since 1970 UTC.
    pub mtime: Option<i64>,
}

/// Date stated by a page.
#[derive(Debug, Clone, Copy)]
pub enum StatedDate<'a> {
    /// Parsed when the page was read.
    Exact(LastMod),
    /// The text of a date that is invalid, unreadable or ambiguous.
    Doubtful(&'a str),
}

/// Result of the choice.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChosenDate {
    /// The date; `None` if no candidate is valid.
    pub date: Option<OriginatedDate>,
    /// Problems with the dates that were tried.
    pub doubts: Vec<DateDoubt>,
}

/// A date with its origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OriginatedDate {
    /// The date.
    pub lastmod: LastMod,
    /// Where it comes from.
    pub origin: DateOrigin,
}

/// Candidate that was rejected, or accepted on an assumption.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DateDoubt {
    /// Source of the date.
    pub origin: DateOrigin,
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
/// date leaves the page without a date.
pub fn choose(order: &[DateSource], candidates: &DateCandidates<'_>, now: Now) -> ChosenDate {
    if let Some(text) = candidates.page_override {
        return parsed(DateOrigin::FrontMatter, text, now);
    }
    if let Some(text) = candidates.fixed {
        return parsed(DateOrigin::Rule, text, now);
    }
    let mut doubts = Vec::new();
    for &source in order {
        let mut tried = candidates.try_source(source, now);
        doubts.append(&mut tried.doubts);
        if tried.date.is_some() {
            return ChosenDate { doubts, ..tried };
        }
    }
    ChosenDate { date: None, doubts }
}

impl DateCandidates<'_> {
    /// Returns the date from one source, if it has one.
    fn try_source(&self, source: DateSource, now: Now) -> ChosenDate {
        let tried = match source {
            DateSource::Git => self.git.map(|change| {
                let date = LastMod::at(change.seconds, change.offset_minutes, now);
                moment(DateOrigin::Commit(Arc::clone(change)), date, change.seconds)
            }),
            DateSource::Mtime => self.mtime.map(|seconds| {
                let date = LastMod::at(seconds, 0, now);
                moment(DateOrigin::Mtime, date, seconds)
            }),
            DateSource::FrontMatter => self
                .front_matter
                .map(|text| parsed(DateOrigin::FrontMatter, text, now)),
            DateSource::Page => self.page.map(|stated| match stated {
                StatedDate::Exact(date) => ChosenDate::certain(date, DateOrigin::Page),
                StatedDate::Doubtful(text) => parsed(DateOrigin::Page, text, now),
            }),
        };
        tried.unwrap_or_default()
    }
}

impl ChosenDate {
    fn certain(lastmod: LastMod, origin: DateOrigin) -> Self {
        Self {
            date: Some(OriginatedDate { lastmod, origin }),
            doubts: Vec::new(),
        }
    }

    fn rejected(origin: DateOrigin, text: String, kind: DateDoubtKind) -> Self {
        Self {
            date: None,
            doubts: vec![DateDoubt { origin, text, kind }],
        }
    }
}

fn parsed(origin: DateOrigin, text: &str, now: Now) -> ChosenDate {
    match LastMod::parse(text, now) {
        ParsedDate::Exact(date) => ChosenDate::certain(date, origin),
        ParsedDate::ZoneAssumed(date) => ChosenDate {
            doubts: vec![DateDoubt {
                origin: origin.clone(),
                text: text.to_owned(),
                kind: DateDoubtKind::ZoneAssumed,
            }],
            ..ChosenDate::certain(date, origin)
        },
        ParsedDate::Invalid(why) => {
            ChosenDate::rejected(origin, text.to_owned(), DateDoubtKind::Invalid(why))
        }
        ParsedDate::Unreadable => {
            ChosenDate::rejected(origin, text.to_owned(), DateDoubtKind::Unreadable)
        }
    }
}

fn moment(origin: DateOrigin, date: Result<LastMod, DateError>, seconds: i64) -> ChosenDate {
    match date {
        Ok(date) => ChosenDate::certain(date, origin),
        Err(why) => {
            let text = jiff::Timestamp::from_second(seconds).map_or_else(
                |_| format!("{seconds} seconds since 1970"),
                |moment| moment.to_string(),
            );
            ChosenDate::rejected(origin, text, DateDoubtKind::Invalid(why))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use git_last_modified::ObjectId;

    /// 2026-01-15T12:00:00Z.
    const NOW: Now = Now(1_768_478_400);

    fn commit(seconds: i64) -> Arc<LastChange> {
        Arc::new(LastChange {
            commit: ObjectId::from_hex(&[b'1'; 40]).expect("the length of SHA-1"),
            seconds,
            offset_minutes: 0,
            other_seconds: seconds,
            other_offset_minutes: 0,
        })
    }

    fn chosen(
        order: &[DateSource],
        candidates: DateCandidates<'_>,
    ) -> (Option<(String, &'static str)>, usize) {
        let ChosenDate { date, doubts } = choose(order, &candidates, NOW);
        (
            date.map(|date| (date.lastmod.to_string(), date.origin.as_str())),
            doubts.len(),
        )
    }

    #[test]
    fn the_first_source_with_a_date_dates_the_page() {
        use DateSource::{FrontMatter, Git, Page};
        let change = commit(1_714_979_289);
        let all = DateCandidates {
            git: Some(&change),
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
        let change = commit(0);
        let zero = DateCandidates {
            git: Some(&change),
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
        let change = commit(1_714_979_289);
        let fixed = DateCandidates {
            fixed: Some("2024-05-06"),
            git: Some(&change),
            ..DateCandidates::default()
        };
        assert_eq!(
            chosen(&[DateSource::Git], fixed),
            (Some(("2024-05-06".to_owned(), "rule")), 0)
        );
    }
}
