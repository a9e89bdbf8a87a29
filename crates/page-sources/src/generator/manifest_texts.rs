//! The texts of the program's manifest, as its build script makes them.
//!
//! TOML takes eight times as long to parse as JSON, and most parts are not needed in most runs.

use serde::de::DeserializeOwned;

use super::lazy_part::{LazyPart, parse};

/// The parts of the manifest as JSON.
#[derive(Debug, Clone, Copy)]
pub struct ManifestTexts {
    /// Each top-level key but `generator`, with its value.
    pub parts: &'static [(&'static str, &'static str)],
    /// The tables of generators.
    pub generators: &'static [GeneratorTexts],
}

/// The table of a generator.
#[derive(Debug, Clone, Copy)]
pub struct GeneratorTexts {
    /// The key of the table.
    pub name: &'static str,
    /// The value of `detect`; an empty array without the key.
    pub detect: &'static str,
    /// The value of `config`.
    pub config: &'static str,
    /// The whole table.
    pub profile: &'static str,
}

impl ManifestTexts {
    pub(super) fn lazy<T>(&self, part: &str) -> LazyPart<T> {
        LazyPart::new(self.part(part))
    }

    pub(super) fn parsed<T: DeserializeOwned>(&self, part: &str) -> T {
        parse(self.part(part))
    }

    fn part(&self, name: &str) -> &'static str {
        let mut parts = self.parts.iter();
        let part = parts.find(|(part, _)| *part == name);
        part.expect("a test parses every part of the manifest").1
    }
}

#[cfg(test)]
impl ManifestTexts {
    /// Splits a manifest as the build script of the program does.
    pub(super) fn of(toml: &str) -> Self {
        let leaked = |value: &serde_json::Value| &*value.to_string().leak();
        let parts: serde_json::Map<String, serde_json::Value> =
            toml::from_str(toml).expect("the manifest is valid TOML");
        let generators = parts["generator"].as_object().expect("a table");
        let generators = generators.iter().map(|(name, profile)| GeneratorTexts {
            name: name.clone().leak(),
            detect: profile.get("detect").map_or("[]", leaked),
            config: leaked(&profile["config"]),
            profile: leaked(profile),
        });
        let generators: Vec<GeneratorTexts> = generators.collect();
        let others = parts.iter().filter(|(name, _)| *name != "generator");
        let others: Vec<_> = others
            .map(|(name, value)| (&*name.clone().leak(), leaked(value)))
            .collect();
        Self {
            parts: others.leak(),
            generators: generators.leak(),
        }
    }
}
