//! Values of TOML, YAML and JSON files, each with its place in the file.
//!
//! One reader for all three, so that a mistake in any of them can be shown against its line.
//! Environment variables and flags become such a tree too, so that each check is written only once.

mod syntax;

use serde_json::Value as Json;

use sitemaps::Place;
pub use syntax::{Syntax, SyntaxError};

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
        let entry = self.entries().iter().find(|entry| entry.key == key)?;
        Some(&entry.value)
    }

    /// The entries of this table; empty if this is not a table.
    pub fn entries(&self) -> &[SettingEntry] {
        let SettingData::Table(entries) = &self.data else {
            return &[];
        };
        entries
    }

    /// The value as a string, if it is one.
    pub fn as_text(&self) -> Option<&str> {
        let SettingData::Text(text) = &self.data else {
            return None;
        };
        Some(text)
    }

    /// The value as a boolean, if it is one.
    pub fn as_flag(&self) -> Option<bool> {
        let SettingData::Flag(flag) = self.data else {
            return None;
        };
        Some(flag)
    }

    /// The value as an integer, if it is one.
    pub fn as_whole(&self) -> Option<i64> {
        let SettingData::Whole(number) = self.data else {
            return None;
        };
        Some(number)
    }

    /// The string under a key of this table.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.get(key)?.as_text()
    }

    /// The values of the array under a key of this table.
    pub fn list(&self, key: &str) -> &[Self] {
        self.get(key).map(Self::items).unwrap_or_default()
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
            Json::Object(table) => {
                let entries = table.iter().map(|(key, value)| SettingEntry {
                    key: key.clone(),
                    key_place: None,
                    value: Self::from_json(value),
                });
                SettingData::Table(entries.collect())
            }
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

impl From<SettingData> for Json {
    fn from(data: SettingData) -> Self {
        match data {
            SettingData::Nothing => Self::Null,
            SettingData::Flag(flag) => flag.into(),
            SettingData::Whole(number) => number.into(),
            // JSON has no NaN and no infinity.
            SettingData::Number(number) if !number.is_finite() => number.to_string().into(),
            SettingData::Number(number) => number.into(),
            SettingData::Text(text) => text.into(),
            SettingData::List(values) => values.into_iter().map(|value| value.data).collect(),
            SettingData::Table(entries) => entries
                .into_iter()
                .map(|entry| (entry.key, entry.value.data))
                .collect(),
        }
    }
}
