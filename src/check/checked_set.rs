//! A set that was checked: its files, what their indexes name, and the findings.

use super::entry_facts::EntryFacts;
use super::published_texts::PublishedTexts;
use sitemaps::findings::Finding;
use sitemaps::set::WalkedFile;

/// A file of a set, with the facts of its entries.
pub type CheckedFile = WalkedFile<EntryFacts>;

/// A set that was checked without a site.
#[derive(Debug)]
pub struct CheckedSet {
    /// The files that were read, roots first.
    pub files: Vec<CheckedFile>,
    /// URLs of sitemaps that were not read: they are elsewhere.
    pub absent: Vec<String>,
    /// Findings, ordered by file and place.
    pub findings: Vec<Finding>,
    /// The texts of fetched files, which the places of findings refer to.
    pub texts: PublishedTexts,
}

/// The URLs of the sitemaps that indexes name and that were not read.
pub(super) fn unread_children(files: &[CheckedFile]) -> impl Iterator<Item = String> {
    let children = files.iter().flat_map(|file| &file.read.children);
    let unread = children.filter(|child| child.file.is_none());
    unread.map(|child| child.loc.clone())
}
