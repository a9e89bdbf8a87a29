//! Shapes of settings: how each is read, shown again, and described in the schema.

mod list;
mod news;
mod scalar;
mod secret;
mod site;
mod text;

pub(super) use list::{ListLength, ListShape};
pub(super) use news::PublicationTable;
pub(super) use scalar::{CountShape, FlagShape, PriorityShape, ShareShape, WordShape};
pub(super) use secret::{SecretShape, SecretUrlShape};
pub(super) use site::{
    BaseUrlShape, BranchShape, FixedDateShape, GlobShape, GroupShape, SiteFileShape,
    SourcePathShape,
};
pub(super) use text::{AGENT_NAME, COMMIT, COMMIT_PATTERN, EXTENSION, META_NAME, SITEMAP_FILE};

use serde_json::{Value as Json, json};

use super::mistake::escape_controls;
use super::reader::LayerReader;
use located_values::{SettingData, SettingValue};

/// The shape of a setting.
pub(super) trait Shape {
    /// The type of a checked value.
    type Checked;

    /// Reads a value. If it is wrong, records every mistake and returns `None`.
    fn read(&self, value: &SettingValue, reader: &mut LayerReader<'_>) -> Option<Self::Checked>;

    /// The value in TOML syntax.
    fn show(&self, checked: &Self::Checked) -> String;

    /// The JSON Schema (draft 2020-12) of the shape.
    fn schema(&self) -> Json;
}

/// Shown for a setting without a value and without a default.
pub(super) const NOT_SET: &str = "not set";

/// An optional setting.
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

/// The value as a string, or `None` with a recorded mistake.
fn text_of<'v>(
    value: &'v SettingValue,
    reader: &mut LayerReader<'_>,
    wanted: &str,
) -> Option<&'v str> {
    let SettingData::Text(text) = &value.data else {
        reader.wrong_type(value, wanted);
        return None;
    };
    Some(text)
}

/// Quotes a string, with escapes valid in both TOML and JSON.
fn quote(text: &str) -> String {
    escape_controls(&json!(text).to_string())
}
