//! The values in a generator's own settings, and the conditions and texts of the manifest that name
//! their keys, or those of front matter.

use std::path::PathBuf;

use serde::Deserialize;
use serde_json::{Map, Value};

/// The settings of a generator, merged from its files.
#[derive(Debug, Clone, Default)]
pub struct OwnConfig {
    pub(super) value: Value,
    pub(super) keys_ignore_case: bool,
    /// The files that were read, in order.
    pub files: Vec<PathBuf>,
    /// Keys whose value cannot be read, each with its file and the tag in front of the value.
    pub unknown: Vec<UnknownSetting>,
}

/// A key of a generator's settings whose value cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownSetting {
    /// The file.
    pub file: PathBuf,
    /// The key.
    pub key: String,
    /// The tag in front of its value.
    pub tag: String,
}

impl OwnConfig {
    /// Whether the first key that is set has a value that cannot be read.
    pub(super) fn is_unknown(&self, texts: &SettingTexts) -> bool {
        texts
            .keys()
            .any(|key| self.unknown.iter().any(|unknown| unknown.key == key))
    }

    /// The value at a dotted path: `output.html.site-url`. A key may itself have dots. In an array
    /// such as `["a", { "b": { … } }]`, a key is the name of an entry, and its value the options of
    /// that entry: null if it has none. A number is the index of an entry.
    pub fn get(&self, path: &str) -> Option<&Value> {
        if self.keys_ignore_case {
            value_in(&self.value, &path.to_ascii_lowercase())
        } else {
            value_in(&self.value, path)
        }
    }

    /// The string at a dotted path.
    pub fn text(&self, path: &str) -> Option<&str> {
        self.get(path)?.as_str()
    }

    /// The string at a dotted path, or those of an array.
    pub fn texts(&self, path: &str) -> Vec<&str> {
        self.get(path).map(strings_in).unwrap_or_default()
    }

    /// The names of taxonomies in the settings, or else the default ones.
    pub(super) fn taxonomies<'a>(&'a self, terms: &'a SettingTexts) -> Vec<&'a str> {
        match terms.keys().find_map(|key| self.get(key)) {
            // Hugo maps singular to plural names; front matter and URLs use the plural.
            Some(Value::Object(table)) => table.values().filter_map(Value::as_str).collect(),
            Some(Value::Array(list)) => list
                .iter()
                .filter_map(|one| one.get("name")?.as_str())
                .collect(),
            _ => terms.literals().collect(),
        }
    }

    /// Whether the value at a dotted path is `true`.
    pub fn is_on(&self, path: &str) -> bool {
        self.get(path).and_then(Value::as_bool).unwrap_or_default()
    }

    /// The keys of the table at a dotted path, in order; an empty path is the whole file.
    pub fn keys(&self, path: &str) -> Vec<&str> {
        let value = match path {
            "" => Some(&self.value),
            path => self.get(path),
        };
        let table = value.and_then(Value::as_object).into_iter();
        table.flat_map(Map::keys).map(String::as_str).collect()
    }

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
        texts
            .keys()
            .map(|key| self.texts(key))
            .find(|texts| !texts.is_empty())
            .unwrap_or_else(|| texts.literals().collect())
    }

    /// Whether a condition is met by the settings.
    pub fn meets(&self, condition: &Condition) -> bool {
        condition.is_met_by(self.get(&condition.key))
    }

    /// Whether the manifest has a condition, and it is met by the settings.
    pub(super) fn meets_set(&self, condition: Option<&Condition>) -> bool {
        condition.is_some_and(|condition| self.meets(condition))
    }
}

/// A condition on settings or front matter: a key is set, or has a value. In front of it, `!` means
/// the opposite.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Condition {
    /// The dotted path of the key.
    pub key: String,
    /// The value that it must have; booleans are the words `true` and `false`.
    pub(super) value: Option<String>,
    /// Whether the key must be set, or have the value.
    pub(super) expected: bool,
}

impl TryFrom<String> for Condition {
    /// The mistake in the text.
    type Error = String;

    fn try_from(written: String) -> Result<Self, String> {
        let positive = written.strip_prefix('!').unwrap_or(&written);
        let (key, value) = match positive.split_once('=') {
            Some((key, value)) => (key, Some(value)),
            None => (positive, None),
        };
        if key.is_empty() || key.contains(' ') {
            let expected = "write `KEY` or `KEY=VALUE`";
            return Err(format!("`{written}` is not a condition: {expected}"));
        }
        Ok(Self {
            key: key.to_owned(),
            value: value.map(str::to_owned),
            expected: !written.starts_with('!'),
        })
    }
}

impl Condition {
    /// Whether the condition is met by the value of its key, regardless of case.
    pub(super) fn is_met_by(&self, value: Option<&Value>) -> bool {
        let has_value = match (self.value.as_deref(), value) {
            (None, Some(_)) => true,
            (Some(word), Some(Value::Bool(on))) => word == if *on { "true" } else { "false" },
            (Some(word), Some(Value::String(text))) => word.eq_ignore_ascii_case(text),
            _ => false,
        };
        has_value == self.expected
    }
}

/// The mark of a settings key.
const KEY: char = '$';

/// A string or an array of strings. `$key` means the value of that settings key, and any other
/// string means itself. The value of the first key that is set replaces all other strings.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "OneOrMore")]
pub struct SettingTexts(Vec<String>);

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a string or an array of strings")]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

impl From<OneOrMore> for SettingTexts {
    fn from(written: OneOrMore) -> Self {
        Self(match written {
            OneOrMore::One(text) => vec![text],
            OneOrMore::More(texts) => texts,
        })
    }
}

impl SettingTexts {
    /// The settings keys in order.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|text| text.strip_prefix(KEY))
    }

    /// The strings that are not settings keys.
    pub fn literals(&self) -> impl Iterator<Item = &str> {
        let texts = self.0.iter().map(String::as_str);
        texts.filter(|text| !text.starts_with(KEY))
    }

    /// The first string that is not a settings key; empty if there is none.
    pub fn default_text(&self) -> &str {
        self.literals().next().unwrap_or_default()
    }
}

/// All strings in a value, at any depth.
pub(super) fn all_strings(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(list) => list.iter().flat_map(all_strings).collect(),
        Value::Object(table) => table.values().flat_map(all_strings).collect(),
        _ => Vec::new(),
    }
}

/// The strings of a value: itself, or those of an array.
pub(super) fn strings_in(value: &Value) -> Vec<&str> {
    match value {
        Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
        value => value.as_str().into_iter().collect(),
    }
}

/// The value at a dotted path in a value.
fn value_in<'v>(value: &'v Value, path: &str) -> Option<&'v Value> {
    let ends = path.match_indices('.').map(|(at, _)| at);
    ends.chain([path.len()]).find_map(|end| {
        let inner = entry(value, &path[..end])?;
        match path.get(end + 1..) {
            Some(rest) => value_in(inner, rest),
            None => Some(inner),
        }
    })
}

/// The entry of a table or of an array with this name.
fn entry<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    match value {
        Value::Array(entries) => match name.parse::<usize>() {
            Ok(index) => entries.get(index),
            Err(_) => entries.iter().find_map(|entry| match entry {
                Value::String(entry) => (entry == name).then_some(&Value::Null),
                entry => entry.get(name),
            }),
        },
        value => value.get(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    impl OwnConfig {
        /// Settings with this value.
        pub(in crate::generators) fn from_value(value: Value) -> Self {
            Self {
                value,
                ..Self::default()
            }
        }
    }

    #[test]
    fn the_first_key_that_is_set_replaces_all_other_strings() {
        let config = OwnConfig::from_value(json!({ "a": { "b": "x" }, "list": ["y", 1, "z"] }));
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
        let config = OwnConfig::from_value(json!({
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
        check("a", true);
        check("a.off", true);
        check("a.none", false);
        check("a.on=true", true);
        check("a.off=true", false);
        check("a.off=false", true);
        check("a.word=folder", true);
        check("plugins.search", true);
        check("plugins.i18n.x", true);
        check("plugins.i18n.x.mode=b", true);
        check("plugins.other", false);
        check("plugins.0=search", true);
        check("presets.0.1.docs=x", true);
        check("presets.0.2", false);
        check("presets.1.1", false);
    }

    #[test]
    fn a_condition_of_another_form_is_an_error() {
        for written in ["", "!", "=a", "key a"] {
            let read = Condition::try_from(written.to_owned());
            assert!(read.is_err(), "{written}");
        }
    }
}
