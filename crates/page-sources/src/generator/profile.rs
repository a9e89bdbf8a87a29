//! The type of a `[generator.*]` table, which describes one generator as data. Functions that the
//! data refers to by name are in the other files of this module.

use serde::Deserialize;

use super::condition::Condition;
use super::content_keys::{
    ContentRootSpec, ContentUrlStyle, MarkerFile, PermalinkRules, SlugFunction, SourceListSpec,
};
use super::front_matter_keys::FrontMatterKeys;
use super::includes::include_pattern::IncludePattern;
use super::language_keys::LanguageKeys;
use super::setting_texts::SettingTexts;

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
    /// Marker files that identify the generator; the first match wins. If empty, each of its settings
    /// files does.
    #[serde(default)]
    pub detect: Vec<MarkerFile>,
    /// Settings files below the site root, of which only the first that exists is read. An entry with
    /// a trailing `/` is a directory of settings files that are named after the table they contain;
    /// later directories override earlier ones.
    pub config: Vec<String>,
    /// Whether keys in its settings are case-insensitive.
    #[serde(default)]
    pub keys_ignore_case: bool,
    /// The settings key of the base URL, or those of its host and of its path.
    #[serde(default)]
    pub base_url: Vec<String>,
    /// The table of its settings that may contain waypost's settings; `None` if it rejects unknown
    /// keys.
    pub rules_table: Option<String>,
    /// The output directory. If no key is set and the first directory does not exist, the others
    /// count.
    pub output: SettingTexts,
    /// A settings table and one of its entries, which is the directory of the HTML in the output
    /// directory if the table has several entries.
    pub subdir_if_several: Option<String>,
    /// Globs for the sitemaps that it writes itself, and the settings key of their name.
    #[serde(default)]
    pub own_sitemaps: SettingTexts,
    /// The settings key of the patterns of pages that its own sitemap omits.
    pub excluded_urls: Option<String>,
    /// The setting that disables its own sitemap.
    pub disable_own_sitemap: Option<String>,
    /// Content directories.
    #[serde(default)]
    pub roots: Vec<ContentRootSpec>,
    /// How the generator itself lists the sources of its pages.
    pub source_list: Option<SourceListSpec>,
    /// Settings keys of the site's repository: its URL, the URL of a file or directory in it, or its
    /// path on GitHub. The first that is set counts.
    #[serde(default)]
    pub repository: Vec<String>,
    /// Directories whose files are copied unchanged.
    #[serde(default)]
    pub static_roots: Vec<String>,
    /// Extensions of content files.
    pub extensions: Vec<String>,
    /// File stems whose page is that of their directory.
    #[serde(default)]
    pub leaf_index: Vec<String>,
    /// Whether only one such file per directory is used, the first in the order above.
    #[serde(default)]
    pub first_leaf_index_wins: bool,
    /// File stems whose page is the list page of their directory.
    #[serde(default)]
    pub branch_index: Vec<String>,
    /// Whether a file with the name of its directory is that directory's index.
    #[serde(default)]
    pub same_name_index: bool,
    /// Whether content files next to a `leaf_index` are resources of its page.
    #[serde(default)]
    pub leaf_owns_dir: bool,
    /// Whether only files with front matter become pages.
    #[serde(default)]
    pub needs_front_matter: bool,
    /// URL style of pages.
    pub url_style: ContentUrlStyle,
    /// The setting that removes `.html` from links, as in VitePress.
    pub clean_urls_if: Option<Condition>,
    /// The setting that writes `foo.md` as `foo.html` even if the style is `dir`. It may be a table
    /// by section, as in Hugo.
    pub file_style_if: Option<Condition>,
    /// The URL patterns in the settings.
    pub permalinks: Option<PermalinkRules>,
    /// How slugs are made from names.
    pub slug: Option<SlugFunction>,
    /// The front matter keys that affect a page's URL.
    #[serde(default)]
    pub front_matter: FrontMatterKeys,
    /// The name of directories of drafts.
    pub draft_dir: Option<String>,
    /// The settings keys that build drafts.
    #[serde(default)]
    pub build_drafts: Vec<String>,
    /// Front matter keys with the date of the last change, in order of preference.
    #[serde(default)]
    pub lastmod_keys: Vec<String>,
    /// Front matter keys with the publication date, in order of preference.
    #[serde(default)]
    pub published_keys: Vec<String>,
    /// The names of taxonomies, and the settings key of a table or an array that names them.
    #[serde(default)]
    pub terms: SettingTexts,
    /// The name of a content file that makes several pages, as in Hugo.
    pub content_adapter: Option<String>,
    /// Whether a page without a source, with an index file of a directory, is a list of the pages
    /// below that directory. So it is wherever list pages may have a source of their own.
    #[serde(default)]
    pub lists_are_unsourced: bool,
    /// The directories of the further pages of lists, besides `page`: a name, in front of a number,
    /// or a pattern with `:num`.
    #[serde(default)]
    pub pager_path: SettingTexts,
    /// The table of front matter that may contain waypost's settings for the page.
    pub page_settings: Option<String>,
    /// The generator's own table of front matter with the priority and frequency of a page, as in
    /// Hugo.
    pub own_page_settings: Option<String>,
    /// How languages appear in names (`foo.fr.md`) and URLs.
    pub languages: Option<LanguageKeys>,
    /// Directories of templates, which are copied to the output if they are inside the content
    /// directory.
    #[serde(default)]
    pub template_dirs: SettingTexts,
    /// How content files include others.
    #[serde(default)]
    pub includes: Vec<IncludePattern>,
    /// The file that lists the chapters; the first chapter is also written as `index.html`.
    pub first_chapter: Option<String>,
}

impl Generator {
    /// Sets its name, and the marker files of a generator that any of its settings files identifies.
    pub(super) fn complete(&mut self, name: &str) {
        name.clone_into(&mut self.name);
        if self.detect.is_empty() {
            let marker = |file: &String| MarkerFile {
                file: file.clone(),
                conditions: Vec::new(),
            };
            self.detect = self.config_files().map(marker).collect();
        }
    }

    /// The settings files.
    pub(super) fn config_files(&self) -> impl Iterator<Item = &String> {
        self.config.iter().filter(|name| !name.ends_with('/'))
    }

    /// The directories of settings files.
    pub(super) fn config_dirs(&self) -> impl Iterator<Item = &String> {
        self.config.iter().filter(|name| name.ends_with('/'))
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

    /// Whether its home page and sections are lists of the pages below them.
    pub fn has_lists(&self) -> bool {
        self.lists_are_unsourced || !self.branch_index.is_empty()
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
        let urls = [&keys.path, &keys.url];
        self.needs_front_matter
            || urls.into_iter().any(Option::is_some)
            || !(keys.slug.is_empty() && keys.draft.is_empty() && keys.excluded.is_empty())
    }
}
