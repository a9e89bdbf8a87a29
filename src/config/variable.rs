//! The names of environment variables: which are settings, and of which keys.

use super::keys::KEYS;
use super::mistake::nearest;

/// What our variables begin with.
const PREFIX: &str = "WAYPOST_";

/// Variables that begin like ours and belong to others: the npm package's binary and the log level.
const FOREIGN_VARIABLES: [&str; 2] = ["WAYPOST_BIN", "WAYPOST_LOG"];

/// Whether a variable is taken for a setting.
pub(super) fn is_ours(name: &str) -> bool {
    name.starts_with(PREFIX) && !FOREIGN_VARIABLES.contains(&name)
}

/// The environment variable of a key: `WAYPOST_SITEMAP_FILE` for `sitemap.file`.
pub(super) fn variable_of(key: &str) -> String {
    format!("{PREFIX}{}", key.replace('.', "_").to_ascii_uppercase())
}

/// What to do about a variable that nobody knows. What all of them begin with makes no two names alike.
pub(super) fn hint_for(name: &str) -> String {
    let known: Vec<_> = KEYS.iter().map(|key| variable_of(key.name)).collect();
    let ends = known
        .iter()
        .filter_map(|variable| variable.strip_prefix(PREFIX));
    nearest(name.strip_prefix(PREFIX).unwrap_or(name), ends).map_or_else(
        || format!("every variable that begins with `{PREFIX}` is taken for a setting: unset it, or call it otherwise"),
        |end| format!("did you mean `{PREFIX}{end}`?"),
    )
}
