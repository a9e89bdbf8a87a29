//! A content directory of a site, and the files in it that may become pages: their paths, and the
//! components of these.

use std::path::PathBuf;

use serde::Deserialize;

use super::{Condition, FrontMatter, IncludeCall, Languages, OwnConfig, SettingTexts};
use sitemaps::site_paths::SitePath;

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

/// A content file.
#[derive(Debug)]
pub(super) struct ListedContentFile<'r> {
    /// The file.
    pub(super) file: PathBuf,
    /// Its path relative to the site root.
    pub(super) path: SitePath,
    /// Its path within the content, without extension.
    pub(super) logical: String,
    /// The content root that contains it.
    pub(super) root: &'r ContentRoot<'r>,
    /// Its front matter, once it is read.
    pub(super) front_matter: FrontMatter,
    /// What it includes, once it is read.
    pub(super) include_calls: Vec<IncludeCall>,
}

impl ListedContentFile<'_> {
    /// Its path within the content, split into components.
    pub(super) fn name<'n>(&'n self, languages: &Languages<'n>) -> ContentName<'n> {
        ContentName::parse(&self.logical, self.root.language, languages)
    }
}

/// Components of a content file's path.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct ContentName<'n> {
    /// Parent directories, outermost first.
    pub(super) dirs: Vec<&'n str>,
    /// The file name without extension and language code.
    pub(super) stem: &'n str,
    /// The language code as the settings spell it; empty if the site has no languages.
    pub(super) language: &'n str,
}

impl<'n> ContentName<'n> {
    /// Splits a path without extension. A language suffix takes precedence over the language of the
    /// content directory.
    pub(super) fn parse(
        path: &'n str,
        dir_language: Option<&'n str>,
        languages: &Languages<'n>,
    ) -> Self {
        let (dir, name) = path.rsplit_once('/').unwrap_or(("", path));
        let dirs = dir.split('/').filter(|part| !part.is_empty()).collect();
        let suffix = name
            .rsplit_once('.')
            .and_then(|(stem, code)| Some((stem, languages.known(code)?)));
        let (stem, language) =
            suffix.map_or((name, dir_language), |(stem, code)| (stem, Some(code)));
        Self {
            dirs,
            stem,
            language: languages.or_default(language),
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
