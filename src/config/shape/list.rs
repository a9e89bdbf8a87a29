//! Shape of arrays whose elements have one shape.

use std::collections::BTreeSet;

use serde_json::{Value as Json, json};

use super::{Shape, quote};
use crate::config::reader::{LayerReader, ValueAuthor};
use located_values::{SettingData, SettingValue};

/// An array whose elements have one shape.
pub(in crate::config) struct ListShape<S> {
    pub(in crate::config) of: S,
    pub(in crate::config) length: ListLength,
}

/// The lengths that an array may have, and whether a single value needs brackets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::config) enum ListLength {
    /// Any length; an empty array means "none".
    Any,
    /// At least one element.
    NotEmpty,
    /// At least one element; a single one may be written without brackets.
    NotEmptyOrSingle,
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
                let hint = "separate values with commas, without brackets and quotes: `a/**,b/**`";
                let what = "must not be enclosed in brackets";
                reader.invalid_value(value.place, what, Some(hint.to_owned()));
                return None;
            }
            SettingData::Text(text) if reader.author() == ValueAuthor::User => {
                parts = split_at_commas(text);
                &parts
            }
            SettingData::Text(_) if self.length == ListLength::NotEmptyOrSingle => {
                std::slice::from_ref(value)
            }
            SettingData::Text(text) => {
                let hint = format!("write `[{}]`", quote(text));
                reader.invalid_value(value.place, "must be an array, not a string", Some(hint));
                return None;
            }
            _ => {
                reader.wrong_type(value, "an array");
                return None;
            }
        };
        if values.is_empty() && self.length != ListLength::Any {
            reader.invalid_value(value.place, "must not be empty", None);
            return None;
        }
        // Read every element before returning, so that every mistake is reported.
        let read: Vec<_> = values
            .iter()
            .map(|value| self.of.read(value, reader))
            .collect();
        let all: Self::Checked = read.into_iter().collect::<Option<_>>()?;
        self.check_duplicates(values, &all, reader).then_some(all)
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
        if self.length == ListLength::NotEmptyOrSingle {
            json!({ "anyOf": [self.of.schema(), list] })
        } else {
            list
        }
    }
}

impl<S: Shape> ListShape<S> {
    /// Records duplicate elements.
    fn check_duplicates(
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
                reader.invalid_value(value.place, format_args!("contains {shown} twice"), None);
                alone = false;
            }
            seen.insert(shown);
        }
        alone
    }
}

/// Whether a string looks like a TOML or JSON array. Taken as one glob it would match almost
/// nothing.
fn is_in_brackets(text: &str) -> bool {
    text.starts_with('[') && text.ends_with(']')
}

/// Splits the value of an environment variable at commas, except within the braces of a glob.
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
    use sitemaps::SitemapFormat;

    #[test]
    fn every_invalid_element_is_reported() {
        let text = "[sitemap]\nformats = [\n'xml',\n'xlm',\n7,\n]";
        let words = SitemapFormat::WORDS.map(|(word, _)| format!("`{word}`"));
        let words = words.join(", ");
        let expected = format!(
            "waypost.toml:4: `sitemap.formats` must be one of {words}, not `xlm` \
             (did you mean `xml`?)\n\
             waypost.toml:5: `sitemap.formats` must be one of {words}, not a number\n"
        );
        assert_eq!(mistakes(text), expected);
    }

    #[test]
    fn a_list_has_no_duplicates_and_is_not_empty_if_nothing_would_be_written() {
        let check = |text: &str, expected: &str| {
            assert_eq!(mistakes(text), format!("waypost.toml:1: {expected}\n"));
        };
        check(
            "sitemap.formats = ['xml', 'txt', 'xml']",
            "`sitemap.formats` contains \"xml\" twice",
        );
        check(
            "extensions = ['html', '.HTML']",
            "`extensions` contains \"html\" twice",
        );
        check(
            "sitemap.formats = []",
            "`sitemap.formats` must not be empty",
        );
        check(
            "exclude = 'drafts/**'",
            "`exclude` must be an array, not a string (write `[\"drafts/**\"]`)",
        );
        assert!(read("lastmod.from = []").is_ok());
        assert!(read("rule = [{match = 'a'}, {match = ['a', 'b']}]").is_ok());
    }
}
