//! Values of TOML, YAML and JSON files, each with its place in the file.
//!
//! One reader for all three, so that a mistake in any of them can be shown against its line.

mod syntax;
mod value;

pub use syntax::{Syntax, SyntaxError};
pub use value::{SettingData, SettingEntry, SettingValue, TOML_DATE};
