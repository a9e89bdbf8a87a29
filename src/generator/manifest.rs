//! The shapes of `plugin-manifest.toml`. Unknown keys are errors, so that a misspelt one cannot pass in silence.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::profile::Generator;
use crate::hosts::{HostDialect, HostFileKind};

/// The whole manifest.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Version of this shape.
    pub schema: u32,
    /// What waypost is to the programs around it.
    pub plugin: ManifestPlugin,
    /// What it takes.
    pub input: Vec<ManifestInput>,
    /// What it gives.
    pub output: Vec<ManifestOutput>,
    /// How it ends.
    pub exit_code: Vec<ManifestExitCode>,
    /// What holds for any site.
    pub generic: GenericSite,
    /// Site generators by name.
    pub generator: BTreeMap<String, Generator>,
    /// Build pipelines by name.
    pub pipeline: BTreeMap<String, Pipeline>,
    /// The command that builds a site, by generator.
    pub build: BTreeMap<String, String>,
    /// How pipelines come to run waypost, by name.
    pub setup: BTreeMap<String, PipelineSetup>,
    /// Generators that a user's manifest names, which are looked for before all others.
    #[serde(skip)]
    pub first: Vec<String>,
}

/// The manifest that is embedded in the binary, as it is written.
pub(super) const EMBEDDED: &str = include_str!("../../plugin-manifest.toml");

/// `[plugin]`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManifestPlugin {
    /// Its name.
    pub name: String,
    /// What it does, in a line.
    pub about: String,
    /// When it runs.
    pub hook: String,
    /// What is run.
    pub command: String,
    /// What it reads.
    pub reads: Vec<String>,
    /// What it writes.
    pub writes: Vec<String>,
    /// Whether the hook uses the network.
    pub network: bool,
}

/// `[[input]]`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManifestInput {
    /// Its name.
    pub name: String,
    /// What it means.
    pub about: String,
    /// The command line's flag.
    pub flag: Option<String>,
    /// The environment variable.
    pub env: Option<String>,
    /// The value where none is given.
    pub default: Option<String>,
}

/// `[[output]]`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManifestOutput {
    /// Its name.
    pub name: String,
    /// The files, as a glob below the output folder.
    pub file: String,
    /// What they are.
    pub about: String,
}

/// `[[exit_code]]`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManifestExitCode {
    /// The code.
    pub code: u8,
    /// What it means.
    pub about: String,
}

/// `[generic]`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GenericSite {
    /// Globs over files that hosts show as errors.
    pub error_pages: Vec<String>,
    /// Globs over files that are never content.
    pub not_pages: Vec<String>,
    /// Folders that a build may have gone to.
    pub outputs: Vec<String>,
}

/// `[pipeline.*]`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pipeline {
    /// Its name for people.
    pub title: String,
    /// Whether it serves what it builds.
    pub role: PipelineRole,
    /// Environment variables and their values that give it away.
    pub detect_env: BTreeMap<String, String>,
    /// Variables and the values they have in a production build; another value marks a preview. A value that begins
    /// with `$` is that of another variable.
    #[serde(default)]
    pub production_env: BTreeMap<String, String>,
    /// Variables and the values that mark a preview; where the list is empty, any value does.
    #[serde(default)]
    pub preview_env: BTreeMap<String, Vec<String>>,
    /// The variable that holds the production address.
    pub base_url_env: Option<String>,
    /// Variables that hold the address of this one deploy, which ends with it.
    #[serde(default)]
    pub preview_url_env: Vec<String>,
    /// Hosts of single deploys, each a glob.
    #[serde(default)]
    pub preview_hosts: Vec<String>,
    /// What it does to addresses.
    #[serde(default)]
    pub addresses: HostUrlForm,
    /// The files it goes by when it serves the site.
    #[serde(default)]
    pub reads: Vec<HostFileKind>,
    /// How it reads `_headers` and `_redirects`.
    #[serde(default)]
    pub dialect: HostDialect,
    /// How many commits it clones; all where there is no number.
    pub clone_depth: Option<u32>,
    /// How a shallow clone is made deep there.
    pub deepen: String,
    /// How a clone without trees gets them there, where that is not by `git fetch`.
    pub fetch_trees: Option<String>,
}

/// What a pipeline does with what it builds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PipelineRole {
    /// It serves it.
    Host,
    /// It hands it on, to its own pages or to any host.
    Ci,
}

/// What a host does to addresses.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostUrlForm {
    /// Whether it sends visitors of `/x.html` on to `/x`.
    #[serde(default)]
    pub clean: bool,
    /// The file in JSON whose keys say otherwise.
    pub file: Option<String>,
    /// Its key that switches `clean`.
    pub clean_key: Option<String>,
    /// Its key that asks for a slash at the end of every address (`true`) or of none (`false`).
    pub slash_key: Option<String>,
}

/// `[setup.*]`: how a pipeline comes to run waypost.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PipelineSetup {
    /// The pipeline's name for people.
    pub title: String,
    /// Files or folders of a repository that give the pipeline away.
    pub files: Vec<String>,
    /// Where the snippet belongs.
    #[serde(rename = "where")]
    pub place: String,
    /// What to add there; `BUILD` stands for the generator's own command.
    pub snippet: String,
}

impl Manifest {
    /// The generators in the order in which they are looked for.
    pub fn generators(&self) -> impl Iterator<Item = &Generator> {
        let first = self
            .first
            .iter()
            .filter_map(|name| self.generator.get(name));
        let others = self
            .generator
            .values()
            .filter(|generator| !self.first.contains(&generator.name));
        first.chain(others)
    }

    /// The manifest that is embedded in the binary.
    pub fn embedded() -> Self {
        let mut manifest: Self =
            toml::from_str(EMBEDDED).expect("a test reads the embedded manifest");
        for (name, generator) in &mut manifest.generator {
            generator.name.clone_from(name);
        }
        manifest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::GlobPattern;

    #[test]
    fn the_embedded_manifest_is_sound() {
        let manifest = Manifest::embedded();
        assert_eq!(manifest.schema, 1);
        let globs = [&manifest.generic.error_pages, &manifest.generic.not_pages];
        let own = manifest
            .generator
            .values()
            .map(|generator| &generator.own_sitemaps);
        let own = own.chain(
            manifest
                .pipeline
                .values()
                .map(|pipeline| &pipeline.preview_hosts),
        );
        for glob in globs.into_iter().chain(own).flatten() {
            GlobPattern::new(glob).expect("a glob");
        }
    }
}
