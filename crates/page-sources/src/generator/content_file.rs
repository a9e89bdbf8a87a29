//! A content file of a generator.

use super::front_matter::FrontMatter;
use sitemaps::site_paths::SitePath;

/// A content file.
#[derive(Debug)]
pub struct ContentFile {
    /// Its path below the site root.
    pub path: SitePath,
    /// Its parsed front matter.
    pub front_matter: FrontMatter,
    /// Whether it is a list page: the home page or a section.
    pub is_list: bool,
}
