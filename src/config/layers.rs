//! Layers of settings, in increasing precedence: defaults, files, environment, flags.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use super::flags::Flags;
use super::merged::{ExplainedSetting, MergedSettings, flattened, shown};
use super::mistake::{Mistake, SettingOrigin, SettingsError, SettingsTexts, nearest};
use crate::files::io_failure::{IoFailure, reading_hint};
use crate::files::located_values::{SettingData, SettingValue, Syntax};
use crate::files::tree::{MAX_FILE_BYTES, Tree, read_text};
use crate::findings::{ALL, Level};
use crate::settings::{DateSource, Settings};

/// The settings file that is read from the site root if it exists.
pub(crate) const SETTINGS_FILE: &str = "waypost.toml";

/// The prefix of our environment variables.
const PREFIX: &str = "WAYPOST_";

/// The variable with our prefix that sets the flag `--strict`.
pub(crate) const STRICT_VARIABLE: &str = "WAYPOST_STRICT";

/// Sources of settings, as collected by the command line.
#[derive(Debug)]
pub struct LayerInputs<'a> {
    /// The directory that paths in settings are relative to.
    pub site_root: &'a Path,
    /// Tables in the generator's own files; later ones take precedence. Missing files are skipped.
    pub generator_tables: &'a [SettingsTable],
    /// The environment. Only names that begin with `WAYPOST_` are used.
    pub environment: &'a BTreeMap<String, String>,
    /// Settings from command-line flags.
    pub flags: Flags,
    /// Codes that `[levels]` accepts in addition to finding codes: the reasons for excluding a
    /// page.
    pub reasons: &'a [&'static str],
}

/// The location of waypost's table in a generator's own file.
#[derive(Debug)]
pub struct SettingsTable {
    /// The file, below the site root.
    pub file: PathBuf,
    /// The dotted path of the table, such as `extra.waypost`, or an empty string if the whole file
    /// is ours. Matched case-insensitively, like Hugo's keys.
    pub table: String,
    /// The language of the file.
    pub syntax: Syntax,
    /// Keys in the table that belong to the generator: mdBook's `command` and `optional`.
    pub foreign_keys: Vec<String>,
    /// Text to read instead of the file's: the generator's own resolved settings.
    pub text: Option<String>,
}

impl SettingsTable {
    /// A table read from a file, without keys of the generator.
    pub fn new(file: PathBuf, table: String, syntax: Syntax) -> Self {
        Self {
            file,
            table,
            syntax,
            foreign_keys: Vec::new(),
            text: None,
        }
    }
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

    /// Sets the order of dates to that of the generator.
    pub(crate) fn set_date_order(&mut self, order: Vec<DateSource>, origin: &SettingOrigin) {
        for explained in &mut self.explained {
            if explained.key == "lastmod.from" {
                let words = order.iter().map(|source| match source {
                    DateSource::Key(key) => Json::from(&**key),
                    other => serde_json::to_value(other).expect("a word"),
                });
                explained.value = shown(&words.collect());
                explained.origin = origin.clone();
            }
        }
        self.settings.lastmod.from = order;
    }
}

/// Reads all layers, each of which overrides the one before, key by key.
pub fn load(inputs: &LayerInputs<'_>) -> Result<LoadedSettings, SettingsError> {
    let mut texts = SettingsTexts::default();
    match merge_layers(inputs, &mut texts) {
        Ok(merged) => {
            let (settings, explained) = merged.finish();
            Ok(LoadedSettings {
                settings,
                explained,
                texts,
            })
        }
        Err(mistake) => Err(SettingsError { mistake, texts }),
    }
}

fn merge_layers(
    inputs: &LayerInputs<'_>,
    texts: &mut SettingsTexts,
) -> Result<MergedSettings, Mistake> {
    let defaults = flattened(&Settings::default());
    let findings = ALL.iter().map(|code| code.name);
    let codes = findings.chain(inputs.reasons.iter().copied()).collect();
    let keys = defaults.iter().map(|(key, _)| key.clone()).collect();
    let mut merged = MergedSettings::new(codes, keys);
    // Otherwise anyone who can commit to the repository could make waypost print other files of the
    // machine. The user who runs waypost may name any file.
    let site = Tree::new(inputs.site_root);
    for table in inputs.generator_tables {
        match (table.text.clone()).map_or_else(|| site.text(&table.file), Ok) {
            Ok(text) => merge_text(&mut merged, text, table, texts)?,
            Err(error) if IoFailure::of(&error) == IoFailure::Gone => {}
            Err(error) => return Err(unreadable_file(&table.file, &error)),
        }
    }
    let own = inputs.site_root.join(SETTINGS_FILE);
    let config = inputs.flags.config.as_deref();
    let (text, file) = match config {
        Some(config) => (read_text(config, MAX_FILE_BYTES), config),
        None => (site.text(&own), own.as_path()),
    };
    match text {
        Ok(text) => {
            let table = SettingsTable::new(file.to_owned(), String::new(), Syntax::Toml);
            merge_text(&mut merged, text, &table, texts)?;
        }
        Err(error) if IoFailure::of(&error) == IoFailure::Gone && config.is_none() => {}
        Err(error) => return Err(unreadable_file(file, &error)),
    }
    merge_environment(&mut merged, inputs.environment, &defaults)?;
    merge_flags(&mut merged, &inputs.flags)?;
    Ok(merged)
}

fn unreadable_file(file: &Path, error: &io::Error) -> Mistake {
    let origin = SettingOrigin::File(file.to_owned(), None);
    if IoFailure::of(error) == IoFailure::Gone {
        let hint = "pass a path relative to the working directory: `--config FILE`";
        let message = "the settings file does not exist".to_owned();
        return origin.mistake((message, Some(hint.to_owned())));
    }
    let message = format!("the settings file cannot be read: {error}");
    origin.mistake((message, reading_hint(error).map(str::to_owned)))
}

/// Merges the table in the text of a file.
fn merge_text(
    merged: &mut MergedSettings,
    text: String,
    table: &SettingsTable,
    texts: &mut SettingsTexts,
) -> Result<(), Mistake> {
    let text = text
        .strip_prefix('\u{feff}')
        .map(str::to_owned)
        .unwrap_or(text);
    // A file that never mentions the table's name cannot contain it. Whether such a file is
    // well-formed is not our concern.
    if !mentions_table(&text, &table.table) {
        return Ok(());
    }
    let parsed = table.syntax.parse(&text);
    texts.insert(table.file.clone(), text);
    let file = SettingOrigin::File(table.file.clone(), None);
    let value = parsed.map_err(|error| {
        let hint = error.hint().map(str::to_owned);
        file.at(error.place).mistake((error.message, hint))
    })?;
    let Some((name, value)) = table_at(value, &table.table) else {
        return Ok(());
    };
    match value.data {
        SettingData::Table(mut entries) => {
            entries.retain(|entry| !table.foreign_keys.contains(&entry.key));
            merged.add_table("", entries, &file)
        }
        SettingData::Nothing => Ok(()),
        _ => {
            let message = format!("`{name}` must be a table, not {}", value.type_name());
            Err(file.at(value.place).mistake((message, None)))
        }
    }
}

/// The last name and the value at a dotted path, if it exists. Its names have any case.
fn table_at(value: SettingValue, path: &str) -> Option<(String, SettingValue)> {
    let mut found = (String::new(), value);
    for name in path.split('.').filter(|name| !name.is_empty()) {
        let SettingData::Table(entries) = found.1.data else {
            return None;
        };
        let entry = entries
            .into_iter()
            .find(|entry| entry.key.eq_ignore_ascii_case(name))?;
        found = (entry.key, entry.value);
    }
    Some(found)
}

/// Merges the variables that are set.
fn merge_environment(
    merged: &mut MergedSettings,
    environment: &BTreeMap<String, String>,
    defaults: &[(String, Json)],
) -> Result<(), Mistake> {
    for (name, text) in environment {
        let text = text.trim();
        // CI systems set a variable without a value to the empty string.
        if text.is_empty() || !has_prefix(name) {
            continue;
        }
        let origin = SettingOrigin::Environment(name.clone());
        if let Some((key, default)) = defaults.iter().find(|(key, _)| variable_of(key) == *name) {
            merged.set(key, value_of(text, default), &origin)?;
        } else if let Some(code) = name.strip_prefix("WAYPOST_LEVELS_") {
            let code = code.to_ascii_lowercase().replace('_', "-");
            merged.set(&format!("levels.{code}"), text.into(), &origin)?;
        } else if let Some(meant) = nearest_variable(name, defaults) {
            let message = format!("unknown environment variable `{name}`");
            return Err(origin.mistake((message, Some(format!("did you mean `{meant}`?")))));
        }
    }
    Ok(())
}

/// Whether a variable may be a setting.
fn has_prefix(name: &str) -> bool {
    name.starts_with(PREFIX) && name != STRICT_VARIABLE
}

/// The environment variable of a key: `WAYPOST_SITEMAP_FILE` for `sitemap.file`.
fn variable_of(key: &str) -> String {
    format!("{PREFIX}{}", key.replace('.', "_").to_ascii_uppercase())
}

/// The value of a variable: its text, or what the text means if the default is of another type. The
/// elements of an array are separated by commas, or written as in TOML.
fn value_of(text: &str, default: &Json) -> Json {
    match default {
        Json::Bool(_) | Json::Number(_) => {
            serde_json::from_str(text).unwrap_or_else(|_| text.into())
        }
        Json::Array(_) => serde_json::from_str(text).unwrap_or_else(|_| split_at_commas(text)),
        _ => text.into(),
    }
}

/// Splits the value of an environment variable at commas, except within the braces of a glob.
fn split_at_commas(text: &str) -> Json {
    let mut depth = 0_usize;
    text.split(|character| {
        match character {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        character == ',' && depth == 0
    })
    .map(str::trim)
    .filter(|part| !part.is_empty())
    .collect()
}

/// The variable of a setting that is nearly spelt like this one. `None` for any other, such as
/// `WAYPOST_VERSION`, which a script may have for itself. The prefix is not compared, because it
/// would make any two names look similar.
fn nearest_variable(name: &str, defaults: &[(String, Json)]) -> Option<String> {
    let known: Vec<_> = defaults.iter().map(|(key, _)| variable_of(key)).collect();
    let ends = known.iter().filter_map(|name| name.strip_prefix(PREFIX));
    let meant = nearest(name.strip_prefix(PREFIX)?, ends)?;
    Some(format!("{PREFIX}{meant}"))
}

fn merge_flags(merged: &mut MergedSettings, flags: &Flags) -> Result<(), Mistake> {
    let maps: Vec<_> = flags.source_map.iter().map(|map| json_of(map)).collect();
    let text = |text: &Option<String>| text.clone().map(Json::from);
    let path = |path: &Option<PathBuf>| path.as_deref().map(json_of);
    let maps = (!maps.is_empty()).then(|| maps.into());
    let values = [
        ("--base-url", "base_url", text(&flags.base_url)),
        ("--to", "sitemap.file", text(&flags.sitemap_file)),
        ("--output-dir", "output_dir", path(&flags.output_dir)),
        ("--memory", "lastmod.memory", path(&flags.memory)),
        ("--source-map", "source_map", maps),
    ];
    for (flag, key, value) in values {
        if let Some(value) = value {
            merged.set(key, value, &SettingOrigin::Flag(flag))?;
        }
    }
    for code in &flags.accept {
        let (key, origin) = (format!("levels.{code}"), SettingOrigin::Flag("--accept"));
        merged.set(&key, Level::Allow.as_str().into(), &origin)?;
    }
    Ok(())
}

fn json_of(path: &Path) -> Json {
    path.to_string_lossy().into()
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

#[cfg(test)]
mod tests;
