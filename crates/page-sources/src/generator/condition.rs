//! Conditions of a manifest: `"base_url"`, `"!public_dir"`, `"uglyURLs=true"`.

use serde::Deserialize;
use serde_json::Value;

/// A condition on settings or front matter: a key is set, or has a value. In front of it, `!` means the
/// opposite.
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
        let has_value = |value: &Value| match (self.value.as_deref(), value) {
            (None, _) => true,
            (Some(word), Value::Bool(on)) => word == if *on { "true" } else { "false" },
            (Some(word), Value::String(text)) => word.eq_ignore_ascii_case(text),
            _ => false,
        };
        value.is_some_and(has_value) == self.expected
    }
}
