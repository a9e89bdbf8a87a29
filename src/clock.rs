//! The current time. Every other file receives it as a value.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

use thiserror::Error;

use sitemaps::Now;
use sitemaps::site_paths::Hint;

/// The current time is unknown.
#[derive(Debug, Error)]
pub(crate) enum ClockError {
    /// The variable is not a number of seconds.
    #[error("`SOURCE_DATE_EPOCH` is `{0}`, not a number of seconds")]
    SourceDateEpoch(String),
    /// The system clock is wrong, so no date can be checked.
    #[error("the system clock is {0}")]
    System(&'static str),
}

impl Hint for ClockError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        let hint = match self {
            Self::SourceDateEpoch(_) => "unset it, or set it to the seconds since 1970",
            Self::System(_) => "set the clock, or set `SOURCE_DATE_EPOCH`",
        };
        Some(hint.into())
    }
}

/// The time after which a date is in the future: that of the system clock or, if it is later,
/// `SOURCE_DATE_EPOCH` (reproducible-builds.org), which is often older than the content.
#[expect(
    clippy::disallowed_methods,
    reason = "the only place that reads the system clock"
)]
pub(crate) fn now(environment: &BTreeMap<String, String>) -> Result<Now, ClockError> {
    let clock = moment(SystemTime::now())?;
    let stated = source_date_epoch(environment)?;
    Ok(stated.map_or(clock, |stated| Now(stated.0.max(clock.0))))
}

/// The time of a build, which dates what it publishes first: `SOURCE_DATE_EPOCH` if it is set.
pub(crate) fn built_at(environment: &BTreeMap<String, String>, now: Now) -> Now {
    // A value that is not a number has already failed the run.
    source_date_epoch(environment).ok().flatten().unwrap_or(now)
}

fn source_date_epoch(environment: &BTreeMap<String, String>) -> Result<Option<Now>, ClockError> {
    let text = environment.get("SOURCE_DATE_EPOCH");
    let Some(text) = text.filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    let invalid = |_| ClockError::SourceDateEpoch(text.escape_debug().to_string());
    text.parse()
        .map(|seconds| Some(Now(seconds)))
        .map_err(invalid)
}

/// A moment as the pipeline takes it.
pub(crate) fn moment(time: SystemTime) -> Result<Now, ClockError> {
    let since = time
        .duration_since(UNIX_EPOCH)
        .map_err(|_| ClockError::System("before 1970"))?;
    i64::try_from(since.as_secs())
        .map(Now)
        .map_err(|_| ClockError::System("too far in the future"))
}
