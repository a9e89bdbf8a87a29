//! Maps environment variables to setting keys.

use super::keys::KEYS;
use super::mistake::nearest;

/// The prefix of our environment variables.
const PREFIX: &str = "WAYPOST_";

/// The variable with our prefix that sets the flag `--strict`.
pub(crate) const STRICT_VARIABLE: &str = "WAYPOST_STRICT";

/// Flags that some tools read from variables too.
const FLAGS: [&str; 5] = ["dry-run", "json", "github", "quiet", "verbose"];

/// Whether a variable may be a setting.
pub(super) fn has_prefix(name: &str) -> bool {
    name.starts_with(PREFIX) && name != STRICT_VARIABLE
}

/// The environment variable of a key: `WAYPOST_SITEMAP_FILE` for `sitemap.file`.
pub(super) fn variable_of(key: &str) -> String {
    format!("{PREFIX}{}", key.replace('.', "_").to_ascii_uppercase())
}

/// The hint for a variable that was meant as a setting or a flag: it is nearly spelt like one. `None`
/// for any other, such as `WAYPOST_VERSION`, which a script may have for itself. The prefix is not
/// compared, because it would make any two names look similar.
pub(super) fn near_miss_hint(name: &str) -> Option<String> {
    let end = name.strip_prefix(PREFIX)?;
    let flag = end.to_ascii_lowercase().replace('_', "-");
    if FLAGS.contains(&flag.as_str()) {
        return Some(format!(
            "use the flag `--{flag}`, and unset or rename the variable"
        ));
    }
    let known: Vec<_> = KEYS.iter().map(|key| variable_of(key.name)).collect();
    let ends = known
        .iter()
        .filter_map(|variable| variable.strip_prefix(PREFIX));
    let meant = nearest(end, ends)?;
    Some(format!("did you mean `{PREFIX}{meant}`?"))
}
