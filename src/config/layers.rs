//! Layers of settings, in increasing precedence: defaults, files, environment, flags.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value as Json;

use super::checks::{check_codes, check_paths, check_rules};
use super::explained::{ExplainedSetting, flattened, shown};
use super::merged::MergedSettings;
use super::mistake::{Mistake, SettingOrigin, SettingsError, SettingsTexts};
use super::value_reader::ValueReader;
use super::variable::{has_prefix, near_miss_hint, value_of, variable_of};
use crate::settings::{Rule, Settings};
use page_sources::located_values::{SettingData, SettingEntry, SettingValue, Syntax};
use sitemaps::site_paths::containment::{Containment, MAX_FILE_BYTES, read_text};
use sitemaps::site_paths::finding::{ALL, Level};
use sitemaps::site_paths::io_failure::{IoFailure, reading_hint};

/// The settings file that is read from the site root if it exists.
pub(crate) const SETTINGS_FILE: &str = "waypost.toml";

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
    pub environment: &'a BTreeMap<String, String>,
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
    /// `--memory`, converted like `--output-dir`.
    pub memory: Option<PathBuf>,
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

/// Reads all layers, each of which overrides the one before, key by key, and reads the result.
pub fn load(inputs: &LayerInputs<'_>) -> Result<LoadedSettings, SettingsError> {
    let mut texts = SettingsTexts::default();
    let loaded = merge_layers(inputs, &mut texts).and_then(|merged| read(inputs, &merged));
    match loaded {
        Ok((settings, explained)) => Ok(LoadedSettings {
            settings,
            explained,
            texts,
        }),
        Err(mistake) => Err(SettingsError { mistake, texts }),
    }
}

fn merge_layers(
    inputs: &LayerInputs<'_>,
    texts: &mut SettingsTexts,
) -> Result<MergedSettings, Mistake> {
    let mut merged = MergedSettings::default();
    // Otherwise anyone who can commit to the repository could make waypost print other files of the
    // machine. The user who runs waypost may name any file.
    let site = Containment::of_site(inputs.site_root);
    for table in inputs.generator_tables {
        let of_file = || site.read_text(&inputs.site_root.join(&table.file));
        match table.text.clone().map_or_else(of_file, Ok) {
            Ok(text) => merge_text(&mut merged, text, table, texts)?,
            Err(error) if IoFailure::of(&error) == IoFailure::Gone => {}
            Err(error) => return Err(of_file_error(&table.file, &error)),
        }
    }
    let (text, file) = match inputs.config {
        Some(config) => (read_text(config, MAX_FILE_BYTES), config),
        None => (
            site.read_text(&inputs.site_root.join(SETTINGS_FILE)),
            Path::new(SETTINGS_FILE),
        ),
    };
    match text {
        Ok(text) => {
            let table = SettingsTable {
                // Read before the site was found.
                foreign_keys: vec!["generator".to_owned()],
                ..SettingsTable::new(file.to_owned(), String::new(), Syntax::Toml)
            };
            merge_text(&mut merged, text, &table, texts)?;
        }
        Err(error) if IoFailure::of(&error) == IoFailure::Gone && inputs.config.is_none() => {}
        Err(error) => return Err(of_file_error(file, &error)),
    }
    merge_environment(&mut merged, inputs.environment)?;
    merge_flags(&mut merged, &inputs.flags)?;
    Ok(merged)
}

fn of_file_error(file: &Path, error: &io::Error) -> Mistake {
    let is_gone = IoFailure::of(error) == IoFailure::Gone;
    let (message, hint) = if is_gone {
        let hint = "pass a path relative to the working directory: `--config FILE`";
        ("the settings file does not exist".to_owned(), Some(hint))
    } else {
        let message = format!("the settings file cannot be read: {error}");
        (message, reading_hint(error))
    };
    Mistake {
        origin: SettingOrigin::File(file.to_owned(), None),
        message,
        hint: hint.map(str::to_owned),
    }
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
    let mistake = |place, message| Mistake {
        origin: SettingOrigin::File(table.file.clone(), place),
        message,
        hint: None,
    };
    let value = parsed.map_err(|error| Mistake {
        hint: error.hint().map(str::to_owned),
        ..mistake(error.place, error.message)
    })?;
    let Some((name, value)) = table_at(value, &table.table) else {
        return Ok(());
    };
    let entries = match value.data {
        SettingData::Table(entries) => entries,
        SettingData::Nothing => Vec::new(),
        _ => {
            let message = format!("`{name}` must be a table, not {}", value.type_name());
            return Err(mistake(value.place, message));
        }
    };
    let ours = entries
        .into_iter()
        .filter(|entry| !table.foreign_keys.contains(&entry.key));
    let origin = SettingOrigin::File(table.file.clone(), None);
    merged.merge(ours.collect(), &origin);
    Ok(())
}

/// The last name and the value at a dotted path, if it exists. Its names have any case.
fn table_at(value: SettingValue, path: &str) -> Option<(String, SettingValue)> {
    let mut found = (String::new(), value);
    for name in path.split('.').filter(|name| !name.is_empty()) {
        let SettingData::Table(entries) = found.1.data else {
            return None;
        };
        let is_named = |entry: &SettingEntry| entry.key.eq_ignore_ascii_case(name);
        let entry = entries.into_iter().find(is_named)?;
        found = (entry.key, entry.value);
    }
    Some(found)
}

/// Merges the variables that are set.
fn merge_environment(
    merged: &mut MergedSettings,
    environment: &BTreeMap<String, String>,
) -> Result<(), Mistake> {
    let defaults = flattened(&Settings::default());
    let ours = environment.iter().filter(|(name, _)| has_prefix(name));
    // CI systems set a variable without a value to the empty string.
    for (name, text) in ours.filter(|(_, text)| !text.trim().is_empty()) {
        let origin = SettingOrigin::Environment(name.clone());
        let text = text.trim();
        if let Some((key, default)) = defaults.iter().find(|(key, _)| variable_of(key) == *name) {
            let value = value_of(text, default);
            if matches!(default, Json::Array(_)) && matches!(value.data, SettingData::Text(_)) {
                let hint = "separate values with commas, without brackets and quotes: `a/**,b/**`";
                return Err(Mistake {
                    origin,
                    message: format!("`{name}` must not be enclosed in brackets"),
                    hint: Some(hint.to_owned()),
                });
            }
            merged.set(key, &value, &origin);
        } else if let Some(code) = name.strip_prefix("WAYPOST_LEVELS_") {
            let code = code.to_ascii_lowercase().replace('_', "-");
            merged.set(
                &format!("levels.{code}"),
                &SettingValue::text(text),
                &origin,
            );
        } else if let Some(hint) = near_miss_hint(name, &keys()) {
            return Err(Mistake {
                origin,
                message: format!("unknown environment variable `{name}`"),
                hint: Some(hint),
            });
        }
    }
    Ok(())
}

/// The keys of all tables.
fn keys() -> Vec<String> {
    let keys = flattened(&Settings::default()).into_iter();
    keys.map(|(key, _)| key).collect()
}

fn merge_flags(merged: &mut MergedSettings, flags: &Flags) -> Result<(), Mistake> {
    let mut set = |flag: &'static str, key: &str, value: &SettingValue| {
        merged.set(key, value, &SettingOrigin::Flag(flag));
    };
    let path_of = |flag: &'static str, path: &PathBuf| {
        let text = path.to_str().map(SettingValue::text);
        text.ok_or_else(|| Mistake {
            origin: SettingOrigin::Flag(flag),
            message: format!(
                "the path of `{flag}` is not valid UTF-8: `{}`",
                path.display()
            ),
            hint: Some("rename the file or directory".to_owned()),
        })
    };
    let texts = [
        ("--base-url", "base_url", &flags.base_url),
        ("--to", "sitemap.file", &flags.sitemap_file),
    ];
    for (flag, key, text) in texts {
        if let Some(text) = text {
            set(flag, key, &SettingValue::text(text));
        }
    }
    let paths = [
        ("--output-dir", "output_dir", &flags.output_dir),
        ("--memory", "lastmod.memory", &flags.memory),
    ];
    for (flag, key, path) in paths {
        if let Some(path) = path {
            set(flag, key, &path_of(flag, path)?);
        }
    }
    if !flags.source_map.is_empty() {
        let files = flags.source_map.iter();
        let files = files.map(|file| path_of("--source-map", file));
        let files = SettingValue {
            data: SettingData::List(files.collect::<Result<_, _>>()?),
            place: None,
        };
        set("--source-map", "source_map", &files);
    }
    for code in &flags.accept {
        let allow = SettingValue::text(Level::Allow.as_str());
        set("--accept", &format!("levels.{code}"), &allow);
    }
    Ok(())
}

/// Reads the merged settings, and checks what depends on more than one value.
fn read(
    inputs: &LayerInputs<'_>,
    merged: &MergedSettings,
) -> Result<(Settings, Vec<ExplainedSetting>), Mistake> {
    let mut codes: Vec<_> = ALL.iter().map(|code| code.name).collect();
    codes.extend(inputs.reasons);
    check_codes(merged, &codes)?;
    check_paths(merged)?;
    let mut settings = Settings::deserialize(ValueReader(merged.root()))
        .map_err(|error| merged.mistake(error, &keys()))?;
    check_rules(merged, &settings.rules)?;
    let excluded = settings.exclude.len();
    let explained = flattened(&settings).into_iter().map(|(key, value)| {
        let origin = merged.origin_of_key(&key);
        let index = key
            .strip_prefix("rule[")
            .and_then(|end| end.strip_suffix(']'));
        let number = index.and_then(|index| index.parse::<usize>().ok());
        ExplainedSetting {
            key: number.map_or(key, |number| format!("rule[{}]", excluded + number)),
            value: shown(&value),
            origin,
        }
    });
    let explained = explained.collect();
    for (index, rule) in settings.rules.iter_mut().enumerate() {
        rule.written_in = merged.place_of(&format!("rule[{index}]"));
    }
    let excluding = settings
        .exclude
        .iter()
        .enumerate()
        .map(|(index, pattern)| Rule {
            patterns: vec![pattern.clone()],
            exclude: Some(true),
            written_in: merged.place_of(&format!("exclude[{index}]")),
            ..Rule::default()
        });
    let excluding: Vec<_> = excluding.collect();
    settings.rules.splice(0..0, excluding);
    Ok((settings, explained))
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
