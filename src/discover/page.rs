//! Pages by their names.

use sitemaps::site_paths::finding::Finding;
use sitemaps::site_paths::{SitePath, extension_of};

/// File that a sitemap could list.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Page {
    /// Path below the output directory. HTML is read for its facts; a file with an additional
    /// extension from the settings (`pdf`, …) is only listed and dated.
    pub file: SitePath,
}

/// Pages and findings of a walk over the output directory.
#[derive(Debug, Default)]
pub struct DiscoveredPages {
    /// The pages, sorted by the bytes of their paths.
    pub pages: Vec<Page>,
    /// Broken links, directories that cannot be listed, and the like.
    pub findings: Vec<Finding>,
    /// Directories that are links, that have an entry named `.git`, or that cannot be listed. Every
    /// other directory of a page is an ordinary one, unless it is below one of these.
    pub special_dirs: Vec<SitePath>,
}

/// Whether a file is a page by its extension, in any case.
pub(super) fn is_page(file: &[u8], extensions: &[String]) -> bool {
    extension_of(file).is_some_and(|extension| {
        extensions
            .iter()
            .any(|known| extension.eq_ignore_ascii_case(known.as_bytes()))
    })
}

/// Whether a file or directory is hidden.
pub(super) fn is_hidden(name: &[u8]) -> bool {
    name.starts_with(b".")
}
