//! Walks a set: roots, then the children that they name, each file once.

use std::collections::BTreeSet;
use std::io::{self, Read};
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::SetPlace;
use super::child::{ChildProblem, ChildRule, place_of_child};
use super::file_kind::SitemapFileKind;
use super::reader::read_any;
use crate::site_paths::finding::Place;
use crate::site_paths::{HintedError, MAX_SITEMAP_ENTRIES};
use crate::xml::{EntryExtent, ListedEntry, SitemapListing, SitemapReadError};

/// Maximum number of pages in a set of a server or one that is compared: each takes some hundred bytes.
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
#[derive(Debug)]
pub struct FileRead {
    /// What it is.
    pub kind: SitemapFileKind,
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
    /// Where the child is.
    pub file: Result<SetPlace, ChildProblem>,
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

/// How strictly a set is read. An index that another index names is against the protocol, and none of
/// its children is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strictness {
    /// Errors are kept with the files, and the walk continues: for a set to check or to replace.
    Lenient,
    /// The first error ends the walk, because an incomplete set is worse than none: for a submission.
    Strict,
}

/// A walk through a set.
#[derive(Debug)]
pub struct SetWalk<'a> {
    children: ChildRule<'a>,
    strictness: Strictness,
    known: BTreeSet<SetPlace>,
    pages: AtomicUsize,
    max_children: usize,
    max_pages: usize,
}

impl<'a> SetWalk<'a> {
    /// A walk that has read nothing yet.
    pub fn new(children: ChildRule<'a>, strictness: Strictness) -> Self {
        let is_limited =
            strictness == Strictness::Strict || matches!(children, ChildRule::OnHostOfIndex);
        Self {
            children,
            strictness,
            known: BTreeSet::new(),
            pages: AtomicUsize::new(0),
            max_children: MAX_SITEMAP_ENTRIES,
            max_pages: if is_limited { MAX_PAGES } else { usize::MAX },
        }
    }

    /// The same with small limits.
    #[cfg(test)]
    pub(super) fn with_limits(self, max_children: usize, max_pages: usize) -> Self {
        let is_limited = self.max_pages < usize::MAX;
        Self {
            max_children,
            max_pages: if is_limited { max_pages } else { usize::MAX },
            ..self
        }
    }

    /// Walks through the set; files of one level are read in parallel. `read` opens a file and
    /// passes it to [`SetWalk::read`]; its first error, in the order of the files, ends the walk.
    pub fn in_parallel<T: Send, E: Send>(
        self,
        roots: impl IntoIterator<Item = SetPlace>,
        read: impl Fn(&Self, &SetFile) -> Result<(T, FileRead), E> + Sync,
    ) -> Result<Vec<WalkedFile<T>>, E> {
        self.run(roots, |walk, level| {
            level.par_iter().map(|file| read(walk, file)).collect()
        })
    }

    /// Walks through the set one file after the other, and stops at the first error.
    pub fn in_order<T, E>(
        self,
        roots: impl IntoIterator<Item = SetPlace>,
        mut read: impl FnMut(&Self, &SetFile) -> Result<(T, FileRead), E>,
    ) -> Result<Vec<WalkedFile<T>>, E> {
        self.run(roots, |walk, level| {
            let mut results = Vec::new();
            for file in level {
                results.push(read(walk, file));
                if results.last().is_some_and(Result::is_err) {
                    break;
                }
            }
            results
        })
    }

    fn run<T, E>(
        mut self,
        roots: impl IntoIterator<Item = SetPlace>,
        mut read_level: impl FnMut(&Self, &[SetFile]) -> Vec<Result<(T, FileRead), E>>,
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
            let results = read_level(&self, &level);
            let mut next = Vec::new();
            for (file, result) in level.into_iter().zip(results) {
                let (value, read) = result?;
                // No command reads the children of a nested index.
                if file.parent.is_none() {
                    next.extend(self.files_of(&file, &read));
                }
                walked.push(WalkedFile { file, read, value });
            }
            level = next;
        }
        Ok(walked)
    }

    fn files_of(&mut self, index: &SetFile, read: &FileRead) -> Vec<SetFile> {
        let children = self.new_children(read).into_iter();
        let places = children.filter_map(|child| child.file.as_ref().ok());
        let file = |place: &SetPlace| SetFile {
            place: place.clone(),
            parent: Some(index.place.clone()),
        };
        places.map(file).collect()
    }

    /// The children of an index that the walk has not met yet. Those without a place are compared
    /// by URL.
    pub fn new_children<'r>(&mut self, read: &'r FileRead) -> Vec<&'r NamedChild> {
        let is_new = |child: &&NamedChild| {
            let place = child.file.as_ref().ok().cloned();
            let place = place.unwrap_or_else(|| SetPlace::Url(child.loc.clone()));
            self.known.insert(place)
        };
        read.children.iter().filter(is_new).collect()
    }

    /// Reads one file, and passes each entry to `visit` as it is read.
    ///
    /// Errors are part of the result, unless they end the walk.
    pub fn read(
        &self,
        file: &SetFile,
        opened: io::Result<impl Read>,
        extent: EntryExtent,
        visit: &mut dyn FnMut(SitemapListing, &ListedEntry),
    ) -> Result<FileRead, HintedError> {
        let mut read = FileRead::nothing();
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
                    children.push((listed.loc.clone(), listed.place));
                }
                SitemapListing::Sitemaps => read.unread_children += 1,
            }
            visit(listing, listed);
        };
        let (kind, result) = match opened {
            Ok(input) => read_any(input, extent, &mut collect),
            Err(error) => (SitemapFileKind::default(), Err(error.into())),
        };
        read.kind = kind;
        if is_over || (read.unread_children > 0 && self.ends_at_errors()) {
            let message = format!("`{}` lists more URLs than can be compared", file.place);
            return Err(HintedError::new(message, "name one of its sitemaps"));
        }
        match result {
            Err(why) if self.ends_at_errors() => {
                let place = &file.place;
                return Err(incomplete(format!(
                    "`{place}` could be read only in part: {why}"
                )));
            }
            result => read.error = result.err(),
        }
        read.children = self.place_children(file, children)?;
        Ok(read)
    }

    /// Finds the places of children; strictly read, an index must not be nested and each must have one.
    fn place_children(
        &self,
        file: &SetFile,
        children: Vec<(String, Place)>,
    ) -> Result<Vec<NamedChild>, HintedError> {
        let is_nested = file.parent.is_some() && !children.is_empty();
        if is_nested && self.ends_at_errors() {
            let place = &file.place;
            return Err(incomplete(format!(
                "the index names `{place}`, which is an index itself"
            )));
        }
        let index = &file.place;
        let named = children.into_iter().map(|(loc, place)| {
            let file = place_of_child(self.children, index, &loc);
            NamedChild { loc, place, file }
        });
        let named: Vec<NamedChild> = named.collect();
        let unplaced = named.iter().find(|child| child.file.is_err());
        match unplaced.filter(|_| self.ends_at_errors()) {
            Some(named) => {
                let child = named.loc.escape_debug();
                let what = match self.children {
                    ChildRule::InDirectory(_) => "not in its directory",
                    _ => "on another host",
                };
                let message = format!("the index `{index}` names `{child}`, which is {what}");
                Err(incomplete(message))
            }
            None => Ok(named),
        }
    }

    fn ends_at_errors(&self) -> bool {
        self.strictness == Strictness::Strict
    }
}

/// The error of a set that must be complete.
fn incomplete(message: String) -> HintedError {
    HintedError::new(message, "publish a complete sitemap, or name another one")
}

impl FileRead {
    fn nothing() -> Self {
        Self {
            kind: SitemapFileKind::default(),
            entries: 0,
            children: Vec::new(),
            unread_children: 0,
            error: None,
        }
    }

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
