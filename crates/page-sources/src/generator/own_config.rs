//! Reads a generator's own settings from TOML, YAML, JSON, JavaScript or Python files.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::front_matter::without_mark;
use super::profile::{Condition, Generator, SettingTexts};
use super::script_settings::literals;
use crate::PageSourcesError;
use crate::located_values::Syntax;
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
        let files = generator.config.iter().map(|name| root.join(name));
        let files = files.filter(|file| failures.is_file(file));
        // If both `hugo.toml` and `hugo.yaml` exist, Hugo reads only the first.
        let read = if generator.own.imports_settings { 2 } else { 1 };
        let mut files: Vec<PathBuf> = files.take(read).collect();
        files.reverse();
        let whole = files.len();
        let dirs = generator.own.settings_dirs.iter();
        files.extend(dirs.flat_map(|dir| files_in(&root.join(dir), failures, is_data)));
        let reach = Containment::of_logged_site(root, failures);
        let mut merged = Self::default();
        for (index, file) in files.iter().enumerate() {
            let one = Self::of_file(&reach, file, generator)?;
            let table = if index < whole {
                Vec::new()
            } else {
                table_of(file)
            };
            let value = table.iter().rev().fold(one.value, |value, key| {
                Value::Object(Map::from_iter([(key.to_ascii_lowercase(), value)]))
            });
            merge(&mut merged.value, value);
        }
        Ok(Self {
            keys_ignore_case: generator.own.keys_ignore_case,
            files,
            ..merged
        })
    }

    /// Reads one settings file of a generator.
    pub(super) fn of_file(
        reach: &Containment,
        file: &Path,
        generator: &Generator,
    ) -> Result<Self, PageSourcesError> {
        let value = read_file(reach, file)?;
        let keys_ignore_case = generator.own.keys_ignore_case;
        Ok(Self {
            value: if keys_ignore_case {
                folded(value)
            } else {
                value
            },
            keys_ignore_case,
            files: Vec::new(),
        })
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

    /// The string at a dotted path, or those of an array.
    pub fn texts(&self, path: &str) -> Vec<&str> {
        self.get(path).map(strings_in).unwrap_or_default()
    }

    /// Whether the value at a dotted path is `true`.
    pub fn is_on(&self, path: &str) -> bool {
        self.get(path).and_then(Value::as_bool).unwrap_or_default()
    }

    /// The keys of the table at a dotted path, in order; an empty path is the whole file.
    pub fn keys(&self, path: &str) -> Vec<&str> {
        let value = match path {
            "" => Some(&self.value),
            path => self.get(path),
        };
        let table = value.and_then(Value::as_object).into_iter();
        table.flat_map(Map::keys).map(String::as_str).collect()
    }

    /// The string at the first key that has one.
    pub fn set_text_of(&self, texts: &SettingTexts) -> Option<&str> {
        texts.keys().find_map(|key| self.text(key))
    }

    /// The string at the first key that has one, or else the first string that is not a key.
    pub fn text_of<'a>(&'a self, texts: &'a SettingTexts) -> &'a str {
        self.set_text_of(texts)
            .unwrap_or_else(|| texts.default_text())
    }

    /// All strings at the first key that has any, or else all strings that are not keys.
    pub fn texts_of<'a>(&'a self, texts: &'a SettingTexts) -> Vec<&'a str> {
        let set = texts.keys().map(|key| self.texts(key));
        set.into_iter()
            .find(|texts| !texts.is_empty())
            .unwrap_or_else(|| texts.literals().collect())
    }

    /// Whether a condition is met by the settings.
    pub fn meets(&self, condition: &Condition) -> bool {
        condition.is_met_by(self.get(&condition.key))
    }
}

/// The strings of a value: itself, or those of an array.
pub(super) fn strings_in(value: &Value) -> Vec<&str> {
    match value {
        Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
        value => value.as_str().into_iter().collect(),
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

/// Merges a value into another: tables key by key. Otherwise the new value counts, if there is one.
fn merge(into: &mut Value, from: Value) {
    match (into, from) {
        (Value::Object(old), Value::Object(new)) => {
            for (key, value) in new {
                merge(old.entry(key).or_insert(Value::Null), value);
            }
        }
        (_, Value::Null) => {}
        (old, new) => *old = new,
    }
}

/// The value with all keys in lower case.
fn folded(value: Value) -> Value {
    match value {
        Value::Object(table) => {
            let entries = table.into_iter();
            let folded = |(key, value): (String, _)| (key.to_ascii_lowercase(), folded(value));
            Value::Object(entries.map(folded).collect())
        }
        Value::Array(list) => list.into_iter().map(folded).collect(),
        value => value,
    }
}

/// The files of one kind in a directory, sorted by name.
fn files_in(dir: &Path, failures: &FailureLog, is_kind: fn(&Path) -> bool) -> Vec<PathBuf> {
    let files = failures.entries(dir).into_iter().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = files
        .filter(|file| is_kind(file) && failures.is_file(file))
        .collect();
    files.sort();
    files
}

fn is_data(file: &Path) -> bool {
    let ending = file.extension().and_then(|ending| ending.to_str());
    matches!(ending, Some("toml" | "yaml" | "yml" | "json"))
}

/// The table that the content of a file in Hugo's directory belongs to, by its name: none for
/// `hugo.toml` and `config.toml`, `params` for `params.toml`, `languages.fr` for
/// `languages.fr.toml`, and `languages.fr.params` for `params.fr.toml`.
fn table_of(file: &Path) -> Vec<&str> {
    let stem = file.file_stem().and_then(|stem| stem.to_str());
    let stem = stem.unwrap_or_default();
    match stem.split_once('.') {
        None if matches!(stem, "hugo" | "config") => Vec::new(),
        None => vec![stem],
        Some(("languages", language)) => vec!["languages", language],
        Some((table, language)) => vec!["languages", language, table],
    }
}

/// The programming language of a settings file, if it is a program.
pub(super) fn language_of(file: &Path) -> Option<ScriptLanguage> {
    match file.extension()?.to_str()? {
        "js" | "mjs" | "cjs" | "ts" | "mts" | "cts" => Some(ScriptLanguage::JavaScript),
        "py" => Some(ScriptLanguage::Python),
        _ => None,
    }
}

/// The scripts beside settings in a directory of their own, `config/index.ts`: settings import them,
/// and their names count as if they were in one file.
fn scripts_beside(file: &Path, failures: &FailureLog) -> Vec<PathBuf> {
    let is_index = file.file_stem().is_some_and(|stem| stem == "index");
    let dir = file.parent().filter(|_| is_index).into_iter();
    let mut files: Vec<_> = dir
        .flat_map(|dir| files_in(dir, failures, |file| language_of(file).is_some()))
        .collect();
    files.retain(|other| other != file);
    files
}

/// Reads and parses a settings file.
fn read_file(reach: &Containment, file: &Path) -> Result<Value, PageSourcesError> {
    let beside = scripts_beside(file, reach.failures());
    let texts = beside
        .iter()
        .map(PathBuf::as_path)
        .chain([file])
        .map(|part| {
            let read = reach.read_text(part);
            read.map_err(|error| PageSourcesError::UnreadableSettings(part.to_owned(), error))
        });
    let texts: Vec<String> = texts.collect::<Result<_, _>>()?;
    parse_settings(file, &texts.join("\n"))
}

/// Parses settings. The file extension determines the format: TOML, YAML, JSON, or a program, of
/// which only literals are read.
pub fn parse_settings(file: &Path, text: &str) -> Result<Value, PageSourcesError> {
    let body = without_mark(text);
    if let Some(language) = language_of(file) {
        return Ok(literals(body, language));
    }
    let read = Syntax::of_file(file).to_json(body);
    read.map_err(|error| PageSourcesError::InvalidSettings {
        file: file.to_owned(),
        line: error.place.map(|place| line_of(body, place)),
        why: error.message,
    })
}

fn line_of(text: &str, place: Place) -> usize {
    let above = text.get(..place.start as usize).unwrap_or(text);
    above.split('\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generator::Manifest;
    use serde_json::json;
    use std::fs;

    impl OwnConfig {
        /// Settings with this value.
        pub(in crate::generator) fn of_value(value: Value) -> Self {
            Self {
                value,
                ..Self::default()
            }
        }
    }

    #[test]
    fn keys_ignore_case_only_if_the_generator_does() {
        let dir = tempfile::tempdir().expect("a directory");
        let write = |name: &str, text: &str| {
            let file = dir.path().join(name);
            fs::create_dir_all(file.parent().expect("a parent")).expect("a directory");
            fs::write(file, text).expect("a file");
        };
        let settings = "baseURL = 'a'\n[params]\nSub.Key = 'a'\n";
        write("zola.toml", settings);
        write("config/_default/hugo.toml", settings);
        let production = "baseurl = 'b'\n[Params]\nsub.key = 'b'\n";
        write("config/production/hugo.toml", production);
        let manifest = Manifest::embedded();
        let check = |generator: &str, path: &str, expected: Option<&str>| {
            let generator = &manifest.generator[generator];
            let config = OwnConfig::read(dir.path(), generator, &FailureLog::default());
            assert_eq!(config.expect("settings").text(path), expected, "{path}");
        };
        for path in ["baseURL", "baseurl", "params.sub.key", "Params.Sub.Key"] {
            check("hugo", path, Some("b"));
        }
        check("zola", "baseURL", Some("a"));
        check("zola", "baseurl", None);
        check("zola", "params.Sub.Key", Some("a"));
    }

    #[test]
    fn the_first_key_that_is_set_replaces_all_other_strings() {
        let config = OwnConfig::of_value(json!({ "a": { "b": "x" }, "list": ["y", 1, "z"] }));
        let check = |written: Value, text: &str, texts: &[&str]| {
            let read: SettingTexts = serde_json::from_value(written.clone()).expect("strings");
            assert_eq!(config.text_of(&read), text, "{written}");
            assert_eq!(config.texts_of(&read), texts, "{written}");
        };
        check(json!("out"), "out", &["out"]);
        check(json!(["$a.b", "out"]), "x", &["x"]);
        check(json!(["$none", "$a.b", "out"]), "x", &["x"]);
        check(json!(["out", "other", "$none"]), "out", &["out", "other"]);
        check(json!(["$list", "out"]), "out", &["y", "z"]);
        check(json!([]), "", &[]);
    }

    #[test]
    fn conditions_ask_for_keys_and_values() {
        let config = OwnConfig::of_value(json!({
            "a": { "on": true, "off": false, "word": "Folder" },
            "plugins": ["search", { "i18n.x": { "mode": "b" } }],
            "presets": [["classic", { "docs": "x" }]],
        }));
        let check = |written: &str, expected: bool| {
            let condition = Condition::try_from(written.to_owned()).expect(written);
            assert_eq!(config.meets(&condition), expected, "{written}");
            let opposite = Condition::try_from(format!("!{written}")).expect(written);
            assert_eq!(config.meets(&opposite), !expected, "!{written}");
        };
        check("a", true);
        check("a.off", true);
        check("a.none", false);
        check("a.on=true", true);
        check("a.off=true", false);
        check("a.off=false", true);
        check("a.word=folder", true);
        check("plugins.search", true);
        check("plugins.i18n.x", true);
        check("plugins.i18n.x.mode=b", true);
        check("plugins.other", false);
        check("plugins.0=search", true);
        check("presets.0.1.docs=x", true);
        check("presets.0.2", false);
        check("presets.1.1", false);
    }

    #[test]
    fn a_condition_of_another_form_is_an_error() {
        for written in ["", "!", "=a", "key a"] {
            let read = Condition::try_from(written.to_owned());
            assert!(read.is_err(), "{written}");
        }
    }
}
