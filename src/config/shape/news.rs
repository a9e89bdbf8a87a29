//! Shape of `news = { name = "…", language = "…" }`, the publication of a rule's pages.

use serde_json::{Value as Json, json};

use super::{Shape, quote, text_of};
use crate::config::reader::LayerReader;
use located_values::SettingValue;
use sitemaps::Publication;

const KEYS: [&str; 2] = ["name", "language"];

/// A publication's name and language.
pub(in crate::config) struct PublicationTable;

impl Shape for PublicationTable {
    type Checked = Publication;

    fn read(&self, value: &SettingValue, reader: &mut LayerReader<'_>) -> Option<Publication> {
        let entries = reader.table(value)?;
        for entry in entries
            .iter()
            .filter(|entry| !KEYS.contains(&entry.key.as_str()))
        {
            reader.unknown_key(entry, &format!("news.{}", entry.key), &KEYS, &[]);
        }
        let missing: Vec<_> = KEYS.iter().filter(|key| value.get(key).is_none()).collect();
        if let Some(key) = missing.first() {
            let hint =
                Some("write `news = { name = \"The Example\", language = \"en\" }`".to_owned());
            reader.invalid_value(value.place, format_args!("has no `{key}`"), hint);
            return None;
        }
        let [name, language] = KEYS.map(|key| {
            value
                .get(key)
                .and_then(|value| text_of(value, reader, "a string"))
        });
        Publication::new(name?, language?)
            .map_err(|error| {
                reader.invalid_value(value.place, format_args!("is invalid: {error}"), None);
            })
            .ok()
    }

    fn show(&self, checked: &Publication) -> String {
        format!(
            "{{ name = {}, language = {} }}",
            quote(&checked.name),
            quote(&checked.language)
        )
    }

    fn schema(&self) -> Json {
        let language = "^([A-Za-z]{2,3}|[Zz][Hh]-([Cc][Nn]|[Tt][Ww]))$";
        json!({
            "type": "object",
            "properties": {
                "name": { "type": "string", "minLength": 1 },
                "language": { "type": "string", "pattern": language },
            },
            "required": KEYS,
            "additionalProperties": false,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::config::settings_test::{mistakes, read};

    #[test]
    fn a_publication_has_a_name_and_a_language() {
        let written = |table: &str| format!("[[rule]]\nmatch = 'a'\nnews = {table}");
        assert!(read(written("{ name = 'The Example', language = 'en' }")).is_ok());
        let check = |table: &str, expected: &str| {
            assert_eq!(
                mistakes(written(table)),
                format!("waypost.toml:3: {expected}\n")
            );
        };
        let hint = "(write `news = { name = \"The Example\", language = \"en\" }`)";
        check(
            "{ name = 'x' }",
            &format!("`news` has no `language` {hint}"),
        );
        check("{}", &format!("`news` has no `name` {hint}"));
        check("'x'", "`news` must be a table, not a string");
        check(
            "{ name = 'x', language = 'en', langage = 'en' }",
            "unknown key `news.langage` (did you mean `language`?)",
        );
        check(
            "{ name = 'x', language = 'english' }",
            "`news` is invalid: `english` is not a supported language code; \
             use two or three letters (ISO 639), `zh-cn` or `zh-tw`",
        );
        check(
            "{ name = 1, language = 'en' }",
            "`news` must be a string, not a number",
        );
    }
}
