//! Walks a set: roots, then the children that they name, each file once.
//!
//! Errors are kept with the files, and the walk continues: a command that needs a complete set
//! checks them.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::io::{self, Read};
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::SetPlace;
use super::child::{ChildRule, place_of_child};
use sitemaps::site_paths::MAX_SITEMAP_ENTRIES;
use sitemaps::{
    EntryExtent, FileHead, ListedEntry, Place, SitemapListing, SitemapReadError, read_any,
};

/// Maximum number of pages in a set of a server: each takes some hundred bytes.
const MAX_PAGES: usize = 5_000_000;

/// A file of a set that is to be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetFile {
    /// Where it is.
    pub place: SetPlace,
    /// The index that names it; `None` for a root.
    pub parent: Option<SetPlace>,
}

/// The result of reading a file, besides its entries.
#[derive(Debug, Default)]
pub struct FileRead {
    /// What precedes its entries.
    pub head: FileHead,
    /// The number of entries.
    pub entries: usize,
    /// The children that an index names, up to the limit.
    pub children: Vec<NamedChild>,
    /// The number of children over the limit.
    pub unread_children: usize,
    /// The error that ended the reading early.
    pub error: Option<SitemapReadError>,
}

/// A child, as an index names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedChild {
    /// URL, as written in the index.
    pub loc: String,
    /// Place of the URL in the index.
    pub place: Place,
    /// Where the child is; `None` if it is not read.
    pub file: Option<SetPlace>,
}

/// A file that was read, with what the caller made of its entries.
#[derive(Debug)]
pub struct WalkedFile<T> {
    /// The file.
    pub file: SetFile,
    /// The result of reading it.
    pub read: FileRead,
    /// The value of the caller.
    pub value: T,
}

/// A walk through a set.
#[derive(Debug)]
pub struct SetWalk<'a> {
    children: ChildRule<'a>,
    known: BTreeSet<SetPlace>,
    pages: AtomicUsize,
    pub(super) max_children: usize,
    pub(super) max_pages: usize,
}

impl<'a> SetWalk<'a> {
    /// A walk that has read nothing yet.
    pub fn new(children: ChildRule<'a>) -> Self {
        let is_limited = matches!(children, ChildRule::OnHostOfIndex);
        Self {
            children,
            known: BTreeSet::new(),
            pages: AtomicUsize::new(0),
            max_children: MAX_SITEMAP_ENTRIES,
            max_pages: if is_limited { MAX_PAGES } else { usize::MAX },
        }
    }

    /// Walks through the set; files of one level are read in parallel. `read` opens a file and
    /// passes it to [`SetWalk::read`].
    pub fn in_parallel<T: Send>(
        self,
        roots: impl IntoIterator<Item = SetPlace>,
        read: impl Fn(&Self, &SetFile) -> (T, FileRead) + Sync,
    ) -> Vec<WalkedFile<T>> {
        let Ok(walked) = self.run::<T, Infallible>(roots, |walk, level| {
            Ok(level.par_iter().map(|file| read(walk, file)).collect())
        });
        walked
    }

    /// Walks through the set one file after the other, and stops at the first error of `read`.
    pub fn in_order<T, E>(
        self,
        roots: impl IntoIterator<Item = SetPlace>,
        mut read: impl FnMut(&Self, &SetFile) -> Result<(T, FileRead), E>,
    ) -> Result<Vec<WalkedFile<T>>, E> {
        self.run(roots, |walk, level| {
            level.iter().map(|file| read(walk, file)).collect()
        })
    }

    fn run<T, E>(
        mut self,
        roots: impl IntoIterator<Item = SetPlace>,
        mut read_level: impl FnMut(&Self, &[SetFile]) -> Result<Vec<(T, FileRead)>, E>,
    ) -> Result<Vec<WalkedFile<T>>, E> {
        let mut walked = Vec::new();
        let mut level = Vec::new();
        for place in roots {
            if self.known.insert(place.clone()) {
                let parent = None;
                level.push(SetFile { place, parent });
            }
        }
        while !level.is_empty() {
            let results = read_level(&self, &level)?;
            let mut next = Vec::new();
            for (file, (value, read)) in level.into_iter().zip(results) {
                // No command reads the children of a nested index, which are against the protocol.
                if file.parent.is_none() {
                    for place in self.new_children(&read) {
                        let parent = Some(file.place.clone());
                        next.push(SetFile { place, parent });
                    }
                }
                walked.push(WalkedFile { file, read, value });
            }
            level = next;
        }
        Ok(walked)
    }

    /// The places of the children of an index that the walk has not met yet.
    pub(crate) fn new_children(&mut self, read: &FileRead) -> Vec<SetPlace> {
        let places = read.children.iter().filter_map(|child| child.file.clone());
        places
            .filter(|place| self.known.insert(place.clone()))
            .collect()
    }

    /// Reads one file, and passes each entry to `visit` as it is read.
    pub fn read(
        &self,
        file: &SetFile,
        opened: io::Result<impl Read>,
        extent: EntryExtent,
        visit: &mut dyn FnMut(SitemapListing, &ListedEntry),
    ) -> FileRead {
        let mut read = FileRead::default();
        let (mut children, mut is_over) = (Vec::new(), false);
        let mut collect = |listing, listed: &ListedEntry| {
            read.entries += 1;
            match listing {
                SitemapListing::Pages => {
                    is_over = self.pages.fetch_add(1, Ordering::Relaxed) >= self.max_pages;
                    if is_over {
                        return;
                    }
                }
                SitemapListing::Sitemaps if children.len() < self.max_children => {
                    children.push(NamedChild {
                        file: place_of_child(self.children, &file.place, &listed.loc),
                        loc: listed.loc.clone(),
                        place: listed.place,
                    });
                }
                SitemapListing::Sitemaps => read.unread_children += 1,
            }
            visit(listing, listed);
        };
        let (head, result) = match opened {
            Ok(input) => read_any(input, extent, &mut collect),
            Err(error) => (FileHead::default(), Err(error.into())),
        };
        let too_many = is_over.then_some(SitemapReadError::TooManyPages);
        FileRead {
            head,
            children,
            error: too_many.or(result.err()),
            ..read
        }
    }
}

impl FileRead {
    /// A message about children over the limit, to be shown after the name of the file.
    pub fn limit_note(&self) -> Option<String> {
        let count = self.unread_children;
        (count > 0).then(|| {
            format!(
                "names {count} sitemaps more than the {MAX_SITEMAP_ENTRIES} that the protocol \
                 allows, and those are not read"
            )
        })
    }
}
