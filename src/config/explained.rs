//! The settings as `explain --settings` shows them.

use serde::Serialize;
use serde_json::Value as Json;

use super::mistake::SettingOrigin;
use sitemaps::site_paths::escaped;

/// A setting as shown by `explain --settings`.
#[derive(Debug)]
pub struct ExplainedSetting {
    /// The key: `sitemap.file`, `levels.setting-unused`, or `rule[2]` with the index in
    /// [`Settings::rules`](crate::settings::Settings::rules).
    pub key: String,
    /// The value in TOML syntax, or `not set`.
    pub value: String,
    /// Where it was set. [`SettingsTexts::format_origin`](super::SettingsTexts::format_origin)
    /// formats it.
    pub origin: SettingOrigin,
}

/// Every key of a struct and its tables in the order of the fields, with its value. An array of
/// tables has an entry for each.
pub(super) fn flattened(settings: &impl Serialize) -> Vec<(String, Json)> {
    let value = serde_json::to_value(settings).expect("the keys are strings");
    let mut found = Vec::new();
    flatten(String::new(), value, &mut found);
    found
}

fn flatten(key: String, value: Json, found: &mut Vec<(String, Json)>) {
    match value {
        Json::Object(table) if !key.ends_with(']') => {
            for (name, value) in table {
                let dot = if key.is_empty() { "" } else { "." };
                flatten(format!("{key}{dot}{name}"), value, found);
            }
        }
        Json::Array(tables) if key == "rule" => {
            for (index, table) in tables.into_iter().enumerate() {
                flatten(format!("{key}[{index}]"), table, found);
            }
        }
        value => found.push((key, value)),
    }
}

/// Formats a value in TOML syntax.
pub(super) fn shown(value: &Json) -> String {
    match value {
        Json::Null => "not set".to_owned(),
        Json::Array(values) => {
            let values: Vec<_> = values.iter().map(shown).collect();
            format!("[{}]", values.join(", "))
        }
        Json::Object(table) => {
            let set = table.iter().filter(|(_, value)| !value.is_null());
            let pairs = set.map(|(key, value)| format!("{key} = {}", shown(value)));
            format!("{{ {} }}", pairs.collect::<Vec<_>>().join(", "))
        }
        other => escaped(&other.to_string()).into_owned(),
    }
}
