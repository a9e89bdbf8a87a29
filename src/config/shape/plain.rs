//! Plain values: flags, numbers within limits, and words of a known few.

use serde_json::{Value as Json, json};

use super::{Shape, quote, text_of};
use crate::config::mistake::{nearest, quoted};
use crate::config::reader::{Author, Reader};
use crate::config::value::{Data, Value};
use crate::rule::Priority;

/// `true` or `false`.
pub(in crate::config) struct Flag;

impl Shape for Flag {
    type Checked = bool;

    fn read(&self, value: &Value, reader: &mut Reader<'_>) -> Option<bool> {
        match &value.data {
            Data::Flag(flag) => return Some(*flag),
            // The environment knows only texts.
            Data::Text(text) if reader.author() == Author::User => match text.as_str() {
                "true" => return Some(true),
                "false" => return Some(false),
                _ => reader.wrong(None, format_args!("must be `true` or `false`, not `{text}`"), None),
            },
            _ => reader.wrong_kind(value, "true or false"),
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

/// A whole number within limits.
pub(in crate::config) struct Count {
    pub(in crate::config) from: usize,
    pub(in crate::config) to: usize,
    /// Why these are the limits.
    pub(in crate::config) why: &'static str,
}

impl Shape for Count {
    type Checked = usize;

    fn read(&self, value: &Value, reader: &mut Reader<'_>) -> Option<usize> {
        let number = match &value.data {
            Data::Whole(number) => usize::try_from(*number).ok(),
            Data::Number(_) => None,
            Data::Text(text) if reader.author() == Author::User => text.parse().ok(),
            _ => {
                reader.wrong_kind(value, "a whole number");
                return None;
            }
        };
        let count = number.filter(|number| (self.from..=self.to).contains(number));
        if count.is_none() {
            let what = format!("must be a whole number from {} to {}", self.from, self.to);
            reader.wrong(value.place, what, Some(self.why.to_owned()));
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
pub(in crate::config) struct PriorityNumber;

impl Shape for PriorityNumber {
    type Checked = Priority;

    fn read(&self, value: &Value, reader: &mut Reader<'_>) -> Option<Priority> {
        let number = match value.data {
            #[expect(clippy::cast_precision_loss, reason = "only 0 and 1 are in range, and exact")]
            Data::Whole(number) => number as f64,
            Data::Number(number) => number,
            _ => {
                reader.wrong_kind(value, "a number from 0.0 to 1.0");
                return None;
            }
        };
        let priority = Priority::new(number);
        if priority.is_none() {
            reader.wrong(value.place, format_args!("must be a number from 0.0 to 1.0, not {number}"), None);
        }
        priority
    }

    fn show(&self, checked: &Priority) -> String {
        checked.to_string()
    }

    fn schema(&self) -> Json {
        json!({ "type": "number", "minimum": 0.0, "maximum": 1.0 })
    }
}

/// One word of several.
pub(in crate::config) struct Words<T: 'static>(pub(in crate::config) &'static [(&'static str, T)]);

impl<T: Copy + PartialEq> Shape for Words<T> {
    type Checked = T;

    fn read(&self, value: &Value, reader: &mut Reader<'_>) -> Option<T> {
        let words = || self.0.iter().map(|(word, _)| *word);
        let wanted = format!("one of {}", quoted(words()));
        let text = text_of(value, reader, &wanted)?;
        let found = self.0.iter().find(|(word, _)| *word == text);
        if found.is_none() {
            let hint = nearest(text, words()).map(|word| format!("did you mean `{word}`?"));
            reader.wrong(value.place, format_args!("must be {wanted}, not `{text}`"), hint);
        }
        found.map(|(_, checked)| *checked)
    }

    fn show(&self, checked: &T) -> String {
        let word = self.0.iter().find(|(_, value)| value == checked).map(|(word, _)| *word);
        quote(word.unwrap_or_default())
    }

    fn schema(&self) -> Json {
        json!({ "enum": self.0.iter().map(|(word, _)| *word).collect::<Vec<_>>() })
    }
}
