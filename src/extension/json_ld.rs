//! Finds the objects of a type in JSON-LD, and their values as plain text.
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

/// Returns the objects of a wanted type, at any depth, in document order.
pub(super) fn objects_of<'v>(
    values: &'v [Value],
    is_wanted: &dyn Fn(&str) -> bool,
) -> Vec<&'v JsonLdObject> {
    let mut found = Vec::new();
    for value in values {
        collect_objects(value, is_wanted, &mut found);
    }
    found
}

/// The recursion is bounded: serde_json rejects nesting deeper than 128 levels.
fn collect_objects<'v>(
    value: &'v Value,
    is_wanted: &dyn Fn(&str) -> bool,
    found: &mut Vec<&'v JsonLdObject>,
) {
    match value {
        Value::Array(values) => values
            .iter()
            .for_each(|value| collect_objects(value, is_wanted, found)),
        Value::Object(object) => {
            if types(object).any(is_wanted) {
                found.push(object);
            }
            object
                .values()
                .for_each(|value| collect_objects(value, is_wanted, found));
        }
        _ => {}
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_found_at_any_depth_and_in_any_form_of_their_type() {
        let scripts = [
            r#"{"@graph": [{"@type": "WebPage", "video": {"@type": ["Thing", "schema:V"], "name": 1}}]}"#.to_owned(),
            r#"[{"@type": "https://schema.org/V", "name": [" b\n c "], "at": {"url": "x"}}, {"@type": 5}, "V"]"#
                .to_owned(),
            "{broken".to_owned(),
            "[".repeat(100_000),
        ];
        let values = parsed(&scripts);
        let found = objects_of(&values, &|name| name == "V");
        assert_eq!(
            found
                .iter()
                .map(|object| text(object, "name"))
                .collect::<Vec<_>>(),
            [None, Some("b c".to_owned())]
        );
        assert_eq!(url_text(found[1], "at"), Some("x"));
        assert_eq!(url_text(found[0], "at"), None);
    }
}
