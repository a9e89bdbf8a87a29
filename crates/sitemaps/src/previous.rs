//! The set in an output directory that a build replaces or a submission compares with: its roots
//! and the children that they name.
//!
//! Only indexes are read here. A damaged one is read up to the damage, and a note reports it.

use std::collections::BTreeSet;

use super::names::SetFileNames;
use super::set::{ChildRule, SetFile, SetPlace, SetWalk, note, own_roots_in, text_files_in};
use super::xml::EntryExtent;
use crate::site_paths::containment::SitemapDir;
use crate::site_paths::{BaseUrl, SitePath};

pub use super::set::{file_has_mark, has_mark_in, read_pages, read_sitemap_file};

/// The set of sitemaps in a directory, found from its roots.
#[derive(Debug, Default)]
pub struct PreviousSet {
    /// The existing roots: `sitemap.xml`, or else `sitemap.xml.gz`.
    pub roots: Vec<String>,
    /// The children that the roots name, if they can be in the directory, without duplicates.
    pub children: Vec<SitePath>,
    /// Whether the first root has waypost's mark.
    pub has_mark: bool,
    /// Messages about files that could not be read completely.
    pub notes: Vec<String>,
}

impl PreviousSet {
    /// Finds the text sitemap in `dir`, or its parts. They have no index.
    pub fn of_texts(dir: &SitemapDir, names: SetFileNames<'_>) -> Self {
        let texts = text_files_in(dir.path(), names);
        let texts = dir.containment().failures().note(dir.path(), texts);
        let texts = texts.unwrap_or_default().into_iter();
        Self {
            roots: texts.map(|file| file.to_string()).collect(),
            ..Self::default()
        }
    }

    /// Reads the roots of the set in `dir`.
    pub fn find(dir: &SitemapDir, base: &BaseUrl, names: SetFileNames<'_>) -> Self {
        let roots = own_roots_in(dir, names.root);
        let roots = dir.containment().failures().note(dir.path(), roots);
        let (roots, unlisted) = match roots {
            Ok(roots) => (roots, None),
            Err(error) => (Vec::new(), Some(error)),
        };
        let mut found = Self::of_roots(dir, base, roots);
        let unlisted =
            unlisted.map(|error| format!("the output directory could not be listed: {error}"));
        found.notes.extend(unlisted);
        found.has_mark = found
            .roots
            .first()
            .is_some_and(|root| has_mark_in(dir, &SitePath::from(root.as_str()), names.root));
        found
    }

    /// Reads the set with these roots.
    pub(crate) fn of_roots(
        dir: &SitemapDir,
        base: &BaseUrl,
        roots: impl IntoIterator<Item = SitePath>,
    ) -> Self {
        let mut found = Self::default();
        let mut walk = SetWalk::new(ChildRule::BelowBase(base));
        for root in roots {
            let name = root.to_string();
            let opened = dir.open(&root);
            let file = SetFile {
                place: SetPlace::Below(root),
                parent: None,
            };
            let read = walk.read(&file, opened, EntryExtent::Index, &mut |_, _| {});
            let children = walk.new_children(&read);
            let files = children.iter().filter_map(SetPlace::below).cloned();
            found.children.extend(files);
            let over_limit = read.limit_note().map(|text| format!("`{name}` {text}"));
            let damage = read.error.map(|error| note(&name, &error));
            found.notes.extend(damage.into_iter().chain(over_limit));
            found.roots.push(name);
        }
        found
    }

    /// The names of the children directly in the output directory.
    pub fn child_names(&self) -> impl Iterator<Item = &str> {
        let files = self.children.iter();
        files
            .filter_map(|file| std::str::from_utf8(file.as_bytes()).ok())
            .filter(|name| !name.contains('/'))
    }

    /// The files that may list pages: roots and children, sorted, without duplicates.
    pub fn page_files(&self) -> BTreeSet<SitePath> {
        let roots = self.roots.iter().map(|root| SitePath::from(root.as_str()));
        roots.chain(self.children.iter().cloned()).collect()
    }
}
