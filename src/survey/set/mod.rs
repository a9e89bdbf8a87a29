//! Reads a set of sitemaps from its roots: an index and its children.
//!
//! Every command reads sets through [`SetWalk`], with their children where a [`ChildRule`] says.
//! Files are read as streams, and errors are values. Nothing is changed here, and the network is
//! only reached through what the caller opens.

mod child;
mod walk;

#[cfg(test)]
mod tests;

pub use child::{ChildRule, file_below_base, file_of_sitemap, nearest_file};
pub use walk::{FileRead, NamedChild, SetFile, SetWalk, WalkedFile};

use std::collections::BTreeSet;
use std::fmt;

use crate::files::tree::Tree;
use crate::generators::Manifest;
use sitemaps::SetFileNames;
use sitemaps::site_paths::SitePath;

/// Where a file of a set is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum SetPlace {
    /// Below the directory of the set.
    Below(SitePath),
    /// A URL.
    Url(String),
}

impl SetPlace {
    /// Its path, if it is below the directory of the set.
    pub fn below(&self) -> Option<&SitePath> {
        match self {
            Self::Below(path) => Some(path),
            Self::Url(_) => None,
        }
    }
}

impl fmt::Display for SetPlace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Below(path) => path.fmt(out),
            Self::Url(url) => url.fmt(out),
        }
    }
}

/// Everything that a crawler finds: the files that robots.txt names, and the existing ones with the
/// name of the set or a well-known one. Without duplicates.
pub fn roots_for_crawlers(
    dir: &Tree,
    own: &str,
    in_robots_txt: &BTreeSet<SitePath>,
) -> Vec<SitePath> {
    let usual = Manifest::embedded().generic.sitemaps.iter();
    let names = [own].into_iter().chain(usual.map(String::as_str));
    let found: BTreeSet<SitePath> = names
        .map(SitePath::from)
        .filter(|file| dir.has_file(file))
        .collect();
    // `sitemap.xml.gz` next to `sitemap.xml` is the same sitemap.
    let roots = found.iter().filter(|file| {
        let plain = file.as_bytes().strip_suffix(b".gz");
        !plain.is_some_and(|plain| found.contains(&SitePath::new(plain)))
    });
    let roots: BTreeSet<SitePath> = roots.chain(in_robots_txt).cloned().collect();
    roots.into_iter().collect()
}

/// The text sitemap, or its parts.
pub fn text_files_in(dir: &Tree, root: &str) -> Vec<SitePath> {
    let mut files = Vec::new();
    for entry in dir.entries(dir.path()) {
        if let Ok(name) = entry.file_name().into_string()
            && (SetFileNames { root }.is_text(&name))
        {
            files.push(SitePath::from(&*name));
        }
    }
    files.sort();
    files
}
