//! Reads a set of sitemaps from its roots: an index and its children.
//!
//! Every command reads sets through [`SetWalk`], with their children where a [`ChildRule`] says.
//! Files are read as streams, and errors are values. Nothing is changed here, and the network is
//! only reached through what the caller opens.

mod child;
mod roots;
mod walk;

#[cfg(test)]
mod tests;

pub use child::{ChildRule, file_below_base, file_of_sitemap, nearest_file};
pub use roots::{WELL_KNOWN, roots_for_crawlers, text_files_in};
pub use walk::{FileRead, NamedChild, SetFile, SetWalk, WalkedFile};

use std::fmt;

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
