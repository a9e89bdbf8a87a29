//! Loads the settings from files, environment variables and flags into one checked value.
//!
//! ```text
//!  waypost.toml, config.toml ─ syntax ─┐
//!  WAYPOST_* ──────────────────────────┼─► each value ─ serde ─► one tree ─ serde ─► Settings
//!  flags ──────────────────────────────┘                 └─► the origin of each key
//! ```
//!
//! The structs of [`settings`](crate::settings) say what each key is. The first mistake ends the run,
//! with its place. Only `layers.rs` opens files.

mod flags;
#[cfg(test)]
mod key_tests;
mod layers;
mod merged;
mod mistake;
mod page_overrides;
#[cfg(test)]
mod settings_test;

pub use flags::Flags;
pub(crate) use flags::absolute;
pub use layers::{LayerInputs, LoadedSettings, SettingsTable, load};
pub(crate) use layers::{SETTINGS_FILE, STRICT_VARIABLE};
pub(crate) use mistake::nearest;
pub use mistake::{SettingOrigin, SettingsError};
pub use page_overrides::PageOverrides;

/// The JSON Schema (draft 2020-12) of `waypost.toml`.
pub const SCHEMA: &str = include_str!("../../waypost.schema.json");
