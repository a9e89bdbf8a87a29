//! What stands in a settings file, before anyone asks what it means: values, each with its place.
//!
//! TOML, YAML, JSON, environment and flags all become this one tree, so that every check is written once.

use serde_json::Value as Json;

use crate::finding::Place;

/// The only key of the table that a date of TOML becomes on its way through serde.
pub(crate) const TOML_DATE: &str = "$__toml_private_datetime";

/// A value, and where it stands in its file where that is known.
#[derive(Debug, Clone)]
pub struct SettingValue {
    /// What was written.
    pub data: SettingData,
    /// Its bytes in the file.
    pub place: Option<Place>,
}

/// The kinds of values that settings know.
#[derive(Debug, Clone)]
pub enum SettingData {
    /// YAML's and JSON's `null`.
    Nothing,
    /// `true` or `false`.
    Flag(bool),
    /// A whole number.
    Whole(i64),
    /// A number with a point or an exponent, or a whole one beyond 64 bits.
    Number(f64),
    /// A text; also a TOML date, in the spelling of RFC 3339.
    Text(String),
    /// `[…]`; also TOML's arrays of tables.
    List(Vec<SettingValue>),
    /// A table, its entries in the order of the file.
    Table(Vec<SettingEntry>),
}

/// One key of a table.
#[derive(Debug, Clone)]
pub struct SettingEntry {
    /// The key.
    pub key: String,
    /// The bytes of the key in the file.
    pub key_place: Option<Place>,
    /// What it is set to.
    pub value: SettingValue,
}

impl SettingValue {
    /// What a key of this table is set to; nothing where it is no table or has no such key.
    pub fn get(&self, key: &str) -> Option<&Self> {
        let SettingData::Table(entries) = &self.data else {
            return None;
        };
        entries
            .iter()
            .find(|entry| entry.key == key)
            .map(|entry| &entry.value)
    }

    /// The text that it is, where it is one.
    pub fn as_text(&self) -> Option<&str> {
        let SettingData::Text(text) = &self.data else {
            return None;
        };
        Some(text)
    }

    /// The values of this list; nothing where it is none.
    pub fn items(&self) -> &[Self] {
        let SettingData::List(items) = &self.data else {
            return &[];
        };
        items
    }

    /// What serde has read, which has no places.
    pub(super) fn without_places(value: &Json) -> Self {
        let data = match value {
            Json::Null => SettingData::Nothing,
            Json::Bool(flag) => SettingData::Flag(*flag),
            Json::Number(number) => number.as_i64().map_or_else(
                || SettingData::Number(number.as_f64().unwrap_or(f64::NAN)),
                SettingData::Whole,
            ),
            Json::String(text) => SettingData::Text(text.clone()),
            Json::Array(values) => {
                SettingData::List(values.iter().map(Self::without_places).collect())
            }
            Json::Object(table) => match table.get(TOML_DATE).and_then(Json::as_str) {
                Some(date) => SettingData::Text(date.to_owned()),
                None => {
                    SettingData::Table(table.iter().map(SettingEntry::without_places).collect())
                }
            },
        };
        Self { data, place: None }
    }

    /// A text that stands in no file.
    pub(super) fn text(text: &str) -> Self {
        Self {
            data: SettingData::Text(text.to_owned()),
            place: None,
        }
    }

    /// What kind of value it is, as a message names it.
    pub(super) fn kind(&self) -> &'static str {
        match self.data {
            SettingData::Nothing => "nothing",
            SettingData::Flag(_) => "true or false",
            SettingData::Whole(_) | SettingData::Number(_) => "a number",
            SettingData::Text(_) => "a text",
            SettingData::List(_) => "a list",
            SettingData::Table(_) => "a table",
        }
    }
}

impl SettingEntry {
    fn without_places((key, value): (&String, &Json)) -> Self {
        Self {
            key: key.clone(),
            key_place: None,
            value: SettingValue::without_places(value),
        }
    }
}
