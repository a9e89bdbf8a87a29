//! How to build a site and run waypost in a pipeline: the tables `build`, `image` and `setup` of the
//! manifest. Nothing here runs a command or edits a file.

use serde::Deserialize;

/// `[build.*]`: how to build a site in a pipeline that has no generator yet.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BuildRecipe {
    /// The command, once the generator is installed.
    pub command: String,
    /// Words that a command which builds the site begins with.
    pub words: Vec<String>,
    /// Ways to install the generator on Linux, of which the first applies whose file exists.
    #[serde(default)]
    pub install: Vec<InstallCommand>,
    /// The command after `install`; by default `command`.
    pub installed: Option<String>,
    /// A container image in which these commands work.
    pub image: String,
    /// A command that must run first in this image.
    pub image_install: Option<String>,
    /// The command that runs waypost; by default with npm's `npx`.
    pub run: Option<String>,
    /// Steps that install the generator in GitHub Actions, instead of `install`.
    pub actions: Option<String>,
}

/// A command that installs a generator.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InstallCommand {
    /// A file of the site that the command needs.
    pub file: Option<String>,
    /// The command.
    pub command: String,
}

/// `[[image]]`: how to install waypost in container images of a kind.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContainerImage {
    /// Images without their tags, or `*-alpine` for a part of a tag.
    pub names: Vec<String>,
    /// Commands that install what waypost needs.
    pub install: Vec<String>,
    /// The command that runs waypost; by default with npm's `npx`.
    pub run: Option<String>,
}

/// `[setup.*]`: how to run waypost in a pipeline.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PipelineSetup {
    /// Display name of the pipeline.
    pub title: String,
    /// Files or directories in a repository that identify the pipeline.
    pub files: Vec<String>,
    /// The format of these files, if waypost can insert the step into them.
    pub format: Option<PipelineFormat>,
    /// Where to insert the snippet.
    #[serde(rename = "where")]
    pub place: String,
    /// A step outside all files, such as a variable that the host's console sets.
    pub also: Option<String>,
    /// The text to insert, with placeholders for the generator's commands.
    pub snippet: String,
    /// Titles of further pipelines with the same step.
    #[serde(default)]
    pub also_for: Vec<String>,
    /// The step for sites that the service builds by itself.
    pub own_build: Option<OwnBuild>,
}

/// `[setup.*.own_build]`: a service that runs some generators by itself.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnBuild {
    /// The generators.
    pub generators: Vec<String>,
    /// Where to insert the snippet.
    #[serde(rename = "where")]
    pub place: String,
    /// The text to insert.
    pub snippet: String,
}

impl PipelineSetup {
    /// Where to insert the step for a site of this generator, and its text with placeholders.
    pub fn step_for(&self, generator: Option<&str>) -> (&str, &str) {
        let own = self.own_build.as_ref().filter(|own| {
            let mut known = own.generators.iter();
            generator.is_some_and(|generator| known.any(|name| name == generator))
        });
        own.map_or((&self.place, &self.snippet), |own| {
            (&own.place, &own.snippet)
        })
    }

    /// Whether the step is that of a pipeline.
    pub fn is_for(&self, pipeline: &str) -> bool {
        self.title == pipeline || self.also_for.iter().any(|title| title == pipeline)
    }
}

/// A format of pipeline files in which waypost can insert its step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PipelineFormat {
    /// A workflow of GitHub Actions.
    GithubWorkflow,
    /// A workflow of Forgejo Actions, which has the syntax of GitHub's.
    ForgejoWorkflow,
    /// `.gitlab-ci.yml`.
    Gitlab,
    /// `netlify.toml`.
    Netlify,
    /// `vercel.json`.
    Vercel,
}
