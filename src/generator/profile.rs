//! What is known of one generator: the shape of a `[generator.*]` table. All of it is data; what has to be computed is
//! named here and written elsewhere in this room.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::own_config::OwnConfig;

/// `[generator.*]`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a key of the table")]
pub struct Generator {
    /// Its name, which is the table's key.
    #[serde(skip)]
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// Files that give it away; the first that is there decides.
    pub detect: Vec<MarkerFile>,
    /// Its settings files below the site root; of those at the top only the first counts, others add to it.
    pub config: Vec<String>,
    /// Folders of settings files that are named after the table they hold; later ones add to earlier ones.
    #[serde(default)]
    pub config_folders: Vec<String>,
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
    pub output: OutputDirSpec,
    /// Globs over sitemaps it writes beside `sitemap.xml`.
    pub own_sitemaps: Vec<String>,
    /// What switches its own sitemap off.
    pub disable_own_sitemap: Option<String>,
    /// Content folders.
    pub roots: Vec<ContentRootSpec>,
    /// The key under which files are mounted into the content from elsewhere, as Hugo has it.
    pub mounts_key: Option<String>,
    /// Posts and collections, in folders that begin with `_`, as Jekyll has them.
    pub collections: Option<CollectionSpec>,
    /// Folders whose files are copied as they are.
    pub static_roots: Vec<String>,
    /// Endings of content files.
    pub extensions: Vec<String>,
    /// File stems that stand for their folder's page.
    pub leaf_index: Vec<String>,
    /// Whether of several of them in one folder only that counts which is named first here.
    #[serde(default)]
    pub first_leaf_index_wins: bool,
    /// File stems that stand for their folder's list.
    pub branch_index: Vec<String>,
    /// Whether a file of its folder's name stands for the folder's page.
    #[serde(default)]
    pub same_name_index: bool,
    /// Whether other content files beside a `leaf_index` are parts of that page.
    #[serde(default)]
    pub leaf_owns_folder: bool,
    /// Whether only files with front matter become pages.
    #[serde(default)]
    pub needs_front_matter: bool,
    /// What a content file becomes.
    pub url_style: ContentUrlStyle,
    /// The setting that makes `foo.html` of `foo.md` where the style is a folder each.
    pub ugly: Option<SettingSwitch>,
    /// The key under which addresses follow patterns of their own, as Hugo has it.
    pub permalinks_key: Option<String>,
    /// How names become addresses.
    pub slug: Option<SlugSpec>,
    /// How a date at the beginning of a name is taken off.
    pub date_prefix: Option<DatePrefix>,
    /// The keys by which a page names its own address.
    #[serde(default)]
    pub front_matter: FrontMatterKeys,
    /// Front-matter keys that hold the date of the last change, the best first.
    #[serde(default)]
    pub lastmod_keys: Vec<String>,
    /// Keys of a page's front matter that hold its date of publication, the surest first.
    #[serde(default)]
    pub published_keys: Vec<String>,
    /// How pages name the terms under which they are listed.
    pub terms: Option<TermSpec>,
    /// Tables of a page's front matter in which it may speak of its own entry.
    #[serde(default)]
    pub page_settings: Vec<PageTableSpec>,
    /// How languages show in names (`foo.fr.md`) and addresses.
    pub languages: Option<LanguageKeys>,
    /// Keys of folders of templates, which are copied to the output where they lie among the content.
    #[serde(default)]
    pub theme_keys: Vec<String>,
    /// The list of chapters whose first is written over again as `index.html`.
    pub first_chapter: Option<String>,
}

impl Generator {
    /// The length of a content file's ending, with its dot; `None` where the file is none of content.
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

    /// Whether a file stem stands for its folder's list.
    pub(super) fn is_branch_index(&self, stem: &str) -> bool {
        self.branch_index.iter().any(|known| known == stem)
    }

    /// Whether a file stem stands for its folder's page.
    pub(super) fn is_leaf_index(&self, stem: &str) -> bool {
        self.leaf_rank(stem).is_some()
    }

    /// The place of a file stem among those that stand for their folder's page.
    pub(super) fn leaf_rank(&self, stem: &str) -> Option<usize> {
        self.leaf_index.iter().position(|known| known == stem)
    }

    /// Whether anything in a page's front matter counts for its address.
    pub(super) fn reads_front_matter(&self) -> bool {
        let keys = &self.front_matter;
        let keys = [&keys.path, &keys.url, &keys.slug, &keys.id, &keys.draft];
        self.needs_front_matter || keys.into_iter().any(Option::is_some)
    }
}

/// A file that gives a generator away.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MarkerFile {
    /// The file below the site root.
    pub file: String,
    /// A key it must hold, where other generators have files of that name.
    pub has_key: Option<String>,
    /// Keys it must not hold, since they are those of another generator.
    #[serde(default)]
    pub without_keys: Vec<String>,
}

/// Where host and path of the base URL stand apart.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UrlParts {
    /// The key of the host, with or without its scheme.
    pub host: String,
    /// The key of the path.
    pub path: String,
}

/// Where a build goes.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutputDirSpec {
    /// The folder where no setting says otherwise.
    pub default: String,
    /// The keys that may name another.
    #[serde(default)]
    pub keys: Vec<String>,
    /// The folder below it that holds the HTML when a table has more than one entry.
    pub subdir_if_several: Option<SubdirIfSeveral>,
}

/// mdBook moves its HTML into a folder of its own as soon as there is a second renderer.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubdirIfSeveral {
    /// The table whose entries count.
    pub table: String,
    /// The folder.
    pub dir: String,
}

/// A content folder.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContentRootSpec {
    /// The folder where no setting says otherwise.
    pub dir: String,
    /// The keys that may name another.
    #[serde(default)]
    pub keys: Vec<String>,
    /// The folder of its pages in the output, with its final `/`.
    #[serde(default)]
    pub address: String,
    /// Whether `2024-05-06-name` becomes `2024/05/06/name`.
    #[serde(default)]
    pub date_folders: bool,
    /// Whether `01-name` is `name`.
    #[serde(default)]
    pub number_prefixes: bool,
    /// Whether names are addresses as they are: no slugs, and front matter does not count.
    #[serde(default)]
    pub keeps_names: bool,
    /// What the settings must mention for the folder to be one of content.
    pub if_mentioned: Option<String>,
    /// What the settings must not mention, since it would move the folder's pages.
    pub unless_mentioned: Option<String>,
    /// A file that would move the folder's pages.
    pub unless_file: Option<String>,
}

impl ContentRootSpec {
    /// The folder, as the generator's settings have it.
    pub fn folder<'a>(&'a self, config: &'a OwnConfig) -> &'a str {
        config.first_text(&self.keys).unwrap_or(&self.dir)
    }
}

/// What a content file becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ContentUrlStyle {
    /// `foo.md` → `foo/index.html`.
    Dir,
    /// `foo.md` → `foo.html`.
    File,
    /// One of the two, by a setting that cannot be read as data.
    Either,
}

/// A setting that is on or off.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SettingSwitch {
    /// The key.
    pub key: String,
    /// The value that counts.
    pub is: bool,
}

/// Jekyll's posts and collections: the keys of their addresses.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CollectionSpec {
    /// The key of the collections.
    pub key: String,
    /// The key of the pattern of addresses.
    pub permalink_key: String,
    /// The key of front matter for many pages.
    pub defaults_key: String,
}

/// How names become addresses.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlugSpec {
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
    /// The package github-slugger, as Astro uses it.
    GithubSlugger,
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
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DatePrefix {
    /// The key that keeps it.
    pub keep_key: Option<String>,
    /// The key of the list of places that a page's date comes from; only where that names the file's own name, before
    /// any other place that has a date, is it taken off.
    pub date_places_key: Option<String>,
}

/// The keys by which a page names its own address.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FrontMatterKeys {
    /// Whether the address of a list is that of its folder, whatever its front matter says.
    #[serde(default)]
    pub of_pages_only: bool,
    /// Replaces the whole path; always a folder.
    pub path: Option<String>,
    /// Replaces the whole path; a file where it has an ending.
    pub url: Option<String>,
    /// What becomes of a `url` without an ending or a final slash.
    #[serde(default)]
    pub bare_url: BareUrl,
    /// Replaces the last part.
    pub slug: Option<String>,
    /// Whether a slug with a `/` at its beginning replaces the whole path below the content folder.
    #[serde(default)]
    pub slug_may_be_path: bool,
    /// Replaces the file's name, but not its folder.
    pub id: Option<String>,
    /// Marks a page that is not built by default.
    pub draft: Option<String>,
    /// Keys, dotted, and the values by which a page says that it is none.
    #[serde(default)]
    pub no_page: BTreeMap<String, Vec<NoPageValue>>,
}

/// A value by which a page says that it is none.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum NoPageValue {
    /// `render = false`.
    Switch(bool),
    /// `build.render = "never"`.
    Word(String),
}

/// What becomes of an address without an ending or a final slash.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BareUrl {
    /// A folder: `/a` → `a/index.html`.
    #[default]
    Dir,
    /// A page: `/a` → `a.html`.
    File,
    /// A file of that very name, which is no page.
    Exact,
}

/// How pages name the terms (tags, categories) under which they are listed.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TermSpec {
    /// The table of the front matter whose keys are taxonomies.
    pub table: Option<String>,
    /// The key of the settings that names the taxonomies, which are then keys of the front matter itself.
    pub names_key: Option<String>,
    /// Their names where no setting says otherwise.
    #[serde(default)]
    pub names: Vec<String>,
    /// The key that switches the slugs of terms: `on`, `safe` or `off`.
    pub mode_key: Option<String>,
}

/// A table of front matter in which a page may speak of its own entry: priority, changefreq, lastmod, exclude.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageTableSpec {
    /// Its dotted path.
    pub table: String,
    /// What `exclude` is called in it.
    #[serde(default = "PageTableSpec::own_exclude_key")]
    pub exclude_key: String,
    /// Keys in it that are not for us.
    #[serde(default)]
    pub foreign_keys: Vec<String>,
    /// Whether it is the generator's own, and so follows its rules.
    #[serde(default)]
    pub is_generators_own: bool,
}

impl PageTableSpec {
    fn own_exclude_key() -> String {
        "exclude".to_owned()
    }
}

/// How languages show in names and addresses.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LanguageKeys {
    /// The key of the default language.
    pub default_key: String,
    /// The table of the languages.
    pub table_key: String,
    /// The key that puts the default language into a folder too.
    pub default_in_subdir_key: Option<String>,
    /// The key, in a language's own table, of its content folder.
    pub content_key: Option<String>,
    /// The key, in a language's own table, of its base URL; each language is then a site of its own.
    pub base_url_key: Option<String>,
    /// Whether the folder of a language's pages is its code in lower case; otherwise it is the code as it is spelt.
    #[serde(default)]
    pub lower_case_folders: bool,
}

impl LanguageKeys {
    /// The folder of the pages of a language that has one, with its final `/`.
    pub fn folder_of(&self, code: &str) -> String {
        if self.lower_case_folders {
            format!("{}/", code.to_lowercase())
        } else {
            format!("{code}/")
        }
    }
}
