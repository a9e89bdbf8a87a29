//! The plan: every file of the set by name, size and content, before any of them is written.
//!
//! Entries are held once; a file holds the numbers of its entries and is rendered on demand, so that no more than a few
//! files are in memory at a time.

use std::collections::{BTreeMap, BTreeSet};

use super::SitemapEntry;
use super::extras::Video;
use super::gzip;
use super::layout::{FileFrame, FileLayout, SitemapPart, UsedExtensions};
use super::names::SetFileNames;
use crate::config::GzipMode;
use crate::dates::DateFormat;
use crate::site_paths::{BaseUrl, PageUrl};

/// What a file of the set is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlannedFileKind {
    /// `<urlset>`.
    Urlset,
    /// `<sitemapindex>`.
    Index,
    /// One URL a line.
    Text,
    /// The newest pages, as RSS or Atom.
    Feed,
    /// `<urlset>` of the news of the last days.
    News,
}

/// How a reader comes to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileRole {
    /// robots.txt names it.
    Root,
    /// An index names it.
    Child,
}

/// A file that is to be written.
#[derive(Debug)]
pub struct PlannedFile {
    /// Its name in the output folder, as readers are told it: with `.gz` where only compressed files are written.
    pub name: String,
    /// What it is.
    pub kind: PlannedFileKind,
    /// How a reader comes to it.
    pub role: FileRole,
    /// How many URLs it lists; of an index, how many sitemaps.
    pub urls: usize,
    /// How long it is, to the byte, before it is compressed.
    pub bytes: usize,
    content: PlannedContent,
}

#[derive(Debug)]
enum PlannedContent {
    /// An index, a feed or news: they are small.
    Ready(String),
    /// Entries by their numbers, in the order in which they are written.
    Selected {
        numbers: Vec<u32>,
        used: UsedExtensions,
        shape: &'static FileLayout,
    },
}

impl PlannedFile {
    /// A file whose text is small enough to be held.
    pub(crate) fn ready(name: String, kind: PlannedFileKind, urls: usize, text: String) -> Self {
        Self {
            name,
            kind,
            role: FileRole::Root,
            urls,
            bytes: text.len(),
            content: PlannedContent::Ready(text),
        }
    }

    /// A file that lists a part of the entries.
    pub(crate) fn of_part(
        name: String,
        kind: PlannedFileKind,
        role: FileRole,
        part: SitemapPart<'_>,
        shape: &'static FileLayout,
    ) -> Self {
        let SitemapPart {
            numbers,
            bytes,
            used,
            ..
        } = part;
        Self {
            name,
            kind,
            role,
            urls: numbers.len(),
            bytes,
            content: PlannedContent::Selected {
                numbers,
                used,
                shape,
            },
        }
    }

    /// The numbers of the entries it lists, in the order of their URLs; none of what is held as text.
    pub(crate) fn numbers(&self) -> &[u32] {
        match &self.content {
            PlannedContent::Ready(_) => &[],
            PlannedContent::Selected { numbers, .. } => numbers,
        }
    }
}

/// Every file of the set, and the entries they list.
#[derive(Debug)]
pub struct Plan {
    pub(crate) entries: Vec<SitemapEntry>,
    /// The videos of pages that have any.
    pub(crate) videos: BTreeMap<PageUrl, Vec<Video>>,
    pub(crate) files: Vec<PlannedFile>,
    /// Files below the base URL that an index names and that are not ours to write.
    pub(crate) made_elsewhere: BTreeSet<String>,
    pub(crate) root: String,
    pub(crate) gzip: GzipMode,
    pub(crate) dates: DateFormat,
    /// What every XML sitemap begins with: its mark, and how browsers show it.
    pub(crate) opening: String,
    pub(crate) base: BaseUrl,
}

impl Plan {
    /// The entries, in the byte order of their URLs, each URL once.
    pub fn entries(&self) -> &[SitemapEntry] {
        &self.entries
    }

    /// The addresses of the entries with these numbers.
    pub fn urls<'p>(&'p self, numbers: &'p [u32]) -> impl Iterator<Item = &'p str> {
        numbers
            .iter()
            .map(|&number| self.entries[number as usize].loc.as_str())
    }

    /// The files, format by format; within one, indexes before their children, and those by name.
    pub fn files(&self) -> &[PlannedFile] {
        &self.files
    }

    /// The addresses that robots.txt is to name.
    pub fn roots(&self) -> impl Iterator<Item = PageUrl> {
        let roots = self.files.iter().filter(|file| file.role == FileRole::Root);
        roots.map(|file| self.base.of_path(file.name.as_bytes()))
    }

    /// The name of the file that people and programs are told of: the first that robots.txt is to name, which is XML
    /// where XML is written.
    pub fn main_file(&self) -> Option<&str> {
        self.files
            .iter()
            .find(|file| file.role == FileRole::Root)
            .map(|file| file.name.as_str())
    }

    /// Whether a file of the output folder has a name that one of this set can have.
    pub fn has_name_of_set(&self, name: &str) -> bool {
        SetFileNames { root: &self.root }.classify(name).is_some()
    }

    /// Whether the entry of this number has a date.
    pub fn is_dated(&self, number: u32) -> bool {
        self.entries[number as usize].lastmod.is_some()
    }

    /// The file's text, before it is compressed.
    pub fn render(&self, file: &PlannedFile) -> String {
        match &file.content {
            PlannedContent::Ready(text) => text.clone(),
            PlannedContent::Selected {
                numbers,
                used,
                shape,
            } => {
                let mut text = String::with_capacity(file.bytes);
                let mut entries = numbers.iter().map(|&number| &self.entries[number as usize]);
                let frame = FileFrame {
                    opening: &self.opening,
                    used: *used,
                    videos: &self.videos,
                    dates: self.dates,
                };
                (shape.render)(&frame, &mut entries, &mut text);
                text
            }
        }
    }

    /// The number of the entry with this address.
    pub fn number_of(&self, url: &str) -> Option<usize> {
        self.entries
            .binary_search_by(|entry| entry.loc.as_str().cmp(url))
            .ok()
    }

    /// The same for an address that may be spelt in another way than the plan's.
    pub fn number_of_any_spelling(&self, url: &str) -> Option<usize> {
        let normal = || self.base.of_path(b"").resolve(url).ok();
        self.number_of(url)
            .or_else(|| self.number_of(normal()?.as_str()))
    }

    /// An address of another hand in the spelling of the plan's, where it is one.
    pub fn in_normal_form(&self, url: &str) -> String {
        self.base
            .of_path(b"")
            .resolve(url)
            .map_or_else(|_| url.to_owned(), |url| url.to_string())
    }

    /// The names under which a file stands on disk; a compressed twin comes first.
    pub(crate) fn outputs(&self, file: &PlannedFile) -> Vec<String> {
        match self.gzip {
            GzipMode::Off | GzipMode::Only => vec![file.name.clone()],
            GzipMode::Also => vec![format!("{}{}", file.name, gzip::ENDING), file.name.clone()],
        }
    }

    /// A way to look up which `<urlset>` lists an address, or which text file where no `<urlset>` is written.
    pub fn whereabouts(&self) -> UrlFiles<'_> {
        let has_urlsets = self
            .files
            .iter()
            .any(|file| file.kind == PlannedFileKind::Urlset);
        let kind = if has_urlsets {
            PlannedFileKind::Urlset
        } else {
            PlannedFileKind::Text
        };
        let mut file_of_entry = vec![u32::MAX; self.entries.len()];
        for (at, file) in (0..).zip(&self.files).filter(|(_, file)| file.kind == kind) {
            for &number in file.numbers() {
                file_of_entry[number as usize] = at;
            }
        }
        UrlFiles {
            plan: self,
            file_of_entry,
        }
    }
}

/// Which file of a plan lists which address.
#[derive(Debug)]
pub struct UrlFiles<'a> {
    plan: &'a Plan,
    file_of_entry: Vec<u32>,
}

impl<'a> UrlFiles<'a> {
    /// The file that lists this address.
    pub fn file_of(&self, url: &str) -> Option<&'a PlannedFile> {
        let at = self.file_of_entry[self.plan.number_of_any_spelling(url)?];
        self.plan.files.get(at as usize)
    }
}
