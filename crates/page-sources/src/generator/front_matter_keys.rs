//! The types of the tables that describe front matter: which keys affect URLs, and which keep a page
//! from being built.

use serde::Deserialize;

use super::condition::KeyValue;

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
    /// Values that mark a page that is not built by default.
    #[serde(default)]
    pub draft: Vec<KeyValue>,
    /// Values that keep the page out of the generator's own sitemap.
    #[serde(default)]
    pub excluded: Vec<KeyValue>,
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
