//! A content file that may become a page, and the components of its path.

use std::path::PathBuf;

use super::content_root::ContentRoot;
use super::front_matter::FrontMatter;
use super::includes::include_pattern::IncludeCall;
use super::languages::Languages;
use sitemaps::site_paths::SitePath;

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
