//! The sitemaps that stand in an output folder: read as a crawler would, whoever wrote them.
//!
//! Plain, compressed and text files, indexes and their children, whole or broken. What is broken is read as far as it
//! goes, with a note. Every file is read as it comes, and none is changed.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufRead, Read};
use std::iter;
use std::path::Path;

use super::gzip::{ENDING, unpacked, unpacked_name};
use super::names::{SetFileName, SetFileNames, begins_as_ours};
use super::xml::{
    EntryExtent, ListedEntry, SitemapListing, SitemapReadError, place_of, read_listing,
};
use crate::bounds::SitemapDir;
use crate::rules::group::INDEX;
use crate::site_paths::{BaseUrl, SitePath, decode};

/// A sitemap has 50 MiB at most (sitemaps.org protocol); some more are read, to be tolerant, and no bomb's worth.
pub(crate) const MAX_BYTES: u64 = 64 << 20;

/// A sitemap that an index names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChildSitemap {
    /// Its address as the index has it.
    pub loc: String,
    /// Where the file would lie in the output folder; `None` where it cannot lie there.
    pub file: Option<SitePath>,
}

/// The set of sitemaps in a folder, by what its roots say.
#[derive(Debug, Default)]
pub(crate) struct PreviousSet {
    /// The roots that exist: `sitemap.xml`, or `sitemap.xml.gz` without it, and our further indexes.
    pub roots: Vec<String>,
    /// The children that the roots name, each once.
    pub children: Vec<ChildSitemap>,
    /// Whether the first root carries our mark.
    pub is_ours: bool,
    /// What could not be read, for people.
    pub notes: Vec<String>,
}

impl PreviousSet {
    /// Reads the roots of the set in `folder`.
    pub(crate) fn find(folder: &SitemapDir, base: &BaseUrl, names: SetFileNames<'_>) -> Self {
        let mut found = Self::default();
        let mut known = BTreeSet::new();
        let roots = roots_in(folder.path(), names).unwrap_or_else(|error| {
            found
                .notes
                .push(format!("the output folder could not be listed: {error}"));
            Vec::new()
        });
        for name in roots {
            let read = read_file(
                folder,
                &SitePath::from(name.as_str()),
                EntryExtent::Index,
                &mut |_, listed| {
                    if known.insert(listed.loc.clone()) {
                        found.children.push(ChildSitemap {
                            loc: listed.loc.clone(),
                            file: file_of(&listed.loc, base),
                        });
                    }
                },
            );
            found
                .notes
                .extend(read.err().map(|error| note(&name, &error)));
            found.roots.push(name);
            if names.classify(&found.roots[0]) == Some(SetFileName::Root)
                && found.children.is_empty()
            {
                break; // A root that is no index has no further ones: what looks like one is a leftover.
            }
        }
        found.is_ours = found
            .roots
            .first()
            .is_some_and(|root| carries_mark(&folder.path().join(root), names.root));
        found
    }

    /// The names of the children that lie in the output folder itself.
    pub(crate) fn child_names(&self) -> impl Iterator<Item = &str> {
        let files = self.children.iter().filter_map(|child| child.file.as_ref());
        files
            .filter_map(|file| std::str::from_utf8(file.as_bytes()).ok())
            .filter(|name| !name.contains('/'))
    }

    /// The files that may list pages: roots and children, each once, sorted.
    pub(crate) fn page_files(&self) -> BTreeSet<SitePath> {
        let roots = self.roots.iter().map(|root| SitePath::from(root.as_str()));
        roots
            .chain(self.children.iter().filter_map(|child| child.file.clone()))
            .collect()
    }
}

/// Hands over every page that a file lists; the note says why it was read only in part.
pub(crate) fn read_pages(
    folder: &SitemapDir,
    file: &SitePath,
    hand_over: &mut dyn FnMut(&ListedEntry),
) -> Option<String> {
    let read = read_file(
        folder,
        file,
        EntryExtent::Addresses,
        &mut |listing, listed| {
            if listing == SitemapListing::Pages {
                hand_over(listed);
            }
        },
    );
    read.err().map(|error| note(&file.to_string(), &error))
}

fn note(file: &str, error: &SitemapReadError) -> String {
    format!("`{file}` could be read only in part: {error}")
}

/// The roots that exist: the first of the XML roots and our further indexes in its form, else the text files.
fn roots_in(folder: &Path, names: SetFileNames<'_>) -> io::Result<Vec<String>> {
    let exists = |name: &String| folder.join(name).is_file();
    let xml = [names.root.to_owned(), format!("{}{ENDING}", names.root)]
        .into_iter()
        .find(exists);
    let Some(first) = xml else {
        return text_files_in(folder, names);
    };
    let gz = &first[unpacked_name(&first).len()..];
    let further = (2..).map(|number| format!("{}-{INDEX}-{number}.xml{gz}", names.stem()));
    let ours: Vec<_> = further
        .take_while(|name| exists(name) && carries_mark(&folder.join(name), names.root))
        .collect();
    Ok(iter::once(first).chain(ours).collect())
}

/// The text sitemap or its parts.
fn text_files_in(folder: &Path, names: SetFileNames<'_>) -> io::Result<Vec<String>> {
    let mut found = Vec::new();
    for item in fs::read_dir(folder)? {
        let name = item?.file_name();
        let is_text = |name: &&str| {
            matches!(
                names.classify(name),
                Some(SetFileName::Text | SetFileName::TextPart(_))
            )
        };
        found.extend(name.to_str().filter(is_text).map(str::to_owned));
    }
    found.sort_unstable();
    Ok(found)
}

/// Where the file behind a child's address lies: below the base URL, or beside the index where a foreign index names
/// another host. A path that could lead out of the folder on some platform (`..`, `\\`, `C:`) lies nowhere.
pub fn file_of(loc: &str, base: &BaseUrl) -> Option<SitePath> {
    let path = loc
        .strip_prefix(base.as_str())
        .or_else(|| loc.rsplit('/').next())?;
    let path = decode(path.split(['?', '#']).next()?);
    let is_plain = |part: &[u8]| {
        !matches!(part, b"" | b"." | b"..")
            && !part.iter().any(|&byte| matches!(byte, b'\\' | 0 | b':'))
    };
    path.split(|&byte| byte == b'/')
        .all(is_plain)
        .then(|| SitePath::new(path.as_ref()))
}

/// Whether a file begins as those of the set with this root do; a link or a pipe is none of ours.
pub fn carries_mark(file: &Path, root: &str) -> bool {
    fs::symlink_metadata(file).is_ok_and(|metadata| metadata.is_file())
        && File::open(file).is_ok_and(|text| begins_as_ours(text, root))
}

/// Reads one file: XML or text, compressed or not.
pub fn read_sitemap_file(
    folder: &SitemapDir,
    file: &SitePath,
    hand_over: &mut dyn FnMut(SitemapListing, &ListedEntry),
) -> Result<(), SitemapReadError> {
    read_file(folder, file, EntryExtent::Addresses, hand_over)
}

fn read_file(
    folder: &SitemapDir,
    file: &SitePath,
    extent: EntryExtent,
    hand_over: &mut dyn FnMut(SitemapListing, &ListedEntry),
) -> Result<(), SitemapReadError> {
    read_as_far_as(folder.open(file)?, extent, hand_over)
}

/// Reads one sitemap, index or text file from anywhere, compressed or not, and hands over each entry as it comes.
///
/// After an error, what was handed over before it stays true.
pub fn read_sitemap(
    input: impl Read,
    hand_over: &mut dyn FnMut(SitemapListing, &ListedEntry),
) -> Result<(), SitemapReadError> {
    read_as_far_as(input, EntryExtent::Addresses, hand_over)
}

/// The same, with all that stands in each entry.
pub fn read_entries(
    input: impl Read,
    hand_over: &mut dyn FnMut(SitemapListing, &ListedEntry),
) -> Result<(), SitemapReadError> {
    read_as_far_as(input, EntryExtent::Details, hand_over)
}

fn read_as_far_as(
    input: impl Read,
    extent: EntryExtent,
    hand_over: &mut dyn FnMut(SitemapListing, &ListedEntry),
) -> Result<(), SitemapReadError> {
    let mut input = unpacked(input)?.take(MAX_BYTES);
    if skip_to_content(&mut input)? == Some(b'<') {
        let start = MAX_BYTES - input.limit();
        read_listing(&mut input, start, extent, hand_over)?;
    } else if extent != EntryExtent::Index {
        let start = MAX_BYTES - input.limit();
        read_lines(&mut input, start, hand_over)?;
    }
    if input.limit() == 0 {
        Err(SitemapReadError::TooLarge)
    } else {
        Ok(())
    }
}

/// Skips a byte order mark and blanks; the next byte, if there is one.
pub(crate) fn skip_to_content(input: &mut impl BufRead) -> io::Result<Option<u8>> {
    loop {
        // Byte by byte, as a buffer may end within the mark.
        match input.fill_buf()?.first() {
            Some(0xef | 0xbb | 0xbf | b' ' | b'\t' | b'\r' | b'\n') => input.consume(1),
            first => return Ok(first.copied()),
        }
    }
}

/// Reads a text sitemap; lines that are no address are passed over.
fn read_lines(
    input: &mut impl BufRead,
    start: u64,
    hand_over: &mut dyn FnMut(SitemapListing, &ListedEntry),
) -> io::Result<()> {
    let mut line = Vec::new();
    let mut listed = ListedEntry::default();
    let mut end = start;
    while input.read_until(b'\n', &mut line)? > 0 {
        let text = String::from_utf8_lossy(&line);
        listed.place.start = place_of(end);
        end += line.len() as u64;
        listed.place.end = place_of(end);
        for url in text
            .split('\r')
            .map(str::trim)
            .filter(|url| url.starts_with("http"))
        {
            url.clone_into(&mut listed.loc);
            hand_over(SitemapListing::Pages, &listed);
        }
        line.clear();
    }
    Ok(())
}
