//! Reads JSON-LD: the types of objects, and their values as plain text.
//!
//! Contexts are not followed: real pages use schema.org's names without a prefix, or with its URL.

use serde_json::{Map, Value};

pub(super) type JsonLdObject = Map<String, Value>;

/// Parses the scripts of a page; one that is not valid JSON is ignored.
pub(super) fn parsed(scripts: &[String]) -> Vec<Value> {
    scripts
        .iter()
        .filter_map(|script| serde_json::from_str(script.trim()).ok())
        .collect()
}

/// Types of an object without their prefix: `https://schema.org/VideoObject`, `schema:VideoObject`.
pub(super) fn types(object: &JsonLdObject) -> impl Iterator<Item = &str> {
    let written = object.get("@type").map_or(&[][..], |value| match value {
        Value::Array(values) => values,
        value => std::slice::from_ref(value),
    });
    written
        .iter()
        .filter_map(Value::as_str)
        .map(|name| name.rsplit(['/', '#', ':']).next().unwrap_or(name))
}

/// Text at a key, with white space collapsed as in a browser; of several texts, the first.
pub(super) fn text(object: &JsonLdObject, key: &str) -> Option<String> {
    let text = first_text(object.get(key)?, &["@value", "name"])?;
    let plain = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!plain.is_empty()).then_some(plain)
}

/// URL at a key, as a text or inside an object (`ImageObject`); of several, the first.
pub(super) fn url_text<'v>(object: &'v JsonLdObject, key: &str) -> Option<&'v str> {
    let text = first_text(object.get(key)?, &["contentUrl", "url", "@id", "@value"])?.trim();
    (!text.is_empty()).then_some(text)
}

fn first_text<'v>(value: &'v Value, keys: &[&str]) -> Option<&'v str> {
    match value {
        Value::String(text) => Some(text),
        Value::Array(values) => values.iter().find_map(|value| first_text(value, keys)),
        Value::Object(object) => keys.iter().find_map(|key| object.get(*key)?.as_str()),
        _ => None,
    }
}
