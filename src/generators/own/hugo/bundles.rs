//! Bundles: directories of an index file, whose other files are its resources.

use std::collections::HashMap;

use crate::generators::content_dirs::ContentDirs;
use crate::generators::languages::Languages;
use crate::generators::listed_content::{ContentName, ListedContentFile};
use sitemaps::site_paths::SitePath;

/// Whether a file is no page: it is a resource of a bundle above it, or beside a bundle of its name,
/// which Hugo prefers.
pub(super) fn has_resource(dirs: &ContentDirs<'_>, name: &ContentName<'_>) -> bool {
    if dirs.bundles.is_empty() {
        return false;
    }
    let bundle = |parts: &[&str]| dirs.bundles.get(&parts.join("/"));
    let mut above = (1..=name.dirs.len()).map(|depth| &name.dirs[..depth]);
    let is_index = |dir: &[&str]| name.stem == "index" && dir.len() == name.dirs.len();
    let of_name = bundle(&[&name.dirs[..], &[name.stem]].concat());
    above.any(|dir| !is_index(dir) && bundle(dir).is_some())
        || of_name.is_some_and(|languages| languages.contains(&name.language))
}

/// The content files in the directory of each page that owns it, its `index.md`, in the
/// same language.
pub(super) fn resources_of(
    languages: &Languages<'_>,
    files: &[ListedContentFile<'_>],
) -> HashMap<SitePath, Vec<SitePath>> {
    let named = files.iter().map(|file| (&file.path, file.name(languages)));
    let (indexes, others): (Vec<_>, Vec<_>) = named.partition(|(_, name)| name.stem == "index");
    let owners = indexes.iter();
    let owners = owners.map(|(path, name)| ((path.dir(), name.language), *path));
    let owners: HashMap<(&[u8], &str), &SitePath> = owners.collect();
    let mut resources: HashMap<SitePath, Vec<SitePath>> = HashMap::new();
    for (path, name) in others {
        let whole = path.as_bytes();
        let mut dirs = memchr::memrchr_iter(b'/', whole).map(|at| &whole[..=at]);
        if let Some(owner) = dirs.find_map(|dir| owners.get(&(dir, name.language))) {
            let of_owner = resources.entry((*owner).clone()).or_default();
            of_owner.push(path.clone());
        }
    }
    resources
}
