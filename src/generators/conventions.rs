//! The computations of a generator, besides the facts in its table of the manifest.

use std::collections::HashMap;
use std::path::Path;

use serde_json::Value;

use super::{
    BuildEnvironment, FrontMatter, Generator, Languages, ListedContentFile, OwnConfig,
    PredictionInput, SlugSubject, UrlPath,
};
use crate::files::located_values::SyntaxError;
use crate::files::tree::Tree;
use sitemaps::site_paths::SitePath;

/// The computations of one generator. Each has the usual one as its default, by the table alone, and
/// may call the same shared functions as the default.
pub(super) trait Conventions: Sync {
    /// The directory below the output directory that has the pages.
    fn output_below(&self, _config: &OwnConfig) -> Option<&'static str> {
        None
    }

    /// The content directories that no table states.
    fn mounts(&self, _site: &MountingSite<'_>) -> Mounts {
        Mounts::default()
    }

    /// The file that is also written as the home page, of a site with this root and content directory.
    fn front_page(&self, _root: &Path, _content: &str, _tree: &Tree) -> Option<SitePath> {
        None
    }

    /// The metadata in the first bytes of a content file with this name.
    fn front_matter(&self, text: &[u8], _name: &[u8]) -> Result<FrontMatter, SyntaxError> {
        FrontMatter::from_content(text)
    }

    /// Adds the front matter that content files have from each other.
    fn inherit(&self, _languages: &Languages<'_>, _files: &mut [ListedContentFile<'_>]) {}

    /// The value that the settings give a front matter key of a file.
    fn default_of<'c>(
        &self,
        _config: &'c OwnConfig,
        _source: &SitePath,
        _front_matter: &FrontMatter,
        _key: &str,
    ) -> Option<&'c Value> {
        None
    }

    /// The content files that belong to the page of another one.
    fn resources(
        &self,
        _languages: &Languages<'_>,
        _files: &[ListedContentFile<'_>],
    ) -> HashMap<SitePath, Vec<SitePath>> {
        HashMap::new()
    }

    /// The paths of a file's pages. Empty if they cannot be predicted; if there are several, exactly one of
    /// them is written.
    fn paths(&self, content: &PredictionInput<'_>) -> Vec<UrlPath> {
        let stated = content.stated_paths(|_| None);
        stated.unwrap_or_else(|| self.paths_by_name(content, None))
    }

    /// The paths of a page by its file and directories, or with this name without its date.
    fn paths_by_name(&self, content: &PredictionInput<'_>, undated: Option<&str>) -> Vec<UrlPath> {
        content.paths_by_name(undated, &|name, subject| {
            self.slug(content.config, name, subject)
        })
    }

    /// The slug of a name; `None` if names are kept, and templates make the slugs of terms.
    fn slug(&self, _config: &OwnConfig, _name: &str, _subject: SlugSubject) -> Option<String> {
        None
    }

    /// The catalogue with the translation of a source.
    fn catalogue(&self, _config: &OwnConfig, _source: &SitePath) -> Option<SitePath> {
        None
    }

    /// See [`Site::date_order`](super::site::Site::date_order).
    fn date_order(&self, _config: &OwnConfig) -> Vec<String> {
        Vec::new()
    }
}

/// A generator that its table describes.
pub(super) struct TableAlone;

impl Conventions for TableAlone {}

/// The site whose mounts are looked for.
pub(super) struct MountingSite<'s> {
    pub(super) generator: &'s Generator,
    pub(super) config: &'s OwnConfig,
    pub(super) tree: &'s Tree,
    pub(super) environment: &'s BuildEnvironment,
}

impl MountingSite<'_> {
    /// The settings of another site or module of the same generator, in a directory below the root.
    pub(super) fn settings_at(&self, dir: &str) -> Option<OwnConfig> {
        let tree = self.tree.at(&self.tree.path().join(dir));
        OwnConfig::read(&tree, self.generator, self.environment).ok()
    }
}

/// A directory, or a single file, with content.
#[derive(Debug, Default)]
pub(super) struct Mount {
    /// Its path relative to the site root.
    pub(super) source: String,
    /// Its place in the content; empty for the top.
    pub(super) target: String,
    /// Globs of the languages that it is for; `None` for all.
    pub(super) languages: Option<Vec<String>>,
}

/// The mounts of a site.
#[derive(Debug, Default)]
pub(super) struct Mounts {
    /// Its own, which replace the usual content directories if there are any.
    pub(super) own: Vec<Mount>,
    /// Those of other programs, in addition. A file that is in one of the earlier directories too comes
    /// from there.
    pub(super) further: Vec<Mount>,
}
