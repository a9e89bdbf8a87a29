//! Reads the sitemaps in an output directory as a crawler would, whichever tool wrote them.
//!
//! It handles plain, compressed and text files, indexes and their children. A damaged file is read
//! up to the damage, and a note reports it. Files are read as streams, and none is changed.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufRead, Read};
use std::iter;
use std::path::Path;

use super::gzip::{ENDING, decompressed, name_without_gz};
use super::names::{SetFileName, SetFileNames, text_has_mark};
use super::xml::{
    EntryExtent, ListedEntry, SitemapListing, SitemapReadError, read_listing, to_offset,
};
use crate::group_name::INDEX;
use site_paths::containment::SitemapDir;
use site_paths::{BaseUrl, SitePath, decode};

/// Maximum number of bytes to read. A sitemap has at most 50 MiB (sitemaps.org protocol); the limit
/// tolerates somewhat more, but not a decompression bomb.
pub const MAX_BYTES: u64 = 64 << 20;

/// A sitemap that an index names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChildSitemap {
    /// URL, as written in the index.
    pub loc: String,
    /// Path of the file in the output directory; `None` if it cannot be there.
    pub file: Option<SitePath>,
}

/// The set of sitemaps in a directory, found from its roots.
#[derive(Debug, Default)]
pub struct PreviousSet {
    /// The existing roots: `sitemap.xml`, or else `sitemap.xml.gz`, and waypost's further indexes.
    pub roots: Vec<String>,
    /// The children that the roots name, without duplicates.
    pub children: Vec<ChildSitemap>,
    /// Whether the first root has waypost's mark.
    pub has_mark: bool,
    /// Messages about files that could not be read completely.
    pub notes: Vec<String>,
}

impl PreviousSet {
    /// Reads the roots of the set in `dir`.
    pub fn find(dir: &SitemapDir, base: &BaseUrl, names: SetFileNames<'_>) -> Self {
        let mut found = Self::default();
        let mut known = BTreeSet::new();
        let roots = roots_in(dir.path(), names).unwrap_or_else(|error| {
            found
                .notes
                .push(format!("the output directory could not be listed: {error}"));
            Vec::new()
        });
        for name in roots {
            let read = read_file(
                dir,
                &SitePath::from(name.as_str()),
                EntryExtent::Index,
                &mut |_, listed| {
                    if known.insert(listed.loc.clone()) {
                        found.children.push(ChildSitemap {
                            loc: listed.loc.clone(),
                            file: local_file_of(&listed.loc, base),
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
                break; // Only an index has further indexes; other such files are leftovers.
            }
        }
        found.has_mark = found
            .roots
            .first()
            .is_some_and(|root| file_has_mark(&dir.path().join(root), names.root));
        found
    }

    /// The names of the children directly in the output directory.
    pub fn child_names(&self) -> impl Iterator<Item = &str> {
        let files = self.children.iter().filter_map(|child| child.file.as_ref());
        files
            .filter_map(|file| std::str::from_utf8(file.as_bytes()).ok())
            .filter(|name| !name.contains('/'))
    }

    /// The files that may list pages: roots and children, sorted, without duplicates.
    pub fn page_files(&self) -> BTreeSet<SitePath> {
        let roots = self.roots.iter().map(|root| SitePath::from(root.as_str()));
        roots
            .chain(self.children.iter().filter_map(|child| child.file.clone()))
            .collect()
    }
}

/// Passes every page in a file to `visit`. Returns a note if the file was read only in part.
pub fn read_pages(
    dir: &SitemapDir,
    file: &SitePath,
    visit: &mut dyn FnMut(&ListedEntry),
) -> Option<String> {
    let read = read_file(dir, file, EntryExtent::Urls, &mut |listing, listed| {
        if listing == SitemapListing::Pages {
            visit(listed);
        }
    });
    read.err().map(|error| note(&file.to_string(), &error))
}

fn note(file: &str, error: &SitemapReadError) -> String {
    format!("`{file}` could be read only in part: {error}")
}

/// The existing roots: the first XML root and waypost's further indexes in the same form, plain or
/// compressed; if there are none, the text files.
fn roots_in(dir: &Path, names: SetFileNames<'_>) -> io::Result<Vec<String>> {
    let exists = |name: &String| dir.join(name).is_file();
    let xml = [names.root.to_owned(), format!("{}{ENDING}", names.root)]
        .into_iter()
        .find(exists);
    let Some(first) = xml else {
        return text_files_in(dir, names);
    };
    let further = further_indexes(dir, &first);
    Ok(iter::once(first).chain(further).collect())
}

/// The further indexes of a set of ours, by the name of its first one: `sitemap-index-2.xml` and so
/// on. No index names them, only robots.txt does.
pub fn further_indexes(dir: &Path, first: &str) -> Vec<String> {
    let root = name_without_gz(first);
    let (gz, stem) = (&first[root.len()..], SetFileNames { root }.stem());
    let names = (2..).map(|number| format!("{stem}-{INDEX}-{number}.xml{gz}"));
    names
        .take_while(|name| file_has_mark(&dir.join(name), root))
        .collect()
}

/// The text sitemap, or its parts.
fn text_files_in(dir: &Path, names: SetFileNames<'_>) -> io::Result<Vec<String>> {
    let mut found = Vec::new();
    for item in fs::read_dir(dir)? {
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

/// Path of the file for a child's URL: below the base URL, or next to the index if an index of
/// another tool names another host. `None` for a path that could escape the directory on some
/// platform (`..`, `\\`, `C:`).
pub fn local_file_of(loc: &str, base: &BaseUrl) -> Option<SitePath> {
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

/// Whether a file begins like those of the set with this root. Links and pipes do not count.
pub fn file_has_mark(file: &Path, root: &str) -> bool {
    fs::symlink_metadata(file).is_ok_and(|metadata| metadata.is_file())
        && File::open(file).is_ok_and(|text| text_has_mark(text, root))
}

/// Reads one file: XML or text, compressed or not.
pub fn read_sitemap_file(
    dir: &SitemapDir,
    file: &SitePath,
    visit: &mut dyn FnMut(SitemapListing, &ListedEntry),
) -> Result<(), SitemapReadError> {
    read_file(dir, file, EntryExtent::Urls, visit)
}

fn read_file(
    dir: &SitemapDir,
    file: &SitePath,
    extent: EntryExtent,
    visit: &mut dyn FnMut(SitemapListing, &ListedEntry),
) -> Result<(), SitemapReadError> {
    read_extent(dir.open(file)?, extent, visit)
}

/// Reads a sitemap, index or text file from any input, compressed or not, and passes each entry to
/// `visit` as it is read.
///
/// Entries passed before an error are valid.
pub fn read_sitemap(
    input: impl Read,
    visit: &mut dyn FnMut(SitemapListing, &ListedEntry),
) -> Result<(), SitemapReadError> {
    read_extent(input, EntryExtent::Urls, visit)
}

/// Like [`read_sitemap`], with the details of each entry.
pub fn read_entries(
    input: impl Read,
    visit: &mut dyn FnMut(SitemapListing, &ListedEntry),
) -> Result<(), SitemapReadError> {
    read_extent(input, EntryExtent::Details, visit)
}

fn read_extent(
    input: impl Read,
    extent: EntryExtent,
    visit: &mut dyn FnMut(SitemapListing, &ListedEntry),
) -> Result<(), SitemapReadError> {
    let mut input = decompressed(input)?.take(MAX_BYTES);
    if skip_to_content(&mut input)? == Some(b'<') {
        let start = MAX_BYTES - input.limit();
        read_listing(&mut input, start, extent, visit)?;
    } else if extent != EntryExtent::Index {
        let start = MAX_BYTES - input.limit();
        read_lines(&mut input, start, visit)?;
    }
    if input.limit() == 0 {
        Err(SitemapReadError::TooLarge)
    } else {
        Ok(())
    }
}

/// Skips a byte order mark and whitespace; returns the next byte, if any.
pub fn skip_to_content(input: &mut impl BufRead) -> io::Result<Option<u8>> {
    loop {
        // Byte by byte, because a buffer may end within the mark.
        match input.fill_buf()?.first() {
            Some(0xef | 0xbb | 0xbf | b' ' | b'\t' | b'\r' | b'\n') => input.consume(1),
            first => return Ok(first.copied()),
        }
    }
}

/// Reads a text sitemap; skips lines that are not URLs.
fn read_lines(
    input: &mut impl BufRead,
    start: u64,
    visit: &mut dyn FnMut(SitemapListing, &ListedEntry),
) -> io::Result<()> {
    let mut line = Vec::new();
    let mut listed = ListedEntry::default();
    let mut end = start;
    while input.read_until(b'\n', &mut line)? > 0 {
        let text = String::from_utf8_lossy(&line);
        listed.place.start = to_offset(end);
        end += line.len() as u64;
        listed.place.end = to_offset(end);
        for url in text
            .split('\r')
            .map(str::trim)
            .filter(|url| url.starts_with("http"))
        {
            url.clone_into(&mut listed.loc);
            visit(SitemapListing::Pages, &listed);
        }
        line.clear();
    }
    Ok(())
}
