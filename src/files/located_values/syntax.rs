//! Parses the three languages of settings files into values with places.
//!
//! This module does not know the keys of waypost. Only the first syntax error of a text is
//! reported, because what follows it is guesswork.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fmt;
use std::ops::Range;
use std::path::Path;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value as Json;
use serde_saphyr::DuplicateKeyPolicy;
use toml::de::{DeTable, DeValue};

use super::{SettingData, SettingEntry, SettingValue};
use crate::findings::floor_char_boundary;
use sitemaps::Place;

/// The language of a settings file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Syntax {
    /// TOML. Every value has a place.
    Toml,
    /// YAML. Every value has a place.
    Yaml,
    /// JSON. Nearly every value has a place.
    Json,
}

/// Syntax error in a settings file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    /// The parser's message.
    pub message: String,
    /// The place of the error, if known.
    pub place: Option<Place>,
}

impl Syntax {
    /// Parses a whole text. An empty text is an empty table.
    pub fn parse(self, text: &str) -> Result<SettingValue, SyntaxError> {
        if text.trim().is_empty() {
            return Ok(SettingValue {
                data: SettingData::Table(Vec::new()),
                place: None,
            });
        }
        match self {
            Self::Toml => parse_toml(text),
            Self::Yaml => parse_yaml(text),
            Self::Json => parse_json(text),
        }
    }

    /// The language of a file: YAML and JSON by its extension, any other is TOML.
    pub fn for_file(file: &Path) -> Self {
        match file.extension().and_then(OsStr::to_str) {
            Some("yaml" | "yml") => Self::Yaml,
            Some("json") => Self::Json,
            _ => Self::Toml,
        }
    }

    /// Parses a whole text as a JSON value, which has no places.
    pub fn to_json(self, text: &str) -> Result<Json, SyntaxError> {
        if let (Self::Json, Ok(value)) = (self, serde_json::from_str(text)) {
            return Ok(value);
        }
        Ok(self.parse(text)?.data.into())
    }
}

fn parse_toml(text: &str) -> Result<SettingValue, SyntaxError> {
    let table = DeTable::parse(text).map_err(|error| SyntaxError::from_toml(&error))?;
    Ok(SettingValue {
        place: place_of(table.span()),
        data: toml_table(table.into_inner()),
    })
}

impl SyntaxError {
    pub(crate) fn from_toml(error: &toml::de::Error) -> Self {
        // Paths of Windows are the usual backslashes.
        let is_escape = error.message().contains("escaped value");
        let remedy = is_escape.then_some("; separate the directories of a path by `/`");
        Self {
            message: format!("{}{}", error.message(), remedy.unwrap_or_default()),
            place: error.span().and_then(place_of),
        }
    }

    /// The remedy, if the message does not have it.
    pub fn hint(&self) -> Option<&'static str> {
        (self.message == "duplicate key").then_some("remove one of the two")
    }
}

fn toml_table(table: DeTable<'_>) -> SettingData {
    let entries = table.into_iter().map(|(key, value)| SettingEntry {
        key_place: place_of(key.span()),
        key: key.into_inner().into_owned(),
        value: toml_value(value),
    });
    SettingData::Table(entries.collect())
}

fn toml_value(value: toml::Spanned<DeValue<'_>>) -> SettingValue {
    let place = place_of(value.span());
    let data = match value.into_inner() {
        DeValue::String(text) => SettingData::Text(text.into_owned()),
        DeValue::Integer(digits) => i64::from_str_radix(digits.as_str(), digits.radix())
            // Only an integer beyond 64 bits fails to parse.
            .map_or(SettingData::Number(f64::INFINITY), SettingData::Whole),
        DeValue::Float(digits) => SettingData::Number(digits.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(flag) => SettingData::Flag(flag),
        DeValue::Datetime(date) => SettingData::Text(date.to_string()),
        DeValue::Array(list) => SettingData::List(list.into_iter().map(toml_value).collect()),
        DeValue::Table(table) => toml_table(table),
    };
    SettingValue { data, place }
}

/// Parses YAML. Of a key that is set more than once, which YAML forbids but Jekyll and MkDocs
/// accept, the last value counts.
fn parse_yaml(text: &str) -> Result<SettingValue, SyntaxError> {
    // Settings repeat little. Without a limit, nested aliases could keep the parser busy for
    // seconds.
    let alias_limits = serde_saphyr::alias_limits! { max_total_replayed_events: 20_000 };
    let options = serde_saphyr::options! {
        alias_limits: alias_limits,
        duplicate_keys: DuplicateKeyPolicy::LastWins,
    };
    serde_saphyr::from_str_with_options(text, options)
        .map(yaml_value)
        .map_err(|error| yaml_error(text, &error))
}

fn yaml_error(text: &str, error: &serde_saphyr::Error) -> SyntaxError {
    let place = error.location().and_then(|location| {
        let line = line_at(text, location.line())?;
        let columns = usize::try_from(location.column()).ok()?;
        let (column, _) = text[line..].char_indices().nth(columns.checked_sub(1)?)?;
        place_of(line + column..line + column)
    });
    let message = error
        .without_snippet()
        .render_with_formatter(&serde_saphyr::UserMessageFormatter);
    SyntaxError {
        message: without_place(&message),
        place,
    }
}

fn yaml_value(value: serde_saphyr::Spanned<SettingData>) -> SettingValue {
    SettingValue {
        place: yaml_place(value.referenced),
        data: value.value,
    }
}

fn yaml_place(location: serde_saphyr::Location) -> Option<Place> {
    let start = usize::try_from(location.span().byte_offset()?).ok()?;
    let length = usize::try_from(location.span().byte_len()?).ok()?;
    place_of(start..start.checked_add(length)?)
}

/// Used for YAML only; every nested value is deserialized with its place.
impl<'de> Deserialize<'de> for SettingData {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(YamlData)
    }
}

struct YamlData;

impl<'de> Visitor<'de> for YamlData {
    type Value = SettingData;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<SettingData, E> {
        Ok(SettingData::Nothing)
    }

    fn visit_none<E>(self) -> Result<SettingData, E> {
        Ok(SettingData::Nothing)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<SettingData, E> {
        Ok(SettingData::Flag(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<SettingData, E> {
        Ok(SettingData::Whole(number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<SettingData, E> {
        Ok(i64::try_from(number).map_or(SettingData::Number(f64::INFINITY), SettingData::Whole))
    }

    fn visit_f64<E>(self, number: f64) -> Result<SettingData, E> {
        Ok(SettingData::Number(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<SettingData, E> {
        Ok(SettingData::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<SettingData, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = list.next_element()? {
            values.push(yaml_value(value));
        }
        Ok(SettingData::List(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut table: A) -> Result<SettingData, A::Error> {
        let mut entries: Vec<SettingEntry> = Vec::new();
        let mut indices = HashMap::new();
        while let Some(key) = table.next_key::<serde_saphyr::Spanned<String>>()? {
            let entry = SettingEntry {
                key_place: yaml_place(key.referenced),
                key: key.value,
                value: yaml_value(table.next_value()?),
            };
            if let Some(&earlier) = indices.get(&entry.key) {
                entries[earlier] = entry;
            } else {
                indices.insert(entry.key.clone(), entries.len());
                entries.push(entry);
            }
        }
        Ok(SettingData::Table(entries))
    }
}

/// JSON is also YAML, and the YAML parser knows the places. If it fails nevertheless, the values
/// have no places.
fn parse_json(text: &str) -> Result<SettingValue, SyntaxError> {
    match serde_json::from_str::<serde_json::Value>(text) {
        Ok(value) => Ok(parse_yaml(text).unwrap_or_else(|_| SettingValue::from_json(&value))),
        Err(error) => {
            let line = line_at(text, error.line() as u64);
            // Columns count bytes, so one may fall within a character.
            let at = line.map_or(0, |line| {
                floor_char_boundary(text, line + error.column().saturating_sub(1))
            });
            let place = place_of(at..at);
            Err(SyntaxError {
                message: without_place(&error.to_string()),
                place,
            })
        }
    }
}

/// A parser's message without the line and column at its end, because the source is shown with it.
fn without_place(message: &str) -> String {
    let first_line = message.lines().next().unwrap_or_default();
    first_line
        .split(" at line ")
        .next()
        .unwrap_or_default()
        .to_owned()
}

/// The byte offset of a line, counted from 1.
fn line_at(text: &str, line: u64) -> Option<usize> {
    let above = usize::try_from(line.checked_sub(1)?).ok()?;
    Some(text.split_inclusive('\n').take(above).map(str::len).sum())
}

fn place_of(range: Range<usize>) -> Option<Place> {
    Some(Place {
        start: u32::try_from(range.start).ok()?,
        end: u32::try_from(range.end).ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Formats the tree on one line, without places.
    fn show(value: &SettingValue) -> String {
        match &value.data {
            SettingData::Nothing => "null".to_owned(),
            SettingData::Flag(flag) => flag.to_string(),
            SettingData::Whole(number) => number.to_string(),
            SettingData::Number(number) => format!("{number:?}"),
            SettingData::Text(text) => format!("{text:?}"),
            SettingData::List(list) => format!("{:?}", list.iter().map(show).collect::<Vec<_>>()),
            SettingData::Table(table) => {
                format!(
                    "{:?}",
                    table
                        .iter()
                        .map(|entry| (&entry.key, show(&entry.value)))
                        .collect::<Vec<_>>()
                )
            }
        }
    }

    #[test]
    fn the_three_languages_give_the_same_values() {
        let toml = "a = 1\nb = [true, 0.5, 'x']\n[c]\nd = 50_000\ne = 0x10\n";
        let yaml = "a: 1\nb: [true, 0.5, x]\nc:\n  d: 50000\n  e: 0x10\n";
        let json = "{\"a\": 1, \"b\": [true, 0.5, \"x\"], \"c\": {\"d\": 50000, \"e\": 16}}";
        let read = |syntax: Syntax, text| show(&syntax.parse(text).expect("it is well-formed"));
        assert_eq!(read(Syntax::Toml, toml), read(Syntax::Yaml, yaml));
        assert_eq!(read(Syntax::Toml, toml), read(Syntax::Json, json));
    }

    #[test]
    fn a_place_is_the_byte_range_of_the_value() {
        let check = |syntax: Syntax, text: &str| {
            let SettingData::Table(entries) = syntax.parse(text).expect("it is well-formed").data
            else {
                panic!("{text}")
            };
            let slice = |place: Option<Place>| {
                place.map(|place| &text[place.start as usize..place.end as usize])
            };
            let SettingData::List(list) = &entries[1].value.data else {
                panic!("{text}")
            };
            let key = slice(entries[1].key_place).map(|key| key.trim_matches(['\'', '"']));
            assert_eq!(
                (key, slice(list[1].place)),
                (Some("ü"), Some("123")),
                "{text}"
            );
        };
        check(Syntax::Toml, "'é' = 'ä'\r\n'ü' = ['ö', 123]\r\n");
        check(Syntax::Yaml, "é: ä\r\nü: [ö, 123]\r\n");
        check(Syntax::Json, "{\"é\": \"ä\", \"ü\": [\"\\u00f6\", 123]}");
    }

    #[test]
    fn json_parsed_as_yaml_gives_the_values_of_json() {
        let check = |json: &str| {
            let read = Syntax::Json.parse(json).expect("it is well-formed");
            let expected =
                SettingValue::from_json(&serde_json::from_str(json).expect("it is well-formed"));
            assert_eq!(show(&read), show(&expected), "{json}");
        };
        check(
            &[
                r#"{"a": "true", "b": "1", "c": "", "d": null, "e": "~", "#,
                r#""f": "2024-01-02", "g": "0x1", "h": "yes"}"#,
            ]
            .concat(),
        );
        check(
            &[
                r#"{"a": "\ud83d\ude00 \/ \u00e9 \n", "b": [], "c": {}, "d": [[1]], "#,
                r#""e": -1, "f": 1E3, "g": 1.0}"#,
            ]
            .concat(),
        );
        check(r#"{"a":1,"b":{"c":"x:y # z","<<":{"k":2}}}"#);
        check("[\n\t{\"a\"\t:\t\"b\\tc\"},\r\n\t 123456789012345678901234567890]");
        check(r#"{"a": 1, "a": 2}"#);
        check(r#""no table""#);
    }

    #[test]
    fn a_toml_date_becomes_a_string() {
        let value = Syntax::Toml
            .parse("a = 2024-05-06T07:08:09+02:00")
            .expect("it is well-formed");
        assert_eq!(show(&value), r#"[("a", "\"2024-05-06T07:08:09+02:00\"")]"#);
    }

    #[test]
    fn a_syntax_error_has_a_place() {
        let check = |syntax: Syntax, text: &str, expected: &str| {
            let error = syntax.parse(text).expect_err("it is not well-formed");
            let place = error.place.expect("the place is known");
            assert_eq!(
                format!("{}..{}: {}", place.start, place.end, error.message),
                expected
            );
        };
        check(
            Syntax::Toml,
            "a = 1\nb = [\n",
            "11..11: unclosed array, expected `]`",
        );
        check(Syntax::Toml, "a = 1\na = 2\n", "6..7: duplicate key");
        check(Syntax::Yaml, "a: 1\nb: [\n", "8..8: unclosed bracket '['");
        check(
            Syntax::Json,
            "\"\u{dca}",
            "1..1: EOF while parsing a string",
        );
        check(Syntax::Yaml, "é: 1\nb: {}}\n", "11..11: misplaced bracket");
        check(Syntax::Json, "{\"a\": 1,\n}", "9..9: trailing comma");
    }

    #[test]
    fn deep_nesting_is_rejected_without_overflow() {
        let deep =
            |open: &str, close: &str| format!("{}{}", open.repeat(100_000), close.repeat(100_000));
        assert!(
            Syntax::Toml
                .parse(&format!("a = {}", deep("[", "]")))
                .is_err()
        );
        assert!(
            Syntax::Toml
                .parse(&format!("a = {}", deep("{a=", "}")))
                .is_err()
        );
        assert!(
            Syntax::Toml
                .parse(&format!("a{} = 1", ".a".repeat(100_000)))
                .is_err()
        );
        assert!(
            Syntax::Toml
                .parse(&format!("[a{}]", ".a".repeat(100_000)))
                .is_err()
        );
        assert!(Syntax::Yaml.parse(&deep("[", "]")).is_err());
        assert!(Syntax::Yaml.parse(&"- ".repeat(100_000)).is_err());
        assert!(Syntax::Json.parse(&deep("[", "]")).is_err());
    }

    #[test]
    fn exponential_aliases_are_rejected() {
        let level = |level: usize| {
            format!(
                "a{level}: &a{level} [{}]\n",
                vec![format!("*a{}", level - 1); 9].join(", ")
            )
        };
        let text = "a0: &a0 [x, x]\n".to_owned() + &(1..30).map(level).collect::<Vec<_>>().concat();
        assert!(Syntax::Yaml.parse(&text).is_err());
    }
}
