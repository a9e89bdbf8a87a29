//! The type of a `[generator.*]` table, which describes one generator as data. What it
//! computes is code in `own/`.

use serde::Deserialize;

use super::content_root::ContentRootSpec;
use super::includes::IncludePattern;
use super::languages::LanguageKeys;
use super::{Condition, ContentUrlStyle, FrontMatter, Languages, OwnConfig, SettingTexts, below};
use sitemaps::site_paths::SitePath;

/// `[generator.*]`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts about generators"
)]
pub struct Generator {
    /// Its name: the table's key.
    #[serde(skip)]
    pub name: String,
    /// Display name.
    pub title: String,
    /// Marker files that identify the generator; the first match wins. If empty, each of its settings
    /// files does.
    pub detect: Vec<MarkerFile>,
    /// Settings files below the site root, of which only the first that exists is read.
    pub config: Vec<String>,
    /// Whether the first settings file imports the second, so that both are read.
    pub(super) imports_config: bool,
    /// The key of a settings file that names another one, whose values count where it has none.
    pub(super) base_config_key: Option<String>,
    /// Directories of further settings files, of which the later overrides the earlier.
    pub(super) config_dirs: Vec<String>,
    /// Whether the keys of its settings ignore case.
    pub(super) keys_ignore_case: bool,
    /// The settings key of the base URL, or those of its host and of its path.
    pub base_url: Vec<String>,
    /// The table of its settings that may contain waypost's settings; `None` if it rejects unknown
    /// keys.
    pub rules_table: Option<String>,
    /// The output directory. If no key is set and the first directory does not exist, the others
    /// count.
    pub output: SettingTexts,
    /// Further settings keys of the path of the base URL alone.
    pub base_paths: Vec<String>,
    /// Globs for the sitemaps that it writes itself, and the settings key of their name.
    pub own_sitemaps: SettingTexts,
    /// Whether that sitemap puts a path of its own before each page, at which nothing may be served.
    pub own_sitemaps_add_path: bool,
    /// The settings key of patterns of pages that this sitemap omits.
    pub(super) sitemap_excludes: Option<String>,
    /// The settings that omit the pages of terms from it.
    pub(super) excluded_terms: Vec<ExcludedTerms>,
    /// Content directories.
    pub roots: Vec<ContentRootSpec>,
    /// Settings keys of the site's repository: its URL, the URL of a file or directory in it, or its
    /// path on GitHub. The first that is set counts.
    pub repository: Vec<String>,
    /// Directories whose files are copied unchanged.
    static_roots: Vec<SettingTexts>,
    /// Directories in the content whose files are copied, and are templates.
    pub(super) template_dirs: SettingTexts,
    /// The directory of content that templates read and make pages of as they like.
    pub(super) read_by_templates: Option<String>,
    /// Extensions of content files.
    pub extensions: Vec<String>,
    /// File stems whose page is that of their directory.
    pub leaf_index: Vec<String>,
    /// Whether only the first of these is built in a directory that has several.
    pub(super) builds_one_index: bool,
    /// Whether a file with the name of its directory is its index too.
    pub(super) index_has_name_of_dir: bool,
    /// Whether the directory of an index file is a bundle: its other files are not pages.
    pub(super) has_bundles: bool,
    /// The stem of a file whose page is the list page of its directory.
    pub list_stem: Option<String>,
    /// Whether front matter cannot set the URL of a list page.
    pub(super) lists_have_no_url: bool,
    /// Whether its home page and sections are lists of the pages below them.
    pub has_lists: bool,
    /// URL style of pages.
    pub url_style: ContentUrlStyle,
    /// The settings key of the ending of pages, in place of `.html`.
    pub(super) page_ending_key: Option<String>,
    /// The setting that removes `.html` from links, as in VitePress.
    pub clean_urls_if: Option<Condition>,
    /// Whether it writes shells of routes, which a program fills in with a value of the URL.
    pub has_route_shells: bool,
    /// The settings key of the file that hosts serve for URLs without one, which a program fills in.
    pub(super) fallback_key: Option<String>,
    /// The setting with which drafts are in its own sitemap.
    pub lists_drafts_if: Option<Condition>,
    /// Settings keys that build drafts.
    pub(super) builds_drafts: Vec<String>,
    /// The name of directories whose files are drafts.
    draft_dir: Option<String>,
    /// The setting that writes `foo.md` as `foo.html` even if the style is `dir`. It may be a table
    /// by section, as in Hugo.
    pub file_style_if: Option<Condition>,
    /// The front matter keys that affect a page's URL.
    pub front_matter: FrontMatterKeys,
    /// Front matter keys with the date of the last change, in order of preference, and after them those of
    /// the publication.
    pub lastmod_keys: Vec<String>,
    /// Whether these dates override that of Git, as its documentation says.
    pub lastmod_overrides_git: bool,
    /// Whether its pages state the time of a file in the checkout as the date of their last change.
    pub states_file_times: bool,
    /// Whether front matter may contain the table of waypost's settings.
    has_page_settings: bool,
    /// Its own table, in settings and front matter, with the priority and frequency of pages.
    pub page_table: Option<String>,
    /// The names of taxonomies, and the settings key of a table or an array that names them.
    pub terms: SettingTexts,
    /// The directories of the further pages of lists, besides `page`: a name, in front of a number,
    /// or a pattern with `:num`.
    pub pager_path: SettingTexts,
    /// How languages appear in names (`foo.fr.md`) and URLs.
    pub languages: Option<LanguageKeys>,
    /// The settings key of the language of the site.
    pub language_key: Option<String>,
    /// The list of sources that it prints or writes.
    pub source_list: Option<SourceList>,
    /// How content files include others.
    pub includes: Vec<IncludePattern>,
}

impl Generator {
    /// The languages in its settings.
    pub(super) fn languages_in<'a>(&'a self, config: &'a OwnConfig) -> Languages<'a> {
        self.languages
            .as_ref()
            .map(|keys| Languages::read(keys, config))
            .unwrap_or_default()
    }

    /// Whether a settings key at the top level has a value that sources or URLs depend on.
    pub(super) fn reads_setting(&self, key: &str) -> bool {
        self.roots
            .iter()
            .flat_map(|root| root.dir.keys())
            .chain(self.output.keys())
            .chain(self.base_url.iter().map(String::as_str))
            .chain(self.file_style_if.as_ref().map(|condition| &*condition.key))
            .chain(self.base_config_key.as_deref())
            .any(|known| known == key)
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
        self.lastmod_keys.iter().filter(|key| !is_publication(key))
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
        self.rules_table
            .as_deref()
            .filter(|_| self.has_page_settings)
    }

    /// What makes a content file a draft, which is not built by default: the key and value in its
    /// front matter, as written in YAML, or its directory.
    pub fn draft_mark(&self, path: &SitePath, front_matter: &FrontMatter) -> Option<String> {
        let path = path.as_bytes();
        if let Some(dir) = &self.draft_dir
            && path
                .split(|&byte| byte == b'/')
                .any(|part| part == dir.as_bytes())
        {
            return Some(format!("{dir}/"));
        }
        let dir = self.read_by_templates.as_deref().unwrap_or_default();
        below(path, dir.as_bytes())?;
        let marks = &self.front_matter.draft;
        let mark = marks.iter().find(|mark| front_matter.meets(mark))?;
        let value = mark.value.as_deref().unwrap_or("set");
        Some(format!("{}: {value}", mark.key))
    }

    /// Whether a file with this stem is the list page of its directory.
    pub fn is_branch_index(&self, stem: &str) -> bool {
        self.list_stem.as_deref() == Some(stem)
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
    ["date", "publishdate", "pubdate", "published"]
        .iter()
        .any(|known| known.eq_ignore_ascii_case(key))
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

/// Settings that omit the pages of terms from the generator's own sitemap.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExcludedTerms {
    /// The key that omits them if it is `false`.
    pub(super) key: String,
    /// The directory that contains them.
    pub(super) dir: SettingTexts,
}

/// The list in which a generator names the sources of its pages.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceList {
    /// The file or directory at the site root.
    pub file: String,
    /// How to get the list.
    pub remedy: String,
}

/// The front matter keys that affect a page's URL.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FrontMatterKeys {
    /// Replaces the whole path, with a file if the value has an extension.
    pub url: Option<String>,
    /// Replaces the whole path, with a directory.
    pub path: Option<String>,
    /// Whether the key `slug` replaces the name of a page.
    pub reads_slug: bool,
    /// The key of the path of pagination pages, also in the tables of taxonomies.
    pub pager: Option<String>,
    /// Values that mark a page that is not built by default.
    pub draft: Vec<Condition>,
    /// Values that keep the page out of the generator's own sitemap.
    pub excluded: Vec<Condition>,
    /// Values that mean that the file does not become a page.
    pub no_page: Vec<Condition>,
}
