//! The content folders that have a file of their own: lists with what they say of themselves, and bundles.

use std::collections::{HashMap, HashSet};

use super::content_name::ContentName;
use super::front_matter::FrontMatter;
use super::profile::Generator;

/// Content folders, by language.
#[derive(Debug, Default)]
pub(super) struct ContentDirs<'c> {
    lists: HashMap<(String, &'c str), &'c FrontMatter>,
    bundles: HashSet<String>,
    /// The rank of the index that counts, where one does.
    indexes: HashMap<String, usize>,
}

impl<'c> ContentDirs<'c> {
    /// Enters the folder of a file that stands for it.
    pub(super) fn enter(
        &mut self,
        generator: &Generator,
        name: &ContentName<'c>,
        front_matter: &'c FrontMatter,
    ) {
        if generator.is_branch_index(name.stem) {
            self.lists
                .entry((name.folders.join("/"), name.language))
                .or_insert(front_matter);
        } else if generator.leaf_owns_folder && generator.is_leaf_index(name.stem) {
            self.bundles.insert(name.folders.join("/"));
        }
        if let Some(rank) = generator
            .leaf_rank(name.stem)
            .filter(|_| generator.first_leaf_index_wins)
        {
            let best = self.indexes.entry(name.folders.join("/")).or_insert(rank);
            *best = rank.min(*best);
        }
    }

    /// Whether another index of its folder counts in place of this file.
    pub(super) fn has_better_index(&self, generator: &Generator, name: &ContentName<'_>) -> bool {
        let rank = generator
            .leaf_rank(name.stem)
            .filter(|_| !self.indexes.is_empty());
        rank.zip(self.indexes.get(&name.folders.join("/")))
            .is_some_and(|(rank, best)| rank > *best)
    }

    /// What the list of a folder says of itself; `None` where the folder has none in this language.
    pub(super) fn list(&self, folders: &[&str], language: &'c str) -> Option<&'c FrontMatter> {
        self.lists.get(&(folders.join("/"), language)).copied()
    }

    /// Whether a file belongs to the page of a folder above it, and is no page itself.
    pub(super) fn is_part_of_bundle(&self, generator: &Generator, name: &ContentName<'_>) -> bool {
        if self.bundles.is_empty() {
            return false;
        }
        let is_bundle = |depth: usize| self.bundles.contains(&name.folders[..depth].join("/"));
        let own = generator.is_leaf_index(name.stem);
        let depth = name.folders.len();
        (1..depth).any(is_bundle) || !own && depth > 0 && is_bundle(depth)
    }

    /// The lists that a page lies below, the outermost first: folders at the top always are one, others where they
    /// have a file.
    pub(super) fn sections_of<'n>(
        &self,
        folders: &'n [&'n str],
        language: &'c str,
    ) -> Vec<&'n [&'n str]> {
        let is_section =
            |depth: usize| depth == 1 || self.list(&folders[..depth], language).is_some();
        (1..=folders.len())
            .filter(|&depth| is_section(depth))
            .map(|depth| &folders[..depth])
            .collect()
    }
}
