//! Maps environment variables to setting keys and their values.

use serde_json::Value as Json;

use super::mistake::nearest;
use page_sources::located_values::{SettingData, SettingValue};

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

/// The value of a variable: its text, or what the text means if the default is of another type.
/// Values of an array are separated by commas.
pub(super) fn value_of(text: &str, default: &Json) -> SettingValue {
    let data = match default {
        Json::Bool(_) => text.parse().ok().map(SettingData::Flag),
        Json::Number(_) => {
            let whole = text.parse().ok().map(SettingData::Whole);
            whole.or_else(|| text.parse().ok().map(SettingData::Number))
        }
        // Taken as one glob, a TOML or JSON array would match almost nothing.
        Json::Array(_) if !text.starts_with('[') => Some(SettingData::List(split_at_commas(text))),
        _ => None,
    };
    let text = SettingValue::text(text);
    SettingValue {
        data: data.unwrap_or(text.data),
        place: None,
    }
}

/// Splits the value of an environment variable at commas, except within the braces of a glob.
fn split_at_commas(text: &str) -> Vec<SettingValue> {
    let mut depth = 0_usize;
    let parts = text.split(|character| {
        match character {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        character == ',' && depth == 0
    });
    parts
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .map(SettingValue::text)
        .collect()
}

/// The hint for a variable that was meant as a setting or a flag: it is nearly spelt like one. `None`
/// for any other, such as `WAYPOST_VERSION`, which a script may have for itself. The prefix is not
/// compared, because it would make any two names look similar.
pub(super) fn near_miss_hint(name: &str, keys: &[String]) -> Option<String> {
    let end = name.strip_prefix(PREFIX)?;
    let flag = end.to_ascii_lowercase().replace('_', "-");
    if FLAGS.contains(&flag.as_str()) {
        return Some(format!(
            "use the flag `--{flag}`, and unset or rename the variable"
        ));
    }
    let known: Vec<_> = keys.iter().map(|key| variable_of(key)).collect();
    let ends = known
        .iter()
        .filter_map(|variable| variable.strip_prefix(PREFIX));
    let meant = nearest(end, ends)?;
    Some(format!("did you mean `{PREFIX}{meant}`?"))
}
