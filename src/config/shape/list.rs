//! Lists, every element of one shape.

use std::collections::BTreeSet;

use serde_json::{Value as Json, json};

use super::Shape;
use crate::config::reader::{LayerReader, ValueAuthor};
use crate::config::value::{SettingData, SettingValue};

/// A list, every element of one shape.
pub(in crate::config) struct ListShape<S> {
    pub(in crate::config) of: S,
    pub(in crate::config) length: ListLength,
}

/// How long a list may be, and whether a value may stand alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::config) enum ListLength {
    /// Any length; an empty list says "none".
    Any,
    /// One at least.
    NotEmpty,
    /// One at least, and a single one may stand without its brackets.
    NotEmptyOrAlone,
}

impl<S: Shape> Shape for ListShape<S> {
    type Checked = Vec<S::Checked>;

    fn read(&self, value: &SettingValue, reader: &mut LayerReader<'_>) -> Option<Self::Checked> {
        let parts;
        let values: &[SettingValue] = match &value.data {
            SettingData::List(values) => values,
            SettingData::Text(text)
                if reader.author() == ValueAuthor::User && is_in_brackets(text) =>
            {
                let hint = "separate the parts of a list by commas, without brackets and quotes: `a/**,b/**`";
                reader.wrong(value.place, "stands in brackets", Some(hint.to_owned()));
                return None;
            }
            SettingData::Text(text) if reader.author() == ValueAuthor::User => {
                parts = split_at_commas(text);
                &parts
            }
            SettingData::Text(_) if self.length == ListLength::NotEmptyOrAlone => {
                std::slice::from_ref(value)
            }
            _ => {
                reader.wrong_kind(value, "a list");
                return None;
            }
        };
        if values.is_empty() && self.length != ListLength::Any {
            reader.wrong(value.place, "is empty, but wants one at least", None);
            return None;
        }
        // All are read before one that is wrong ends it, so that every mistake is shown.
        let read: Vec<_> = values
            .iter()
            .map(|value| self.of.read(value, reader))
            .collect();
        let all: Self::Checked = read.into_iter().collect::<Option<_>>()?;
        self.no_twins(values, &all, reader).then_some(all)
    }

    fn show(&self, checked: &Self::Checked) -> String {
        let shown: Vec<_> = checked
            .iter()
            .map(|checked| self.of.show(checked))
            .collect();
        format!("[{}]", shown.join(", "))
    }

    fn schema(&self) -> Json {
        let mut list = json!({ "type": "array", "items": self.of.schema(), "uniqueItems": true });
        if self.length != ListLength::Any {
            list["minItems"] = json!(1);
        }
        if self.length == ListLength::NotEmptyOrAlone {
            json!({ "anyOf": [self.of.schema(), list] })
        } else {
            list
        }
    }
}

impl<S: Shape> ListShape<S> {
    /// Records what stands twice.
    fn no_twins(
        &self,
        values: &[SettingValue],
        checked: &[S::Checked],
        reader: &mut LayerReader<'_>,
    ) -> bool {
        let mut seen = BTreeSet::new();
        let mut alone = true;
        for (value, checked) in values.iter().zip(checked) {
            let shown = self.of.show(checked);
            if seen.contains(&shown) {
                reader.wrong(value.place, format_args!("names {shown} twice"), None);
                alone = false;
            }
            seen.insert(shown);
        }
        alone
    }
}

/// Whether a text is a list as TOML and JSON write it. As one glob it would match next to nothing.
fn is_in_brackets(text: &str) -> bool {
    text.starts_with('[') && text.ends_with(']')
}

/// The elements of a list in an environment variable: split at commas, but not within the braces of a glob.
fn split_at_commas(text: &str) -> Vec<SettingValue> {
    let mut depth = 0_usize;
    let parts = text.split(|character| {
        match character {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        character == ',' && depth == 0
    });
    parts
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .map(SettingValue::text)
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::config::settings_test::{mistakes, read};

    #[test]
    fn every_element_that_is_wrong_is_shown() {
        let text = "[sitemap]\nformats = [\n'xml',\n'xlm',\n7,\n]";
        let expected = "\
waypost.toml:4: `sitemap.formats` must be one of `xml`, `txt`, `rss`, `atom`, not `xlm` (did you mean `xml`?)
waypost.toml:5: `sitemap.formats` must be one of `xml`, `txt`, `rss`, `atom`, not a number
";
        assert_eq!(mistakes(text), expected);
    }

    #[test]
    fn a_list_names_nothing_twice_and_is_not_empty_where_that_would_write_nothing() {
        let check = |text: &str, expected: &str| {
            assert_eq!(mistakes(text), format!("waypost.toml:1: {expected}\n"))
        };
        check(
            "sitemap.formats = ['xml', 'txt', 'xml']",
            "`sitemap.formats` names \"xml\" twice",
        );
        check(
            "extensions = ['html', '.HTML']",
            "`extensions` names \"html\" twice",
        );
        check(
            "sitemap.formats = []",
            "`sitemap.formats` is empty, but wants one at least",
        );
        check("exclude = 'a'", "`exclude` must be a list, not a text");
        assert!(read("lastmod.from = []").is_ok());
        assert!(read("rule = [{match = 'a'}, {match = ['a', 'b']}]").is_ok());
    }
}
