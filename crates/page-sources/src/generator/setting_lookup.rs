//! Looks up texts and conditions of a manifest in a generator's settings.

use serde_json::Value;

use super::condition::Condition;
use super::own_config::OwnConfig;
use super::setting_texts::SettingTexts;

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

    /// Whether a condition is met by the settings.
    pub fn meets(&self, condition: &Condition) -> bool {
        let found = self.get(&condition.key).is_some_and(|value| {
            let pair = condition.value.as_ref();
            pair.is_none_or(|pair| pair.is_met_by(value))
        });
        found == condition.expected
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
    fn conditions_ask_for_keys_and_values() {
        let config = OwnConfig::of_value(json!({
            "a": { "on": true, "off": false, "word": "Folder" },
            "plugins": ["search", { "i18n.x": { "mode": "b" } }],
            "presets": [["classic", { "docs": "x" }]],
        }));
        let check = |written: &str, expected: bool| {
            let condition = Condition::try_from(written.to_owned()).expect(written);
            assert_eq!(config.meets(&condition), expected, "{written}");
            let opposite = Condition::try_from(format!("!{written}")).expect(written);
            assert_eq!(config.meets(&opposite), !expected, "!{written}");
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
    }

    #[test]
    fn a_condition_of_another_form_is_an_error() {
        for written in ["base_url", "", "!", "keys a"] {
            let read = Condition::try_from(written.to_owned());
            assert!(read.is_err(), "{written}");
        }
    }
}
