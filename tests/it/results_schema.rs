//! The published schema of JSON results. Every result that a test prints is checked against it, and
//! may have no key that it does not describe.

use std::sync::LazyLock;

use serde_json::{Map, Value};

/// How many lines of JSON Lines are checked.
const MAX_LINES: usize = 1000;

static SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    let text = include_str!("../../waypost-results.schema.json");
    serde_json::from_str(text).expect("the schema is JSON")
});

/// Asserts that what a command has printed with `--json` fits its schema.
pub(crate) fn assert_result(arguments: &[&str], stdout: &str) {
    if !arguments.contains(&"--json") || !stdout.starts_with('{') {
        return;
    }
    let results: Vec<Value> = if arguments.contains(&"explain") {
        stdout.lines().take(MAX_LINES).map(parse).collect()
    } else {
        vec![parse(stdout)]
    };
    for result in results {
        let name = definition_of(arguments, &result);
        let faults = faults_of(&result, &SCHEMA["$defs"][name]);
        assert!(
            faults.is_empty(),
            "{arguments:?}: {faults:#?} in\n{result:#}"
        );
    }
}

fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The name of the definition for the result of a command.
fn definition_of(arguments: &[&str], result: &Value) -> &'static str {
    match arguments.first() {
        Some(&"check") if result.get("file").is_some() => "check_set",
        Some(&"check") => "check",
        Some(&"dates") => "dates",
        Some(&"explain") => "explain",
        Some(&"index") => "index",
        Some(&"submit") => "submit",
        _ => "build",
    }
}

fn faults_of(value: &Value, schema: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    check(value, schema, "", &mut faults);
    faults
}

/// Checks the keywords that the schema uses. `tests/slow/report.py` has a complete validator.
fn check(value: &Value, schema: &Value, place: &str, faults: &mut Vec<String>) {
    let schema = schema.as_object().expect("a schema is an object");
    for (keyword, expected) in schema {
        let fits = match keyword.as_str() {
            "description" | "required" | "additionalProperties" => true,
            "$ref" => {
                let path = expected.as_str().and_then(|path| path.strip_prefix("#"));
                let definition = SCHEMA.pointer(path.expect("a path")).expect("it exists");
                check(value, definition, place, faults);
                true
            }
            "anyOf" => {
                let mut schemas = expected.as_array().expect("an array").iter();
                schemas.any(|schema| faults_of(value, schema).is_empty())
            }
            "const" => value == expected,
            "enum" => expected.as_array().expect("an array").contains(value),
            "minimum" => value
                .as_f64()
                .is_none_or(|number| Some(number) >= expected.as_f64()),
            "maximum" => value
                .as_f64()
                .is_none_or(|number| Some(number) <= expected.as_f64()),
            "type" => match expected {
                Value::Array(types) => types.iter().any(|name| has_type(value, name)),
                name => has_type(value, name),
            },
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(item, expected, &format!("{place}/{index}"), faults);
                }
                true
            }
            "properties" => {
                if let Some(object) = value.as_object() {
                    check_keys(object, schema, place, faults);
                }
                true
            }
            other => panic!("the keyword `{other}` is not checked"),
        };
        if !fits {
            faults.push(format!(
                "{place}: {value} does not fit `{keyword}`: {expected}"
            ));
        }
    }
}

fn check_keys(
    object: &Map<String, Value>,
    schema: &Map<String, Value>,
    place: &str,
    faults: &mut Vec<String>,
) {
    let properties = &schema["properties"];
    for (key, value) in object {
        match properties.get(key) {
            Some(schema) => check(value, schema, &format!("{place}/{key}"), faults),
            None => faults.push(format!("{place}: the key `{key}` is not in the schema")),
        }
    }
    let required = schema.get("required").and_then(Value::as_array);
    for key in required.into_iter().flatten().filter_map(Value::as_str) {
        if !object.contains_key(key) {
            faults.push(format!("{place}: the key `{key}` is missing"));
        }
    }
}

fn has_type(value: &Value, name: &Value) -> bool {
    match name.as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("integer") => value.is_u64() || value.is_i64(),
        Some("number") => value.is_number(),
        Some("boolean") => value.is_boolean(),
        Some("null") => value.is_null(),
        other => panic!("unknown type {other:?}"),
    }
}
