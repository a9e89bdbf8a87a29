//! Maps environment variables to setting keys.

use super::keys::KEYS;
use super::mistake::nearest;

/// The prefix of our environment variables.
const PREFIX: &str = "WAYPOST_";

/// Variables with our prefix that are not settings: the npm package's binary and the log level.
const FOREIGN_VARIABLES: [&str; 2] = ["WAYPOST_BIN", "WAYPOST_LOG"];

/// Whether a variable is a setting.
pub(super) fn is_setting(name: &str) -> bool {
    name.starts_with(PREFIX) && !FOREIGN_VARIABLES.contains(&name)
}

/// The environment variable of a key: `WAYPOST_SITEMAP_FILE` for `sitemap.file`.
pub(super) fn variable_of(key: &str) -> String {
    format!("{PREFIX}{}", key.replace('.', "_").to_ascii_uppercase())
}

/// The hint for an unknown variable. The prefix is not compared, because it would make any two
/// names look similar.
pub(super) fn hint_for(name: &str) -> String {
    let known: Vec<_> = KEYS.iter().map(|key| variable_of(key.name)).collect();
    let ends = known
        .iter()
        .filter_map(|variable| variable.strip_prefix(PREFIX));
    nearest(name.strip_prefix(PREFIX).unwrap_or(name), ends).map_or_else(
        || {
            format!(
                "every variable that begins with `{PREFIX}` is read as a setting; \
                 unset or rename it"
            )
        },
        |end| format!("did you mean `{PREFIX}{end}`?"),
    )
}
