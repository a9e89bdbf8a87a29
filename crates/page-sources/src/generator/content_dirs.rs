//! Content directories that have an index file: sections with their front matter, and bundles.

use std::collections::HashMap;

use super::content_name::ContentName;
use super::front_matter::FrontMatter;
use super::profile::Generator;

/// Content directories that have an index file.
#[derive(Debug, Default)]
pub(super) struct ContentDirs<'c> {
    list_pages: HashMap<(String, &'c str), &'c FrontMatter>,
    /// The languages of the index files in each bundle.
    bundles: HashMap<String, Vec<&'c str>>,
    /// Rank of the best index file in each directory, if only one of them is used.
    indexes: HashMap<String, usize>,
}

impl<'c> ContentDirs<'c> {
    /// Records the directory of an index file.
    pub(super) fn insert(
        &mut self,
        generator: &Generator,
        name: &ContentName<'c>,
        front_matter: &'c FrontMatter,
    ) {
        if generator.is_branch_index(name.stem) {
            self.list_pages
                .entry((name.dirs.join("/"), name.language))
                .or_insert(front_matter);
        } else if generator.name == "hugo" && generator.is_leaf_index(name.stem) {
            let languages = self.bundles.entry(name.dirs.join("/")).or_default();
            languages.push(name.language);
        }
        if let Some(rank) = generator
            .leaf_rank(name.stem)
            .filter(|_| matches!(&*generator.name, "mkdocs" | "zensical"))
        {
            let best = self.indexes.entry(name.dirs.join("/")).or_insert(rank);
            *best = rank.min(*best);
        }
    }

    /// Whether another index file in the same directory takes precedence over this one.
    pub(super) fn has_better_index(&self, generator: &Generator, name: &ContentName<'_>) -> bool {
        let rank = generator
            .leaf_rank(name.stem)
            .filter(|_| !self.indexes.is_empty());
        rank.zip(self.indexes.get(&name.dirs.join("/")))
            .is_some_and(|(rank, best)| rank > *best)
    }

    /// The front matter of a directory's list page, or `None` if it has no list page in this
    /// language.
    pub(super) fn list_page(&self, dirs: &[&str], language: &'c str) -> Option<&'c FrontMatter> {
        self.list_pages.get(&(dirs.join("/"), language)).copied()
    }

    /// Whether a file is a resource of a bundle above it and therefore not a page.
    pub(super) fn is_part_of_bundle(&self, name: &ContentName<'_>) -> bool {
        if self.bundles.is_empty() {
            return false;
        }
        let is_bundle = |depth: usize| self.bundles.contains_key(&name.dirs[..depth].join("/"));
        let depth = name.dirs.len();
        (1..depth).any(is_bundle) || name.stem != "index" && depth > 0 && is_bundle(depth)
    }

    /// Whether a bundle has the name of a file beside it. Hugo then ignores the file.
    pub(super) fn has_bundle_of(&self, name: &ContentName<'_>) -> bool {
        if self.bundles.is_empty() {
            return false;
        }
        let parts = name.dirs.iter().chain([&name.stem]);
        let dir = parts.copied().collect::<Vec<_>>().join("/");
        let languages = self.bundles.get(&dir);
        languages.is_some_and(|languages| languages.contains(&name.language))
    }

    /// The sections that contain a page, outermost first. Top-level directories are always
    /// sections; others only if they have a list page.
    pub(super) fn sections_of<'n>(
        &self,
        dirs: &'n [&'n str],
        language: &'c str,
    ) -> Vec<&'n [&'n str]> {
        let is_section =
            |depth: usize| depth == 1 || self.list_page(&dirs[..depth], language).is_some();
        (1..=dirs.len())
            .filter(|&depth| is_section(depth))
            .map(|depth| &dirs[..depth])
            .collect()
    }
}
