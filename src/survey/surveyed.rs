//! The sitemaps that are in a directory, each read once.
//!
//! Takes the files with which readers may begin, and returns them with the children that they name.
//! Of a set of a million URLs, each entry takes some fifty bytes.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use super::set::{ChildRule, NamedChild, SetFile, SetPlace, SetWalk};
use crate::files::tree::Tree;
use sitemaps::gzip::ENDING;
use sitemaps::names::FURTHER_INDEX;
use sitemaps::site_paths::{BaseUrl, SitePath};
use sitemaps::{
    EntryExtent, FileHead, LastMod, ListedEntry, SetFileNames, SitemapFileKind, SitemapListing,
    UnreadContent,
};

/// The sitemaps of a directory.
#[derive(Debug, Default)]
pub struct Survey {
    files: BTreeMap<SitePath, SurveyedFile>,
}

/// A sitemap, an index or a feed.
#[derive(Debug)]
pub struct SurveyedFile {
    /// What it is, and what waypost states in it.
    pub head: FileHead,
    /// The children that it names as an index.
    pub children: Vec<NamedChild>,
    /// The pages that it lists.
    pub entries: SurveyedEntries,
    /// Messages about what could not be read.
    pub notes: Vec<String>,
    /// Whether it is a link to a file outside the site.
    pub is_outside: bool,
}

/// The entries of a file, in its order.
#[derive(Debug, Default)]
pub struct SurveyedEntries {
    /// Scheme and host of the first URL, which most of them share.
    origin: String,
    /// The URLs, without that.
    locs: String,
    entries: Vec<EntryRecord>,
    /// The links of entries that have some, by their number. Of a file that waypost wrote, only those
    /// that it kept from a sitemap that it replaced.
    links: BTreeMap<usize, StatedLinks>,
    /// The parts of entries that are not read, by their number.
    unread: BTreeMap<usize, UnreadContent>,
    /// The base URL of the file, and the one that the site has now.
    rebased: Option<(String, String)>,
}

#[derive(Debug)]
struct EntryRecord {
    /// The end of its URL.
    end: usize,
    date: StatedDate,
    alternates: u16,
    images: u16,
}

/// The links of an entry, as written.
#[derive(Debug)]
struct StatedLinks {
    alternates: Vec<(String, String)>,
    images: Vec<String>,
    has_kept_links: bool,
}

/// An entry of a sitemap that is replaced.
#[derive(Debug, Clone)]
pub struct ReplacedEntry {
    /// The URL of the page.
    pub loc: String,
    /// Language and URL of each language version.
    pub alternates: Vec<(String, String)>,
    /// The images.
    pub images: Vec<String>,
    /// The sitemap.
    pub file: SitePath,
}

/// The date of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatedDate {
    /// There is none.
    Missing,
    /// It is not one that can be true.
    Unreadable,
    /// A date.
    Read(LastMod),
}

/// An entry of a surveyed file.
#[derive(Debug, Clone)]
pub struct SurveyedEntry<'s> {
    /// The URL, as written.
    pub loc: Cow<'s, str>,
    /// The date.
    pub date: StatedDate,
    /// The number of language versions.
    pub alternates: usize,
    /// The number of images.
    pub images: usize,
    /// The parts that are not read.
    pub unread: Option<&'s UnreadContent>,
}

impl Survey {
    /// Reads the existing files among `roots`, and the children of the indexes among them.
    pub fn read(
        dir: &Tree,
        roots: impl IntoIterator<Item = SitePath>,
        extent: EntryExtent,
    ) -> Self {
        let roots = roots.into_iter().filter(|file| dir.has_file(file));
        let walk = SetWalk::new(ChildRule::Nearest(dir.path()));
        let walked = walk.in_parallel(roots.map(SetPlace::Below), |walk, file| {
            let path = path_of(file);
            let mut entries = SurveyedEntries::default();
            // Readers take a compressed copy for the file beside it.
            let extent = match path.to_text().strip_suffix(".xml.gz") {
                Some(stem)
                    if file.parent.is_none()
                        && dir.has_file(&SitePath::from(&*format!("{stem}.xml"))) =>
                {
                    EntryExtent::Index
                }
                _ => extent,
            };
            let opened = dir.open(path);
            let mut read = walk.read(file, opened, extent, &mut |listing, listed| {
                if listing == SitemapListing::Pages {
                    entries.add(listed);
                }
            });
            let is_link = fs::symlink_metadata(path.below_dir(dir.path()))
                .is_ok_and(|metadata| metadata.is_symlink());
            if is_link {
                read.head.forget_mark();
            }
            if read.head.is_marked() {
                entries.forget_stated_links();
            }
            (entries, read)
        });
        let files = walked.into_iter().map(|walked| {
            let path = path_of(&walked.file).clone();
            let (name, read) = (path.to_string(), walked.read);
            let over_limit = read.limit_note().map(|text| format!("`{name}` {text}"));
            let is_read_whole = read.entries == 0 && extent == EntryExtent::All;
            let damage = match (read.error, read.head.kind) {
                (Some(error), _) => Some(format!("`{name}` could be read only in part: {error}")),
                (None, SitemapFileKind::Text) if is_read_whole => {
                    Some(format!("`{name}` is neither XML nor a list of URLs"))
                }
                (None, SitemapFileKind::OtherXml) if is_read_whole => {
                    Some(format!("`{name}` is not a sitemap"))
                }
                (None, _) => None,
            };
            let file = SurveyedFile {
                is_outside: damage.is_some() && dir.is_escaped_by(&path.below_dir(dir.path())),
                notes: damage.into_iter().chain(over_limit).collect(),
                head: read.head,
                children: read.children,
                entries: walked.value,
            };
            (path, file)
        });
        Self {
            files: files.collect(),
        }
    }

    /// A file that was read.
    pub fn file(&self, path: &SitePath) -> Option<&SurveyedFile> {
        self.files.get(path)
    }

    /// All files, sorted.
    pub fn files(&self) -> impl Iterator<Item = (&SitePath, &SurveyedFile)> {
        self.files.iter()
    }

    /// Whether a file begins like those of the set with this root.
    pub fn has_mark(&self, path: &SitePath, root: &str) -> bool {
        self.file(path).is_some_and(|file| file.head.has_mark(root))
    }

    /// The existing root of the set with this name, plain or compressed; if there is none, its text
    /// files.
    pub fn roots_of(&self, root: &str) -> Vec<SitePath> {
        let names = [root.to_owned(), format!("{root}{ENDING}")];
        let mut files = names.iter().map(SitePath::new);
        match files.find(|file| self.files.contains_key(file)) {
            Some(file) => {
                // A set of more sitemaps than one index may name has further ones.
                let start = format!("{}{FURTHER_INDEX}", SetFileNames { root }.stem());
                let further = self.files.keys().filter(|further| {
                    further.as_bytes().starts_with(start.as_bytes()) && self.has_mark(further, root)
                });
                [file].into_iter().chain(further.cloned()).collect()
            }
            None => self.texts_of(root),
        }
    }

    /// The text sitemap of the set with this root, or its parts.
    pub fn texts_of(&self, root: &str) -> Vec<SitePath> {
        self.files
            .keys()
            .filter(|file| SetFileNames { root }.is_text(&file.to_text()))
            .cloned()
            .collect()
    }

    /// From now on, the entries of a file count by their paths below its own base URL: they have this
    /// one.
    pub fn rebase(&mut self, path: &SitePath, own: &BaseUrl, base: &BaseUrl) {
        if let Some(file) = self.files.get_mut(path) {
            file.entries.rebased = Some((own.to_string(), base.to_string()));
        }
    }

    /// Takes the entries with links of a file out: a large set has many.
    pub fn take_links(&mut self, path: &SitePath) -> Vec<ReplacedEntry> {
        let file = self.files.get_mut(path);
        file.map_or_else(Vec::new, |file| file.entries.take_links(path))
    }

    /// The files of the sets with these roots: the roots, and the children that they name, whether or
    /// not those exist.
    pub fn files_of_sets(&self, roots: &[SitePath]) -> BTreeSet<SitePath> {
        let mut found: BTreeSet<SitePath> = roots.iter().cloned().collect();
        for file in roots.iter().filter_map(|root| self.file(root)) {
            found.extend(file.child_files().cloned());
        }
        found
    }
}

impl SurveyedFile {
    /// The files of the children that it names as an index.
    pub fn child_files(&self) -> impl Iterator<Item = &SitePath> {
        self.children
            .iter()
            .filter_map(|child| child.file.as_ref()?.below())
    }

    /// The URLs of pages or of further sitemaps.
    pub fn locs(&self) -> impl Iterator<Item = Cow<'_, str>> + Clone {
        self.children
            .iter()
            .map(|child| Cow::Borrowed(&*child.loc))
            .chain(self.entries.iter().map(|entry| entry.loc))
    }
}

impl SurveyedEntries {
    fn add(&mut self, listed: &ListedEntry) {
        if self.entries.is_empty()
            && let Some((_, rest)) = listed.loc.split_once("://")
        {
            let path = rest.find('/').map_or(0, |start| rest.len() - start);
            listed.loc[..listed.loc.len() - path].clone_into(&mut self.origin);
        }
        self.locs += listed
            .loc
            .strip_prefix(&*self.origin)
            .filter(|path| path.starts_with('/'))
            .unwrap_or(&listed.loc);
        let count = |links: usize| u16::try_from(links).unwrap_or(u16::MAX);
        let number = self.entries.len();
        if !(listed.alternates.is_empty() && listed.images.is_empty()) {
            let links = StatedLinks {
                alternates: listed.alternates.clone(),
                images: listed.images.clone(),
                has_kept_links: listed.has_kept_links,
            };
            self.links.insert(number, links);
        }
        if listed.unread != UnreadContent::default() {
            self.unread.insert(number, listed.unread.clone());
        }
        self.entries.push(EntryRecord {
            end: self.locs.len(),
            date: StatedDate::of(&listed.lastmod),
            alternates: count(listed.alternates.len()),
            images: count(listed.images.len()),
        });
    }

    /// Forgets the links that the pages themselves state.
    fn forget_stated_links(&mut self) {
        self.links.retain(|_, links| {
            if !links.has_kept_links {
                links.alternates.clear();
            }
            !(links.alternates.is_empty() && links.images.is_empty())
        });
    }

    /// Takes the entries with links out.
    fn take_links(&mut self, file: &SitePath) -> Vec<ReplacedEntry> {
        let mut taken = std::mem::take(&mut self.links);
        let entries = self.iter().enumerate().filter_map(|(number, entry)| {
            let links = taken.remove(&number)?;
            let rebased = |url: String| self.rebased_url(Cow::Owned(url)).into_owned();
            Some(ReplacedEntry {
                loc: entry.loc.into_owned(),
                alternates: links
                    .alternates
                    .into_iter()
                    .map(|(language, url)| (language, rebased(url)))
                    .collect(),
                images: links.images.into_iter().map(rebased).collect(),
                file: file.clone(),
            })
        });
        entries.collect()
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// The entries.
    pub fn iter(&self) -> impl Iterator<Item = SurveyedEntry<'_>> + Clone {
        let mut start = 0;
        self.entries.iter().enumerate().map(move |(number, entry)| {
            let loc = &self.locs[start..entry.end];
            start = entry.end;
            SurveyedEntry {
                loc: self.rebased_url(if loc.starts_with('/') {
                    Cow::Owned(format!("{}{loc}", self.origin))
                } else {
                    Cow::Borrowed(loc)
                }),
                date: entry.date,
                alternates: entry.alternates.into(),
                images: entry.images.into(),
                unread: self.unread.get(&number),
            }
        })
    }

    /// The URL of an entry at the site's present base URL.
    fn rebased_url<'u>(&self, url: Cow<'u, str>) -> Cow<'u, str> {
        let Some((own, base)) = &self.rebased else {
            return url;
        };
        match url.strip_prefix(&**own) {
            Some(path) => Cow::Owned(format!("{base}{path}")),
            None => url,
        }
    }
}

impl StatedDate {
    /// Reads the text of a `<lastmod>`.
    pub fn of(text: &str) -> Self {
        match LastMod::parse_listed(text) {
            _ if text.is_empty() => Self::Missing,
            Some(date) => Self::Read(date),
            None => Self::Unreadable,
        }
    }

    /// The date, if it was read.
    pub fn date(self) -> Option<LastMod> {
        match self {
            Self::Read(date) => Some(date),
            Self::Missing | Self::Unreadable => None,
        }
    }
}

fn path_of(file: &SetFile) -> &SitePath {
    let path = file.place.below();
    path.expect("a survey reads files of a directory")
}
