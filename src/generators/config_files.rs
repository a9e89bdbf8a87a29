//! Reads a generator's own settings from TOML, YAML, JSON, JavaScript or Python files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::{Captures, Regex};
use serde_json::{Map, Value};

use super::front_matter::without_mark;
use super::own_config::UnknownSetting;
use super::script_settings::literals;
use super::script_tokens::ScriptLanguage;
use super::{Generator, GeneratorError, OwnConfig};
use crate::files::located_values::Syntax;
use crate::files::tree::Tree;

/// The environment of the build, by the names of its variables.
pub type BuildEnvironment = BTreeMap<String, String>;

/// Limit for settings files of which each names the next as its base.
const MAX_BASES: usize = 20;

impl OwnConfig {
    /// Reads the generator's existing settings files.
    pub(super) fn read(
        tree: &Tree,
        generator: &Generator,
        environment: &BuildEnvironment,
    ) -> Result<Self, GeneratorError> {
        let root = tree.path();
        let mut files: Vec<PathBuf> = generator
            .config
            .iter()
            .map(|name| root.join(name))
            .filter(|file| tree.is_file(file))
            // If both `hugo.toml` and `hugo.yaml` exist, Hugo reads only the first.
            .take(if generator.imports_config { 2 } else { 1 })
            .collect();
        files.reverse();
        let whole = files.len();
        for dir in &generator.config_dirs {
            files.extend(files_in(&root.join(dir), tree, is_data));
        }
        let mut merged = Self::default();
        for (index, file) in files.into_iter().enumerate() {
            let is_part = index >= whole;
            for one in Self::with_bases(tree, file, generator, environment)? {
                let file = one.files[0].clone();
                let table = if is_part {
                    table_of(&file, generator)
                } else {
                    Vec::new()
                };
                let value = table.iter().rev().fold(one.value, |value, key| {
                    Value::Object(Map::from_iter([(key.to_ascii_lowercase(), value)]))
                });
                merge(&mut merged.value, value);
                merged.files.push(file);
                merged.unknown.extend(one.unknown);
            }
        }
        merged.keys_ignore_case = generator.keys_ignore_case;
        Ok(merged)
    }

    /// Reads a settings file after those that it names as its base.
    fn with_bases(
        tree: &Tree,
        file: PathBuf,
        generator: &Generator,
        environment: &BuildEnvironment,
    ) -> Result<Vec<Self>, GeneratorError> {
        let mut chain = Vec::new();
        let mut next = Some(file);
        while let Some(file) = next
            && chain.len() < MAX_BASES
        {
            let one = Self::from_file(tree, &file, generator, environment)?;
            let base_key = generator.base_config_key.as_deref();
            next = base_key.and_then(|key| Some(file.parent()?.join(one.text(key)?)));
            chain.push(one);
        }
        chain.reverse();
        Ok(chain)
    }

    /// Reads one settings file of a generator.
    pub(super) fn from_file(
        tree: &Tree,
        file: &Path,
        generator: &Generator,
        environment: &BuildEnvironment,
    ) -> Result<Self, GeneratorError> {
        let (value, unknown) = read_file(tree, file, environment)?;
        let keys_ignore_case = generator.keys_ignore_case;
        Ok(Self {
            value: if keys_ignore_case {
                folded(value)
            } else {
                value
            },
            keys_ignore_case,
            files: vec![file.to_owned()],
            unknown: unknown
                .into_iter()
                .filter(|unknown| generator.reads_setting(&unknown.key))
                .collect(),
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
            let entries = entries.map(|(key, value)| (key.to_ascii_lowercase(), folded(value)));
            Value::Object(entries.collect())
        }
        Value::Array(list) => list.into_iter().map(folded).collect(),
        value => value,
    }
}

/// The files of one kind in a directory, sorted by name.
fn files_in(dir: &Path, tree: &Tree, is_kind: fn(&Path) -> bool) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = tree
        .entries(dir)
        .into_iter()
        .map(|entry| entry.path())
        .filter(|file| is_kind(file) && tree.is_file(file))
        .collect();
    files.sort();
    files
}

fn is_data(file: &Path) -> bool {
    let ending = file.extension().and_then(|ending| ending.to_str());
    matches!(ending, Some("toml" | "yaml" | "yml" | "json"))
}

/// The table that the content of a file in a directory of settings belongs to, by its name: none for
/// the name of a settings file, `params` for `params.toml`, `languages.fr` for `languages.fr.toml`, and
/// `languages.fr.params` for `params.fr.toml`.
fn table_of<'f>(file: &'f Path, generator: &Generator) -> Vec<&'f str> {
    let stem = file
        .file_stem()
        .and_then(|stem| stem.to_str())
        .unwrap_or_default();
    let mut whole = generator.config.iter().map(Path::new);
    match stem.split_once('.') {
        None if whole.any(|known| known.file_stem() == file.file_stem()) => Vec::new(),
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
    let mut files = Vec::new();
    if file.file_stem().is_some_and(|stem| stem == "index")
        && let Some(dir) = file.parent()
    {
        files = files_in(dir, tree, |file| language_of(file).is_some());
        files.retain(|other| other != file);
    }
    files
}

/// Reads and parses a settings file, and finds the values in it that cannot be read.
fn read_file(
    tree: &Tree,
    file: &Path,
    environment: &BuildEnvironment,
) -> Result<(Value, Vec<UnknownSetting>), GeneratorError> {
    let mut texts = Vec::new();
    for part in scripts_beside(file, tree)
        .into_iter()
        .chain([file.to_owned()])
    {
        match tree.text(&part) {
            Ok(text) => texts.push(text),
            Err(error) => return Err(GeneratorError::UnreadableSettings(part, error)),
        }
    }
    let text = texts.join("\n");
    if Syntax::for_file(file) != Syntax::Yaml || !text.contains('!') {
        return Ok((parse_settings(file, &text)?, Vec::new()));
    }
    let text = with_environment(&text, environment);
    let mut value = parse_settings(file, &text)?;
    let mut unknown = Vec::new();
    for found in TAGGED.captures_iter(&text) {
        let (key, tag) = (&found["key"], &found["tag"]);
        if let Some(value) = value.get_mut(key) {
            *value = Value::Null;
            unknown.push(UnknownSetting {
                file: file.to_owned(),
                key: key.to_owned(),
                tag: tag.to_owned(),
            });
        }
    }
    Ok((value, unknown))
}

/// A key of YAML at the top level whose value has a tag other than those of YAML itself.
static TAGGED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^(?P<key>[A-Za-z_][A-Za-z0-9_-]*)[ \t]*:[ \t]+(?P<tag>!(?:[^! \t\r\n]|!python)[^ \t\r\n]*)")
        .expect("a regular expression")
});

/// The tag `!ENV` of MkDocs: one variable, or several and a default.
static ENV_TAG: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?P<before>[:\-,\[][ \t]+)!ENV[ \t]+(?P<names>\[[^\]\n]*\]|[A-Za-z_][A-Za-z0-9_]*)",
    )
    .expect("a regular expression")
});

/// Replaces the tags `!ENV` of YAML by the values of the variables, as `yaml_env_tag` does: the first
/// that is set counts, else the last of the list, which is the default.
fn with_environment(text: &str, environment: &BuildEnvironment) -> String {
    let replaced = ENV_TAG.replace_all(text, |found: &Captures<'_>| {
        let names = found["names"].trim_matches(['[', ']']);
        let (variables, default) = names.rsplit_once(',').unwrap_or((names, "null"));
        let set = variables
            .split(',')
            .find_map(|name| environment.get(name.trim()));
        let value = match set {
            // A number or a boolean is one.
            Some(value) if serde_json::from_str::<Value>(value).is_ok() => value.clone(),
            Some(value) => Value::from(&**value).to_string(),
            None => default.trim().to_owned(),
        };
        format!("{}{value}", &found["before"])
    });
    replaced.into_owned()
}

/// Parses settings. The file extension determines the format: TOML, YAML, JSON, or a program, of
/// which only literals are read.
pub fn parse_settings(file: &Path, text: &str) -> Result<Value, GeneratorError> {
    let body = without_mark(text);
    if let Some(language) = language_of(file) {
        return Ok(literals(body, language));
    }
    Syntax::for_file(file)
        .to_json(body)
        .map_err(|error| GeneratorError::InvalidSettings {
            file: file.to_owned(),
            line: error.place.map(|place| {
                let above = body.get(..place.start as usize).unwrap_or(body);
                above.split('\n').count()
            }),
            why: error.message,
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generators::Manifest;
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
            let config =
                OwnConfig::read(&Tree::new(dir.path()), generator, &BuildEnvironment::new());
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
    fn variables_of_the_environment_are_values_of_yaml() {
        let variable = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let environment = BuildEnvironment::from([variable("A", "x y"), variable("N", "false")]);
        let check = |written: &str, expected: &str| {
            let text = with_environment(&format!("k: {written}\n"), &environment);
            assert_eq!(text, format!("k: {expected}\n"), "{written}");
        };
        check("!ENV A", "\"x y\"");
        check("!ENV [NONE, A, 'b']", "\"x y\"");
        check("!ENV [NONE, 'b']", "'b'");
        check("!ENV [N, true]", "false");
        check("!ENV NONE", "null");
        check("[!ENVY A]", "[!ENVY A]");
    }

    #[test]
    fn a_tag_that_is_not_understood_makes_a_key_unknown() {
        let dir = tempfile::tempdir().expect("a directory");
        let text = "docs_dir: !here\nsite_url: !!str a\nedit_uri: !there b\nplugins: [x]\n";
        fs::write(dir.path().join("mkdocs.yml"), text).expect("a file");
        let generator = &Manifest::embedded().generator["mkdocs"];
        let tree = Tree::new(dir.path());
        let config = OwnConfig::read(&tree, generator, &BuildEnvironment::new());
        let config = config.expect("settings");
        let unknown: Vec<&str> = config.unknown.iter().map(|unknown| &*unknown.key).collect();
        assert_eq!(
            (unknown, config.text("site_url")),
            (vec!["docs_dir"], Some("a"))
        );
    }
}
