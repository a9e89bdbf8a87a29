//! Test helpers that load settings.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::mistake::SettingsTexts;
use super::{
    Flags, LayerInputs, LoadedSettings, SettingOrigin, SettingsError, SettingsTable, load,
};

/// A site with settings files, and the other layers of its settings.
pub(super) struct SettingsTest {
    folder: tempfile::TempDir,
    homes: Vec<SettingsTable>,
    environment: BTreeMap<String, String>,
    flags: Flags,
}

impl SettingsTest {
    pub(super) fn new() -> Self {
        let dir = tempfile::tempdir().expect("a temporary directory");
        Self {
            folder: dir,
            homes: Vec::new(),
            environment: BTreeMap::new(),
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

    pub(super) fn home(mut self, mut home: SettingsTable) -> Self {
        home.file = self.root().join(home.file);
        self.homes.push(home);
        self
    }

    pub(super) fn variable(mut self, name: &str, value: &str) -> Self {
        self.environment.insert(name.to_owned(), value.to_owned());
        self
    }

    pub(super) fn flags(mut self, flags: Flags) -> Self {
        self.flags = flags;
        self
    }

    pub(super) fn load(&self) -> Result<LoadedSettings, SettingsError> {
        self.load_with(None)
    }

    pub(super) fn load_with(&self, config: Option<&Path>) -> Result<LoadedSettings, SettingsError> {
        load(&LayerInputs {
            site_root: self.root(),
            generator_tables: &self.homes,
            environment: &self.environment,
            flags: Flags {
                config: config.map(Path::to_owned),
                ..self.flags.clone()
            },
            reasons: &["noindex"],
        })
    }
}

/// Reads a `waypost.toml`.
pub(super) fn read(text: impl AsRef<[u8]>) -> Result<LoadedSettings, SettingsError> {
    SettingsTest::new().file("waypost.toml", text).load()
}

/// The mistake in a `waypost.toml`, with its hint.
pub(super) fn mistake(text: impl AsRef<[u8]>) -> String {
    let error = read(text).expect_err("there is a mistake");
    let place = shown(&error.texts, &error.mistake.origin);
    let message = &error.mistake.message;
    match &error.mistake.hint {
        Some(hint) => format!("{place}: {message} ({hint})\n"),
        None => format!("{place}: {message}\n"),
    }
}

/// An origin, without the directory of the test.
pub(super) fn shown(texts: &SettingsTexts, origin: &SettingOrigin) -> String {
    let shown = texts.format_origin(origin);
    shown.rsplit('/').next().unwrap_or_default().to_owned()
}
