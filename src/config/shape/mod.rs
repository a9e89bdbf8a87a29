//! The shapes that a setting may have: how each is read, shown again, and described in the schema.

mod list;
mod news;
mod scalar;
mod secret;
mod site;
mod text;

pub(super) use list::{ListLength, ListShape};
pub(super) use news::PublicationTable;
pub(super) use scalar::{CountShape, FlagShape, PriorityShape, WordShape};
pub(super) use secret::{SecretShape, SecretUrlShape};
pub(super) use site::{
    BaseUrlShape, FixedDateShape, GlobShape, GroupShape, SiteFileShape, SourcePathShape,
};
pub(super) use text::{COMMIT, EXTENSION, META_NAME, SITEMAP_FILE};

use serde_json::{Value as Json, json};

use super::mistake::escape_controls;
use super::reader::LayerReader;
use super::value::{SettingData, SettingValue};

/// The shape of a setting.
pub(super) trait Shape {
    /// What it becomes once it is checked.
    type Checked;

    /// Reads a value; where it is wrong, every mistake is recorded and nothing comes back.
    fn read(&self, value: &SettingValue, reader: &mut LayerReader<'_>) -> Option<Self::Checked>;

    /// The value as it would be written in TOML.
    fn show(&self, checked: &Self::Checked) -> String;

    /// The shape as JSON Schema (draft 2020-12).
    fn schema(&self) -> Json;
}

/// What is shown for a setting that has neither a value nor a default.
pub(super) const NOT_SET: &str = "not set";

/// A setting that may be left unset.
pub(super) struct OptionalShape<S>(pub(super) S);

impl<S: Shape> Shape for OptionalShape<S> {
    type Checked = Option<S::Checked>;

    fn read(&self, value: &SettingValue, reader: &mut LayerReader<'_>) -> Option<Self::Checked> {
        self.0.read(value, reader).map(Some)
    }

    fn show(&self, checked: &Self::Checked) -> String {
        checked
            .as_ref()
            .map_or_else(|| NOT_SET.to_owned(), |checked| self.0.show(checked))
    }

    fn schema(&self) -> Json {
        self.0.schema()
    }
}

/// Takes a text.
fn text_of<'v>(
    value: &'v SettingValue,
    reader: &mut LayerReader<'_>,
    wanted: &str,
) -> Option<&'v str> {
    let SettingData::Text(text) = &value.data else {
        reader.wrong_kind(value, wanted);
        return None;
    };
    Some(text)
}

/// A text in quotes, with escapes that TOML and JSON share.
fn quote(text: &str) -> String {
    escape_controls(&json!(text).to_string())
}
