//! Reads a generator's own settings from TOML, YAML, JSON, JavaScript or Python files.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::front_matter::without_mark;
use super::own_config::OwnConfig;
use super::profile::Generator;
use super::script_settings::literals;
use super::script_tokens::ScriptLanguage;
use crate::PageSourcesError;
use crate::located_values::Syntax;
use sitemaps::files::tree::Tree;
use sitemaps::findings::Place;

impl OwnConfig {
    /// Reads the generator's existing settings files.
    pub(super) fn read(tree: &Tree, generator: &Generator) -> Result<Self, PageSourcesError> {
        let root = tree.path();
        let files = generator.config.iter().map(|name| root.join(name));
        let files = files.filter(|file| tree.is_file(file));
        // If both `hugo.toml` and `hugo.yaml` exist, Hugo reads only the first.
        let read = if generator.own.imports_settings { 2 } else { 1 };
        let mut files: Vec<PathBuf> = files.take(read).collect();
        files.reverse();
        let whole = files.len();
        let dirs = generator.own.settings_dirs.iter();
        files.extend(dirs.flat_map(|dir| files_in(&root.join(dir), tree, is_data)));
        let mut merged = Self::default();
        for (index, file) in files.iter().enumerate() {
            let one = Self::of_file(tree, file, generator)?;
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
        tree: &Tree,
        file: &Path,
        generator: &Generator,
    ) -> Result<Self, PageSourcesError> {
        let value = read_file(tree, file)?;
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
fn files_in(dir: &Path, tree: &Tree, is_kind: fn(&Path) -> bool) -> Vec<PathBuf> {
    let files = tree.entries(dir).into_iter().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = files
        .filter(|file| is_kind(file) && tree.is_file(file))
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
fn scripts_beside(file: &Path, tree: &Tree) -> Vec<PathBuf> {
    let is_index = file.file_stem().is_some_and(|stem| stem == "index");
    let dir = file.parent().filter(|_| is_index).into_iter();
    let mut files: Vec<_> = dir
        .flat_map(|dir| files_in(dir, tree, |file| language_of(file).is_some()))
        .collect();
    files.retain(|other| other != file);
    files
}

/// Reads and parses a settings file.
fn read_file(tree: &Tree, file: &Path) -> Result<Value, PageSourcesError> {
    let beside = scripts_beside(file, tree);
    let texts = beside
        .iter()
        .map(PathBuf::as_path)
        .chain([file])
        .map(|part| {
            let read = tree.text(part);
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
    use std::fs;

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
            let config = OwnConfig::read(&Tree::new(dir.path()), generator);
            assert_eq!(config.expect("settings").text(path), expected, "{path}");
        };
        for path in ["baseURL", "baseurl", "params.sub.key", "Params.Sub.Key"] {
            check("hugo", path, Some("b"));
        }
        check("zola", "baseURL", Some("a"));
        check("zola", "baseurl", None);
        check("zola", "params.Sub.Key", Some("a"));
    }
}
