//! Content directories that have an index file: sections and bundles.

use std::collections::{HashMap, HashSet};

use super::listed_content::ContentName;

/// Content directories that have an index file.
#[derive(Debug, Default)]
pub(super) struct ContentDirs<'c> {
    pub(super) list_pages: HashSet<(String, &'c str)>,
    /// The languages of the index files in each of Hugo's bundles.
    pub(super) bundles: HashMap<String, Vec<&'c str>>,
    /// Rank of the best index file in each directory, where MkDocs builds only one of them.
    pub(super) indexes: HashMap<String, usize>,
}

impl<'c> ContentDirs<'c> {
    /// Whether other files keep a file from being a page: it is a resource of a bundle above it, or
    /// beside a bundle of its name, which Hugo prefers, or beside an index file that takes precedence.
    pub(super) fn hide(&self, name: &ContentName<'_>, leaf_rank: Option<usize>) -> bool {
        if !self.indexes.is_empty() {
            let best = self.indexes.get(&name.dirs.join("/"));
            return leaf_rank.zip(best).is_some_and(|(rank, best)| rank > *best);
        }
        if self.bundles.is_empty() {
            return false;
        }
        let bundle = |parts: &[&str]| self.bundles.get(&parts.join("/"));
        let mut above = (1..=name.dirs.len()).map(|depth| &name.dirs[..depth]);
        let is_index = |dir: &[&str]| name.stem == "index" && dir.len() == name.dirs.len();
        let of_name = bundle(&[&name.dirs[..], &[name.stem]].concat());
        above.any(|dir| !is_index(dir) && bundle(dir).is_some())
            || of_name.is_some_and(|languages| languages.contains(&name.language))
    }

    /// The innermost section that contains a page. Top-level directories are always sections; others
    /// only if they have a list page.
    pub(super) fn innermost_section<'n>(
        &self,
        dirs: &'n [&'n str],
        language: &'c str,
    ) -> &'n [&'n str] {
        let mut within = (1..=dirs.len()).rev().map(|depth| &dirs[..depth]);
        let is_section =
            |dir: &&[&str]| dir.len() == 1 || self.list_pages.contains(&(dir.join("/"), language));
        within.find(is_section).unwrap_or_default()
    }
}
