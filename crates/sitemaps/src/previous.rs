//! The set in an output directory that a build replaces or a submission compares with: its roots
//! and the children that they name.
//!
//! Only indexes are read here. A damaged one is read up to the damage, and a note reports it.

use std::collections::BTreeSet;

use super::set::{ChildRule, SetFile, SetPlace, SetWalk, note, own_roots_in, text_files_in};
use super::xml::EntryExtent;
use crate::files::tree::Tree;
use crate::site_paths::{BaseUrl, SitePath};

pub use super::set::{has_mark_in, read_pages, read_sitemap_file};

/// The set of sitemaps in a directory, found from its roots.
#[derive(Debug, Default)]
pub struct PreviousSet {
    /// The existing roots: `sitemap.xml`, or else `sitemap.xml.gz`.
    pub roots: Vec<SitePath>,
    /// The children that the roots name, if they can be in the directory, without duplicates.
    pub children: Vec<SitePath>,
    /// Whether the first root has waypost's mark.
    pub has_mark: bool,
    /// Messages about files that could not be read completely.
    pub notes: Vec<String>,
}

impl PreviousSet {
    /// Finds the text sitemap of the set with this root in `dir`, or its parts. They have no index.
    pub fn of_texts(dir: &Tree, root: &str) -> Self {
        let texts = text_files_in(dir.path(), root);
        let texts = dir.note(dir.path(), texts);
        Self {
            roots: texts.unwrap_or_default(),
            ..Self::default()
        }
    }

    /// Finds the set with this root in `dir`.
    pub fn find(dir: &Tree, base: &BaseUrl, root: &str) -> Self {
        let roots = own_roots_in(dir, root);
        match dir.note(dir.path(), roots) {
            Ok(roots) => {
                let first = roots.first();
                let has_mark = first.is_some_and(|first| has_mark_in(dir, first, root));
                Self {
                    has_mark,
                    ..Self::of_roots(dir, base, roots)
                }
            }
            Err(error) => Self {
                notes: vec![format!("the output directory could not be listed: {error}")],
                ..Self::default()
            },
        }
    }

    /// Reads the set with these roots.
    pub(crate) fn of_roots(
        dir: &Tree,
        base: &BaseUrl,
        roots: impl IntoIterator<Item = SitePath>,
    ) -> Self {
        let mut found = Self::default();
        let mut walk = SetWalk::new(ChildRule::BelowBase(base));
        for root in roots {
            let name = root.to_string();
            let file = SetFile {
                place: SetPlace::Below(root.clone()),
                parent: None,
            };
            let read = walk.read(&file, dir.open(&root), EntryExtent::Index, &mut |_, _| {});
            let children = walk.new_children(&read);
            let files = children.iter().filter_map(SetPlace::below).cloned();
            found.children.extend(files);
            let over_limit = read.limit_note().map(|text| format!("`{name}` {text}"));
            let damage = read.error.map(|error| note(&name, &error));
            found.notes.extend(damage.into_iter().chain(over_limit));
            found.roots.push(root);
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
        self.roots.iter().chain(&self.children).cloned().collect()
    }
}
