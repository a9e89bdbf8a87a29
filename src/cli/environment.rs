//! The environment variables and the clock. Every other file receives both as values.

use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

use super::command_error::CommandError;
use sitemaps::Now;

/// The environment variables that are valid UTF-8; no other variable can hold a setting.
#[expect(
    clippy::disallowed_methods,
    reason = "the only place that reads the environment"
)]
pub(super) fn environment() -> BTreeMap<String, String> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}

/// The current time: `SOURCE_DATE_EPOCH` (reproducible-builds.org) if set, else the system clock.
#[expect(
    clippy::disallowed_methods,
    reason = "the only place that reads the system clock"
)]
pub(super) fn now(environment: &BTreeMap<String, String>) -> Result<Now, CommandError> {
    if let Some(text) = environment
        .get("SOURCE_DATE_EPOCH")
        .filter(|text| !text.is_empty())
    {
        let seconds = text.parse();
        return seconds
            .map(Now)
            .map_err(|_| CommandError::SourceDateEpoch(text.escape_debug().to_string()));
    }
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_err(|_| CommandError::Clock("before 1970"))?;
    i64::try_from(since.as_secs())
        .map(Now)
        .map_err(|_| CommandError::Clock("too far in the future"))
}
