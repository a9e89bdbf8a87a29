//! Maps environment variables to setting keys.

use super::keys::KEYS;
use super::mistake::nearest;

/// The prefix of our environment variables.
const PREFIX: &str = "WAYPOST_";

/// The variable with our prefix that is not a setting: the npm package's binary.
const BINARY_VARIABLE: &str = "WAYPOST_BIN";

/// Flags that some tools read from variables too.
const FLAGS: [&str; 6] = ["dry-run", "strict", "json", "github", "quiet", "verbose"];

/// Whether a variable is a setting.
pub(super) fn is_setting(name: &str) -> bool {
    name.starts_with(PREFIX) && name != BINARY_VARIABLE
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
