//! Reads a generator's own settings from TOML, YAML, JSON, JavaScript or Python files.

use std::fmt::Display;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::profile::Generator;
use super::script_settings::literals;
use crate::PageSourcesError;
use crate::located_values::{Syntax, SyntaxError, yaml_to_json};
use page_signals::script_tokens::ScriptLanguage;
use sitemaps::site_paths::containment::Containment;
use sitemaps::site_paths::finding::Place;
use sitemaps::site_paths::io_failure::FailureLog;

/// The settings of a generator, merged from its files.
#[derive(Debug, Clone, Default)]
pub struct OwnConfig {
    value: Value,
    keys_ignore_case: bool,
    files: Vec<PathBuf>,
}

impl OwnConfig {
    /// Reads the generator's existing settings files.
    pub fn read(
        root: &Path,
        generator: &Generator,
        failures: &FailureLog,
    ) -> Result<Self, PageSourcesError> {
        let mut config = Self {
            keys_ignore_case: generator.name == "hugo",
            ..Self::default()
        };
        let reach = Containment::of_logged_site(root, failures);
        let mut merged = Map::new();
        let files = generator.config_files().map(|name| root.join(name));
        let files = files.filter(|file| failures.is_file(file));
        // If both `hugo.toml` and `hugo.yaml` exist, Hugo reads only the first. Pelican's
        // `publishconf.py` imports `pelicanconf.py`.
        let read = if generator.name == "pelican" { 2 } else { 1 };
        let mut files: Vec<PathBuf> = files.take(read).collect();
        files.reverse();
        for file in files {
            config.add(&reach, &mut merged, &file, &[])?;
        }
        for dir in generator.config_dirs() {
            for file in settings_files(&root.join(dir), failures)? {
                let languages = generator
                    .languages
                    .as_ref()
                    .map(|languages| languages.list.as_str());
                let table = table_of(&file, languages);
                config.add(&reach, &mut merged, &file, &table)?;
            }
        }
        config.value = Value::Object(merged);
        Ok(config)
    }

    /// Reads one settings file of a generator.
    pub(super) fn of_file(
        reach: &Containment,
        file: &Path,
        generator: &Generator,
    ) -> Result<Self, PageSourcesError> {
        let keys_ignore_case = generator.name == "hugo";
        let value = read_file(reach, file)?;
        Ok(Self {
            value: if keys_ignore_case {
                folded(value)
            } else {
                value
            },
            keys_ignore_case,
            ..Self::default()
        })
    }

    /// Settings with this value.
    #[cfg(test)]
    pub(super) fn of_value(value: Value) -> Self {
        Self {
            value,
            ..Self::default()
        }
    }

    /// Merges the content of a file into the given table.
    fn add(
        &mut self,
        reach: &Containment,
        merged: &mut Map<String, Value>,
        file: &Path,
        table: &[&str],
    ) -> Result<(), PageSourcesError> {
        let value = read_file(reach, file)?;
        let value = table.iter().rev().fold(value, |value, key| {
            Value::Object(Map::from_iter([((*key).to_owned(), value)]))
        });
        let value = if self.keys_ignore_case {
            folded(value)
        } else {
            value
        };
        if let Value::Object(table) = value {
            merge(merged, table);
        }
        self.files.push(file.to_owned());
        Ok(())
    }

    /// The files that were read, in order.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// The value at a dotted path: `output.html.site-url`. A key may itself have dots. In an array
    /// such as `["a", { "b": { … } }]`, a key is the name of an entry, and its value the options of
    /// that entry: null if it has none. A number is the index of an entry.
    pub fn get(&self, path: &str) -> Option<&Value> {
        if self.keys_ignore_case {
            value_in(&self.value, &path.to_ascii_lowercase())
        } else {
            value_in(&self.value, path)
        }
    }

    /// Whether the settings are a table.
    pub(super) fn is_table(&self) -> bool {
        self.value.is_object()
    }

    /// The string at a dotted path.
    pub fn text(&self, path: &str) -> Option<&str> {
        self.get(path)?.as_str()
    }

    /// Whether the value at a dotted path is `true`.
    pub fn is_on(&self, path: &str) -> bool {
        self.get(path).and_then(Value::as_bool).unwrap_or_default()
    }

    /// The keys of the table at a dotted path, in order; an empty path is the whole file.
    pub fn keys(&self, path: &str) -> Vec<&str> {
        let table = match path {
            "" => self.value.as_object(),
            path => self.get(path).and_then(Value::as_object),
        };
        table
            .into_iter()
            .flat_map(|table| table.keys().map(String::as_str))
            .collect()
    }
}

/// The value at a dotted path in a value.
fn value_in<'v>(value: &'v Value, path: &str) -> Option<&'v Value> {
    let ends = path.match_indices('.').map(|(at, _)| at);
    let mut ends = ends.chain([path.len()]);
    ends.find_map(|end| {
        let inner = entry(value, &path[..end])?;
        match path.get(end + 1..) {
            Some(rest) => value_in(inner, rest),
            None => Some(inner),
        }
    })
}

/// The entry of a table or of an array with this name.
fn entry<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    match value {
        Value::Array(entries) => match name.parse::<usize>() {
            Ok(index) => entries.get(index),
            Err(_) => entries.iter().find_map(|entry| match entry {
                Value::String(entry) => (entry == name).then_some(&Value::Null),
                entry => entry.get(name),
            }),
        },
        value => value.get(name),
    }
}

/// Merges `from` into `into` key by key; values in `from` win.
fn merge(into: &mut Map<String, Value>, from: Map<String, Value>) {
    for (key, value) in from {
        match (into.get_mut(&key), value) {
            (Some(Value::Object(old)), Value::Object(new)) => merge(old, new),
            (_, value) => {
                into.insert(key, value);
            }
        }
    }
}

/// The value with all keys in lower case.
fn folded(value: Value) -> Value {
    match value {
        Value::Object(table) => {
            let entries = table.into_iter();
            let entries = entries.map(|(key, value)| (key.to_ascii_lowercase(), folded(value)));
            Value::Object(entries.collect())
        }
        Value::Array(list) => Value::Array(list.into_iter().map(folded).collect()),
        value => value,
    }
}

/// The settings files in a directory, sorted by name.
fn settings_files(dir: &Path, failures: &FailureLog) -> Result<Vec<PathBuf>, PageSourcesError> {
    if !failures.is_dir(dir) {
        return Ok(Vec::new());
    }
    let wrong = |error| PageSourcesError::UnreadableSettings(dir.to_owned(), error);
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).map_err(wrong)? {
        let file = entry.map_err(wrong)?.path();
        let ending = file.extension().and_then(|ending| ending.to_str());
        if matches!(ending, Some("toml" | "yaml" | "yml" | "json")) && failures.is_file(&file) {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}

/// The table that a file's content belongs to, derived from its name as in Hugo: none for
/// `hugo.toml` and `config.toml`, `params` for `params.toml`, `languages.fr` for
/// `languages.fr.toml`, and `languages.fr.params` for `params.fr.toml`.
fn table_of<'f>(file: &'f Path, languages: Option<&'f str>) -> Vec<&'f str> {
    let stem = file
        .file_stem()
        .and_then(|stem| stem.to_str())
        .unwrap_or_default();
    match (stem.split_once('.'), languages) {
        (None, _) if matches!(stem, "hugo" | "config") => Vec::new(),
        (Some((table, language)), Some(languages)) if table == languages => {
            vec![languages, language]
        }
        (Some((table, language)), Some(languages)) => vec![languages, language, table],
        _ => vec![stem],
    }
}

/// The programming language of a settings file, if it is a program.
fn language_of(file: &Path) -> Option<ScriptLanguage> {
    match file.extension()?.to_str()? {
        "js" | "mjs" | "cjs" | "ts" | "mts" | "cts" => Some(ScriptLanguage::JavaScript),
        "py" => Some(ScriptLanguage::Python),
        _ => None,
    }
}

/// The scripts beside settings in a directory of their own, `config/index.ts`: settings import them,
/// and their names count as if they were in one file.
fn scripts_beside(file: &Path) -> io::Result<Vec<PathBuf>> {
    let is_index = file.file_stem().is_some_and(|stem| stem == "index");
    let dir = file.parent().filter(|_| is_index);
    let entries = dir.map(fs::read_dir).transpose()?.into_iter().flatten();
    let files = entries.map(|entry| entry.map(|entry| entry.path()));
    let mut files = files.collect::<io::Result<Vec<_>>>()?;
    files.retain(|other| other != file && language_of(other).is_some() && other.is_file());
    files.sort();
    Ok(files)
}

/// Reads and parses a settings file.
fn read_file(reach: &Containment, file: &Path) -> Result<Value, PageSourcesError> {
    let unreadable =
        |file: &Path, error| PageSourcesError::UnreadableSettings(file.to_owned(), error);
    let mut text = String::new();
    for beside in scripts_beside(file).map_err(|error| unreadable(file, error))? {
        text += &reach
            .read_text(&beside)
            .map_err(|error| unreadable(&beside, error))?;
        text.push('\n');
    }
    text += &reach
        .read_text(file)
        .map_err(|error| unreadable(file, error))?;
    parse_settings(file, &text)
}

/// Parses settings. The file extension determines the format: TOML, YAML, JSON, or a program, of
/// which only literals are read.
pub fn parse_settings(file: &Path, text: &str) -> Result<Value, PageSourcesError> {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let wrong = |syntax: Syntax, refusal: &dyn Display| {
        parse_error(file, body, &syntax.error_in(body, refusal))
    };
    match file.extension().and_then(|ending| ending.to_str()) {
        Some("yaml" | "yml") => yaml_to_json(body).map_err(|error| parse_error(file, body, &error)),
        Some("json") => serde_json::from_str(body).map_err(|error| wrong(Syntax::Json, &error)),
        _ => match language_of(file) {
            Some(language) => Ok(literals(body, language)),
            None => toml::from_str(body).map_err(|error| wrong(Syntax::Toml, &error)),
        },
    }
}

fn parse_error(file: &Path, text: &str, error: &SyntaxError) -> PageSourcesError {
    let page_of = |place: Place| {
        text.get(..place.start as usize)
            .unwrap_or(text)
            .split('\n')
            .count()
    };
    PageSourcesError::InvalidSettings {
        file: file.to_owned(),
        line: error.place.map(page_of),
        why: error.message.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generator::Manifest;

    #[test]
    fn keys_ignore_case_only_if_the_generator_does() {
        let check = |generator: &str, path: &str, expected: &str| {
            let dir = tempfile::tempdir().expect("a directory");
            let write = |name: &str, text: &str| {
                let file = dir.path().join(name);
                fs::create_dir_all(file.parent().expect("a parent")).expect("a directory");
                fs::write(file, text).expect("a file");
            };
            write(
                "config/_default/hugo.toml",
                "baseURL = 'a'\n[params]\nSub.Key = 'a'\n",
            );
            write(
                "config/production/hugo.toml",
                "baseurl = 'b'\n[Params]\nsub.key = 'b'\n",
            );
            let manifest = Manifest::embedded();
            let mut generator = manifest.generator[generator].clone();
            let dirs = ["config/_default/", "config/production/"].map(str::to_owned);
            generator.config.extend(dirs);
            let config =
                OwnConfig::read(dir.path(), &generator, &FailureLog::default()).expect("settings");
            assert_eq!(config.text(path), Some(expected), "{path}");
        };
        check("hugo", "baseURL", "b");
        check("hugo", "baseurl", "b");
        check("hugo", "params.sub.key", "b");
        check("hugo", "Params.Sub.Key", "b");
        check("zola", "baseURL", "a");
        check("zola", "params.Sub.Key", "a");
    }
}
