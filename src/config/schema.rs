//! Generates the JSON Schema of the settings from the key tables.

use serde_json::{Map, Value as Json, json};

use super::draft_settings::DraftSettings;
use super::keys::{KEYS, RULE_KEYS, SettingKey};
use crate::settings::Rule;
use site_paths::finding::{ALL, Level};

/// The JSON Schema (draft 2020-12) of `waypost.toml`, with a final newline.
///
/// `reasons` are the codes that `[levels]` accepts in addition to finding codes.
pub fn schema(reasons: &[&str]) -> String {
    let mut properties = Map::new();
    let defaults = DraftSettings::default();
    for key in KEYS {
        let mut described = described(key);
        if let Ok(default) = serde_json::from_str((key.show)(&defaults).as_str()) {
            described["default"] = default;
        }
        let (tables, name) = match key.name.rsplit_once('.') {
            None => (None, key.name),
            Some((tables, name)) => (Some(tables), name),
        };
        let mut target = &mut properties;
        for table in tables.into_iter().flat_map(|tables| tables.split('.')) {
            let table = target.entry(table);
            let table = table.or_insert_with(|| table_of(&Map::new()));
            target = table["properties"]
                .as_object_mut()
                .expect("a table has properties");
        }
        target.insert(name.to_owned(), described);
    }
    properties.insert("levels".to_owned(), levels(reasons));
    properties.insert("rule".to_owned(), rules());
    let mut whole = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Settings of waypost",
    });
    if let (Json::Object(whole), Json::Object(table)) = (&mut whole, table_of(&properties)) {
        whole.extend(table);
    }
    format!("{whole:#}\n")
}

fn described<T>(key: &SettingKey<T>) -> Json {
    let mut shape = (key.schema)();
    shape["description"] = json!(key.about.trim());
    shape
}

fn table_of(properties: &Map<String, Json>) -> Json {
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

fn levels(reasons: &[&str]) -> Json {
    let words: Vec<_> = Level::WORDS.iter().map(|(word, _)| *word).collect();
    let findings = ALL.iter().map(|code| {
        let about = code.description();
        (
            code.name.to_owned(),
            json!({ "enum": words, "description": about }),
        )
    });
    let reasons = reasons
        .iter()
        .map(|&reason| (reason.to_owned(), json!({ "enum": words })));
    let mut table = table_of(&findings.chain(reasons).collect());
    table["description"] = json!("The level of a finding, or of a reason for excluding a page.");
    table
}

fn rules() -> Json {
    let keys = RULE_KEYS
        .iter()
        .map(|key: &SettingKey<Rule>| (key.name.to_owned(), described(key)));
    let mut rule = table_of(&keys.collect());
    rule["required"] = json!(["match"]);
    json!({
        "type": "array",
        "items": rule,
        "description": "Rules cascade as in CSS: the last matching rule that sets a key wins.",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decide::reason_names;

    /// Set this variable to 1 to rewrite the committed schema.
    const UPDATE: &str = "UPDATE_EXPECTED";

    #[test]
    fn the_committed_schema_is_up_to_date() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/waypost.schema.json");
        let reasons = reason_names();
        let generated = schema(&reasons);
        if std::env::var_os(UPDATE).is_some() {
            std::fs::write(path, &generated).expect("the schema is written");
        }
        let committed = std::fs::read_to_string(path).expect("the schema exists");
        assert_eq!(committed, generated, "set {UPDATE}=1 to rewrite it");
    }
}
