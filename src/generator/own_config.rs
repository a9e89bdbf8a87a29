//! A generator's own settings, whatever format they are written in.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};
use thiserror::Error;

use super::manifest::Generator;

/// The settings of a generator, merged from its files.
#[derive(Debug, Clone, Default)]
pub struct OwnConfig {
    value: Value,
    keys_ignore_case: bool,
    files: Vec<PathBuf>,
}

/// Why a generator's settings cannot be read.
#[derive(Debug, Error)]
pub enum OwnConfigError {
    /// The file cannot be opened or is not UTF-8.
    #[error("cannot read `{0}`: {1}")]
    Read(PathBuf, std::io::Error),
    /// It is not of its format.
    #[error("cannot read `{0}`: {1}")]
    Parse(PathBuf, String),
}

impl OwnConfig {
    /// Reads those of the generator's settings files that are there. A file whose stem is no general name
    /// (`params.toml` beside `hugo.toml`) holds the contents of the table of that name, as Hugo has it.
    pub fn read(root: &Path, generator: &Generator) -> Result<Self, OwnConfigError> {
        let mut config = Self { keys_ignore_case: generator.keys_ignore_case, ..Self::default() };
        let mut merged = Map::new();
        let mut general_name_seen = false;
        for name in &generator.config {
            let file = root.join(name);
            let at_top = !name.contains('/');
            // Of `hugo.toml` and `hugo.yaml` side by side, the generator reads the first.
            if !file.is_file() || at_top && general_name_seen {
                continue;
            }
            general_name_seen |= at_top;
            let value = parse_file(&file)?;
            let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            let general = at_top || matches!(stem, "hugo" | "config");
            let value = if general { value } else { Value::Object(Map::from_iter([(stem.to_owned(), value)])) };
            if let Value::Object(table) = value {
                merge(&mut merged, table);
            }
            config.files.push(file);
        }
        config.value = Value::Object(merged);
        Ok(config)
    }

    /// The files that were read, in their order.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// The value at a dotted path: `output.html.site-url`.
    pub fn get(&self, path: &str) -> Option<&Value> {
        path.split('.').try_fold(&self.value, |value, key| {
            let table = value.as_object()?;
            table.get(key).or_else(|| {
                let folded = |(name, _): &(&String, &Value)| self.keys_ignore_case && name.eq_ignore_ascii_case(key);
                table.iter().find(folded).map(|(_, value)| value)
            })
        })
    }

    /// The text at a dotted path.
    pub fn text(&self, path: &str) -> Option<&str> {
        self.get(path)?.as_str()
    }

    /// Whether the value at a dotted path is `true`.
    pub fn is_on(&self, path: &str) -> bool {
        self.get(path).and_then(Value::as_bool).unwrap_or_default()
    }

    /// The keys of the table at a dotted path, in their order.
    pub fn keys(&self, path: &str) -> Vec<&str> {
        let table = self.get(path).and_then(Value::as_object);
        table.into_iter().flat_map(|table| table.keys().map(String::as_str)).collect()
    }
}

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

/// Reads a file of TOML, YAML or JSON, told by its ending.
pub(super) fn parse_file(file: &Path) -> Result<Value, OwnConfigError> {
    let text = fs::read_to_string(file).map_err(|error| OwnConfigError::Read(file.to_owned(), error))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let wrong = |error: &dyn ToString| OwnConfigError::Parse(file.to_owned(), error.to_string());
    match file.extension().and_then(|ending| ending.to_str()) {
        Some("yaml" | "yml") => serde_saphyr::from_str(text).map_err(|error| wrong(&error)),
        Some("json") => serde_json::from_str(text).map_err(|error| wrong(&error)),
        _ => toml::from_str(text).map_err(|error| wrong(&error)),
    }
}
