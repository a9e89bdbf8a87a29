//! The types of `plugin-manifest.toml`. Unknown keys are errors, so a misspelled key is not
//! ignored.

use std::collections::{BTreeMap, HashSet};
use std::ffi::OsStr;
use std::sync::LazyLock;

use serde::Deserialize;

use super::Generator;
use super::profile::MarkerFile;

/// The manifest as JSON, which takes an eighth of the time of TOML to parse.
const MANIFEST: &str = include_str!(concat!(env!("OUT_DIR"), "/manifest.json"));

/// The manifest, as far as the program itself reads it.
#[derive(Debug, Clone, Deserialize)]
pub struct Manifest {
    /// Exit codes of the hook.
    pub exit_code: Vec<ManifestExitCode>,
    /// Rules for every site.
    pub generic: GenericSite,
    /// Site generators by name.
    pub generator: BTreeMap<String, Generator>,
    /// Build pipelines by name.
    pub pipeline: BTreeMap<String, Pipeline>,
    /// Hosts by name.
    pub host: BTreeMap<String, HostModel>,
    /// The steps that run waypost, by pipeline name.
    pub step: BTreeMap<String, PipelineStep>,
    /// Actions and commands that publish a site.
    pub publisher: Vec<Publisher>,
    /// The repository that is built, by the variables of services.
    pub repository: Vec<RepositoryVariables>,
}

/// `[[exit_code]]`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManifestExitCode {
    /// The exit code.
    pub code: u8,
    /// Its meaning.
    pub about: String,
}

/// `[generic]`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GenericSite {
    /// Globs for files that hosts serve as error pages.
    pub error_pages: Vec<String>,
    /// Globs for files that are never content.
    pub not_pages: Vec<String>,
    /// Files that a program fills in with a value of the URL.
    pub route_shells: RouteShells,
    /// What steps, scripts and jobs may say of the place to which they publish.
    pub publishing: PublishingKeys,
    /// Possible output directories; `*` as a whole part is any directory.
    pub outputs: Vec<String>,
    /// Files at the top of a program's sources. Pages among them are tests and documentation.
    pub program_files: Vec<String>,
    /// Directories of templates, whichever generator reads them.
    pub template_dirs: Vec<String>,
    /// Directories that contain no site of the project.
    pub not_searched: Vec<String>,
    /// Files for the search in a site, which a generator or a tool of the build writes.
    pub search_indexes: Vec<String>,
    /// Sitemaps that readers try by default.
    pub sitemaps: Vec<String>,
    /// Rules documented by search engines, which ignore anything else in a robots tag.
    pub robots_rules: Vec<String>,
}

/// `[generic.publishing]`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishingKeys {
    /// Inputs, variables and options that name another repository or remote.
    pub other_repository: Vec<String>,
    /// Inputs with a directory below the site of the repository: that is another site beside others.
    pub target_dir: Vec<String>,
    /// Tables of GitLab's file that are not jobs.
    pub gitlab_tables: Vec<String>,
}

/// `[[repository]]`: the repository that is built, by the variables of a service.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RepositoryVariables {
    /// Variables that must have these values.
    #[serde(default)]
    pub if_env: BTreeMap<String, String>,
    /// The URL of the repository, with the names of variables in braces.
    pub url: String,
}

/// `[generic.route_shells]`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RouteShells {
    /// Files that a program without a table of its own writes beside them, relative to the output
    /// directory.
    pub beside: Vec<String>,
    /// Globs for them.
    pub globs: Vec<String>,
}

/// `[pipeline.*]`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pipeline {
    /// Display name.
    pub title: String,
    /// Whether the pipeline also serves the site.
    pub role: PipelineRole,
    /// The host that serves the site: always if the pipeline is a host, else if the site's base URL
    /// is the pipeline's.
    pub serves: Option<String>,
    /// Environment variables and values that identify the pipeline, in any case; `*` is any value.
    pub detect_env: BTreeMap<String, String>,
    /// Variables and globs of the values that mark a preview; `!` before a value means any other.
    #[serde(default)]
    pub preview_env: BTreeMap<String, Vec<String>>,
    /// Variables and globs of the values that mark production.
    #[serde(default)]
    pub production_env: BTreeMap<String, Vec<String>>,
    /// Variables with the branch, as its name or as a full reference; the first that is set counts.
    #[serde(default)]
    pub branch_env: Vec<String>,
    /// Variables with the tag.
    #[serde(default)]
    pub tag_env: Vec<String>,
    /// The variable with the repository's default branch.
    pub default_branch_env: Option<String>,
    /// The variable with the path of GitHub's event file.
    pub event_env: Option<String>,
    /// The variable with the path of the project. A production URL whose path is longer than it is
    /// that of a parallel deployment.
    pub project_env: Option<String>,
    /// The variable with the production URL.
    pub base_url_env: Option<String>,
    /// Variables with the URL of the current deploy, which is valid for that deploy only.
    #[serde(default)]
    pub preview_url_env: Vec<String>,
    /// Globs for the hosts of single deploys.
    #[serde(default)]
    pub preview_hosts: Vec<String>,
    /// Clone depth in commits; `None` for a full clone.
    pub clone_depth: Option<u32>,
    /// Instruction for making a shallow clone complete.
    pub deepen: String,
    /// Instruction for fetching the trees of a treeless clone, if `git fetch` does not do so.
    pub fetch_trees: Option<String>,
}

/// The role of a pipeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PipelineRole {
    /// Builds and serves the site.
    Host,
    /// Builds the site and deploys it to its own pages or to another host.
    Ci,
}

/// `[step.*]`: the step that runs waypost in the pipeline of the same name.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PipelineStep {
    /// Files or directories in a repository that identify the pipeline.
    #[serde(default)]
    pub files: Vec<String>,
    /// Where the step belongs.
    #[serde(rename = "where")]
    pub place: String,
    /// How a build gets Rust.
    pub rust: Option<String>,
    lines: String,
    /// Whether it can use the action in a repository on GitHub instead of the lines.
    #[serde(default)]
    pub has_action: bool,
}

impl PipelineStep {
    /// The text of the step, with a command that installs and runs waypost and one that only installs it,
    /// and with the further words of the first.
    pub fn text(&self, run: &str, install: &str, arguments: &str) -> String {
        let lines = self.lines.trim().replace("INSTALL", install);
        lines.replace("WAYPOST", run).replace(" SITE", arguments)
    }
}

/// `[[publisher]]`: an action or a command that publishes a site.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Publisher {
    /// The action, without its version, or the command.
    pub name: String,
    /// The host, if it publishes on one alone.
    pub host: Option<String>,
    /// Inputs and variables, or options, that name the directory.
    #[serde(default)]
    pub dir: Vec<String>,
    /// The directory if none is named.
    pub default_dir: Option<String>,
    /// Those that name a custom domain.
    #[serde(default)]
    pub domain: Vec<String>,
    /// Whether it builds the site too.
    #[serde(default)]
    pub builds: bool,
    /// Whether an earlier step has uploaded the directory.
    #[serde(default)]
    pub is_after_upload: bool,
    /// The program that runs the input `command` of the action.
    pub runs: Option<String>,
}

/// `[host.*]`: who serves a site.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HostModel {
    /// Display name.
    pub title: String,
    /// Globs for the domains that it gives to sites.
    pub domains: Vec<String>,
    /// Files that identify it, in the site root or a directory above it.
    pub files: Vec<HostMark>,
    /// The key of these files that names the directory to deploy.
    pub output_key: Option<String>,
    /// How it changes URLs.
    pub addresses: HostUrlForm,
    /// The error pages that it serves besides the usual ones.
    pub error_pages: HostErrorPages,
    /// Configuration files that affect how it serves the site.
    pub reads: Vec<HostFileKind>,
    /// Whose server it runs.
    pub server: HostServer,
    /// Configuration files that are programs, or whose format is not known well enough to read them.
    pub unread: Vec<String>,
    /// Files of a repository that it builds a site from. They do not say that it serves this one.
    pub built_by: Vec<String>,
}

/// A file that identifies a host.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostMark {
    /// The file's name.
    pub file: String,
    /// A key that it must have.
    pub has_key: Option<String>,
}

/// The error pages of a host.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HostErrorPages {
    /// Globs for their files.
    pub globs: Vec<String>,
    /// The key of the host's settings that must have the value `is`; without a key they always
    /// count.
    pub key: Option<String>,
    /// The value.
    pub is: Option<String>,
}

/// How a host changes URLs.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HostUrlForm {
    /// Whether it redirects `/x.html` to `/x`.
    pub clean: bool,
    /// TOML and JSON files whose keys override this; the first that exists counts.
    pub files: Vec<String>,
    /// The key that sets `clean`.
    pub clean_key: Option<String>,
    /// The key that requires a trailing slash (`true`) or forbids it (`false`).
    pub slash_key: Option<String>,
    /// The key that has a value of Cloudflare's `html_handling`.
    pub handling_key: Option<String>,
    /// The table of environments, each with its own values of the keys above.
    pub environments: Option<String>,
    /// The variable with the name of the environment.
    pub environment_env: Option<String>,
}

/// Whose server answers requests. It decides which URLs a file has, and how `_headers` and
/// `_redirects` are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HostServer {
    /// A plain server, or an unknown one. Its `_headers` and `_redirects` are read as by Netlify, which
    /// introduced these files.
    #[default]
    Plain,
    /// Netlify: a page takes precedence over a redirect unless the redirect is forced (`301!`), a
    /// trailing slash makes no difference, and the first matching rule applies (docs.netlify.com,
    /// "redirect options", "trailing slash").
    Netlify,
    /// Cloudflare Pages: "redirects are always followed, regardless of whether or not an asset
    /// matches", a trailing slash matters, and `! Name` removes a header
    /// (developers.cloudflare.com/pages/configuration/redirects).
    CloudflarePages,
    /// Cloudflare Workers, with the same rules.
    CloudflareWorkers,
    /// Vercel.
    Vercel,
    /// Firebase Hosting.
    Firebase,
    /// GitHub Pages.
    GithubPages,
    /// GitLab Pages.
    GitlabPages,
}

impl HostServer {
    /// Whether `_headers` and `_redirects` are read as by Cloudflare.
    pub fn has_cloudflare_rules(self) -> bool {
        matches!(self, Self::CloudflarePages | Self::CloudflareWorkers)
    }
}

/// The supported files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub enum HostFileKind {
    /// `_headers` in the output directory.
    #[serde(rename = "_headers")]
    Headers,
    /// `_redirects` in the output directory.
    #[serde(rename = "_redirects")]
    Redirects,
    /// `netlify.toml` in the site root or above it.
    #[serde(rename = "netlify.toml")]
    NetlifyToml,
    /// `vercel.json` in the site root or above it.
    #[serde(rename = "vercel.json")]
    VercelJson,
    /// `firebase.json` in the site root or above it.
    #[serde(rename = "firebase.json")]
    FirebaseJson,
}

impl HostFileKind {
    /// All kinds by name, in the order in which their rules apply.
    pub const NAMES: [(&str, Self); 5] = [
        ("_headers", Self::Headers),
        ("_redirects", Self::Redirects),
        ("netlify.toml", Self::NetlifyToml),
        ("vercel.json", Self::VercelJson),
        ("firebase.json", Self::FirebaseJson),
    ];

    /// Whether the file is in the output directory; the others are in the site root or
    /// above it.
    pub fn is_published(self) -> bool {
        matches!(self, Self::Headers | Self::Redirects)
    }
}

impl Manifest {
    /// What waypost knows about generators, pipelines and hosts.
    pub fn embedded() -> &'static Self {
        static EMBEDDED: LazyLock<Manifest> = LazyLock::new(Manifest::read);
        &EMBEDDED
    }

    /// Completes the manifest by the names of generators and by the marker files of those that any of
    /// their settings files identifies.
    fn read() -> Self {
        let mut manifest: Self =
            serde_json::from_str(MANIFEST).expect("a test parses the manifest");
        for (name, generator) in &mut manifest.generator {
            name.clone_into(&mut generator.name);
            if generator.detect.is_empty() {
                for file in &generator.config {
                    generator.detect.push(MarkerFile {
                        file: file.clone(),
                        conditions: Vec::new(),
                    });
                }
            }
        }
        manifest
    }

    /// The names of files and directories at the top of a site of a known generator, and of known output
    /// directories: a directory without any of them cannot be either.
    pub(super) fn names_in_sites(&self) -> HashSet<&OsStr> {
        self.generator
            .values()
            .flat_map(|known| &known.detect)
            .map(|marker| &marker.file)
            .chain(&self.generic.outputs)
            .map(|path| OsStr::new(path.split('/').next().unwrap_or(path)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::glob::GlobPattern;
    use crate::generators::SettingTexts;

    #[test]
    fn the_text_of_the_build_script_is_the_manifest() {
        let json: serde_json::Value = serde_json::from_str(MANIFEST).expect("JSON");
        let toml = include_str!("../../plugin-manifest.toml");
        let expected: serde_json::Value = toml::from_str(toml).expect("TOML");
        assert_eq!(json, expected);
        assert_eq!(json["schema"], 1);
        for (name, generator) in &Manifest::embedded().generator {
            assert_eq!(generator.name, *name);
        }
    }

    #[test]
    fn the_embedded_manifest_is_valid() {
        let manifest = Manifest::embedded();
        let generic = &manifest.generic;
        let globs = [
            &generic.error_pages,
            &generic.not_pages,
            &generic.route_shells.globs,
        ];
        let of_pipelines = manifest.pipeline.values().flat_map(|pipeline| {
            let marks = [&pipeline.preview_env, &pipeline.production_env];
            let values = marks.into_iter().flat_map(BTreeMap::values);
            values.chain([&pipeline.preview_hosts])
        });
        let globs = globs.into_iter().chain(of_pipelines).flatten();
        let globs = globs.map(String::as_str);
        for (name, profile) in &manifest.generator {
            let has_files = !profile.config.is_empty() || !profile.detect.is_empty();
            let has_output = profile.output != SettingTexts::default();
            assert!(
                has_files && has_output && !profile.title.is_empty(),
                "{name}"
            );
            for include in &profile.includes {
                include.compiled().expect("an expression");
            }
        }
        let own = manifest.generator.values();
        let own = own.flat_map(|profile| profile.own_sitemaps.literals());
        for glob in globs.chain(own) {
            GlobPattern::new(glob).expect("a glob");
        }
        let served = manifest.pipeline.values();
        for host in served.filter_map(|pipeline| pipeline.serves.as_ref()) {
            assert!(manifest.host.contains_key(host), "{host}");
        }
        for pipeline in manifest.step.keys() {
            assert!(manifest.pipeline.contains_key(pipeline), "{pipeline}");
        }
    }
}
