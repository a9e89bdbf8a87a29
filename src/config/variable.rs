//! Maps environment variables to setting keys and their values.

use serde_json::Value as Json;

use super::mistake::nearest;

/// The prefix of our environment variables.
const PREFIX: &str = "WAYPOST_";

/// The variable with our prefix that sets the flag `--strict`.
pub(crate) const STRICT_VARIABLE: &str = "WAYPOST_STRICT";

/// Whether a variable may be a setting.
pub(super) fn has_prefix(name: &str) -> bool {
    name.starts_with(PREFIX) && name != STRICT_VARIABLE
}

/// The environment variable of a key: `WAYPOST_SITEMAP_FILE` for `sitemap.file`.
pub(super) fn variable_of(key: &str) -> String {
    format!("{PREFIX}{}", key.replace('.', "_").to_ascii_uppercase())
}

/// The value of a variable: its text, or what the text means if the default is of another type. The
/// elements of an array are separated by commas, or written as in TOML.
pub(super) fn value_of(text: &str, default: &Json) -> Json {
    let as_json = || serde_json::from_str(text).ok();
    match default {
        Json::Bool(_) | Json::Number(_) => as_json().unwrap_or_else(|| text.into()),
        Json::Array(_) => as_json().unwrap_or_else(|| split_at_commas(text)),
        _ => text.into(),
    }
}

/// Splits the value of an environment variable at commas, except within the braces of a glob.
fn split_at_commas(text: &str) -> Json {
    let mut depth = 0_usize;
    text.split(|character| {
        match character {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        character == ',' && depth == 0
    })
    .map(str::trim)
    .filter(|part| !part.is_empty())
    .collect()
}

/// The variable of a setting that is nearly spelt like this one. `None` for any other, such as
/// `WAYPOST_VERSION`, which a script may have for itself. The prefix is not compared, because it
/// would make any two names look similar.
pub(super) fn nearest_variable(name: &str, defaults: &[(String, Json)]) -> Option<String> {
    let known: Vec<_> = defaults.iter().map(|(key, _)| variable_of(key)).collect();
    let ends = known.iter().filter_map(|name| name.strip_prefix(PREFIX));
    let meant = nearest(name.strip_prefix(PREFIX)?, ends)?;
    Some(format!("{PREFIX}{meant}"))
}
