//! The shapes of `plugin-manifest.toml`. Unknown keys are errors, so that a misspelt one cannot pass in silence.

use std::collections::BTreeMap;

use serde::Deserialize;

/// The whole manifest.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Version of this shape.
    pub schema: u32,
    /// What waypost is to the programs around it.
    pub plugin: Plugin,
    /// What it takes.
    pub input: Vec<Input>,
    /// What it gives.
    pub output: Vec<Output>,
    /// How it ends.
    pub exit_code: Vec<ExitCode>,
    /// What holds for any site.
    pub generic: Generic,
    /// Site generators by name.
    pub generator: BTreeMap<String, Generator>,
    /// Build pipelines by name.
    pub pipeline: BTreeMap<String, Pipeline>,
    /// The command that builds a site, by generator.
    pub build: BTreeMap<String, String>,
    /// How pipelines come to run waypost, by name.
    pub setup: BTreeMap<String, Setup>,
}

/// `[plugin]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plugin {
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
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Input {
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
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// Its name.
    pub name: String,
    /// The files, as a glob below the output folder.
    pub file: String,
    /// What they are.
    pub about: String,
}

/// `[[exit_code]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExitCode {
    /// The code.
    pub code: u8,
    /// What it means.
    pub about: String,
}

/// `[generic]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Generic {
    /// Globs over files that hosts show as errors.
    pub error_pages: Vec<String>,
    /// Globs over files that are never content.
    pub not_pages: Vec<String>,
    /// Folders that a build may have gone to.
    pub outputs: Vec<String>,
}

/// `[generator.*]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Generator {
    /// Its name for people.
    pub title: String,
    /// Files that give it away; the first that is there decides.
    pub detect: Vec<Marker>,
    /// Its settings files below the site root; later ones add to earlier ones.
    pub config: Vec<String>,
    /// Whether it reads its keys without regard to case.
    #[serde(default)]
    pub keys_ignore_case: bool,
    /// Where its settings name the base URL.
    pub base_url_key: Option<String>,
    /// Where its settings name host and path apart.
    pub base_url_parts: Option<UrlParts>,
    /// The table of its own settings in which ours may stand; none where it allows no keys of others.
    pub rules_table: Option<String>,
    /// Where the build goes.
    pub output: OutputFolder,
    /// Globs over sitemaps it writes beside `sitemap.xml`.
    pub own_sitemaps: Vec<String>,
    /// What switches its own sitemap off.
    pub disable_own_sitemap: Option<String>,
    /// Content folders.
    pub roots: Vec<Root>,
    /// Folders whose files are copied as they are.
    pub static_roots: Vec<String>,
    /// Endings of content files.
    pub extensions: Vec<String>,
    /// File stems that stand for their folder's page.
    pub leaf_index: Vec<String>,
    /// File stems that stand for their folder's list.
    pub branch_index: Vec<String>,
    /// What a content file becomes.
    pub url_style: UrlStyle,
    /// The key that makes `foo.html` of `foo.md` where the style is a folder each.
    pub ugly_key: Option<String>,
    /// The key under which addresses follow patterns of their own.
    pub permalinks_key: Option<String>,
    /// How names become addresses.
    pub slug: Option<Slug>,
    /// How a date at the beginning of a name is taken off.
    pub date_prefix: Option<DatePrefix>,
    /// The keys by which a page names its own address.
    #[serde(default)]
    pub front_matter: FrontMatterKeys,
    /// Front-matter keys that hold the date of the last change, the best first.
    #[serde(default)]
    pub lastmod_keys: Vec<String>,
    /// How languages show in names and addresses.
    pub languages: Option<LanguageKeys>,
    /// The list of chapters whose first is written over again as `index.html`.
    pub first_chapter: Option<String>,
}

/// A file that gives a generator away.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Marker {
    /// The file below the site root.
    pub file: String,
    /// A key it must hold, where other generators have files of that name.
    pub has_key: Option<String>,
}

/// Where host and path of the base URL stand apart.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UrlParts {
    /// The key of the host.
    pub host: String,
    /// The key of the path.
    pub path: String,
}

/// Where a build goes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutputFolder {
    /// The folder where no setting says otherwise.
    pub default: String,
    /// The key that names another.
    pub key: Option<String>,
    /// The folder below it that holds the HTML when a table has more than one entry.
    pub subdir_if_several: Option<SubdirIfSeveral>,
}

/// mdBook moves its HTML into a folder of its own as soon as there is a second renderer.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubdirIfSeveral {
    /// The table whose entries count.
    pub table: String,
    /// The folder.
    pub dir: String,
}

/// A content folder.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Root {
    /// The folder where no setting says otherwise.
    pub dir: String,
    /// The key that names another.
    pub key: Option<String>,
}

/// What a content file becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UrlStyle {
    /// `foo.md` → `foo/index.html`.
    Dir,
    /// `foo.md` → `foo.html`.
    File,
}

/// How names become addresses.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slug {
    /// The function.
    pub with: SlugFunction,
    /// To which parts of the path it is applied.
    pub scope: SlugScope,
    /// The key that switches it: `on`, `safe` or `off`.
    pub mode_key: Option<String>,
    /// The key that keeps upper case.
    pub keep_case_key: Option<String>,
}

/// Slug functions by name; each is code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SlugFunction {
    /// Zola's: the crate `slug`.
    Slug,
    /// Hugo's `urlize`.
    HugoUrlize,
}

/// To which parts of a path a slug function is applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SlugScope {
    /// The last.
    Last,
    /// All.
    All,
}

/// How a date at the beginning of a name is taken off.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DatePrefix {
    /// The key that keeps it.
    pub keep_key: Option<String>,
}

/// The keys by which a page names its own address.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FrontMatterKeys {
    /// Replaces the whole path; always a folder.
    pub path: Option<String>,
    /// Replaces the whole path; a file where it has an ending.
    pub url: Option<String>,
    /// Replaces the last part.
    pub slug: Option<String>,
    /// Marks a page that is not built by default.
    pub draft: Option<String>,
}

/// How languages show in names and addresses.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LanguageKeys {
    /// Where the language stands in a source's path.
    pub style: LanguageStyle,
    /// The key of the default language.
    pub default_key: String,
    /// The table of the languages.
    pub table_key: String,
    /// The key that puts the default language into a folder too.
    pub default_in_subdir_key: Option<String>,
}

/// Where a language stands in a source's path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LanguageStyle {
    /// `foo.fr.md`.
    Suffix,
}

/// `[pipeline.*]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pipeline {
    /// Its name for people.
    pub title: String,
    /// Environment variables and their values that give it away.
    pub detect_env: BTreeMap<String, String>,
    /// Variables and the values they have in a production build; another value marks a preview.
    #[serde(default)]
    pub production_env: BTreeMap<String, String>,
    /// Whether it sends visitors of `/x.html` on to `/x`.
    #[serde(default)]
    pub clean_urls: bool,
    /// The variable that holds the production address.
    pub base_url_env: Option<String>,
    /// How a shallow clone is made deep there.
    pub deepen: String,
}

/// `[setup.*]`: how a pipeline comes to run waypost.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
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
    /// The manifest that is embedded in the binary.
    pub fn embedded() -> Self {
        toml::from_str(include_str!("../../plugin-manifest.toml")).expect("a test reads the embedded manifest")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::Pattern;

    #[test]
    fn the_embedded_manifest_is_sound() {
        let manifest = Manifest::embedded();
        assert_eq!(manifest.schema, 1);
        let globs = [&manifest.generic.error_pages, &manifest.generic.not_pages];
        let own = manifest.generator.values().map(|generator| &generator.own_sitemaps);
        for glob in globs.into_iter().chain(own).flatten() {
            Pattern::new(glob).expect("a glob");
        }
    }
}
