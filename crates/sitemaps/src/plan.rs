//! The plan: name, size and content of every file in the set, before any of them is written.
//!
//! Entries are stored once. A file has the numbers of its entries and is rendered on demand, so
//! only a few files are in memory at a time.

use std::collections::BTreeSet;

use super::names::SetFileNames;
use super::split::HashBits;
use super::{SitemapEntry, gzip, urlset_text};
use crate::lastmod::DateFormat;
use crate::settings::GzipMode;
use crate::site_paths::{BaseUrl, PageUrl};
use crate::values::GroupName;

/// Kind of a file in the set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlannedFileKind {
    /// `<urlset>`.
    Urlset,
    /// `<sitemapindex>`.
    Index,
    /// A text file with one URL per line.
    Text,
    /// A feed of the newest pages: RSS or Atom.
    Feed,
}

/// How readers find a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileRole {
    /// robots.txt names it.
    Root,
    /// An index names it.
    Child,
}

/// A file to write.
#[derive(Debug)]
pub struct PlannedFile {
    /// Public name in the output directory: with `.gz` if only compressed files are written.
    pub name: String,
    /// Kind of the file.
    pub kind: PlannedFileKind,
    /// How readers find it.
    pub role: FileRole,
    /// Number of URLs; in an index, of sitemaps.
    pub urls: usize,
    /// Exact size in bytes before compression.
    pub bytes: usize,
    content: PlannedContent,
}

#[derive(Debug)]
enum PlannedContent {
    /// Text of an index or a feed, which is small.
    Ready(String),
    /// Numbers of the entries, in output order.
    Selected(Vec<u32>),
}

/// Entries that share a file. Their numbers are in URL order.
pub(crate) struct SitemapPart<'a> {
    pub group: Option<&'a GroupName>,
    pub bits: HashBits,
    pub numbers: Vec<u32>,
    /// Size of the file in bytes.
    pub bytes: usize,
}

impl PlannedFile {
    /// A file whose text is small enough to keep in memory.
    pub fn ready(name: String, kind: PlannedFileKind, urls: usize, text: String) -> Self {
        Self {
            name,
            kind,
            role: FileRole::Root,
            urls,
            bytes: text.len(),
            content: PlannedContent::Ready(text),
        }
    }

    /// A file that lists some of the entries.
    pub(crate) fn from_part(
        name: String,
        kind: PlannedFileKind,
        role: FileRole,
        part: SitemapPart<'_>,
    ) -> Self {
        Self {
            name,
            kind,
            role,
            urls: part.numbers.len(),
            bytes: part.bytes,
            content: PlannedContent::Selected(part.numbers),
        }
    }

    /// The numbers of the listed entries, in URL order; empty for a file that is kept as text.
    pub fn numbers(&self) -> &[u32] {
        match &self.content {
            PlannedContent::Ready(_) => &[],
            PlannedContent::Selected(numbers) => numbers,
        }
    }
}

/// Every file in the set, and the entries that they list.
#[derive(Debug)]
pub struct Plan {
    pub(crate) entries: Vec<SitemapEntry>,
    pub(crate) files: Vec<PlannedFile>,
    /// Files below the base URL that an index names, but that waypost does not write.
    pub(crate) external_files: BTreeSet<String>,
    pub(crate) root: String,
    pub(crate) gzip: GzipMode,
    pub(crate) dates: DateFormat,
    /// Text at the start of every XML sitemap: declaration, mark and stylesheet.
    pub(crate) opening: String,
    /// The same with the tag of every `<urlset>`.
    pub(crate) urlset: String,
    pub(crate) base: BaseUrl,
}

impl Plan {
    /// The file that readers start at: `sitemap.xml`.
    pub fn root(&self) -> &str {
        &self.root
    }

    /// The base URL that all entries are below.
    pub fn base(&self) -> &BaseUrl {
        &self.base
    }

    /// Whether only text sitemaps list all pages.
    pub fn is_text_only(&self) -> bool {
        self.has_kind(PlannedFileKind::Text) && !self.has_kind(PlannedFileKind::Urlset)
    }

    /// Whether a file of this kind is written.
    pub fn has_kind(&self, kind: PlannedFileKind) -> bool {
        self.files.iter().any(|file| file.kind == kind)
    }

    /// Files of the set that another program wrote, so that they are not stale.
    pub fn external_files(&self) -> &BTreeSet<String> {
        &self.external_files
    }

    /// The entries, sorted by the bytes of their URLs, without duplicates.
    pub fn entries(&self) -> &[SitemapEntry] {
        &self.entries
    }

    /// The URLs of the entries with these numbers.
    pub fn urls<'p>(&'p self, numbers: &'p [u32]) -> impl Iterator<Item = &'p str> {
        numbers
            .iter()
            .map(|&number| self.entries[number as usize].loc.as_str())
    }

    /// The files, format by format; within a format, the index first, then children by name.
    pub fn files(&self) -> &[PlannedFile] {
        &self.files
    }

    /// The URLs for robots.txt.
    pub fn roots(&self) -> impl Iterator<Item = PageUrl> {
        self.files
            .iter()
            .filter(|file| file.role == FileRole::Root)
            .map(|file| self.base.path_url(file.name.as_bytes()))
    }

    /// The name of the file to report to users and programs: the first root, which is XML if XML is
    /// written.
    pub fn main_file(&self) -> Option<&str> {
        self.files
            .iter()
            .find(|file| file.role == FileRole::Root)
            .map(|file| file.name.as_str())
    }

    /// Whether this is the name of a file that the set can have.
    pub fn has_name_of_set(&self, name: &str) -> bool {
        SetFileNames { root: &self.root }.classify(name).is_some()
    }

    /// Renders a file, without compression.
    pub fn render(&self, file: &PlannedFile) -> String {
        match &file.content {
            PlannedContent::Ready(text) => text.clone(),
            PlannedContent::Selected(numbers) => {
                let mut text = String::with_capacity(file.bytes);
                let [beginning, end] = self.frame_of(file.kind);
                text.push_str(beginning);
                for &number in numbers {
                    self.push_entry(file.kind, &self.entries[number as usize], &mut text);
                }
                text.push_str(end);
                text
            }
        }
    }

    /// The texts before and after the entries of a file.
    pub(super) fn frame_of(&self, kind: PlannedFileKind) -> [&str; 2] {
        match kind {
            PlannedFileKind::Text => ["", ""],
            _ => [&self.urlset, urlset_text::END],
        }
    }

    /// Appends an entry as files of this kind list it.
    pub(super) fn push_entry(&self, kind: PlannedFileKind, entry: &SitemapEntry, out: &mut String) {
        match kind {
            PlannedFileKind::Text => {
                out.push_str(entry.loc.as_str());
                out.push('\n');
            }
            _ => urlset_text::push_entry(entry, self.dates, out),
        }
    }

    /// The public name of a file: with `.gz` if only compressed files are written.
    pub(super) fn file_name(&self, suffix: &str, ending: &str) -> String {
        let separator = if suffix.is_empty() { "" } else { "-" };
        let gz = if self.gzip == GzipMode::Only {
            gzip::ENDING
        } else {
            ""
        };
        let stem = SetFileNames { root: &self.root }.stem();
        format!("{stem}{separator}{suffix}{ending}{gz}")
    }

    /// The number of the entry with this URL.
    pub fn number_of(&self, url: &str) -> Option<usize> {
        self.entries
            .binary_search_by(|entry| entry.loc.as_bytes().cmp(url.as_bytes()))
            .ok()
    }

    /// Like `number_of`, for a URL that may be spelled differently from the plan's.
    pub fn number_of_equivalent(&self, url: &str) -> Option<usize> {
        self.number_of(url)
            .or_else(|| self.number_of(&self.normalize_url(url)))
    }

    /// Converts a URL from another source to the plan's spelling; leaves invalid URLs unchanged.
    pub fn normalize_url(&self, url: &str) -> String {
        self.base
            .resolve(url)
            .map_or_else(|| url.to_owned(), |url| url.to_string())
    }

    /// The names of a file on disk; the compressed copy comes first.
    pub fn disk_names(&self, file: &PlannedFile) -> Vec<String> {
        match self.gzip {
            GzipMode::Off | GzipMode::Only => vec![file.name.clone()],
            GzipMode::Also => vec![format!("{}{}", file.name, gzip::ENDING), file.name.clone()],
        }
    }

    /// Builds a map from each URL to the `<urlset>` that lists it, or to the text file if no
    /// `<urlset>` is written.
    pub fn url_files(&self) -> UrlFiles<'_> {
        let kind = if self.is_text_only() {
            PlannedFileKind::Text
        } else {
            PlannedFileKind::Urlset
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

/// Map from the URLs of a plan to the files that list them.
#[derive(Debug)]
pub struct UrlFiles<'a> {
    plan: &'a Plan,
    file_of_entry: Vec<u32>,
}

impl<'a> UrlFiles<'a> {
    /// The file that lists this URL.
    pub fn file_of(&self, url: &str) -> Option<&'a PlannedFile> {
        let at = self.file_of_entry[self.plan.number_of_equivalent(url)?];
        self.plan.files.get(at as usize)
    }
}
