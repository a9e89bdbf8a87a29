//! The type of what single generators do differently from all others. The values are in `own/`.

use std::path::Path;

use serde_json::Value;

use super::convention_input::ConventionInput;
use super::front_matter::FrontMatter;
use super::languages::Languages;
use super::listed_content::ListedContentFile;
use super::mounts::{MountingSite, Mounts};
use super::own_config::OwnConfig;
use super::slug::SlugSubject;
use super::url_path::UrlPath;
use sitemaps::files::tree::Tree;
use sitemaps::site_paths::SitePath;

type RootDir = fn(&OwnConfig, &Path, String) -> Option<String>;
type FrontPage = fn(&Path, &str, &Tree) -> Option<SitePath>;
type PathsOf = fn(&OwnConfig, &ConventionInput<'_>) -> Option<Vec<UrlPath>>;
type TokenText = fn(&OwnConfig, &ConventionInput<'_>, &str) -> Option<String>;
type DefaultOf = for<'c> fn(&'c OwnConfig, &SitePath, &FrontMatter, &str) -> Option<&'c Value>;

/// The rules of one generator. By default, it has none.
#[derive(Debug, Clone, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts about generators"
)]
pub struct OwnRules {
    /// Whether the keys of its settings ignore case.
    pub keys_ignore_case: bool,
    /// Whether its first settings file imports the second.
    pub imports_settings: bool,
    /// The key of a settings file whose values count where a file has none.
    pub base_settings_key: Option<&'static str>,
    /// The settings key of the ending of its pages, in place of `.html`.
    pub(super) page_ending_key: Option<&'static str>,
    /// Directories of further settings files, of which the later overrides the earlier.
    pub settings_dirs: &'static [&'static str],
    /// The directory below the output directory that has the pages.
    pub(super) output_below: Option<fn(&OwnConfig) -> Option<&'static str>>,
    /// The settings key of the language of the site.
    pub language_key: Option<&'static str>,
    /// The catalogue with the translation of a source.
    pub(super) catalogue: Option<fn(&OwnConfig, &SitePath) -> Option<SitePath>>,
    /// The list of sources that it prints or writes.
    pub source_list: Option<SourceList>,
    /// The order of the dates of last change that its settings state, in lower case: keys of front matter,
    /// and `:git`, `:filename` and `:filemodtime`. Empty if they state none.
    pub date_order: Option<fn(&OwnConfig) -> Vec<String>>,
    /// The directory of a content root, below the root of the site; `None` if it is not used.
    pub(super) root_dir: Option<RootDir>,
    /// The mounts of a site.
    pub(super) mounts: Option<fn(&MountingSite<'_>) -> Mounts>,
    /// A glob for the templates that it copies from the content directory to the output.
    pub(super) copied_templates: Option<fn(&OwnConfig, &str) -> Option<String>>,
    /// The file that is also written as the home page, of a site with this root and content directory.
    pub(super) front_page: Option<FrontPage>,
    /// Where the languages of its settings have directories.
    pub(super) languages: Option<fn(&mut Languages<'_>, &OwnConfig)>,
    /// The code of the language of files that name none, whose pages are not in a directory.
    pub root_language: Option<&'static str>,
    /// Reads the metadata of a content file with this name, instead of front matter.
    pub(super) header: Option<fn(&str, &[u8]) -> FrontMatter>,
    /// Adds the front matter that content files have from each other.
    pub(super) inherit: Option<fn(&Languages<'_>, &mut [ListedContentFile<'_>])>,
    /// The stem of a file whose page is the list page of its directory.
    pub list_stem: Option<&'static str>,
    /// Whether its home page and sections are lists of the pages below them.
    pub has_lists: bool,
    /// Whether front matter cannot set the URL of a list page.
    pub lists_have_no_url: bool,
    /// Whether the directory of an index file is a bundle: its other files are not pages.
    pub has_bundles: bool,
    /// Whether only the first of the index files in a directory is built.
    pub builds_one_index: bool,
    /// Whether a file with the name of its directory is its index.
    pub index_has_name_of_dir: bool,
    /// Whether its pages state the time of a file in the checkout as the date of their last change.
    pub states_file_times: bool,
    /// The paths of a file's pages by its own rules; `None` if none applies.
    pub(super) paths: Option<PathsOf>,
    /// The front matter key of a whole path, which is always a directory.
    pub path_key: Option<&'static str>,
    /// The text of a token in a URL that front matter sets.
    pub(super) url_token: Option<TokenText>,
    /// Whether the key `slug` of front matter replaces the name of a page.
    pub reads_slug: bool,
    /// The name of a page without its date.
    pub(super) undated: Option<fn(&OwnConfig, &ConventionInput<'_>) -> Option<String>>,
    /// The slug of a name.
    pub(super) slug: Option<fn(&OwnConfig, &str, SlugSubject) -> String>,
    /// The directory of content that templates read and make pages of as they like.
    pub(super) read_by_templates: Option<&'static str>,
    /// Settings keys that build drafts.
    pub builds_drafts: &'static [&'static str],
    /// What else than front matter makes a file a draft.
    pub(super) draft_mark: Option<fn(&str, &FrontMatter) -> Option<String>>,
    /// The value that the settings give a front matter key of a file.
    pub(super) default_of: Option<DefaultOf>,
    /// The settings key of patterns of pages that its own sitemap omits.
    pub excluded_key: Option<&'static str>,
    /// The settings keys that omit the pages of terms, each with the key and the default of the
    /// directory that contains them.
    pub(super) excluded_terms: &'static [(&'static str, &'static str, &'static str)],
    /// The front matter key, also in the tables of taxonomies, of the path of pagination pages.
    pub pager_key: Option<&'static str>,
    /// Whether front matter may contain the table of waypost's settings.
    pub has_page_settings: bool,
    /// Its own table, in settings and front matter, with the priority and frequency of pages.
    pub page_table: Option<&'static str>,
}

/// The list in which a generator names the sources of its pages.
#[derive(Debug, Clone, Copy)]
pub struct SourceList {
    /// The file or directory at the site root.
    pub file: &'static str,
    /// How to get the list.
    pub remedy: &'static str,
}
