//! A content directory of a site.

use serde::Deserialize;

use super::own_config::OwnConfig;
use super::setting_words::{Condition, SettingTexts};

/// A content directory.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContentRootSpec {
    /// The directory, relative to the site root.
    pub dir: SettingTexts,
    /// How names become parts of URLs.
    #[serde(default)]
    pub names: NameStyle,
    /// The setting without which it has no content of pages.
    #[serde(rename = "if")]
    pub(super) condition: Option<Condition>,
}

/// How names of files and directories become parts of URLs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NameStyle {
    /// By the generator's slug rules and the front matter.
    #[default]
    Slug,
    /// Unchanged, regardless of front matter.
    Verbatim,
    /// Only files named `page` or `+page` are pages, each of its directory. A directory in
    /// parentheses adds nothing to the URL.
    Routes,
}

impl ContentRootSpec {
    /// The directory according to the generator's settings.
    pub fn dir_in<'a>(&'a self, config: &'a OwnConfig) -> &'a str {
        config.text_of(&self.dir)
    }
}

/// A directory, or a single file, that pages are made from.
#[derive(Debug)]
pub(super) struct ContentRoot<'g> {
    /// Its path relative to the site root.
    pub(super) path: String,
    /// Prefix of its files' paths within the content, without leading or trailing `/`. For a single
    /// file, its whole path.
    pub(super) mounted_at: String,
    /// The language of files whose name has no language code.
    pub(super) language: Option<&'g str>,
    /// Its entry in the manifest.
    pub(super) spec: &'g ContentRootSpec,
}

impl<'g> ContentRoot<'g> {
    /// The directory at a path, for all languages.
    pub(super) fn new(spec: &'g ContentRootSpec, path: String) -> Self {
        Self {
            path,
            mounted_at: String::new(),
            language: None,
            spec,
        }
    }
}

/// The path of a file or directory below a directory, which may be itself; `None` if it is elsewhere.
pub(super) fn below<'p>(path: &'p [u8], dir: &[u8]) -> Option<&'p [u8]> {
    let rest = path.strip_prefix(dir)?;
    match rest {
        [] => Some(rest),
        _ if dir.is_empty() => Some(rest),
        _ => rest.strip_prefix(b"/"),
    }
}
