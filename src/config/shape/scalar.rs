//! Shapes of booleans, numbers within limits, and words from a fixed set.

use serde_json::{Value as Json, json};

use super::{Shape, quote, text_of};
use crate::config::mistake::{nearest, quoted};
use crate::config::reader::{LayerReader, ValueAuthor};
use crate::settings::Share;
use located_values::{SettingData, SettingValue};
use sitemaps::Priority;

/// `true` or `false`.
pub(in crate::config) struct FlagShape;

impl Shape for FlagShape {
    type Checked = bool;

    fn read(&self, value: &SettingValue, reader: &mut LayerReader<'_>) -> Option<bool> {
        match &value.data {
            SettingData::Flag(flag) => return Some(*flag),
            // Environment variables are always strings.
            SettingData::Text(text) if reader.author() == ValueAuthor::User => {
                match text.as_str() {
                    "true" => return Some(true),
                    "false" => return Some(false),
                    _ => reader.invalid_value(
                        None,
                        format_args!("must be `true` or `false`, not `{text}`"),
                        None,
                    ),
                }
            }
            _ => reader.wrong_type(value, "`true` or `false`"),
        }
        None
    }

    fn show(&self, checked: &bool) -> String {
        checked.to_string()
    }

    fn schema(&self) -> Json {
        json!({ "type": "boolean" })
    }
}

/// An integer within limits.
pub(in crate::config) struct CountShape {
    pub(in crate::config) from: usize,
    pub(in crate::config) to: usize,
    /// The reason for the limits, shown as a hint.
    pub(in crate::config) why: &'static str,
}

impl Shape for CountShape {
    type Checked = usize;

    fn read(&self, value: &SettingValue, reader: &mut LayerReader<'_>) -> Option<usize> {
        let number = match &value.data {
            SettingData::Whole(number) => usize::try_from(*number).ok(),
            SettingData::Number(_) => None,
            SettingData::Text(text) if reader.author() == ValueAuthor::User => text.parse().ok(),
            _ => {
                reader.wrong_type(value, "an integer");
                return None;
            }
        };
        let count = number.filter(|number| (self.from..=self.to).contains(number));
        if count.is_none() {
            let what = format!("must be an integer from {} to {}", self.from, self.to);
            reader.invalid_value(value.place, what, Some(self.why.to_owned()));
        }
        count
    }

    fn show(&self, checked: &usize) -> String {
        checked.to_string()
    }

    fn schema(&self) -> Json {
        json!({ "type": "integer", "minimum": self.from, "maximum": self.to })
    }
}

/// `<priority>`: a number from 0.0 to 1.0.
pub(in crate::config) struct PriorityShape;

impl Shape for PriorityShape {
    type Checked = Priority;

    fn read(&self, value: &SettingValue, reader: &mut LayerReader<'_>) -> Option<Priority> {
        Priority::new(read_share(value, reader)?)
    }

    fn show(&self, checked: &Priority) -> String {
        checked.to_string()
    }

    fn schema(&self) -> Json {
        json!({ "type": "number", "minimum": 0.0, "maximum": 1.0 })
    }
}

/// A share of pages: a number from 0 to 1.
pub(in crate::config) struct ShareShape;

impl Shape for ShareShape {
    type Checked = Share;

    fn read(&self, value: &SettingValue, reader: &mut LayerReader<'_>) -> Option<Share> {
        Share::new(read_share(value, reader)?)
    }

    fn show(&self, checked: &Share) -> String {
        format!("{:?}", checked.value())
    }

    fn schema(&self) -> Json {
        PriorityShape.schema()
    }
}

/// Reads a number from 0.0 to 1.0. An environment variable has it as a string.
fn read_share(value: &SettingValue, reader: &mut LayerReader<'_>) -> Option<f64> {
    let number = match value.data {
        #[expect(
            clippy::cast_precision_loss,
            reason = "only 0 and 1 are in range, and exact"
        )]
        SettingData::Whole(number) => number as f64,
        SettingData::Number(number) => number,
        SettingData::Text(ref text) if reader.author() == ValueAuthor::User => {
            text.parse().unwrap_or(f64::NAN)
        }
        _ => {
            reader.wrong_type(value, "a number from 0.0 to 1.0");
            return None;
        }
    };
    if !(0.0..=1.0).contains(&number) {
        reader.invalid_value(
            value.place,
            format_args!("must be a number from 0.0 to 1.0, not {number}"),
            None,
        );
        return None;
    }
    Some(number)
}

/// One of several words.
pub(in crate::config) struct WordShape<T: 'static>(
    pub(in crate::config) &'static [(&'static str, T)],
);

impl<T: Copy + PartialEq> Shape for WordShape<T> {
    type Checked = T;

    fn read(&self, value: &SettingValue, reader: &mut LayerReader<'_>) -> Option<T> {
        let words = || self.0.iter().map(|(word, _)| *word);
        let wanted = format!("one of {}", quoted(words()));
        let text = text_of(value, reader, &wanted)?;
        let found = self.0.iter().find(|(word, _)| *word == text);
        if found.is_none() {
            let hint = nearest(text, words())
                .or_else(|| {
                    level_of_other_tools(text).filter(|level| words().any(|word| word == *level))
                })
                .map(|word| format!("did you mean `{word}`?"));
            reader.invalid_value(
                value.place,
                format_args!("must be {wanted}, not `{text}`"),
                hint,
            );
        }
        found.map(|(_, checked)| *checked)
    }

    fn show(&self, checked: &T) -> String {
        let word = self
            .0
            .iter()
            .find(|(_, value)| value == checked)
            .map(|(word, _)| *word);
        quote(word.unwrap_or_default())
    }

    fn schema(&self) -> Json {
        json!({ "enum": self.0.iter().map(|(word, _)| *word).collect::<Vec<_>>() })
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

#[cfg(test)]
mod tests {
    use crate::config::settings_test::{mistakes, read};

    #[test]
    fn a_number_outside_its_limits_is_rejected() {
        let check = |text: &str, expected: &str| {
            assert_eq!(
                mistakes(format!("[sitemap]\n{text}")),
                format!("waypost.toml:2: {expected}\n")
            );
        };
        let urls = "`sitemap.max_urls` must be an integer from 1 to 50000 \
                    (the sitemaps.org protocol allows 50,000 URLs per file)";
        check("max_urls = 0", urls);
        check("max_urls = 50_001", urls);
        check("max_urls = -1", urls);
        check("max_urls = 2.5", urls);
        check("max_urls = 99999999999999999999", urls);
        check(
            "max_urls = '7'",
            "`sitemap.max_urls` must be an integer, not a string",
        );
        check(
            "max_bytes = 999",
            "`sitemap.max_bytes` must be an integer from 1000 to 52428800 \
             (the sitemaps.org protocol allows 50 MiB, \
             and a file below 1,000 bytes cannot hold a URL)",
        );
    }

    #[test]
    fn a_priority_is_a_number_from_zero_to_one() {
        let written = |text: &str| format!("[[rule]]\nmatch = 'a'\npriority = {text}\n");
        for text in ["0", "1", "0.5", "1e-7", "-0.0"] {
            assert!(read(written(text)).is_ok(), "{text}");
        }
        for text in ["1.1", "-0.1", "nan", "inf", "2", "'0.5'", "true"] {
            let shown = mistakes(written(text));
            assert!(
                shown.starts_with(
                    "waypost.toml:3: `priority` must be a number from 0.0 to 1.0, not "
                ),
                "{shown}"
            );
        }
    }

    #[test]
    fn a_word_must_match_exactly() {
        let check = |text: &str, expected: &str| {
            assert_eq!(mistakes(text), format!("waypost.toml:1: {expected}\n"));
        };
        check(
            "url_style = 'Clean'",
            "`url_style` must be one of `host`, `keep`, `clean`, `slash`, not `Clean` \
             (did you mean `clean`?)",
        );
        check(
            "url_style = 3",
            "`url_style` must be one of `host`, `keep`, `clean`, `slash`, not a number",
        );
        check(
            "sitemap.hreflang = 'true'",
            "`sitemap.hreflang` must be `true` or `false`, not a string",
        );
    }
}
