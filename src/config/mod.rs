//! Loads the settings from files, environment variables and flags into one checked value.
//!
//! ```text
//!  waypost.toml, config.toml ─ syntax ─┐
//!  WAYPOST_* ──────────────────────────┼─► values ─ keys (by their shapes) ─► draft ─► Settings
//!  flags ──────────────────────────────┘                    └─► every mistake, with its place
//! ```
//!
//! Only the checked [`Settings`](crate::settings::Settings) and the types that explain them are
//! public. Only `file.rs` opens files.

mod draft;
mod draft_settings;
mod file;
mod keys;
mod layers;
mod mistake;
mod overridden_values;
mod page_overrides;
mod reader;
mod schema;
#[cfg(test)]
mod settings_test;
mod shape;
mod variable;

pub(crate) use layers::SETTINGS_FILE;
pub use layers::{Flags, KeyCase, LayerInputs, LoadedSettings, SettingsTable, load};
pub(crate) use mistake::nearest;
pub use mistake::{Mistake, Mistakes, SettingOrigin, SettingsTexts};
pub use overridden_values::PageOverrides;
pub use page_overrides::{PageTable, page_mistakes, read_page_overrides};
pub use schema::schema;
pub(crate) use variable::STRICT_VARIABLE;
