//! Bundles: directories of an index file, whose other files are its resources.

use std::collections::HashMap;

use crate::generators::content_dirs::ContentDirs;
use crate::generators::languages::Languages;
use crate::generators::listed_content::{ContentName, ListedContentFile};
use sitemaps::site_paths::SitePath;

/// Whether a file is not a page: it is a resource of a bundle above it, or beside a bundle of its name,
/// which Hugo prefers.
pub(super) fn has_resource(dirs: &ContentDirs<'_>, name: &ContentName<'_>) -> bool {
    if dirs.bundles.is_empty() {
        return false;
    }
    let bundle = |parts: &[&str]| dirs.bundles.get(&parts.join("/"));
    // An index file is not a resource of its own directory.
    let above = name.dirs.len() - usize::from(name.stem == "index" && !name.dirs.is_empty());
    (1..=above).any(|depth| bundle(&name.dirs[..depth]).is_some())
        || bundle(&[&name.dirs[..], &[name.stem]].concat())
            .is_some_and(|languages| languages.contains(&name.language))
}

/// The content files in the directory of each page that owns it, its `index.md`, in the
/// same language.
pub(super) fn resources_of(
    languages: &Languages<'_>,
    files: &[ListedContentFile<'_>],
) -> HashMap<SitePath, Vec<SitePath>> {
    let (mut owners, mut others) = (HashMap::new(), Vec::new());
    for file in files {
        let name = file.name(languages);
        if name.stem == "index" {
            owners.insert((file.path.dir(), name.language), &file.path);
        } else {
            others.push((&file.path, name.language));
        }
    }
    let mut resources: HashMap<SitePath, Vec<SitePath>> = HashMap::new();
    for (path, language) in others {
        let whole = path.as_bytes();
        let mut ends = memchr::memrchr_iter(b'/', whole);
        if let Some(owner) = ends.find_map(|end| owners.get(&(&whole[..=end], language))) {
            let owned = resources.entry((*owner).clone()).or_default();
            owned.push(path.clone());
        }
    }
    resources
}
