//! Looks up texts and conditions of a manifest in a generator's settings.

use std::path::Path;

use serde_json::Value;

use super::condition::{Condition, SiteFact};
use super::own_config::OwnConfig;
use super::setting_texts::SettingTexts;
use site_paths::io_failure::FailureLog;

impl OwnConfig {
    /// The string at the first key that has one.
    pub fn set_text_of(&self, texts: &SettingTexts) -> Option<&str> {
        texts.keys().find_map(|key| self.text(key))
    }

    /// The string at the first key that has one, or else the first string that is not a key.
    pub fn text_of<'a>(&'a self, texts: &'a SettingTexts) -> &'a str {
        self.set_text_of(texts)
            .unwrap_or_else(|| texts.default_text())
    }

    /// All strings at the first key that has any, or else all strings that are not keys.
    pub fn texts_of<'a>(&'a self, texts: &'a SettingTexts) -> Vec<&'a str> {
        let set = texts.keys().filter_map(|key| self.get(key));
        set.map(strings_in)
            .find(|texts| !texts.is_empty())
            .unwrap_or_else(|| texts.literals().collect())
    }

    /// Whether a condition is met by the settings. A condition on a file is not.
    pub fn meets(&self, condition: &Condition) -> bool {
        let found = match &condition.fact {
            SiteFact::Key(key) => self.get(key).is_some(),
            SiteFact::Value(pair) => self
                .get(&pair.key)
                .is_some_and(|value| pair.is_met_by(value)),
            SiteFact::Text(text) => self.mentions(text),
            SiteFact::File(_) => return false,
        };
        found == condition.expected
    }

    /// Whether a condition is met by a site with this root and these settings.
    pub(super) fn meets_at(
        &self,
        root: &Path,
        condition: &Condition,
        failures: &FailureLog,
    ) -> bool {
        match &condition.fact {
            SiteFact::File(file) => failures.exists(&root.join(file)) == condition.expected,
            _ => self.meets(condition),
        }
    }
}

/// The strings of a value: itself, or those of an array.
fn strings_in(value: &Value) -> Vec<&str> {
    match value {
        Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
        value => value.as_str().into_iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_first_key_that_is_set_replaces_all_other_strings() {
        let config = OwnConfig::of_value(json!({ "a": { "b": "x" }, "list": ["y", 1, "z"] }));
        let check = |written: Value, text: &str, texts: &[&str]| {
            let read: SettingTexts = serde_json::from_value(written.clone()).expect("strings");
            assert_eq!(config.text_of(&read), text, "{written}");
            assert_eq!(config.texts_of(&read), texts, "{written}");
        };
        check(json!("out"), "out", &["out"]);
        check(json!(["$a.b", "out"]), "x", &["x"]);
        check(json!(["$none", "$a.b", "out"]), "x", &["x"]);
        check(json!(["out", "other", "$none"]), "out", &["out", "other"]);
        check(json!(["$list", "out"]), "out", &["y", "z"]);
        check(json!([]), "", &[]);
    }

    #[test]
    fn conditions_ask_for_keys_values_texts_and_files() {
        let dir = tempfile::tempdir().expect("a directory");
        std::fs::write(dir.path().join("versions.json"), "[]").expect("a file");
        let config = OwnConfig::of_value(json!({
            "a": { "on": true, "off": false, "word": "Folder" },
            "plugins": ["search", { "i18n.x": { "mode": "b" } }],
            "presets": [["classic", { "docs": "x" }]],
        }));
        let check = |written: &str, expected: bool| {
            let condition = Condition::try_from(written.to_owned()).expect(written);
            let found = config.meets_at(dir.path(), &condition, &FailureLog::default());
            assert_eq!(found, expected, "{written}");
            let opposite = Condition::try_from(format!("!{written}")).expect(written);
            let found = config.meets_at(dir.path(), &opposite, &FailureLog::default());
            assert_eq!(found, !expected, "!{written}");
        };
        check("key a", true);
        check("key a.off", true);
        check("key a.none", false);
        check("key a.on=true", true);
        check("key a.off=true", false);
        check("key a.off=false", true);
        check("key a.word=folder", true);
        check("key plugins.search", true);
        check("key plugins.i18n.x", true);
        check("key plugins.i18n.x.mode=b", true);
        check("key plugins.other", false);
        check("key plugins.0=search", true);
        check("key presets.0.1.docs=x", true);
        check("key presets.0.2", false);
        check("key presets.1.1", false);
        check("text a", false);
        check("file versions.json", true);
        check("file none.json", false);
    }

    #[test]
    fn a_condition_of_another_form_is_an_error() {
        for written in ["base_url", "", "!", "keys a"] {
            let read = Condition::try_from(written.to_owned());
            assert!(read.is_err(), "{written}");
        }
    }
}
