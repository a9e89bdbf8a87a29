//! The environment variables. Every other file receives them as values.

use std::collections::BTreeMap;

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
