//! The type of a `[generator.*]` table, which describes one generator as data. Functions that the
//! data refers to by name are in the other files of this module.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::includes::include_pattern::IncludePattern;
use super::language_keys::LanguageKeys;

/// `[generator.*]`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a key of the table")]
pub struct Generator {
    /// Its name: the table's key.
    #[serde(skip)]
    pub name: String,
    /// Display name.
    pub title: String,
    /// Marker files that identify the generator; the first match wins.
    pub detect: Vec<MarkerFile>,
    /// Settings files below the site root. Only the first that exists is read.
    pub config: Vec<String>,
    /// Directories of settings files that are named after the table they contain. Later directories
    /// override earlier ones.
    #[serde(default)]
    pub config_folders: Vec<String>,
    /// Whether keys in its settings are case-insensitive.
    #[serde(default)]
    pub keys_ignore_case: bool,
    /// The settings key of the base URL.
    pub base_url_key: Option<String>,
    /// The settings keys of the base URL, if host and path are separate.
    pub base_url_parts: Option<UrlParts>,
    /// The table of its settings that may contain waypost's settings; `None` if it rejects unknown
    /// keys.
    pub rules_table: Option<String>,
    /// The output directory.
    pub output: OutputDirSpec,
    /// Globs for the sitemaps that it writes itself.
    pub own_sitemaps: Vec<String>,
    /// The setting that names its sitemap.
    pub own_sitemap_key: Option<String>,
    /// The setting that disables its own sitemap.
    pub disable_own_sitemap: Option<String>,
    /// Content directories.
    pub roots: Vec<ContentRootSpec>,
    /// The settings key of mounts into the content, as in Hugo.
    pub mounts_key: Option<String>,
    /// Content of themes, which the site's own overrides.
    pub themes: Option<ThemeContent>,
    /// How the generator itself lists the sources of its pages.
    pub source_list: Option<SourceListSpec>,
    /// Keys of posts and collections, in directories whose names begin with `_`, as in Jekyll.
    pub collections: Option<CollectionSpec>,
    /// Directories whose files are copied unchanged.
    pub static_roots: Vec<String>,
    /// Extensions of content files.
    pub extensions: Vec<String>,
    /// File stems whose page is that of their directory.
    pub leaf_index: Vec<String>,
    /// Whether only one such file per directory is used, the first in the order above.
    #[serde(default)]
    pub first_leaf_index_wins: bool,
    /// File stems whose page is the list page of their directory.
    pub branch_index: Vec<String>,
    /// Whether a file with the name of its directory is that directory's index.
    #[serde(default)]
    pub same_name_index: bool,
    /// Whether content files next to a `leaf_index` are resources of its page.
    #[serde(default)]
    pub leaf_owns_folder: bool,
    /// Whether only files with front matter become pages.
    #[serde(default)]
    pub needs_front_matter: bool,
    /// URL style of pages.
    pub url_style: ContentUrlStyle,
    /// The setting that removes `.html` from links, as in VitePress.
    pub clean_urls_key: Option<String>,
    /// The setting that writes `foo.md` as `foo.html` even if the style is `dir`.
    pub ugly: Option<SettingSwitch>,
    /// The settings key of URL patterns, as in Hugo.
    pub permalinks_key: Option<String>,
    /// Settings keys of further HTML formats of pages, as in Hugo.
    pub output_formats: Option<OutputFormatKeys>,
    /// How slugs are made from names.
    pub slug: Option<SlugSpec>,
    /// How a date at the start of a name is removed.
    pub date_prefix: Option<DatePrefix>,
    /// The front matter keys that affect a page's URL.
    #[serde(default)]
    pub front_matter: FrontMatterKeys,
    /// The key of the values that pages inherit, in the front matter of list pages and in the
    /// settings, as in Hugo.
    pub cascade_key: Option<String>,
    /// How front matter marks pages that are not built by default.
    #[serde(default)]
    pub unpublished: UnpublishedKeys,
    /// Front matter keys with the date of the last change, in order of preference.
    #[serde(default)]
    pub lastmod_keys: Vec<String>,
    /// Front matter keys with the publication date, in order of preference.
    #[serde(default)]
    pub published_keys: Vec<String>,
    /// How pages name the terms that list them.
    pub terms: Option<TermSpec>,
    /// Tables of front matter that may contain settings for the page's sitemap entry.
    #[serde(default)]
    pub page_settings: Vec<PageTableSpec>,
    /// How languages appear in names (`foo.fr.md`) and URLs.
    pub languages: Option<LanguageKeys>,
    /// Settings keys of template directories, which are copied to the output if they are inside the
    /// content directory.
    #[serde(default)]
    pub theme_keys: Vec<String>,
    /// How content files include others.
    #[serde(default)]
    pub includes: Vec<IncludePattern>,
    /// The file that lists the chapters; the first chapter is also written as `index.html`.
    pub first_chapter: Option<String>,
}

impl Generator {
    /// Whether a file with this name is content.
    pub fn is_content(&self, name: &[u8]) -> bool {
        self.ending_of(name).is_some()
    }

    /// The length of a content file's extension, including the dot; `None` if it is not a content
    /// file.
    pub(super) fn ending_of(&self, name: &[u8]) -> Option<usize> {
        let lengths = self.extensions.iter().filter_map(|known| {
            let (stem, ending) = name.split_at_checked(name.len().checked_sub(known.len())?)?;
            let is_it = ending.eq_ignore_ascii_case(known.as_bytes())
                && stem.len() > 1
                && stem.ends_with(b".");
            is_it.then_some(known.len() + 1)
        });
        lengths.max()
    }

    /// Whether a file with this stem is the list page of its directory.
    pub(super) fn is_branch_index(&self, stem: &str) -> bool {
        self.branch_index.iter().any(|known| known == stem)
    }

    /// Whether a file with this stem is the page of its directory.
    pub(super) fn is_leaf_index(&self, stem: &str) -> bool {
        self.leaf_rank(stem).is_some()
    }

    /// The position of a file stem in `leaf_index`.
    pub(super) fn leaf_rank(&self, stem: &str) -> Option<usize> {
        self.leaf_index.iter().position(|known| known == stem)
    }

    /// Whether front matter can affect a page's URL.
    pub(super) fn reads_front_matter(&self) -> bool {
        let keys = &self.front_matter;
        let keys = [&keys.path, &keys.url, &keys.slug, &keys.id, &keys.draft];
        self.needs_front_matter
            || keys.into_iter().any(Option::is_some)
            || self.unpublished.published.is_some()
    }
}

/// A file that identifies a generator.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MarkerFile {
    /// The file, relative to the site root.
    pub file: String,
    /// A key it must contain, if other generators use files of this name.
    pub has_key: Option<String>,
    /// Keys it must not contain, because they belong to another generator.
    #[serde(default)]
    pub without_keys: Vec<String>,
}

/// Settings keys of a base URL whose host and path are separate.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UrlParts {
    /// The key of the host, with or without a scheme.
    pub host: String,
    /// The key of the path.
    pub path: String,
}

/// The output directory of a generator.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutputDirSpec {
    /// The default directory.
    pub default: String,
    /// The settings keys that override it.
    #[serde(default)]
    pub keys: Vec<String>,
    /// Directories to use if the default one does not exist.
    #[serde(default)]
    pub others: Vec<String>,
    /// A subdirectory for the HTML, used if a table has more than one entry.
    pub subdir_if_several: Option<SubdirIfSeveral>,
}

/// mdBook writes its HTML to a subdirectory as soon as there is a second renderer.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubdirIfSeveral {
    /// The table whose entries are counted.
    pub table: String,
    /// The subdirectory.
    pub dir: String,
}

/// A content directory.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a key of the table")]
pub struct ContentRootSpec {
    /// The default directory.
    pub dir: String,
    /// The settings keys that override it.
    #[serde(default)]
    pub keys: Vec<String>,
    /// The output directory of its pages, with a trailing `/`.
    #[serde(default)]
    pub address: String,
    /// Whether `2024-05-06-name` becomes `2024/05/06/name`.
    #[serde(default)]
    pub date_folders: bool,
    /// Whether `01-name` is `name`.
    #[serde(default)]
    pub number_prefixes: bool,
    /// Whether names are used in URLs unchanged, without slugs and regardless of front matter.
    #[serde(default)]
    pub keeps_names: bool,
    /// The URL pattern of its pages.
    pub permalink: Option<RootPermalink>,
    /// Whether its drafts are built like other pages.
    #[serde(default)]
    pub builds_drafts: bool,
    /// A text that the settings must contain for this to be a content directory.
    pub if_mentioned: Option<String>,
    /// A text that the settings must not contain, because it means that the pages are elsewhere.
    pub unless_mentioned: Option<String>,
    /// A file whose existence means that the pages are elsewhere.
    pub unless_file: Option<String>,
}

/// The URL pattern of a content directory.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RootPermalink {
    /// The settings key of the pattern.
    pub key: String,
    /// The default pattern.
    pub default: String,
    /// The front matter key of the page's date.
    pub date: String,
}

/// Themes, whose content is mounted as that of the site itself.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ThemeContent {
    /// The settings key of the theme, or of an array of themes.
    pub key: String,
    /// The directory of themes.
    pub dir: String,
}

/// How a generator lists the sources of its pages.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceListSpec {
    /// The command that prints the list; `None` if each build writes it.
    pub command: Option<String>,
    /// The file to name in `source_map`.
    pub file: String,
}

/// The URL style of content files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ContentUrlStyle {
    /// `foo.md` → `foo/index.html`.
    Dir,
    /// `foo.md` → `foo.html`.
    File,
    /// One of the two, depending on a setting that cannot be read as data.
    Either,
}

/// A boolean setting.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SettingSwitch {
    /// The key.
    pub key: String,
    /// The value that enables the feature.
    pub is: bool,
}

/// Settings keys for the URLs of Jekyll's posts and collections.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CollectionSpec {
    /// The key of the collections.
    pub key: String,
    /// The key of the URL pattern.
    pub permalink_key: String,
    /// The key of the front matter defaults.
    pub defaults_key: String,
}

/// Settings keys of the formats of pages.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutputFormatKeys {
    /// The table of formats.
    pub key: String,
    /// The table, and the key of front matter, that names the formats of pages.
    pub used_key: String,
}

/// How slugs are made from names.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlugSpec {
    /// The function.
    pub with: SlugFunction,
    /// The parts of the path it applies to.
    pub scope: SlugScope,
    /// The settings key of the slug mode: `on`, `safe` or `off`.
    pub mode_key: Option<String>,
    /// The settings key that preserves upper case.
    pub keep_case_key: Option<String>,
}

/// Slug functions; each is implemented in code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SlugFunction {
    /// Zola's: the crate `slug`.
    Slug,
    /// Hugo's `urlize`.
    HugoUrlize,
    /// The npm package github-slugger, as Astro uses it.
    GithubSlugger,
}

/// The parts of a path that a slug function applies to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SlugScope {
    /// The last part.
    Last,
    /// All parts.
    All,
}

/// How a date at the start of a name is removed.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DatePrefix {
    /// The settings key that keeps the date.
    pub keep_key: Option<String>,
    /// The settings key of the sources for a page's date, in order. The date is removed only if the
    /// file name is the first source that has a date.
    pub date_places_key: Option<String>,
}

/// The front matter keys that affect a page's URL.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FrontMatterKeys {
    /// Whether the URL of a list page is always that of its directory, regardless of its front
    /// matter.
    #[serde(default)]
    pub of_pages_only: bool,
    /// Replaces the whole path, always with a directory.
    pub path: Option<String>,
    /// Replaces the whole path, with a file if the value has an extension.
    pub url: Option<String>,
    /// The meaning of a `url` without an extension or a trailing slash.
    #[serde(default)]
    pub bare_url: BareUrl,
    /// Replaces the last part of the path.
    pub slug: Option<String>,
    /// Whether a slug with a leading `/` replaces the whole path below the content directory.
    #[serde(default)]
    pub slug_may_be_path: bool,
    /// Replaces the file name, but not its directories.
    pub id: Option<String>,
    /// Marks a page that is not built by default.
    pub draft: Option<String>,
    /// Keys (dotted) and their values that mean that the file does not become a page.
    #[serde(default)]
    pub no_page: BTreeMap<String, Vec<NoPageValue>>,
}

/// The front matter keys of pages that are not built by default, besides `front_matter.draft`, and
/// the settings that build them nevertheless.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnpublishedKeys {
    /// A page with the value `false` is a draft.
    pub published: Option<String>,
    /// The date from which on a page is not built, in order of preference.
    #[serde(default)]
    pub expires: Vec<String>,
    /// The date before which a page is not built, in order of preference.
    #[serde(default)]
    pub starts: Vec<String>,
    /// Whether that date counts only for posts and collections, in directories whose names begin
    /// with `_`. The file name of a post begins with its date.
    #[serde(default)]
    pub starts_in_collections: bool,
    /// The name of directories of drafts.
    pub draft_dir: Option<String>,
    /// The settings key that builds what is in them.
    pub build_draft_dir: Option<String>,
    /// The table of the settings that changes the meaning of dates; with it, they are not read.
    pub dates_table: Option<String>,
    /// The settings key that builds drafts.
    pub build_drafts: Option<String>,
    /// The settings key that builds expired pages.
    pub build_expired: Option<String>,
    /// The settings key that builds pages with a date in the future.
    pub build_future: Option<String>,
}

/// A front matter value that means that the file does not become a page.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum NoPageValue {
    /// `render = false`.
    Switch(bool),
    /// `build.render = "never"`.
    Word(String),
}

/// The meaning of a URL without an extension or a trailing slash.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BareUrl {
    /// A directory: `/a` → `a/index.html`.
    #[default]
    Dir,
    /// A file with the extension `.html`: `/a` → `a.html`.
    File,
    /// A file with exactly this name, which is not a page.
    Exact,
}

/// How pages name the terms (tags, categories) that list them.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TermSpec {
    /// The front matter table whose keys are taxonomies.
    pub table: Option<String>,
    /// The settings key that names the taxonomies, if they are top-level keys of the front matter.
    pub names_key: Option<String>,
    /// The default taxonomies.
    #[serde(default)]
    pub names: Vec<String>,
    /// The settings key of the slug mode for terms: `on`, `safe` or `off`.
    pub mode_key: Option<String>,
}

/// A front matter table with settings for the page's own entry: priority, changefreq, lastmod,
/// exclude.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageTableSpec {
    /// Its dotted path.
    pub table: String,
    /// The key in it that means `exclude`.
    #[serde(default = "PageTableSpec::own_exclude_key")]
    pub exclude_key: String,
    /// Keys in it that waypost ignores.
    #[serde(default)]
    pub foreign_keys: Vec<String>,
    /// Whether the generator defines the table and its rules.
    #[serde(default)]
    pub is_generators_own: bool,
}

impl PageTableSpec {
    fn own_exclude_key() -> String {
        "exclude".to_owned()
    }
}
