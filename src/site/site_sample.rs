//! A sample of the site: facts that some pages state about their URL, the links of the first of them, and
//! the first URLs of the sitemaps that its generator wrote. Each is read once, for the base URL and for
//! the form of URLs. Single pages are read again for the few steps that need more.

use std::cell::OnceCell;
use std::ffi::OsStr;
use std::fs::File;
use std::io;

use super::nowhere;
use super::robots::RobotsFile;
use crate::decide::{Document, stated};
use crate::files::tree::Tree;
use crate::hosts::UrlForm;
use crate::survey::{SiteSurvey, own_base};
use page_signals::{
    FileContent, Metadata, MetadataRequest, PageLinks, PageReader, ReadOptions, links_of,
    metadata_of,
};
use sitemaps::Now;
use sitemaps::gzip::ENDING;
use sitemaps::site_paths::{BaseUrl, PageUrl, SitePath};
use walkdir::{DirEntry, WalkDir};

/// How many pages to read.
const SAMPLE: usize = 32;

/// How many pages to search for links: those of the navigation are on every page.
const LINKING_PAGES: usize = 8;

/// How many files and directories to look at for the sample.
const MAX_ENTRIES: usize = 512;

/// Names of the sitemaps that generators write, and under which readers look for one by themselves.
pub(super) const WELL_KNOWN: [&str; 3] = ["sitemap.xml", "sitemap-index.xml", "sitemap_index.xml"];

/// The sample of a site, read when it is first needed.
pub(super) struct SiteSample<'a> {
    /// The rendered pages.
    pub(super) output: &'a Tree,
    survey: &'a SiteSurvey,
    pub(super) robots: &'a RobotsFile,
    home: &'a PageLinks,
    /// The home page, if it is open.
    home_file: Option<File>,
    pages: OnceCell<Vec<SampledPage>>,
    sitemaps: OnceCell<Vec<SampledSitemap>>,
    links: OnceCell<Vec<(SitePath, PageLinks)>>,
}

/// A page of the sample.
pub(super) struct SampledPage {
    pub(super) file: SitePath,
    /// Its canonical link, unless several disagree; at [`nowhere`] if it is relative. The link of a page
    /// that redirects (to `/en/`, for example) names the target, so it does not count.
    pub(super) canonical: Option<PageUrl>,
    /// The feeds that it links to with a full URL.
    pub(super) feeds: Vec<PageUrl>,
}

/// A sitemap that may be the generator's.
pub(super) struct SampledSitemap {
    /// The name under which it was sought.
    pub(super) name: &'static str,
    /// Whether waypost wrote it.
    pub(super) has_mark: bool,
    /// Its first URLs, of further sitemaps and of pages.
    pub(super) urls: Vec<PageUrl>,
    /// The base URL below which most of them are files here; `None` in the sitemap of another build.
    pub(super) base: Option<BaseUrl>,
}

impl<'a> SiteSample<'a> {
    pub(super) fn new(
        output: &'a Tree,
        survey: &'a SiteSurvey,
        robots: &'a RobotsFile,
        home: &'a PageLinks,
        home_file: Option<File>,
    ) -> Self {
        Self {
            output,
            survey,
            robots,
            home,
            home_file,
            pages: OnceCell::new(),
            sitemaps: OnceCell::new(),
            links: OnceCell::new(),
        }
    }

    /// The pages nearest to the top, the home page first.
    pub(super) fn pages(&self) -> &[SampledPage] {
        self.pages.get_or_init(|| {
            let mut reader = PageReader::new(ReadOptions::default());
            let mut pages = Vec::new();
            for file in sample(self.output) {
                if let Some(home) = &self.home_file
                    && file.as_bytes() == b"index.html"
                {
                    pages.extend(sampled_page(&mut reader, file, home));
                } else if let Ok(opened) = self.note(&file, self.output.open_page(&file)) {
                    pages.extend(sampled_page(&mut reader, file, &opened));
                }
            }
            pages
        })
    }

    /// The links of the first pages.
    pub(super) fn links(&self) -> &[(SitePath, PageLinks)] {
        self.links.get_or_init(|| {
            let mut found = Vec::new();
            for page in self.pages().iter().take(LINKING_PAGES) {
                let links = if page.file.as_bytes() == b"index.html" {
                    self.home.clone()
                } else {
                    let opened = self.open(&page.file);
                    opened.map(|opened| links_of(&opened)).unwrap_or_default()
                };
                found.push((page.file.clone(), links));
            }
            found
        })
    }

    /// The canonical link of any page.
    pub(super) fn canonical_of(&self, file: &SitePath) -> Option<PageUrl> {
        if let Some(page) = self.pages().iter().find(|page| page.file == *file) {
            return page.canonical.clone();
        }
        let mut reader = PageReader::new(ReadOptions::default());
        let opened = self.open(file).ok()?;
        sampled_page(&mut reader, file.clone(), &opened)?.canonical
    }

    /// Opens a page, unless it is a link out of the output directory.
    pub(super) fn open(&self, page: &SitePath) -> io::Result<File> {
        self.note(page, self.output.open_inside(page))
    }

    /// Remembers a failure of the machine.
    fn note(&self, page: &SitePath, opened: io::Result<File>) -> io::Result<File> {
        self.output
            .note(&page.below_dir(self.output.path()), opened)
    }

    /// The existing sitemaps with the names that generators use. A damaged one is evidence as far as it
    /// can be read.
    pub(super) fn sitemaps(&self) -> &[SampledSitemap] {
        self.sitemaps.get_or_init(|| {
            let mut found = Vec::new();
            for name in WELL_KNOWN {
                let names = [name.to_owned(), format!("{name}{ENDING}")];
                let mut files = names.iter().map(SitePath::new);
                let file = files.find_map(|file| self.survey.sitemaps.file(&file));
                found.extend(file.and_then(|file| {
                    let urls = self.survey.first_urls(file);
                    let sampled = SampledSitemap {
                        name,
                        has_mark: file.head.has_mark(name),
                        base: own_base(&urls, self.output),
                        urls,
                    };
                    let is_whole = file.notes.is_empty();
                    (is_whole || sampled.has_mark || !sampled.urls.is_empty()).then_some(sampled)
                }));
            }
            found
        })
    }
}

/// Opens the home page and reads its links.
pub(super) fn home_links(output: &Tree) -> (PageLinks, Option<File>) {
    let home = SitePath::from("index.html");
    let opened = output.open_page(&home);
    let opened = output.note(&home.below_dir(output.path()), opened).ok();
    let links = opened.as_ref().map(links_of).unwrap_or_default();
    (links, opened)
}

/// Returns the sitemap that the home page names in `<link rel="sitemap">`.
pub(crate) fn linked_sitemap(home: &PageLinks, base: &BaseUrl) -> Option<PageUrl> {
    let own = UrlForm::default().url_of(base, &SitePath::from("index.html"));
    let document = match &home.base {
        Some(base) => own.resolve(base)?,
        None => own,
    };
    document.resolve(home.sitemap.as_deref()?)
}

/// Lists a sample of the HTML files: of the first entries, those nearest to the top. Files come before
/// directories, the home page first. Links are not followed.
fn sample(output: &Tree) -> Vec<SitePath> {
    let walk = WalkDir::new(output.path())
        .min_depth(1)
        .sort_by(|left, right| rank(left).cmp(&rank(right)));
    let entries = output.walk(walk, |entry| {
        !entry.file_name().as_encoded_bytes().starts_with(b".")
    });
    let mut found: Vec<(usize, SitePath)> = Vec::new();
    for entry in entries.take(MAX_ENTRIES).flatten() {
        if let Some(file) = SitePath::below(output.path(), entry.path())
            && entry.file_type().is_file()
            && file.is_html()
        {
            found.push((entry.depth(), file));
        }
    }
    found.sort_by_key(|(depth, _)| *depth);
    found.truncate(SAMPLE);
    found.into_iter().map(|(_, file)| file).collect()
}

/// The turn of a file or directory among its siblings.
fn rank(entry: &DirEntry) -> (bool, bool, &OsStr) {
    let name = entry.file_name();
    (entry.file_type().is_dir(), name != "index.html", name)
}

/// Reads a page; `None` if the file is not an HTML page.
fn sampled_page(reader: &mut PageReader, file: SitePath, opened: &File) -> Option<SampledPage> {
    let facts = reader.read(opened).ok()?;
    if facts.content != FileContent::Html {
        return None;
    }
    // Where the site is served is not known yet.
    let nowhere = nowhere();
    let document = Document::new(&facts, &nowhere, &file, None);
    let url = nowhere.file_url(&file);
    let statements = stated(&document, &[], &url, Now(0));
    let canonical = statements.canonical.into_url();
    Some(SampledPage {
        canonical: canonical.filter(|_| statements.redirect.is_none()),
        feeds: facts
            .feeds
            .iter()
            .filter_map(|feed| PageUrl::parse(&feed.value))
            .collect(),
        file,
    })
}

/// Reads a page again, if it still exists. The page was read before, so an error is a failure of the
/// machine, which is remembered: without it, the page would lose its date.
pub(crate) fn read_again<T>(
    output: &Tree,
    page: &SitePath,
    read: impl FnOnce(File) -> io::Result<T>,
) -> Option<T> {
    let read = output.open_page(page).and_then(read);
    output
        .note_unknown(&page.below_dir(output.path()), read)
        .ok()
}

/// Reads the metadata of a page.
pub(crate) fn page_metadata(output: &Tree, page: &SitePath, request: MetadataRequest) -> Metadata {
    read_again(output, page, |file| metadata_of(&file, request)).unwrap_or_default()
}
