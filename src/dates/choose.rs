//! Chooses the date of a page from candidates in the configured order.

use std::sync::Arc;

use crate::settings::DateSource;
use crate::sources::DateOrigin;
use git_last_modified::LastChange;
use sitemaps::site_paths::finding::quoted;
use sitemaps::{DateError, LastMod, Now, ParsedDate};

/// Possible dates of a page.
#[derive(Debug, Clone, Default)]
pub(super) struct DateCandidates<'a> {
    /// Fixed date, from waypost's settings in the front matter or from a rule; it overrides every
    /// other.
    pub(super) fixed: Option<(DateOrigin, &'a str)>,
    /// Last commit that changed the page's sources.
    pub(super) git: Option<&'a Arc<LastChange>>,
    /// Date in the source's front matter.
    pub(super) front_matter: Option<&'a str>,
    /// Date stated by the page.
    pub(super) page: Option<StatedDate<'a>>,
    /// Modification time of the source file, in seconds since 1970 UTC.
    pub(super) mtime: Option<i64>,
}

/// Date stated by a page.
#[derive(Debug, Clone, Copy)]
pub(super) enum StatedDate<'a> {
    /// Parsed when the page was read.
    Exact(LastMod),
    /// The text of a date that is invalid, unreadable or ambiguous.
    Doubtful(&'a str),
}

/// Result of the choice.
#[derive(Debug, Default)]
pub(super) struct ChosenDate {
    /// The date and its origin; `None` if no candidate is valid.
    pub(super) date: Option<(LastMod, DateOrigin)>,
    /// Problems with the dates that were tried.
    pub(super) doubts: Vec<DateDoubt>,
}

/// Candidate that was rejected, or accepted on an assumption.
#[derive(Debug)]
pub(super) struct DateDoubt {
    /// Source of the date.
    pub(super) origin: DateOrigin,
    /// The date and the problem.
    pub(super) message: String,
    pub(super) hint: Option<&'static str>,
}

/// Returns the fixed date if there is one, else the first valid date in `order`. An invalid fixed
/// date leaves the page without a date.
pub(super) fn choose(
    order: &[DateSource],
    candidates: &DateCandidates<'_>,
    now: Now,
) -> ChosenDate {
    if let Some((origin, text)) = &candidates.fixed {
        return parsed(origin.clone(), text, now);
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
                let origin = DateOrigin::Commit(Arc::clone(change));
                moment(origin, change.seconds, change.offset_minutes, now)
            }),
            DateSource::Mtime => self
                .mtime
                .map(|seconds| moment(DateOrigin::Mtime, seconds, 0, now)),
            DateSource::FrontMatter => self
                .front_matter
                .map(|text| parsed(DateOrigin::FrontMatter, text, now)),
            DateSource::Page => self.page.map(|stated| match stated {
                StatedDate::Exact(date) => certain(date, DateOrigin::Page),
                StatedDate::Doubtful(text) => parsed(DateOrigin::Page, text, now),
            }),
        };
        tried.unwrap_or_default()
    }
}

fn certain(date: LastMod, origin: DateOrigin) -> ChosenDate {
    ChosenDate {
        date: Some((date, origin)),
        doubts: Vec::new(),
    }
}

fn doubt(
    origin: DateOrigin,
    text: &str,
    problem: &str,
    hint: Option<&'static str>,
) -> Vec<DateDoubt> {
    let message = format!(
        "the date `{}` ({}) {problem}",
        quoted(text),
        origin.as_str()
    );
    vec![DateDoubt {
        origin,
        message,
        hint,
    }]
}

fn rejected(origin: DateOrigin, text: &str, why: DateError) -> ChosenDate {
    ChosenDate {
        date: None,
        doubts: doubt(origin, text, &format!("{why}, so it is ignored"), None),
    }
}

fn parsed(origin: DateOrigin, text: &str, now: Now) -> ChosenDate {
    match LastMod::parse(text, now) {
        ParsedDate::Exact(date) => certain(date, origin),
        ParsedDate::ZoneAssumed(date) => {
            let hint = Some("add a time zone: `Z` or `+02:00`");
            ChosenDate {
                date: Some((date, origin.clone())),
                doubts: doubt(origin, text, "has no time zone; UTC is assumed", hint),
            }
        }
        ParsedDate::Invalid(why) => rejected(origin, text, why),
        ParsedDate::Unreadable => {
            let hint = Some("write a full date: `2024-05-06` or `2024-05-06T07:08:09+02:00`");
            ChosenDate {
                date: None,
                doubts: doubt(origin, text, "cannot be parsed, so it is ignored", hint),
            }
        }
    }
}

fn moment(origin: DateOrigin, seconds: i64, offset_minutes: i16, now: Now) -> ChosenDate {
    match LastMod::at(seconds, offset_minutes, now) {
        Ok(date) => certain(date, origin),
        Err(why) => {
            let text = jiff::Timestamp::from_second(seconds).map_or_else(
                |_| format!("{seconds} seconds since 1970"),
                |moment| moment.to_string(),
            );
            rejected(origin, &text, why)
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
        candidates: &DateCandidates<'_>,
    ) -> (Option<(String, &'static str)>, usize) {
        let ChosenDate { date, doubts } = choose(order, candidates, NOW);
        (
            date.map(|(date, origin)| (date.to_string(), origin.as_str())),
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
            chosen(&[Git, FrontMatter], &all),
            (date("2024-05-06T07:08:09Z", "git"), 0)
        );
        assert_eq!(
            chosen(&[FrontMatter, Git], &all),
            (date("2023-01-01", "front_matter"), 0)
        );
        assert_eq!(chosen(&[Page], &all), (None, 0));
        assert_eq!(chosen(&[], &all), (None, 0));
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
            chosen(&[Git, FrontMatter], &zero),
            (Some(("2023-01-01".to_owned(), "front_matter")), 1)
        );
        assert_eq!(chosen(&[Git], &zero), (None, 1));
    }

    #[test]
    fn a_fixed_date_overrides_every_other() {
        let change = commit(1_714_979_289);
        let fixed = DateCandidates {
            fixed: Some((DateOrigin::Rule, "2024-05-06")),
            git: Some(&change),
            ..DateCandidates::default()
        };
        assert_eq!(
            chosen(&[DateSource::Git], &fixed),
            (Some(("2024-05-06".to_owned(), "rule")), 0)
        );
    }
}
