//! Unchecked settings: a tree of values with their places in the file.
//!
//! TOML, YAML, JSON, environment variables and flags all become this tree, so that each check is
//! written only once.

use serde_json::Value as Json;

use sitemaps::site_paths::finding::Place;

/// The only key of the table into which serde turns a TOML date.
pub const TOML_DATE: &str = "$__toml_private_datetime";

/// A value and, if known, its place in the file.
#[derive(Debug, Clone)]
pub struct SettingValue {
    /// The value as written.
    pub data: SettingData,
    /// Byte range in the file.
    pub place: Option<Place>,
}

/// Data of a value, by type.
#[derive(Debug, Clone)]
pub enum SettingData {
    /// `null` in YAML and JSON.
    Nothing,
    /// `true` or `false`.
    Flag(bool),
    /// A whole number.
    Whole(i64),
    /// A number with a fraction or an exponent, or an integer beyond 64 bits.
    Number(f64),
    /// A string; also a TOML date, in RFC 3339 format.
    Text(String),
    /// An array; also a TOML array of tables.
    List(Vec<SettingValue>),
    /// A table, with its entries in file order.
    Table(Vec<SettingEntry>),
}

/// One entry of a table.
#[derive(Debug, Clone)]
pub struct SettingEntry {
    /// The key.
    pub key: String,
    /// Byte range of the key in the file.
    pub key_place: Option<Place>,
    /// The value.
    pub value: SettingValue,
}

impl SettingValue {
    /// The value of a key of this table; `None` if this is not a table or lacks the key.
    pub fn get(&self, key: &str) -> Option<&Self> {
        let SettingData::Table(entries) = &self.data else {
            return None;
        };
        entries
            .iter()
            .find(|entry| entry.key == key)
            .map(|entry| &entry.value)
    }

    /// The value as a string, if it is one.
    pub fn as_text(&self) -> Option<&str> {
        let SettingData::Text(text) = &self.data else {
            return None;
        };
        Some(text)
    }

    /// The values of this array; empty if this is not an array.
    pub fn items(&self) -> &[Self] {
        let SettingData::List(items) = &self.data else {
            return &[];
        };
        items
    }

    /// Converts a value that serde has read, which has no places.
    pub fn from_json(value: &Json) -> Self {
        let data = match value {
            Json::Null => SettingData::Nothing,
            Json::Bool(flag) => SettingData::Flag(*flag),
            Json::Number(number) => number.as_i64().map_or_else(
                || SettingData::Number(number.as_f64().unwrap_or(f64::NAN)),
                SettingData::Whole,
            ),
            Json::String(text) => SettingData::Text(text.clone()),
            Json::Array(values) => SettingData::List(values.iter().map(Self::from_json).collect()),
            Json::Object(table) => match table.get(TOML_DATE).and_then(Json::as_str) {
                Some(date) => SettingData::Text(date.to_owned()),
                None => {
                    SettingData::Table(table.iter().map(SettingEntry::without_places).collect())
                }
            },
        };
        Self { data, place: None }
    }

    /// The type of the value, for messages.
    pub fn type_name(&self) -> &'static str {
        match self.data {
            SettingData::Nothing => "null",
            SettingData::Flag(_) => "a boolean",
            SettingData::Whole(_) | SettingData::Number(_) => "a number",
            SettingData::Text(_) => "a string",
            SettingData::List(_) => "an array",
            SettingData::Table(_) => "a table",
        }
    }
}

impl SettingEntry {
    fn without_places((key, value): (&String, &Json)) -> Self {
        Self {
            key: key.clone(),
            key_place: None,
            value: SettingValue::from_json(value),
        }
    }
}
