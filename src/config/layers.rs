//! Layers of settings, in increasing precedence: defaults, files, environment, flags.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use super::draft::ExplainedSetting;
use super::draft_settings::DraftSettings;
use super::file::{SettingsFileError, read_site_file, read_text};
use super::keys::KEYS;
use super::mistake::{Mistake, Mistakes, SettingOrigin, SettingsTexts};
use super::reader::LayerReader;
use super::variable::{has_prefix, near_miss_hint, variable_of};
use crate::settings::Settings;
use located_values::Syntax;
use located_values::{SettingData, SettingEntry, SettingValue};
use site_paths::Hint;
use site_paths::finding::{ALL, Level};

/// The settings file that is read from the site root if it exists.
pub(crate) const SETTINGS_FILE: &str = "waypost.toml";

/// Report at most this many mistakes.
const MAX_MISTAKES: usize = 100;

/// Sources of settings, as collected by the command line.
#[derive(Debug)]
pub struct LayerInputs<'a> {
    /// The directory that paths in settings are relative to.
    pub site_root: &'a Path,
    /// Tables in the generator's own files; later ones take precedence. Missing files are skipped.
    pub generator_tables: &'a [SettingsTable],
    /// `--config`: a file that must exist. Without it, `waypost.toml` in the site root is read if
    /// it exists.
    pub config: Option<&'a Path>,
    /// The environment. Only names that begin with `WAYPOST_` are used.
    pub environment: &'a [(String, String)],
    /// Settings from command-line flags.
    pub flags: Flags,
    /// Codes that `[levels]` accepts in addition to finding codes: the reasons for excluding a
    /// page.
    pub reasons: &'a [&'static str],
}

/// The location of waypost's table in a generator's own file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingsTable {
    /// The file, relative to the site root.
    pub file: PathBuf,
    /// The dotted path of the table, such as `extra.waypost`, or an empty string if the whole file
    /// is ours. Matched case-insensitively, like Hugo's keys.
    pub table: String,
    /// The language of the file.
    pub syntax: Syntax,
    /// Keys in the table that belong to the generator: mdBook's `command` and `optional`.
    pub foreign_keys: Vec<String>,
    /// How the words of a key are joined in this table.
    pub key_case: KeyCase,
    /// Text to read instead of the file's: the generator's own resolved settings.
    pub text: Option<String>,
}

/// How the words of a key are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum KeyCase {
    /// `base_url`.
    #[default]
    Underscores,
    /// `base-url`, which mdBook derives from the variable `MDBOOK_OUTPUT__WAYPOST__BASE_URL`.
    /// `base_url` is accepted too.
    Hyphens,
}

impl SettingsTable {
    /// A table read from a file, without keys of the generator.
    pub fn new(file: PathBuf, table: String, syntax: Syntax) -> Self {
        Self {
            file,
            table,
            syntax,
            foreign_keys: Vec::new(),
            key_case: KeyCase::default(),
            text: None,
        }
    }
}

/// Flags that override settings.
#[derive(Debug, Clone, Default)]
pub struct Flags {
    /// `--base-url`.
    pub base_url: Option<String>,
    /// `--output-dir`, absolute or relative to the site root. The caller converts it from a path
    /// relative to the working directory.
    pub output_dir: Option<PathBuf>,
    /// Every `--source-map`, converted like `--output-dir`.
    pub source_map: Vec<PathBuf>,
    /// Every `--accept`: codes of findings to allow in this run.
    pub accept: Vec<String>,
    /// The file name from `--to` of `waypost index`.
    pub sitemap_file: Option<String>,
}

/// The settings of a run and the origin of each.
#[derive(Debug)]
pub struct LoadedSettings {
    /// The settings.
    pub settings: Settings,
    /// Every key in documented order, then the levels that are set, then the rules.
    pub explained: Vec<ExplainedSetting>,
    /// The files that were read.
    pub texts: SettingsTexts,
}

impl LoadedSettings {
    /// The origin of a key's value.
    pub fn origin_of(&self, key: &str) -> Option<&SettingOrigin> {
        self.explained
            .iter()
            .find(|explained| explained.key == key)
            .map(|explained| &explained.origin)
    }
}

/// Reads all layers; each overrides the one before, key by key.
///
/// Returns the mistakes of all layers at once instead of stopping at the first.
pub fn load(inputs: &LayerInputs<'_>) -> Result<LoadedSettings, Mistakes> {
    let mut codes: Vec<_> = ALL.iter().map(|code| code.name).collect();
    codes.extend(inputs.reasons);
    let mut layers = Layers {
        draft: DraftSettings::default(),
        codes,
        mistakes: Vec::new(),
        texts: SettingsTexts::default(),
    };
    for home in inputs.generator_tables {
        layers.apply_generator_table(inputs.site_root, home);
    }
    layers.add_own_file(inputs.site_root, inputs.config);
    layers.apply_environment(inputs.environment);
    layers.apply_flags(&inputs.flags);
    layers.finish()
}

struct Layers {
    draft: DraftSettings,
    codes: Vec<&'static str>,
    mistakes: Vec<Mistake>,
    texts: SettingsTexts,
}

impl Layers {
    fn apply_generator_table(&mut self, site_root: &Path, home: &SettingsTable) {
        let text = home.text.clone().map_or_else(
            || read_site_file(site_root, &site_root.join(&home.file)),
            Ok,
        );
        match text {
            Ok(text) => self.apply_text(text, home),
            Err(SettingsFileError::Missing) => {}
            Err(error) => self.mistake(
                SettingOrigin::File(home.file.clone(), None),
                error.to_string(),
                error.hint().map(Cow::into_owned),
            ),
        }
    }

    /// Applies waypost's own file over the generator's tables. The globs of `exclude` add up, like
    /// the rules that they are short for.
    fn add_own_file(&mut self, site_root: &Path, config: Option<&Path>) {
        let of_tables = std::mem::take(&mut self.draft.exclude);
        self.apply_own_file(site_root, config);
        self.draft.exclude.splice(0..0, of_tables);
    }

    /// Reads `waypost.toml`, or the `--config` file instead.
    fn apply_own_file(&mut self, site_root: &Path, config: Option<&Path>) {
        let own = site_root.join(SETTINGS_FILE);
        let (path, shown) = config.map_or((own.as_path(), Path::new(SETTINGS_FILE)), |config| {
            (config, config)
        });
        let home = SettingsTable::new(shown.to_owned(), String::new(), Syntax::Toml);
        let text = if config.is_some() {
            read_text(path)
        } else {
            read_site_file(site_root, path)
        };
        match text {
            Ok(text) => self.apply_text(text, &home),
            Err(SettingsFileError::Missing) if config.is_none() => {}
            Err(error) => self.mistake(
                SettingOrigin::File(home.file, None),
                error.to_string(),
                error.hint().map(Cow::into_owned),
            ),
        }
    }

    fn apply_text(&mut self, text: String, home: &SettingsTable) {
        // A file that never mentions the table's name cannot contain it. Whether such a file is
        // well-formed is not our concern.
        if !mentions_table(&text, &home.table) {
            return;
        }
        let parsed = home.syntax.parse(&text);
        self.texts.insert(home.file.clone(), text);
        let origin = SettingOrigin::File(home.file.clone(), None);
        match parsed {
            Ok(value) => {
                let earlier = self.mistakes.len();
                let mut reader = LayerReader::new(origin, &self.codes, &mut self.mistakes);
                apply_table_at(&mut self.draft, &value, &home.table, home, &mut reader);
                self.mistakes[earlier..].sort_by_key(|mistake| mistake.origin.place());
            }
            Err(error) => {
                let origin = SettingOrigin::File(home.file.clone(), error.place);
                self.mistake(origin, error.message, None);
            }
        }
    }

    fn apply_environment(&mut self, environment: &[(String, String)]) {
        // Sorted, because the order of environment variables depends on the platform.
        let mut variables: Vec<_> = environment
            .iter()
            .filter(|(name, _)| has_prefix(name))
            .collect();
        variables.sort();
        for (name, text) in variables {
            // CI systems set a variable without a value to the empty string.
            if !text.trim().is_empty() {
                self.apply_variable(name, text);
            }
        }
    }

    fn apply_variable(&mut self, name: &str, text: &str) {
        let mut reader = LayerReader::new(
            SettingOrigin::Environment(name.to_owned()),
            &self.codes,
            &mut self.mistakes,
        );
        reader.set_key(name);
        let value = SettingValue::text(text.trim());
        if let Some(key) = KEYS.iter().find(|key| variable_of(key.name) == name) {
            self.draft.merge_key(key, &value, &mut reader);
        } else if let Some(code) = name.strip_prefix("WAYPOST_LEVELS_") {
            let code = code.to_ascii_lowercase().replace('_', "-");
            self.draft.merge_level(
                &SettingEntry {
                    key: code,
                    key_place: None,
                    value,
                },
                &mut reader,
            );
        } else if let Some(hint) = near_miss_hint(name) {
            let message = format!("unknown environment variable `{name}`");
            reader.mistake(None, message, Some(hint));
        }
    }

    fn apply_flags(&mut self, flags: &Flags) {
        self.apply_flag("--base-url", "base_url", flags.base_url.as_deref());
        self.apply_flag("--to", "sitemap.file", flags.sitemap_file.as_deref());
        for code in &flags.accept {
            self.accept(code);
        }
        if let Some(dir) = &flags.output_dir {
            self.draft.merge_output_dir(dir);
        }
        if !flags.source_map.is_empty() {
            self.draft.merge_source_map(&flags.source_map);
        }
    }

    /// Allows a finding.
    fn accept(&mut self, code: &str) {
        let origin = SettingOrigin::Flag("--accept");
        let mut reader = LayerReader::new(origin, &self.codes, &mut self.mistakes);
        reader.set_key("--accept");
        let entry = SettingEntry {
            key: code.to_owned(),
            key_place: None,
            value: SettingValue::text(Level::Allow.as_str()),
        };
        self.draft.merge_level(&entry, &mut reader);
    }

    /// Applies a flag that sets the same value as a key.
    fn apply_flag(&mut self, flag: &'static str, name: &str, text: Option<&str>) {
        let Some(text) = text else { return };
        let mut reader =
            LayerReader::new(SettingOrigin::Flag(flag), &self.codes, &mut self.mistakes);
        reader.set_key(name);
        let key = KEYS
            .iter()
            .find(|key| key.name == name)
            .expect("the key is in the table");
        self.draft
            .merge_key(key, &SettingValue::text(text), &mut reader);
    }

    fn mistake(&mut self, origin: SettingOrigin, message: String, hint: Option<String>) {
        self.mistakes.push(Mistake {
            origin,
            message,
            hint,
        });
    }

    fn finish(mut self) -> Result<LoadedSettings, Mistakes> {
        if !self.mistakes.is_empty() {
            let more = self.mistakes.len().saturating_sub(MAX_MISTAKES);
            self.mistakes.truncate(MAX_MISTAKES);
            return Err(Mistakes {
                list: self.mistakes,
                more,
                texts: self.texts,
            });
        }
        Ok(LoadedSettings {
            explained: self.draft.explain(),
            settings: self.draft.finish(),
            texts: self.texts,
        })
    }
}

/// Whether a text may contain a table: the last part of its path occurs somewhere in the text.
fn mentions_table(text: &str, table: &str) -> bool {
    let name = table.rsplit('.').next().unwrap_or_default().as_bytes();
    name.is_empty()
        || text
            .as_bytes()
            .windows(name.len())
            .any(|window| window.eq_ignore_ascii_case(name))
}

/// Applies the table at a dotted path. Does nothing if the path does not exist.
fn apply_table_at(
    draft: &mut DraftSettings,
    value: &SettingValue,
    path: &str,
    home: &SettingsTable,
    reader: &mut LayerReader<'_>,
) {
    if path.is_empty() {
        let respelled;
        let value = match home.key_case {
            KeyCase::Underscores => value,
            KeyCase::Hyphens => {
                respelled = with_underscores(value);
                &respelled
            }
        };
        let entries = reader.table(value).unwrap_or_default();
        let ours = entries
            .iter()
            .filter(|entry| !home.foreign_keys.contains(&entry.key));
        return draft.merge_table(ours, "", reader);
    }
    let (name, rest) = path.split_once('.').unwrap_or((path, ""));
    let SettingData::Table(entries) = &value.data else {
        return;
    };
    for entry in entries
        .iter()
        .filter(|entry| entry.key.eq_ignore_ascii_case(name))
    {
        reader.set_key(&entry.key);
        apply_table_at(draft, &entry.value, rest, home, reader);
    }
}

/// Replaces `-` by `_` in the keys of a table and its subtables, except in the codes of `levels`.
fn with_underscores(value: &SettingValue) -> SettingValue {
    let data = match &value.data {
        SettingData::Table(entries) => {
            SettingData::Table(entries.iter().map(entry_with_underscores).collect())
        }
        SettingData::List(values) => {
            SettingData::List(values.iter().map(with_underscores).collect())
        }
        other => other.clone(),
    };
    SettingValue {
        data,
        place: value.place,
    }
}

fn entry_with_underscores(entry: &SettingEntry) -> SettingEntry {
    let value = if entry.key == "levels" {
        entry.value.clone()
    } else {
        with_underscores(&entry.value)
    };
    SettingEntry {
        key: entry.key.replace('-', "_"),
        key_place: entry.key_place,
        value,
    }
}

#[cfg(test)]
mod tests;
