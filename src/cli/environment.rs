//! The environment variables and the first argument. Every other file receives them as values.

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

/// The first argument as typed, if it is valid UTF-8.
#[expect(
    clippy::disallowed_methods,
    reason = "the parser's error does not contain the argument"
)]
pub(super) fn first_argument() -> Option<String> {
    std::env::args_os().nth(1)?.into_string().ok()
}
