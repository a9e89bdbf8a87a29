//! Test helpers that load settings.

use std::fs;
use std::path::Path;

use super::{Flags, LayerInputs, LoadedSettings, Mistakes, SettingsTable, load};

/// A site with settings files, and the other layers of its settings.
pub(super) struct SettingsTest {
    folder: tempfile::TempDir,
    homes: Vec<SettingsTable>,
    environment: Vec<(String, String)>,
    flags: Flags,
}

impl SettingsTest {
    pub(super) fn new() -> Self {
        let dir = tempfile::tempdir().expect("a temporary directory");
        Self {
            folder: dir,
            homes: Vec::new(),
            environment: Vec::new(),
            flags: Flags::default(),
        }
    }

    pub(super) fn root(&self) -> &Path {
        self.folder.path()
    }

    pub(super) fn file(self, path: &str, bytes: impl AsRef<[u8]>) -> Self {
        fs::write(self.root().join(path), bytes).expect("the file is written");
        self
    }

    pub(super) fn home(mut self, home: SettingsTable) -> Self {
        self.homes.push(home);
        self
    }

    pub(super) fn variable(mut self, name: &str, value: &str) -> Self {
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(super) fn flags(mut self, flags: Flags) -> Self {
        self.flags = flags;
        self
    }

    pub(super) fn load(&self) -> Result<LoadedSettings, Mistakes> {
        self.load_with(None)
    }

    pub(super) fn load_with(&self, config: Option<&Path>) -> Result<LoadedSettings, Mistakes> {
        load(&LayerInputs {
            site_root: self.root(),
            generator_tables: &self.homes,
            config,
            environment: &self.environment,
            flags: self.flags.clone(),
            reasons: &["noindex"],
        })
    }
}

/// Reads a `waypost.toml`.
pub(super) fn read(text: impl AsRef<[u8]>) -> Result<LoadedSettings, Mistakes> {
    SettingsTest::new().file("waypost.toml", text).load()
}

/// The mistakes of a `waypost.toml` and their hints, one per line.
pub(super) fn mistakes(text: impl AsRef<[u8]>) -> String {
    let mistakes = read(text).expect_err("there is a mistake");
    let shown = mistakes.list.iter().map(|mistake| match &mistake.hint {
        Some(hint) => format!(
            "{}: {} ({hint})\n",
            mistakes.texts.format_origin(&mistake.origin),
            mistake.message
        ),
        None => format!(
            "{}: {}\n",
            mistakes.texts.format_origin(&mistake.origin),
            mistake.message
        ),
    });
    shown.collect()
}
