//! The facts from which a generator makes the URL of a page.

use super::content_dirs::ContentDirs;
use super::content_root::ContentRoot;
use super::front_matter::FrontMatter;
use super::languages::Languages;
use super::listed_content::ContentName;
use super::setting_words::SettingTexts;
use super::url_path::without_empty_parts;
use sitemaps::site_paths::SitePath;

/// The parts of a content file that determine its URL.
pub(super) struct ConventionInput<'c> {
    /// Its path below the site root.
    pub(super) path: &'c SitePath,
    pub(super) name: &'c ContentName<'c>,
    pub(super) root: &'c ContentRoot<'c>,
    pub(super) front_matter: &'c FrontMatter,
    pub(super) dirs: &'c ContentDirs<'c>,
    pub(super) languages: &'c Languages<'c>,
    /// The taxonomies of its site.
    pub(super) terms: &'c SettingTexts,
}

impl ConventionInput<'_> {
    /// A path below the directory of the language of a page.
    pub(super) fn prefixed(&self, path: &str) -> String {
        self.languages.prefix(self.name.language) + &without_empty_parts(path)
    }
}
