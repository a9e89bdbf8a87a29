//! Pages by their names.

use site_paths::finding::Finding;
use site_paths::{SitePath, extension_of, is_html};

/// File that a sitemap could list.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Page {
    /// Path below the output directory.
    pub file: SitePath,
    /// Whether the file is read, or only listed and dated.
    pub kind: PageKind,
}

/// Kind of a page, by its extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PageKind {
    /// HTML: read for its facts.
    Html,
    /// An additional extension from the settings (`pdf`, …): listed and dated, not read.
    Other,
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

/// Kind of a page by its extension, in any case; `None` if the file is not a page.
pub(super) fn kind_of(file: &[u8], extensions: &[String]) -> Option<PageKind> {
    let extension = extension_of(file)?;
    if !extensions
        .iter()
        .any(|known| extension.eq_ignore_ascii_case(known.as_bytes()))
    {
        return None;
    }
    Some(if is_html(file) {
        PageKind::Html
    } else {
        PageKind::Other
    })
}

/// Whether a file or directory is hidden.
pub(super) fn is_hidden(name: &[u8]) -> bool {
    name.starts_with(b".")
}
