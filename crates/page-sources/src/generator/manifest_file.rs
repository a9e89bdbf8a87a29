//! Merges a user's manifest into the embedded one, so that a new generator does not require a new
//! release of waypost.
//!
//! Tables are merged key by key; any other value replaces the embedded one. A user's manifest may
//! define generators and pipelines.

use std::path::Path;

use serde::de::DeserializeOwned;
use toml::de::{DeTable, DeValue};
use toml::{Spanned, Table, Value};

use super::includes::include_pattern::IncludePattern;
use super::manifest::Manifest;
use super::profile::Generator;
use crate::PageSourcesError;
use site_paths::containment::{MAX_FILE_BYTES, read_text};

/// A mistake and its byte offset in the text.
struct ManifestMistake {
    at: usize,
    why: String,
}

impl Manifest {
    /// Loads the embedded manifest and merges the user's manifest into it, if there is one.
    pub fn with(mut self, file: Option<&Path>) -> Result<Self, PageSourcesError> {
        let Some(file) = file else {
            return Ok(self);
        };
        let text = read_text(file, MAX_FILE_BYTES)
            .map_err(|error| PageSourcesError::UnreadableManifest(file.to_owned(), error))?;
        self.add(&text).map_err(|ManifestMistake { at, why }| {
            let line = text.get(..at).unwrap_or(&text).split('\n').count();
            PageSourcesError::InvalidManifest {
                file: file.to_owned(),
                line,
                why,
            }
        })?;
        Ok(self)
    }

    fn add(&mut self, text: &str) -> Result<(), ManifestMistake> {
        let places = DeTable::parse(text).map_err(|error| syntax(&error))?;
        let user: Table = toml::from_str(text).map_err(|error| syntax(&error))?;
        let embedded: Table =
            toml::from_str(self.text).expect("a test parses the embedded manifest");
        for (section, key) in places
            .get_ref()
            .iter()
            .map(|(key, value)| (key, value.get_ref()))
        {
            let name = key_text(section);
            if !matches!(name, "generator" | "pipeline") {
                let why = format!(
                    "unknown table `{name}`: a user manifest may contain only `generator` \
                     and `pipeline`"
                );
                return Err(ManifestMistake {
                    at: section.span().start,
                    why,
                });
            }
            let DeValue::Table(entries) = key else {
                return Err(ManifestMistake {
                    at: section.span().start,
                    why: format!("`{name}` must be a table"),
                });
            };
            for (entry, places) in entries {
                let own = &user[name][key_text(entry)];
                let known = embedded[name].get(key_text(entry));
                let merged = known.map_or_else(|| own.clone(), |known| merged(known.clone(), own));
                let (entry, at) = (key_text(entry).to_owned(), entry.span().start);
                if name == "generator" {
                    let generator: Generator = read(merged, at, places.get_ref())?;
                    check_expressions(&generator, at, places.get_ref())?;
                    self.first.push(entry.clone());
                    let generator = Generator {
                        name: entry.clone(),
                        ..generator
                    };
                    self.generator.insert(entry, generator.into());
                } else {
                    self.pipeline
                        .insert(entry, read(merged, at, places.get_ref())?);
                }
            }
        }
        Ok(())
    }
}

fn key_text<'k>(key: &'k Spanned<std::borrow::Cow<'_, str>>) -> &'k str {
    key.get_ref().as_ref()
}

fn syntax(error: &toml::de::Error) -> ManifestMistake {
    ManifestMistake {
        at: error.span().map_or(0, |span| span.start),
        why: error.message().to_owned(),
    }
}

/// Checks the regular expressions of a generator, which are compiled only where they are needed.
fn check_expressions(
    generator: &Generator,
    at: usize,
    places: &DeValue<'_>,
) -> Result<(), ManifestMistake> {
    let compiled = generator.includes.iter().map(IncludePattern::compiled);
    match compiled.collect::<Result<Vec<_>, _>>() {
        Ok(_) => Ok(()),
        Err(error) => Err(ManifestMistake {
            at: place_of("expression", places).unwrap_or(at),
            why: format!("invalid `expression`: {error}").replace('\n', " "),
        }),
    }
}

/// Deserializes a table. If the error message names a key, the mistake is reported at that key,
/// otherwise at `at`.
fn read<T: DeserializeOwned>(
    merged: Value,
    at: usize,
    places: &DeValue<'_>,
) -> Result<T, ManifestMistake> {
    merged.try_into().map_err(|error: toml::de::Error| {
        let shown = error.to_string();
        let named = shown
            .split('`')
            .skip(1)
            .step_by(2)
            .flat_map(|words| words.split('.'));
        let found = named.into_iter().find_map(|name| place_of(name, places));
        ManifestMistake {
            at: found.unwrap_or(at),
            why: shown.trim().replace('\n', " "),
        }
    })
}

fn place_of(name: &str, places: &DeValue<'_>) -> Option<usize> {
    match places {
        DeValue::Table(table) => {
            let here = table
                .iter()
                .find(|(key, _)| key_text(key) == name)
                .map(|(key, _)| key.span().start);
            here.or_else(|| {
                table
                    .iter()
                    .find_map(|(_, value)| place_of(name, value.get_ref()))
            })
        }
        DeValue::Array(list) => list
            .iter()
            .find_map(|value| place_of(name, value.get_ref())),
        _ => None,
    }
}

fn merged(mut old: Value, new: &Value) -> Value {
    match (&mut old, new) {
        (Value::Table(known), Value::Table(own)) => {
            for (key, value) in own {
                let value = known
                    .remove(key)
                    .map_or_else(|| value.clone(), |known| merged(known, value));
                known.insert(key.clone(), value);
            }
            old
        }
        _ => new.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_manifest_is_merged_into_the_embedded_one() {
        let mut manifest = Manifest::embedded();
        let own = "[generator.zola]\nextensions = [\"md\", \"txt\"]\noutput = \"dist\"\n\
                   [generator.own]\ntitle = \"Own\"\nconfig = [\"own.toml\"]\noutput = \"out\"\n\
                   roots = [{ dir = \"text\" }]\nextensions = [\"txt\"]\nurl_style = \"dir\"\n";
        assert!(manifest.add(own).is_ok());
        let zola = manifest.generator["zola"].profile();
        assert_eq!(
            (zola.title.as_str(), zola.output.default_text()),
            ("Zola", "dist")
        );
        assert_eq!(zola.extensions, ["md", "txt"]);
        assert_eq!(
            manifest.generator["own"].profile().roots[0]
                .dir
                .default_text(),
            "text"
        );
        assert_eq!(manifest.first, ["zola", "own"]);
    }

    #[test]
    fn mistakes_are_reported_at_their_line() {
        let check = |text: &str, line: usize, why: &str| {
            let fault = Manifest::embedded().add(text).expect_err(text);
            assert_eq!(
                text[..fault.at].matches('\n').count() + 1,
                line,
                "{text}: {}",
                fault.why
            );
            assert!(fault.why.contains(why), "{text}: {}", fault.why);
        };
        check(
            "[generator.zola]\ntitle = \"Z\"\nsurl_style = \"dir\"\n",
            3,
            "unknown field `surl_style`",
        );
        check(
            "[generator.zola]\n\nurl_style = \"odd\"\n",
            3,
            "unknown variant `odd`",
        );
        check(
            "[generator.zola.languages]\nlist = \"languages\"\n[generator.zola.front_matter]\nkey = 1\n",
            4,
            "unknown field `key`",
        );
        check(
            "[[generator.zola.includes]]\nmark = \"a\"\nexpression = \"(\"\nbases = {}\n",
            3,
            "invalid `expression`",
        );
        check("\n[generator.new]\ntitle = \"N\"\n", 2, "missing field");
        check("[pipeline.own]\ntitle = \"N\"\n", 1, "missing field");
        check("x = 1\n[plugin]\n", 1, "unknown table `x`");
        check("generator = 1\n", 1, "must be a table");
        check("[generator.zola\n", 1, "");
    }
}
