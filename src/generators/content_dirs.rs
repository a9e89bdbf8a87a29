//! Content directories that have an index file: sections and bundles.

use std::collections::{HashMap, HashSet};

use super::listed_content::ContentName;
use super::profile::Generator;

/// Content directories that have an index file.
#[derive(Debug, Default)]
pub(super) struct ContentDirs<'c> {
    pub(super) list_pages: HashSet<(String, &'c str)>,
    /// The languages of the index files in each bundle.
    pub(super) bundles: HashMap<String, Vec<&'c str>>,
    /// Rank of the best index file in each directory, where only one of them is built.
    pub(super) indexes: HashMap<String, usize>,
}

impl<'c> ContentDirs<'c> {
    /// Records the directory of an index file.
    pub(super) fn insert(&mut self, generator: &Generator, name: &ContentName<'c>) {
        let dir = || name.dirs.join("/");
        if generator.is_branch_index(name.stem) {
            self.list_pages.insert((dir(), name.language));
        }
        let Some(rank) = generator.leaf_rank(name.stem) else {
            return;
        };
        if generator.has_bundles {
            self.bundles.entry(dir()).or_default().push(name.language);
        }
        if generator.builds_one_index {
            let best = self.indexes.entry(dir()).or_insert(rank);
            *best = rank.min(*best);
        }
    }

    /// Whether an index file in the same directory takes precedence over one of this rank.
    pub(super) fn have_better(&self, name: &ContentName<'_>, rank: Option<usize>) -> bool {
        let best = rank.and_then(|_| self.indexes.get(&name.dirs.join("/")));
        rank.zip(best).is_some_and(|(rank, best)| rank > *best)
    }

    /// The innermost section that contains a page. Top-level directories are always sections; others
    /// only if they have a list page.
    pub(super) fn innermost_section<'n>(
        &self,
        dirs: &'n [&'n str],
        language: &'c str,
    ) -> &'n [&'n str] {
        (1..=dirs.len())
            .rev()
            .map(|depth| &dirs[..depth])
            .find(|dir| dir.len() == 1 || self.list_pages.contains(&(dir.join("/"), language)))
            .unwrap_or_default()
    }
}
