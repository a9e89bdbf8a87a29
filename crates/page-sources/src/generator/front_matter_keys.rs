//! The types of the tables that describe front matter: which keys affect URLs, and which keep a page
//! from being built.

use serde::Deserialize;

use super::condition::{Condition, KeyValue};

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
    /// Replace the last part of the path; the first that is set counts.
    #[serde(default)]
    pub slug: Vec<String>,
    /// Whether a value of the first of these keys that begins with `/` replaces the whole path below
    /// the content directory.
    #[serde(default)]
    pub slug_may_be_path: bool,
    /// Values that mark a page that is not built by default.
    #[serde(default)]
    pub draft: Vec<KeyValue>,
    /// Values that mean that the file does not become a page.
    #[serde(default)]
    pub no_page: Vec<KeyValue>,
    /// The name of the directory of the further pages of a list.
    pub pager_path: Option<String>,
    /// The table whose keys are taxonomies, if these are not top-level keys.
    pub terms: Option<String>,
}

/// The meaning of a URL without an extension or a trailing slash.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BareUrl {
    /// A directory: `/a` → `a/index.html`.
    #[default]
    Dir,
    /// A file with exactly this name, which is not a page.
    Exact,
}

/// What keeps pages from being built by default, besides `front_matter.draft`, and the settings that
/// build them nevertheless.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnpublishedKeys {
    /// The front matter keys of the date from which on a page is not built, in order of preference.
    #[serde(default)]
    pub expires: Vec<String>,
    /// The front matter keys of the date before which a page is not built, in order of preference.
    /// If the generator has collections, it counts only in their directories, whose names begin with
    /// `_`; the file name of a post begins with its date.
    #[serde(default)]
    pub starts: Vec<String>,
    /// Conditions for these dates to be read.
    #[serde(default)]
    pub dates_if: Vec<Condition>,
    /// The name of directories of drafts.
    pub draft_dir: Option<String>,
    /// The settings keys that build drafts.
    #[serde(default)]
    pub build_drafts: Vec<String>,
    /// The settings key that builds expired pages.
    pub build_expired: Option<String>,
    /// The settings key that builds pages with a date in the future.
    pub build_future: Option<String>,
}
