//! Reads located values into the structs of the settings, as a format of serde: a mistake has the
//! place and the path of its value.

use std::fmt::{self, Display};

use serde::de::value::{StrDeserializer, StringDeserializer};
use serde::de::{
    DeserializeSeed, Deserializer, Error, Expected, IntoDeserializer, MapAccess, SeqAccess,
    Unexpected, Visitor,
};
use serde::forward_to_deserialize_any;

use super::mistake::{nearest, quoted};
use page_sources::located_values::{SettingData, SettingEntry, SettingValue};
use sitemaps::site_paths::finding::Place;

/// The reason why a value cannot be read.
#[derive(Debug)]
pub(super) struct ValueError {
    problem: ValueProblem,
    /// The place of the value or key that is wrong.
    pub(super) place: Option<Place>,
    /// The keys that lead to it, the innermost first; an element of an array is `[2]`.
    path: Vec<String>,
}

#[derive(Debug)]
enum ValueProblem {
    /// A key that the table does not have, and those that it has.
    UnknownKey(Vec<&'static str>),
    /// Anything else: what follows the key in the message, and the remedy.
    Other(String, Option<String>),
}

impl ValueError {
    fn new(message: impl Into<String>, hint: Option<String>) -> Self {
        Self {
            problem: ValueProblem::Other(message.into(), hint),
            place: None,
            path: Vec::new(),
        }
    }

    fn with_hint(mut self, hint: String) -> Self {
        if let ValueProblem::Other(_, known) = &mut self.problem {
            *known = Some(hint);
        }
        self
    }

    /// Adds the key or index of the value in which the mistake is.
    fn within(mut self, name: String, place: Option<Place>) -> Self {
        self.place = self.place.or(place);
        self.path.push(name);
        self
    }

    /// The dotted path of the value: `sitemap.file`, `rule[2].priority`.
    pub(super) fn path(&self) -> String {
        let names: Vec<_> = self.path.iter().rev().map(String::as_str).collect();
        names.join(".").replace(".[", "[")
    }

    /// The message, with the name under which to show the value, and the remedy. `keys` are those of
    /// all tables.
    pub(super) fn text(self, name: &str, keys: &[String]) -> (String, Option<String>) {
        match self.problem {
            ValueProblem::Other(message, hint) => (format!("`{name}` {message}"), hint),
            ValueProblem::UnknownKey(known) => {
                let written = self.path.first().map_or("", String::as_str);
                let in_other_table = || {
                    keys.iter()
                        .find(|key| key.rsplit('.').next() == Some(written))
                };
                let hint = nearest(written, known.iter().copied())
                    .or_else(|| in_other_table().map(String::as_str))
                    .map_or_else(
                        || format!("known keys are {}", quoted(known)),
                        |key| format!("did you mean `{key}`?"),
                    );
                (format!("unknown key `{name}`"), Some(hint))
            }
        }
    }
}

impl Display for ValueError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.problem {
            ValueProblem::UnknownKey(_) => write!(out, "unknown key `{}`", self.path()),
            ValueProblem::Other(message, _) => write!(out, "`{}` {message}", self.path()),
        }
    }
}

impl std::error::Error for ValueError {}

impl Error for ValueError {
    /// The second line of a text is its hint.
    fn custom<T: Display>(text: T) -> Self {
        let text = text.to_string();
        match text.split_once('\n') {
            Some((message, hint)) => Self::new(message, Some(hint.to_owned())),
            None => Self::new(text, None),
        }
    }

    fn unknown_field(_: &str, known: &'static [&'static str]) -> Self {
        Self {
            problem: ValueProblem::UnknownKey(known.to_vec()),
            ..Self::new("", None)
        }
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new(format!("has no `{field}`"), None)
    }

    fn unknown_variant(written: &str, known: &'static [&'static str]) -> Self {
        let of_other_tools = || level_of_other_tools(written).filter(|word| known.contains(word));
        let meant = nearest(written, known.iter().copied()).or_else(of_other_tools);
        let hint = meant.map(|word| format!("did you mean `{word}`?"));
        let known = quoted(known.iter().copied());
        Self::new(format!("must be one of {known}, not `{written}`"), hint)
    }

    fn invalid_type(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::new(format!("must be {expected}"), None)
    }
}

/// The level that other linters call by this word.
fn level_of_other_tools(word: &str) -> Option<&'static str> {
    match word {
        "error" | "fatal" | "fail" | "forbid" => Some("deny"),
        "warning" => Some("warn"),
        "info" | "notice" => Some("note"),
        "off" | "ignore" | "none" => Some("allow"),
        _ => None,
    }
}

/// A value to read.
#[derive(Clone, Copy)]
pub(super) struct ValueReader<'de>(pub(super) &'de SettingValue);

/// The keys of a table.
enum TableKeys {
    /// Words joined by underscores, or by hyphens, as mdBook derives them from variables.
    Settings,
    /// Codes, as they are.
    Codes,
}

impl<'de> ValueReader<'de> {
    fn entries(self, keys: TableKeys) -> Result<Entries<'de>, ValueError> {
        let entries = match &self.0.data {
            SettingData::Table(entries) => entries.as_slice(),
            // YAML's table without entries.
            SettingData::Nothing => &[],
            _ => return Err(self.wrong_type("a table")),
        };
        Ok(Entries {
            rest: entries.iter(),
            current: None,
            keys,
        })
    }

    fn wrong_type(self, expected: &str) -> ValueError {
        let message = format!("must be {expected}, not {}", self.0.type_name());
        ValueError {
            place: self.0.place,
            ..ValueError::new(message, None)
        }
    }
}

/// Methods that accept values of some types, and name the type that they expect.
macro_rules! read_only {
    ($($method:ident($($data:pat_param)|+) $expected:literal)+) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
            match &self.0.data {
                $($data)|+ => self.deserialize_any(visitor),
                _ => Err(self.wrong_type($expected)),
            }
        })+
    };
}

impl<'de> Deserializer<'de> for ValueReader<'de> {
    type Error = ValueError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        match &self.0.data {
            SettingData::Nothing => visitor.visit_unit(),
            SettingData::Flag(flag) => visitor.visit_bool(*flag),
            SettingData::Whole(number) => visitor.visit_i64(*number),
            SettingData::Number(number) => visitor.visit_f64(*number),
            SettingData::Text(text) => visitor.visit_borrowed_str(text),
            SettingData::List(values) => visitor.visit_seq(Elements(values.iter().enumerate())),
            SettingData::Table(_) => self.deserialize_map(visitor),
        }
    }

    read_only! {
        deserialize_bool(SettingData::Flag(_)) "`true` or `false`"
        deserialize_i64(SettingData::Whole(_)) "an integer"
        deserialize_f64(SettingData::Whole(_) | SettingData::Number(_)) "a number from 0.0 to 1.0"
        deserialize_str(SettingData::Text(_)) "a string"
        deserialize_string(SettingData::Text(_)) "a string"
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        match &self.0.data {
            SettingData::List(_) => self.deserialize_any(visitor),
            SettingData::Text(text) => {
                let hint = format!("write `[{}]`", serde_json::json!(text));
                Err(self.wrong_type("an array").with_hint(hint))
            }
            SettingData::Table(_) => {
                let hint = "begin each table with its name in double brackets, as in `[[rule]]`";
                Err(self.wrong_type("an array").with_hint(hint.to_owned()))
            }
            _ => Err(self.wrong_type("an array")),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        visitor.visit_map(self.entries(TableKeys::Codes)?)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ValueError> {
        visitor.visit_map(self.entries(TableKeys::Settings)?)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        words: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ValueError> {
        match &self.0.data {
            SettingData::Text(text) => {
                let word: StrDeserializer<'de, ValueError> = text.as_str().into_deserializer();
                word.deserialize_enum(name, words, visitor)
            }
            _ => Err(self.wrong_type(&format!("one of {}", quoted(words.iter().copied())))),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, ValueError> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i128 u8 u16 u32 u64 u128 f32 char bytes byte_buf unit unit_struct tuple
        tuple_struct identifier ignored_any
    }
}

/// The elements of an array.
struct Elements<'de>(std::iter::Enumerate<std::slice::Iter<'de, SettingValue>>);

impl<'de> SeqAccess<'de> for Elements<'de> {
    type Error = ValueError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, ValueError> {
        let Some((index, value)) = self.0.next() else {
            return Ok(None);
        };
        let read = seed.deserialize(ValueReader(value));
        read.map(Some)
            .map_err(|error| error.within(format!("[{index}]"), value.place))
    }
}

/// The entries of a table.
struct Entries<'de> {
    rest: std::slice::Iter<'de, SettingEntry>,
    current: Option<&'de SettingEntry>,
    keys: TableKeys,
}

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = ValueError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, ValueError> {
        self.current = self.rest.next();
        let Some(entry) = self.current else {
            return Ok(None);
        };
        let key = match self.keys {
            TableKeys::Settings => entry.key.replace('-', "_"),
            TableKeys::Codes => entry.key.clone(),
        };
        let key: StringDeserializer<ValueError> = key.into_deserializer();
        let read = seed.deserialize(key);
        read.map(Some)
            .map_err(|error| error.within(entry.key.clone(), entry.key_place))
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<T::Value, ValueError> {
        let entry = self.current.expect("a key comes before its value");
        let read = seed.deserialize(ValueReader(&entry.value));
        read.map_err(|error| error.within(entry.key.clone(), entry.value.place))
    }
}
