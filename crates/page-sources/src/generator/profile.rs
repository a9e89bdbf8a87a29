//! The type of a `[generator.*]` table, which describes one generator as data. What must be computed, or
//! is so in one or two generators only, is code in `own/`.

use serde::Deserialize;

use super::content_root::ContentRootSpec;
use super::front_matter::FrontMatter;
use super::includes::include_pattern::IncludePattern;
use super::languages::{LanguageKeys, Languages};
use super::own_config::OwnConfig;
use super::own_rules::OwnRules;
use super::setting_words::{Condition, SettingTexts};
use super::url_path::ContentUrlStyle;
use sitemaps::site_paths::SitePath;

/// `[generator.*]`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Generator {
    /// Its name: the table's key.
    #[serde(skip)]
    pub name: String,
    /// What no table states.
    #[serde(skip)]
    pub own: OwnRules,
    /// Display name.
    pub title: String,
    /// Marker files that identify the generator; the first match wins. If empty, each of its settings
    /// files does.
    #[serde(default)]
    pub detect: Vec<MarkerFile>,
    /// Settings files below the site root, of which only the first that exists is read.
    pub config: Vec<String>,
    /// The settings key of the base URL, or those of its host and of its path.
    #[serde(default)]
    pub base_url: Vec<String>,
    /// The table of its settings that may contain waypost's settings; `None` if it rejects unknown
    /// keys.
    pub rules_table: Option<String>,
    /// The output directory. If no key is set and the first directory does not exist, the others
    /// count.
    pub output: SettingTexts,
    /// Further settings keys of the path of the base URL alone.
    #[serde(default)]
    pub base_paths: Vec<String>,
    /// Globs for the sitemaps that it writes itself, and the settings key of their name.
    #[serde(default)]
    pub own_sitemaps: SettingTexts,
    /// Whether that sitemap puts a path of its own before each page, at which nothing may be served.
    #[serde(default)]
    pub own_sitemaps_add_path: bool,
    /// Content directories.
    #[serde(default)]
    pub roots: Vec<ContentRootSpec>,
    /// Settings keys of the site's repository: its URL, the URL of a file or directory in it, or its
    /// path on GitHub. The first that is set counts.
    #[serde(default)]
    pub repository: Vec<String>,
    /// Directories whose files are copied unchanged.
    #[serde(default)]
    static_roots: Vec<SettingTexts>,
    /// Extensions of content files.
    pub extensions: Vec<String>,
    /// File stems whose page is that of their directory.
    #[serde(default)]
    pub leaf_index: Vec<String>,
    /// URL style of pages.
    pub url_style: ContentUrlStyle,
    /// The setting that removes `.html` from links, as in VitePress.
    pub clean_urls_if: Option<Condition>,
    /// Whether it writes shells of routes, which a program fills in with a value of the URL.
    #[serde(default)]
    pub has_route_shells: bool,
    /// The setting with which drafts are in its own sitemap.
    pub lists_drafts_if: Option<Condition>,
    /// The setting that writes `foo.md` as `foo.html` even if the style is `dir`. It may be a table
    /// by section, as in Hugo.
    pub file_style_if: Option<Condition>,
    /// The front matter keys that affect a page's URL.
    #[serde(default)]
    pub front_matter: FrontMatterKeys,
    /// Front matter keys with the date of the last change, in order of preference, and after them those of
    /// the publication.
    #[serde(default)]
    pub lastmod_keys: Vec<String>,
    /// The names of taxonomies, and the settings key of a table or an array that names them.
    #[serde(default)]
    pub terms: SettingTexts,
    /// The directories of the further pages of lists, besides `page`: a name, in front of a number,
    /// or a pattern with `:num`.
    #[serde(default)]
    pub pager_path: SettingTexts,
    /// How languages appear in names (`foo.fr.md`) and URLs.
    pub languages: Option<LanguageKeys>,
    /// How content files include others.
    #[serde(default)]
    pub includes: Vec<IncludePattern>,
}

impl Generator {
    /// The languages in its settings.
    pub(super) fn languages_in<'a>(&'a self, config: &'a OwnConfig) -> Languages<'a> {
        let Some(keys) = &self.languages else {
            return Languages::default();
        };
        let mut languages = Languages::read(keys, self.own.root_language, config);
        if let Some(complete) = self.own.languages {
            complete(&mut languages, config);
        }
        languages
    }

    /// Whether a settings key at the top level has a value that sources or URLs depend on.
    pub(super) fn reads_setting(&self, key: &str) -> bool {
        let roots = self.roots.iter().flat_map(|root| root.dir.keys());
        let keys = roots
            .chain(self.output.keys())
            .chain(self.base_url.iter().map(String::as_str));
        let of_style = self.file_style_if.as_ref().map(|condition| &*condition.key);
        let mut keys = keys.chain(of_style);
        keys.any(|known| known == key) || self.own.base_settings_key == Some(key)
    }

    /// The directories whose files are copied unchanged, according to the generator's settings. Those
    /// in a content directory move with it.
    pub fn static_dirs<'a>(&'a self, config: &'a OwnConfig) -> impl Iterator<Item = SitePath> + 'a {
        self.static_roots.iter().map(|texts| {
            let dir = config.text_of(texts);
            let moved = self.roots.iter().find_map(|root| {
                let below = match root.dir.default_text() {
                    "." => dir,
                    default if default == dir => "",
                    _ => return None,
                };
                Some(SitePath::joined(root.dir_in(config), below))
            });
            moved.unwrap_or_else(|| SitePath::joined("", dir))
        })
    }

    /// Front matter keys with the date of the last change, without those of the publication.
    pub fn modification_keys(&self) -> impl Iterator<Item = &String> {
        let keys = self.lastmod_keys.iter();
        keys.filter(|key| !is_publication(key))
    }

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

    /// The table of front matter that may contain waypost's settings for the page.
    pub fn page_settings(&self) -> Option<&str> {
        let table = self.rules_table.as_deref();
        table.filter(|_| self.own.has_page_settings)
    }

    /// What makes a content file a draft, which is not built by default: the key and value in its
    /// front matter, as written in YAML, or a mark of the generator.
    pub fn draft_mark(&self, path: &SitePath, front_matter: &FrontMatter) -> Option<String> {
        let mut marks = self.front_matter.draft.iter();
        let mark = marks.find(|mark| front_matter.meets(mark));
        mark.map(|mark| format!("{}: {}", mark.key, mark.value.as_deref().unwrap_or("set")))
            .or_else(|| (self.own.draft_mark?)(&path.to_text(), front_matter))
    }

    /// Whether a file with this stem is the list page of its directory.
    pub fn is_branch_index(&self, stem: &str) -> bool {
        self.own.list_stem == Some(stem)
    }

    /// Whether a file with this stem is the page of its directory.
    pub fn is_leaf_index(&self, stem: &str) -> bool {
        self.leaf_rank(stem).is_some()
    }

    /// The position of a file stem in `leaf_index`.
    pub(super) fn leaf_rank(&self, stem: &str) -> Option<usize> {
        self.leaf_index.iter().position(|known| known == stem)
    }

    /// Whether the program needs the front matter of content files.
    pub(super) fn reads_front_matter(&self) -> bool {
        !self.lastmod_keys.is_empty() || self.front_matter != FrontMatterKeys::default()
    }
}

/// Whether a key of front matter has the date of the publication, which later changes leave as it is.
pub fn is_publication(key: &str) -> bool {
    let mut known = ["date", "publishdate", "pubdate", "published"].into_iter();
    known.any(|known| known.eq_ignore_ascii_case(key))
}

/// A file that identifies a generator.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MarkerFile {
    /// The file, relative to the site root.
    pub file: String,
    /// Conditions on its content, if other generators use files of this name.
    #[serde(default, rename = "if")]
    pub conditions: Vec<Condition>,
}

/// The front matter keys that affect a page's URL.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FrontMatterKeys {
    /// Replaces the whole path, with a file if the value has an extension.
    pub url: Option<String>,
    /// Values that mark a page that is not built by default.
    pub draft: Vec<Condition>,
    /// Values that keep the page out of the generator's own sitemap.
    pub excluded: Vec<Condition>,
    /// Values that mean that the file does not become a page.
    pub no_page: Vec<Condition>,
}
