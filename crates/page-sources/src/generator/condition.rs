//! Conditions of a manifest: `"key base_url"`, `"!key hexo"`, `"key uglyURLs=true"`.

use serde::Deserialize;
use serde_json::Value;

/// A condition on a site: `key K` (a settings key is set) or `key K=V` (it has this value). In front of
/// it, `!` means the opposite.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Condition {
    /// Whether the key must be set, or have the value.
    pub(super) expected: bool,
    /// The dotted path of the key.
    pub key: String,
    /// The value that it must have.
    pub value: Option<KeyValue>,
}

/// A key and a value in the notation `key=value`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct KeyValue {
    /// The dotted path of the key.
    pub key: String,
    /// The value, as a word in lower case.
    pub value: String,
}

impl TryFrom<String> for Condition {
    /// The mistake in the text.
    type Error = String;

    fn try_from(written: String) -> Result<Self, String> {
        let positive = written.strip_prefix('!');
        let Some(key) = positive.unwrap_or(&written).strip_prefix("key ") else {
            return Err(format!(
                "`{written}` is not a condition: write `key K` or `key K=V`"
            ));
        };
        let value = key
            .contains('=')
            .then(|| KeyValue::try_from(key.to_owned()));
        let value = value.transpose()?;
        Ok(Self {
            expected: positive.is_none(),
            key: value.as_ref().map_or(key, |pair| &pair.key).to_owned(),
            value,
        })
    }
}

impl TryFrom<String> for KeyValue {
    /// The mistake in the text.
    type Error = String;

    fn try_from(written: String) -> Result<Self, String> {
        match written.split_once('=') {
            Some((key, value)) => Ok(Self {
                key: key.to_owned(),
                value: value.to_owned(),
            }),
            None => Err(format!("`{written}` has no value: write `KEY=VALUE`")),
        }
    }
}

impl KeyValue {
    /// Whether a setting has the value, regardless of case. Booleans are the words `true` and
    /// `false`.
    pub(super) fn is_met_by(&self, value: &Value) -> bool {
        match value {
            Value::Bool(on) => self.value == if *on { "true" } else { "false" },
            Value::String(word) => self.value.eq_ignore_ascii_case(word),
            _ => false,
        }
    }
}
