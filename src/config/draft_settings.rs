//! Settings while their layers are merged.

use std::collections::BTreeMap;

use super::mistake::SettingOrigin;
use crate::settings::{Rule, Settings};

/// Partly merged settings and the origin of each.
#[derive(Debug, Default)]
pub(super) struct DraftSettings {
    pub(super) settings: Settings,
    /// `exclude`, one rule per glob.
    pub(super) exclude: Vec<Rule>,
    /// Origins of the keys that are set, by name.
    pub(super) origins: BTreeMap<&'static str, SettingOrigin>,
    /// Origins of the levels that are set, by code.
    pub(super) level_origins: BTreeMap<String, SettingOrigin>,
}
