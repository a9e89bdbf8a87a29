//! Parses the front matter of content files: TOML between `+++`, YAML between `---`, or a JSON
//! object.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use super::Condition;
use crate::files::located_values::{Syntax, SyntaxError};

/// Maximum number of bytes to read from a content file. The text below the front matter is not
/// needed.
const MAX_BYTES: u64 = 1 << 20;

/// Room for usual content files.
const USUAL_BYTES: usize = 16 << 10;

/// Returns the first bytes of a content file.
pub(super) fn beginning_of(file: &Path) -> std::io::Result<Vec<u8>> {
    // An empty vector would be filled in parts that double from 32 bytes.
    let mut bytes = Vec::with_capacity(USUAL_BYTES);
    File::open(file)?.take(MAX_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The front matter at the start of a file, and its format.
fn written_in(whole: &str) -> Option<(&str, Syntax)> {
    let text = without_mark(whole);
    if let Some(written) = fenced(text, "+++", &["+++"]) {
        return Some((written, Syntax::Toml));
    }
    // Jekyll also accepts YAML's document end marker as the closing fence.
    if let Some(written) = fenced(text, "---", &["---", "..."]) {
        return Some((written, Syntax::Yaml));
    }
    Some((object(text)?, Syntax::Json))
}

pub(super) fn without_mark(whole: &str) -> &str {
    whole.strip_prefix('\u{feff}').unwrap_or(whole)
}

/// The JSON object at the beginning of a text, rather than a template tag such as `{% extends
/// "page.njk" %}`. One with a mistake has no known end.
fn object(text: &str) -> Option<&str> {
    if !text.starts_with('{') || text[1..].starts_with(['%', '{', '#']) {
        return None;
    }
    let mut objects = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
    match objects.next() {
        Some(Ok(_)) => Some(&text[..objects.byte_offset()]),
        _ => Some(text),
    }
}

/// The parsed front matter of a content file, independent of its format.
///
/// A site keeps that of all its files. It has few keys, so a slice is smaller than a map and as fast.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FrontMatter {
    /// `None` if the file has no front matter.
    fields: Option<Box<[Field]>>,
}

type Field = (Box<str>, Value);

impl FrontMatter {
    /// Parses the front matter of the first bytes of a file; a file without front matter has an empty one. Error
    /// positions are relative to the file.
    pub(super) fn from_content(bytes: &[u8]) -> Result<Self, SyntaxError> {
        let whole = String::from_utf8_lossy(bytes);
        let text = without_mark(&whole).trim_start();
        let is_open = text.starts_with("+++") || text.starts_with("---");
        if bytes.len() as u64 == MAX_BYTES && is_open && written_in(&whole).is_none() {
            return Err(SyntaxError {
                message: "no closing fence in the first 1 MiB".to_owned(),
                place: None,
            });
        }
        Self::parse(&whole)
    }

    /// Metadata that is not between fences.
    pub(super) fn from_fields(fields: Map<String, Value>) -> Self {
        let fields = fields.into_iter().map(|(key, value)| (key.into(), value));
        Self {
            fields: Some(fields.collect()),
        }
    }

    /// Parses the front matter at the start of `whole`. Error positions are relative to `whole`.
    pub fn parse(whole: &str) -> Result<Self, SyntaxError> {
        let Some((written, syntax)) = written_in(whole) else {
            return Ok(Self::default());
        };
        let start = written.as_ptr().addr() - whole.as_ptr().addr();
        let value = syntax.to_json(written).map_err(|error| {
            let place = error.place.map(|place| place.shifted_by(start));
            SyntaxError { place, ..error }
        })?;
        Ok(Self::from_fields(match value {
            Value::Object(fields) => fields,
            _ => Map::new(),
        }))
    }

    /// Adds values for keys that are not set.
    pub(super) fn inherit(&mut self, values: &Map<String, Value>) {
        let mut own = self.fields.take().unwrap_or_default().into_vec();
        for (key, value) in values {
            if !own.iter().any(|(set, _)| set.eq_ignore_ascii_case(key)) {
                own.push((key.as_str().into(), value.clone()));
            }
        }
        self.fields = Some(own.into());
    }

    /// The string at a key.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.value(key)?.as_str()
    }

    /// The value at a key as a string, if it is a scalar: `slug: 2024` is `2024`.
    pub fn scalar(&self, key: &str) -> Option<String> {
        self.value(key)
            .and_then(scalar_to_string)
            .filter(|word| !word.is_empty())
    }

    /// Whether the file has front matter, even an empty one.
    pub fn is_present(&self) -> bool {
        self.fields.is_some()
    }

    /// Whether a condition is met.
    pub(super) fn meets(&self, condition: &Condition) -> bool {
        condition.is_met_by(self.value(&condition.key))
    }

    /// The date at the first of these keys that has one, as a string.
    pub fn date(&self, keys: impl IntoIterator<Item = impl AsRef<str>>) -> Option<String> {
        keys.into_iter()
            .filter_map(|key| self.text(key.as_ref()))
            .find(|text| !text.trim().is_empty() && !asks_for_date(text.trim()))
            .map(str::to_owned)
    }

    /// The value at a dotted path. An exact match wins; otherwise case is ignored, as in Hugo.
    pub fn value(&self, path: &str) -> Option<&Value> {
        let mut keys = path.split('.');
        let fields = self.fields.as_deref()?.iter();
        let top = entry(fields.map(|(name, value)| (&**name, value)), keys.next()?)?;
        keys.try_fold(top, |value, key| {
            let table = value.as_object()?.iter();
            entry(table.map(|(name, value)| (name.as_str(), value)), key)
        })
    }
}

/// Whether a text asks the generator for a date, of Git or of the file: words of Eleventy and Quarto.
fn asks_for_date(text: &str) -> bool {
    const WORDS: [&str; 7] = [
        "created",
        "git created",
        "git last modified",
        "last modified",
        "last-modified",
        "now",
        "today",
    ];
    WORDS.contains(&text.to_ascii_lowercase().as_str())
}

/// The value of the entry with exactly this name, or else of the first that differs only in case.
fn entry<'v>(
    mut entries: impl Iterator<Item = (&'v str, &'v Value)> + Clone,
    key: &str,
) -> Option<&'v Value> {
    let exact = entries.clone().find(|(name, _)| *name == key);
    let (_, value) = exact.or_else(|| entries.find(|(name, _)| name.eq_ignore_ascii_case(key)))?;
    Some(value)
}

/// Converts a string, number or boolean to the string that Hugo makes of it: `3.0` becomes `3`, and
/// numbers have no exponent.
pub(super) fn scalar_to_string(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Bool(on) => Some(on.to_string()),
        Value::Number(number) if number.is_f64() => Some(number.as_f64()?.to_string()),
        Value::Number(number) => Some(number.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// The text between an opening fence on a line by itself and the next closing fence.
///
/// Blank lines above the fence are allowed, as in Zola and Hugo. Generators that do not allow them
/// render such front matter as text, so published pages do not have it.
fn fenced<'t>(text: &'t str, fence: &str, closing: &[&str]) -> Option<&'t str> {
    let (first, body) = text.trim_start().split_once('\n')?;
    let mut at = 0;
    for line in body
        .split_inclusive('\n')
        .filter(|_| first.trim_end() == fence)
    {
        if closing.contains(&line.trim_end()) {
            return Some(&body[..at]);
        }
        at += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matter_is_parsed_in_all_three_formats() {
        let check = |text: &str| {
            let front_matter = FrontMatter::parse(text).expect("front matter");
            assert_eq!(front_matter.text("slug"), Some("a"), "{text}");
            assert_eq!(
                front_matter.value("draft"),
                Some(&Value::Bool(true)),
                "{text}"
            );
            let keys = ["updated".to_owned(), "date".to_owned()];
            assert_eq!(
                front_matter.date(&keys).as_deref(),
                Some("2024-05-06"),
                "{text}"
            );
        };
        check("+++\nslug = \"a\"\ndraft = true\ndate = 2024-05-06\n+++\ntext");
        check("+++\r\nslug = \"a\"\r\ndraft = true\r\ndate = \"2024-05-06\"\r\n+++\r\ntext");
        check("---\nslug: a\ndraft: true\ndate: 2024-05-06\n---\ntext");
        check("---\nslug: a\ndraft: true\ndate: 2024-05-06\n...\ntext\n---\n");
        check("\n \r\n+++\nslug = \"a\"\ndraft = true\ndate = 2024-05-06\n+++\ntext");
        check("\n---\nslug: a\ndraft: true\ndate: 2024-05-06\n---\ntext");
        check("{\"slug\": \"a\", \"draft\": true, \"Date\": \"2024-05-06\"}\ntext");
    }

    #[test]
    fn numbers_and_booleans_are_converted_to_strings() {
        let check = |written: &str, expected: Option<&str>| {
            let front_matter =
                FrontMatter::parse(&format!("---\nslug: {written}\n---\n")).expect("YAML");
            assert_eq!(
                front_matter.scalar("slug").as_deref(),
                expected,
                "{written}"
            );
        };
        check("a", Some("a"));
        check("2024", Some("2024"));
        check("-1", Some("-1"));
        check("1.10", Some("1.1"));
        check("3.0", Some("3"));
        check("0.00001", Some("0.00001"));
        check("true", Some("true"));
        check("''", None);
        check("[a]", None);
        check("null", None);
    }

    #[test]
    fn the_last_value_of_a_repeated_key_counts() {
        let front_matter = FrontMatter::parse("---\na: x\nb: 1\na: z\n---\n").expect("YAML");
        assert_eq!(front_matter.text("a"), Some("z"));
    }

    #[test]
    fn a_file_without_front_matter_has_an_empty_one() {
        for text in [
            "",
            "text",
            "{% extends \"page.njk\" %}\n",
            "{{ title }}",
            "{# a comment #}",
            "---",
            "+++\nnever = \"closed\"\n",
            "# Title\n\n---\n",
        ] {
            assert_eq!(
                FrontMatter::parse(text),
                Ok(FrontMatter::default()),
                "{text}"
            );
        }
    }

    #[test]
    fn errors_have_a_position_and_do_not_show_parser_internals() {
        let check = |text: &str, expected: &str| {
            let error = FrontMatter::parse(text).expect_err("a syntax error");
            let start = error.place.map_or(0, |place| place.start);
            assert_eq!(format!("{start}: {}", error.message), expected, "{text:?}");
        };
        check(
            "+++\nslug = \n+++\n",
            "11: string values must be quoted, expected literal string",
        );
        check("---\na: [\n---\n", "7: unclosed bracket '['");
        check("{\"a\": 1,\n}\ntext", "9: trailing comma");
    }
}
