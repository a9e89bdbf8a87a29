//! The current time. Every other file receives it as a value.

use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::findings::HintedError;
use sitemaps::Now;

/// The time after which a date is in the future: that of the system clock or, if it is later,
/// `SOURCE_DATE_EPOCH` (reproducible-builds.org), which is often older than the content.
#[expect(
    clippy::disallowed_methods,
    reason = "the only place that reads the system clock"
)]
pub(crate) fn now(environment: &BTreeMap<String, String>) -> Result<Now, HintedError> {
    // Without the time, no date can be checked.
    let seconds = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .ok()
        .and_then(|since| i64::try_from(since.as_secs()).ok())
        .ok_or_else(|| {
            HintedError::new("the system clock is wrong", "set it to the present time")
        })?;
    let stated = source_date_epoch(environment)?;
    Ok(Now(stated.map_or(seconds, |stated| stated.0.max(seconds))))
}

/// The time of a build, which dates what it publishes first: `SOURCE_DATE_EPOCH` if it is set.
pub(crate) fn built_at(environment: &BTreeMap<String, String>, now: Now) -> Now {
    // A value that is not a number has already failed the run.
    source_date_epoch(environment).ok().flatten().unwrap_or(now)
}

fn source_date_epoch(environment: &BTreeMap<String, String>) -> Result<Option<Now>, HintedError> {
    let text = environment.get("SOURCE_DATE_EPOCH");
    let Some(text) = text.filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    text.parse().map(|time| Some(Now(time))).map_err(|_| {
        HintedError::new(
            format!(
                "`SOURCE_DATE_EPOCH` is `{}`, not a number of seconds",
                text.escape_debug()
            ),
            "unset it, or set it to the seconds since 1970",
        )
    })
}
