//! Maps environment variables to setting keys.

use super::keys::KEYS;
use super::mistake::nearest;

/// The prefix of our environment variables.
const PREFIX: &str = "WAYPOST_";

/// The variable with our prefix that names the binary of the npm package.
const BINARY_VARIABLE: &str = "WAYPOST_BIN";

/// The variable with our prefix that sets the flag `--strict`.
pub(crate) const STRICT_VARIABLE: &str = "WAYPOST_STRICT";

/// Flags that some tools read from variables too.
const FLAGS: [&str; 5] = ["dry-run", "json", "github", "quiet", "verbose"];

/// Whether a variable is a setting.
pub(super) fn is_setting(name: &str) -> bool {
    name.starts_with(PREFIX) && ![BINARY_VARIABLE, STRICT_VARIABLE].contains(&name)
}

/// The environment variable of a key: `WAYPOST_SITEMAP_FILE` for `sitemap.file`.
pub(super) fn variable_of(key: &str) -> String {
    format!("{PREFIX}{}", key.replace('.', "_").to_ascii_uppercase())
}

/// The hint for an unknown variable. The prefix is not compared, because it would make any two
/// names look similar.
pub(super) fn hint_for(name: &str) -> String {
    let flag = name.strip_prefix(PREFIX).unwrap_or(name);
    let flag = flag.to_ascii_lowercase().replace('_', "-");
    if FLAGS.contains(&flag.as_str()) {
        return format!("use the flag `--{flag}`, and unset or rename the variable");
    }
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
