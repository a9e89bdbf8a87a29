//! Conditions and texts of the manifest that name keys of settings or of front matter.

use serde::Deserialize;
use serde_json::Value;

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
