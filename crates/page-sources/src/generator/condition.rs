//! Conditions of a manifest: `"key base_url"`, `"!text routeBasePath"`, `"file versions.json"`.

use serde::Deserialize;
use serde_json::Value;
use thiserror::Error;

/// A condition on a site: `key K` (a settings key is set), `key K=V` (it has this value), `text T`
/// (settings that are a program contain this text) or `file F` (a file exists in the site root). In
/// front of it, `!` means the opposite.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Condition {
    /// Whether the fact must be true.
    pub(super) expected: bool,
    pub(super) fact: SiteFact,
}

/// A fact about a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SiteFact {
    /// A settings key is set.
    Key(String),
    /// A settings key has this value.
    Value(KeyValue),
    /// Settings that are a program contain this text.
    Text(String),
    /// A file exists.
    File(String),
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

/// A condition, or a key with a value, that cannot be read.
#[derive(Debug, Error)]
pub enum UnreadableCondition {
    /// Its kind is none of the known ones.
    #[error("`{0}` is not a condition: write `key K`, `key K=V`, `text T` or `file F`")]
    Kind(String),
    /// It has no value.
    #[error("`{0}` has no value: write `KEY=VALUE`")]
    Value(String),
}

impl TryFrom<String> for Condition {
    type Error = UnreadableCondition;

    fn try_from(written: String) -> Result<Self, UnreadableCondition> {
        let positive = written.strip_prefix('!');
        let fact = match positive.unwrap_or(&written).split_once(' ') {
            Some(("key", pair)) if pair.contains('=') => {
                SiteFact::Value(KeyValue::try_from(pair.to_owned())?)
            }
            Some(("key", key)) => SiteFact::Key(key.to_owned()),
            Some(("text", text)) => SiteFact::Text(text.to_owned()),
            Some(("file", file)) => SiteFact::File(file.to_owned()),
            _ => return Err(UnreadableCondition::Kind(written)),
        };
        let expected = positive.is_none();
        Ok(Self { expected, fact })
    }
}

impl TryFrom<String> for KeyValue {
    type Error = UnreadableCondition;

    fn try_from(written: String) -> Result<Self, UnreadableCondition> {
        match written.split_once('=') {
            Some((key, value)) => Ok(Self {
                key: key.to_owned(),
                value: value.to_owned(),
            }),
            None => Err(UnreadableCondition::Value(written)),
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

impl Condition {
    /// The settings key and the value that it must have.
    pub fn pair(&self) -> Option<&KeyValue> {
        match &self.fact {
            SiteFact::Value(pair) => Some(pair),
            _ => None,
        }
    }

    /// Whether the condition requires a settings key.
    pub(super) fn requires_key(&self) -> bool {
        self.expected && matches!(self.fact, SiteFact::Key(_) | SiteFact::Value(_))
    }
}
