//! A generator of the manifest, of which only the marker files are known until it is used.

use std::sync::OnceLock;

use super::content_keys::MarkerFile;
use super::lazy_part::parse;
use super::manifest_texts::GeneratorTexts;
use super::profile::Generator;

/// A generator by its marker files; a run uses the profile of one generator of thirty.
#[derive(Debug, Clone)]
pub struct KnownGenerator {
    /// Its name.
    pub name: String,
    markers: Vec<MarkerFile>,
    json: &'static str,
    profile: OnceLock<Generator>,
}

impl KnownGenerator {
    /// A generator of the program's manifest.
    pub(super) fn of_program(texts: &GeneratorTexts) -> Self {
        Self {
            name: texts.name.to_owned(),
            markers: Generator::markers(parse(texts.detect), &parse::<Vec<String>>(texts.config)),
            json: texts.profile,
            profile: OnceLock::new(),
        }
    }

    /// A generator that a site describes itself.
    pub(super) fn of_site(name: String, profile: Generator) -> Self {
        let markers = Generator::markers(profile.detect.clone(), &profile.config);
        let profile = Generator {
            name: name.clone(),
            ..profile
        };
        Self {
            name,
            markers,
            json: "",
            profile: profile.into(),
        }
    }

    /// The files that identify it; the first match wins.
    pub(super) fn markers(&self) -> &[MarkerFile] {
        &self.markers
    }

    /// Its profile, which is parsed when it is first used.
    pub fn profile(&self) -> &Generator {
        self.profile.get_or_init(|| Generator {
            name: self.name.clone(),
            ..parse(self.json)
        })
    }
}
