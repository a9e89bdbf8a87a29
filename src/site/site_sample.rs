//! A sample of the site: what some pages say about their URL, and the first URLs of the sitemaps
//! that its generator wrote. Each is read once, for the base URL and for the form of URLs.

use std::cell::OnceCell;
use std::cmp::Ordering;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use crate::decide::counting_canonicals;
use page_signals::{FileContent, PageReader, ReadOptions};
use sitemaps::gzip::decompressed;
use sitemaps::previous::has_mark_in;
use sitemaps::site_paths::containment::SitemapDir;
use sitemaps::site_paths::io_failure::{FailureLog, LoggedFile};
use sitemaps::site_paths::{SitePath, is_html};
use sitemaps::{ListedEntry, read_sitemap};

/// How many pages to read.
const SAMPLE: usize = 32;

/// How many directories to list for the sample.
const MAX_DIRS: usize = 256;

/// How many URLs of a sitemap to look at.
const MAX_LOCS: usize = 64;

/// How many bytes of a sitemap to read: enough for that many URLs with their alternates.
const MAX_BYTES: u64 = 256 << 10;

/// Names of the sitemaps that generators write.
const OWN_SITEMAPS: [&str; 3] = ["sitemap.xml", "sitemap-index.xml", "sitemap_index.xml"];

/// The sample of a site, read when it is first needed.
pub(super) struct SiteSample<'a> {
    output: &'a SitemapDir,
    pages: OnceCell<Vec<SampledPage>>,
    sitemaps: OnceCell<Vec<SampledSitemap>>,
}

/// A page of the sample.
pub(super) struct SampledPage {
    pub(super) file: SitePath,
    pub(super) canonical: SampledCanonical,
}

/// The canonical link of a page.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum SampledCanonical {
    /// Its `href`.
    Href(String),
    /// The page has none, or several that disagree.
    None,
    /// The page redirects (to `/en/`, for example), so its link names the target.
    Redirect,
}

/// A sitemap that may be the generator's.
pub(super) struct SampledSitemap {
    /// The name under which it was sought.
    pub(super) name: &'static str,
    /// Whether waypost wrote it.
    pub(super) has_mark: bool,
    /// Its first URLs, of pages or of further sitemaps.
    pub(super) locs: Vec<String>,
}

impl<'a> SiteSample<'a> {
    pub(super) fn new(output: &'a SitemapDir) -> Self {
        Self {
            output,
            pages: OnceCell::new(),
            sitemaps: OnceCell::new(),
        }
    }

    /// The rendered pages.
    pub(super) fn output(&self) -> &'a SitemapDir {
        self.output
    }

    /// The directory of the rendered pages.
    pub(super) fn output_dir(&self) -> &'a Path {
        self.output.path()
    }

    /// Whether a file of the output directory exists. A failure of the machine is remembered.
    pub(super) fn has_file(&self, file: &SitePath) -> bool {
        let mut read = self.pages.get().into_iter().flatten();
        read.any(|page| page.file == *file) || self.output.has_file(file)
    }

    /// The pages nearest to the top, the home page first.
    pub(super) fn pages(&self) -> &[SampledPage] {
        self.pages.get_or_init(|| {
            let mut reader = PageReader::new(ReadOptions::default());
            let files = sample(self.output_dir(), self.failures());
            let page = |file: SitePath| {
                let opened = self.note(&file, self.output.open_page(&file));
                let canonical = canonical_of(&mut reader, &opened.ok()?)?;
                Some(SampledPage { file, canonical })
            };
            files.into_iter().filter_map(page).collect()
        })
    }

    /// The canonical link of any page.
    pub(super) fn canonical_of(&self, file: &SitePath) -> SampledCanonical {
        let mut sampled = self.pages().iter();
        if let Some(page) = sampled.find(|page| page.file == *file) {
            return page.canonical.clone();
        }
        let mut reader = PageReader::new(ReadOptions::default());
        let canonical = |page| canonical_of(&mut reader, &page);
        self.open(file)
            .ok()
            .and_then(canonical)
            .unwrap_or(SampledCanonical::None)
    }

    /// Opens a page, unless it is a link out of the output directory.
    pub(super) fn open(&self, page: &SitePath) -> io::Result<File> {
        self.note(page, self.output.open_inside(page))
    }

    /// Remembers a failure of the machine.
    fn note(&self, page: &SitePath, opened: io::Result<File>) -> io::Result<File> {
        self.failures()
            .note(&page.below_dir(self.output_dir()), opened)
    }

    fn failures(&self) -> &'a FailureLog {
        self.output.containment().failures()
    }

    /// The existing sitemaps with the names that generators use.
    pub(super) fn sitemaps(&self) -> &[SampledSitemap] {
        self.sitemaps.get_or_init(|| {
            let read = |name| sampled_sitemap(self.output, name);
            OWN_SITEMAPS.into_iter().filter_map(read).collect()
        })
    }

    /// The first URLs of any sitemap.
    pub(super) fn locs_of(&self, sitemap: &SitePath) -> Vec<String> {
        let opened = self.output.open(sitemap).ok();
        opened.and_then(first_locs).unwrap_or_default().0
    }
}

/// Reads the beginning of a sitemap, or of its compressed copy. A damaged sitemap is evidence as far
/// as it can be read.
fn sampled_sitemap(dir: &SitemapDir, name: &'static str) -> Option<SampledSitemap> {
    let compressed = format!("{name}.gz");
    let mut files = [name, compressed.as_str()].into_iter();
    let (file, input) =
        files.find_map(|file| Some((file, dir.open(&SitePath::from(file)).ok()?)))?;
    let (locs, is_complete) = first_locs(input)?;
    let has_mark = has_mark_in(dir, &SitePath::from(file), name);
    (is_complete || has_mark || !locs.is_empty()).then_some(SampledSitemap {
        name,
        has_mark,
        locs,
    })
}

/// Reads the first URLs of a sitemap, and whether it could be read to its end.
fn first_locs(input: LoggedFile) -> Option<(Vec<String>, bool)> {
    let mut locs = Vec::new();
    let mut keep = |_, entry: &ListedEntry| {
        if locs.len() < MAX_LOCS {
            locs.push(entry.loc.clone());
        }
    };
    let input = decompressed(input).ok()?.take(MAX_BYTES);
    // A long sitemap ends in the middle of an entry here, which is an error after all others.
    let is_complete = read_sitemap(input, &mut keep).is_ok();
    Some((locs, is_complete))
}

/// Lists a sample of the HTML files: those nearest to the top, in the order of their names.
fn sample(output_dir: &Path, failures: &FailureLog) -> Vec<SitePath> {
    let mut found = Vec::new();
    let mut level = vec![Vec::new()];
    let mut left = MAX_DIRS;
    while !level.is_empty() && left > 0 && found.len() < SAMPLE {
        let mut below = Vec::new();
        for dir in level.iter().take(left) {
            let path = SitePath::new(dir).below_dir(output_dir);
            let entries = entries_of(&path);
            let (files, dirs) = failures.note(&path, entries).unwrap_or_default();
            found.extend(files.iter().map(|name| SitePath::new(joined(dir, name))));
            below.extend(dirs.iter().map(|name| joined(dir, name)));
            if found.len() >= SAMPLE {
                break;
            }
        }
        left = left.saturating_sub(level.len());
        level = below;
    }
    found.truncate(SAMPLE);
    found
}

fn joined(dir: &[u8], name: &[u8]) -> Vec<u8> {
    if dir.is_empty() {
        name.to_owned()
    } else {
        [dir, b"/", name].concat()
    }
}

/// Names of entries of one kind.
type EntryNames = Vec<Vec<u8>>;

/// Names of the first HTML files and the first directories of a directory, sorted: as many as a
/// sample can have. Links are not followed.
fn entries_of(dir: &Path) -> io::Result<(EntryNames, EntryNames)> {
    let (mut files, mut dirs) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let name = entry.file_name().into_encoded_bytes();
        if name.starts_with(b".") {
            continue;
        }
        let kind = entry.file_type()?;
        if kind.is_dir() {
            dirs.push(name);
        } else if kind.is_file() && is_html(&name) {
            files.push(name);
        }
    }
    // The home page is part of every sample.
    let is_home = |name: &Vec<u8>| name == b"index.html";
    let by_rank =
        |left: &Vec<u8>, right: &Vec<u8>| (!is_home(left), left).cmp(&(!is_home(right), right));
    Ok((
        first_sorted(files, SAMPLE, by_rank),
        first_sorted(dirs, MAX_DIRS, Vec::cmp),
    ))
}

/// The first names in an order. A directory may have a million others, which stay unsorted.
fn first_sorted(
    mut names: EntryNames,
    count: usize,
    compare: impl Fn(&Vec<u8>, &Vec<u8>) -> Ordering,
) -> EntryNames {
    if names.len() > count {
        names.select_nth_unstable_by(count, &compare);
        names.truncate(count);
    }
    names.sort_unstable_by(compare);
    names
}

/// Reads the canonical link of a page; `None` if the file is not an HTML page.
fn canonical_of(reader: &mut PageReader, page: &File) -> Option<SampledCanonical> {
    let facts = reader.read(page).ok()?;
    if facts.content != FileContent::Html {
        return None;
    }
    if !facts.refreshes.is_empty() {
        return Some(SampledCanonical::Redirect);
    }
    let mut hrefs = counting_canonicals(&facts).map(|link| link.value.href.trim());
    Some(match hrefs.next() {
        Some(href) if hrefs.all(|other| other == href) => SampledCanonical::Href(href.to_owned()),
        _ => SampledCanonical::None,
    })
}
