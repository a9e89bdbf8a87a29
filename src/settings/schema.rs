//! The JSON Schema of the settings, made by schemars. The types of other crates are described here.

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::Value as Json;

use super::Settings;
use crate::decide::reason_names;
use crate::findings::{ALL, Level};
use crate::generators::Manifest;

/// A word of an enumeration.
pub(super) fn word<T: for<'de> Deserialize<'de>>(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "enum": words_of::<T>() })
}

/// A list of such words.
pub(super) fn words<T: for<'de> Deserialize<'de>>(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "array", "items": { "enum": words_of::<T>() } })
}

/// A list of at least one such word.
pub(super) fn at_least_one<T: for<'de> Deserialize<'de>>(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "array", "items": { "enum": words_of::<T>() }, "minItems": 1 })
}

/// The words that an enumeration accepts: those that serde names when it reads another one.
fn words_of<T: for<'de> Deserialize<'de>>() -> Vec<String> {
    let Err(error) = serde_json::from_str::<T>("\"?\"") else {
        panic!("`?` is not a word of any enumeration");
    };
    let text = error.to_string();
    let (_, expected) = text.split_once("expected").expect("serde names the words");
    expected
        .split('`')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}

pub(super) fn base_url(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://" })
}

pub(super) fn path(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "minLength": 1 })
}

pub(super) fn paths(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "array", "items": { "type": "string", "minLength": 1 } })
}

pub(super) fn host(_: &mut SchemaGenerator) -> Schema {
    let names: Vec<_> = Manifest::embedded().host.keys().collect();
    json_schema!({ "enum": names })
}

pub(super) fn share(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "number", "minimum": 0.0, "maximum": 1.0 })
}

pub(super) fn submit_key(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "pattern": "^[A-Za-z0-9-]{8,128}$" })
}

pub(super) fn url(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "format": "uri" })
}

pub(super) fn group(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$", "maxLength": 64 })
}

pub(super) fn one_or_more(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "anyOf": [
            { "type": "string" },
            { "type": "array", "items": { "type": "string" }, "minItems": 1 },
        ]
    })
}

/// `[levels]`: every code of a finding or a reason.
pub(super) fn levels(_: &mut SchemaGenerator) -> Schema {
    let words = words_of::<Level>();
    let mut codes = serde_json::Map::new();
    for code in ALL {
        let level = serde_json::json!({ "enum": words, "description": code.description() });
        codes.insert(code.name.to_owned(), level);
    }
    for reason in reason_names() {
        codes.insert(reason.to_owned(), serde_json::json!({ "enum": words }));
    }
    json_schema!({ "type": "object", "properties": codes, "additionalProperties": false })
}

/// Joins the lines of a description, and removes what says nothing about a file: the defaults of
/// tables and of settings without one, and `null`, which TOML does not have.
fn tidy(schema: &mut Schema) {
    if let Some(Json::String(text)) = schema.get_mut("description") {
        *text = text.replace('\n', " ");
    }
    if let Some(Json::Null | Json::Object(_)) = schema.get("default") {
        schema.remove("default");
    }
    if let Some(Json::Array(types)) = schema.get("type") {
        let written = types[0].clone();
        schema.insert("type".to_owned(), written);
    }
}

/// Set this variable to 1 to rewrite the committed schema.
const UPDATE: &str = "UPDATE_EXPECTED";

#[test]
fn the_committed_schema_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/waypost.schema.json");
    let settings = SchemaSettings::draft2020_12()
        .with(|settings| settings.inline_subschemas = true)
        .with_transform(RecursiveTransform(tidy));
    let schema = settings.into_generator().into_root_schema_for::<Settings>();
    let generated = format!("{:#}\n", schema.to_value());
    if std::env::var_os(UPDATE).is_some() {
        std::fs::write(path, &generated).expect("the schema is written");
    }
    let committed = std::fs::read_to_string(path).expect("the schema exists");
    assert_eq!(committed, generated, "set {UPDATE}=1 to rewrite it");
}
